"""The wheel, and what an import costs."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

import noslip

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def python(code, *options, **environment):
    """What a new interpreter prints."""
    result = subprocess.run([sys.executable, *options, "-c", code], capture_output=True, text=True, check=False,
                            env={**os.environ, **environment})  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_an_import_is_light():
    heavy = python("import sys, noslip; print(*sorted({'pandas', 'xarray', 'matplotlib', 'json', 'html', 'inspect', 'dask'} & set(sys.modules)))")
    with_numpy = python("import sys, numpy, numpy.typing; print(*sorted({'json', 'html', 'inspect'} & set(sys.modules)))")
    assert set(heavy.split()) <= set(with_numpy.split()) | {"json"}


def test_version():
    assert noslip.__version__ == python("import noslip; print(noslip.__version__)")
    assert f"project(noslip VERSION {noslip.__version__}" in (ROOT / "CMakeLists.txt").read_text()


def test_the_wheel(tmp_path):
    # Not by sys.path: the folder also has the package, without its extension.
    spec = importlib.util.spec_from_file_location("backend", ROOT / "python" / "backend.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    assert backend.get_requires_for_build_wheel() == []
    name = backend.build_wheel(str(tmp_path))
    with zipfile.ZipFile(tmp_path / name) as wheel:
        assert wheel.testzip() is None
        names = wheel.namelist()
        wheel.extractall(tmp_path / "installed")
    for wanted in ("noslip/__init__.py", "noslip/py.typed", "noslip/_noslip.pyi", f"noslip-{noslip.__version__}.dist-info/RECORD"):
        assert wanted in names
    assert not [name for name in names if "__pycache__" in name]
    least = re.search(r"Python (\d\.\d+) or later", (ROOT / "docs" / "python.md").read_text(encoding="utf-8"))[1]
    assert f"Requires-Python: >={least}\n" in backend.metadata()
    where = python("import noslip; print(noslip.System('skate').run(step=0.1, until=1).status, noslip.__file__)", PYTHONPATH=str(tmp_path / "installed"))
    assert where.startswith(f"done {tmp_path}")
    sdist = backend.build_sdist(str(tmp_path))
    assert (tmp_path / sdist).stat().st_size > 100_000


def test_pip(tmp_path):
    pytest.importorskip("pip")
    words = [sys.executable, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check",
             "--target", tmp_path / "site", ROOT]  # fmt: skip
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert python("import noslip; print(noslip.__file__)", PYTHONPATH=str(tmp_path / "site")).startswith(str(tmp_path))
