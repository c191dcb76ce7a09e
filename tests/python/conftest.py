"""What the tests of the Python module share."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def tool():
    """Runs the tool with words; the result of subprocess.run."""

    def run(*words, folder=None):
        return subprocess.run([os.environ["NOSLIP_TOOL"], *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)

    return run
