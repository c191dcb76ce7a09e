"""Builds the wheel of the Python package with CMake (PEP 517 and 660), with the standard library alone.

Options of CMake are given as `pip install . -C cmake-args="-DNOSLIP_PNG=OFF"`. The environment variable NOSLIP_BUILD_DIR
names a tree that is built already, or shall be; otherwise it is build/wheel.
"""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "cmake", "include", "src", "papers", "python")


def version():
    """Of the package, as CMake has it."""
    return re.search(r"project\(noslip VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def metadata():
    """What the package says of itself."""
    lines = ["Metadata-Version: 2.1", "Name: noslip", f"Version: {version()}",
             "Summary: Structure-preserving simulation of mechanical systems that roll, skate and steer",
             "License-File: LICENSE", "Requires-Python: >=3.9", "Requires-Dist: numpy",
             "Description-Content-Type: text/markdown", ""]  # fmt: skip
    return "\n".join(lines) + "\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def tag():
    """Interpreter and platform of the wheel."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{re.sub('[-.]', '_', sysconfig.get_platform())}"


def run(*words):
    """A command, with its output if it fails."""
    result = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode != 0:
        sys.stderr.write(result.stdout[-20000:])
        raise SystemExit(f"noslip: failed: {shlex.join(words)}")


def extension(settings):
    """The extension, built now."""
    tree = pathlib.Path(os.environ.get("NOSLIP_BUILD_DIR") or ROOT / "build" / "wheel")
    if not (tree / "CMakeCache.txt").exists():
        given = (settings or {}).get("cmake-args", "")
        options = shlex.split(given if isinstance(given, str) else " ".join(given))
        ninja = ["-G", "Ninja"] if not os.environ.get("CMAKE_GENERATOR") and has("ninja") else []
        run("cmake", "-S", str(ROOT), "-B", str(tree), *ninja, "-DCMAKE_BUILD_TYPE=Release", "-DNOSLIP_TESTS=OFF",
            "-DNOSLIP_TOOL=OFF", "-DNOSLIP_INSTALL=OFF", "-DNOSLIP_PYTHON=ON", f"-DNOSLIP_PYTHON_EXECUTABLE={sys.executable}",
            *options)  # fmt: skip
    run("cmake", "--build", str(tree), "--target", "noslip_python", "--parallel", str(os.cpu_count() or 1))
    return next((tree / "python" / "noslip").glob("_noslip*.so"))


def has(program):
    """Can it be called?"""
    import shutil

    return shutil.which(program) is not None


class Wheel:
    """A wheel under construction."""

    def __init__(self, folder):
        self.name = f"noslip-{version()}-{tag()}.whl"
        self.info = f"noslip-{version()}.dist-info"
        self.zip = zipfile.ZipFile(pathlib.Path(folder) / self.name, "w", zipfile.ZIP_DEFLATED)
        self.rows = []

    def add(self, name, content, mode=0o644):
        """A file in the wheel."""
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        content = content.encode() if isinstance(content, str) else content
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.rows.append((name, f"sha256={digest}", len(content)))

    def close(self):
        """What every wheel has; its name."""
        self.add(f"{self.info}/METADATA", metadata())
        self.add(f"{self.info}/LICENSE", (ROOT / "LICENSE").read_bytes())
        self.add(f"{self.info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: noslip\nRoot-Is-Purelib: false\nTag: {tag()}\n")
        record = io.StringIO()
        csv.writer(record, lineterminator="\n").writerows([*self.rows, (f"{self.info}/RECORD", "", "")])
        self.add(f"{self.info}/RECORD", record.getvalue())
        self.zip.close()
        return self.name


def package_files():
    """Of the package, without the extension."""
    return sorted(path for path in (ROOT / "python" / "noslip").iterdir() if path.is_file())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517."""
    built = extension(config_settings)
    wheel = Wheel(wheel_directory)
    for path in package_files():
        wheel.add(f"noslip/{path.name}", path.read_bytes())
    wheel.add(f"noslip/{built.name}", built.read_bytes(), 0o755)
    return wheel.close()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 660: the package is imported from the build tree, whose files are links to those in python/noslip."""
    built = extension(config_settings)
    wheel = Wheel(wheel_directory)
    wheel.add("noslip.pth", f"{built.parent.parent}\n")
    return wheel.close()


def build_sdist(sdist_directory, config_settings=None):
    """PEP 517."""
    stem = f"noslip-{version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{stem}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name in SOURCES:
            archive.add(ROOT / name, f"{stem}/{name}", filter=lambda info: None if "__pycache__" in info.name else info)
        info = tarfile.TarInfo(f"{stem}/PKG-INFO")
        content = metadata().encode()
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    return f"{stem}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    """Nothing from the network."""
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel
