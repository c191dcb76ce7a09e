#!/usr/bin/env python3
# Does check_rings.py notice? Each case is one file put into a small tree that is otherwise fine.
import pathlib
import tempfile
import unittest

import check_rings

HEADER = "// A header.\n#pragma once\n"
GOOD = {
    "include/noslip/core/error.hpp": HEADER + "#include <string>\n",
    "include/noslip/expr/graph.hpp": HEADER + "#include <noslip/core/error.hpp>\n",
    "include/noslip/model/system.hpp": HEADER + "#include <noslip/expr/graph.hpp>\n",
    "src/expr/detail.hpp": HEADER,
    "src/expr/detail.cpp": '#include "expr/detail.hpp"\n',
    "src/core/error.cpp": "#include <noslip/core/error.hpp>\n",
    "tests/core/error_test.cpp": "#include <noslip/core/error.hpp>\n",
    "src/expr/graph.cpp": '// Graph.\n#include "expr/detail.hpp"\n#include "detail.hpp"\n#include <fmt/format.h>\n',
    "src/model/inner.cpp": '// An inner part.\n#include "expr/detail.hpp"\n',
    "src/model/file.cpp": "// Files.\n#include <toml++/toml.h>\n#include <noslip/model/system.hpp>\n",
    "src/app/main.cpp": "// The tool.\n#include <CLI/CLI.hpp>\n#include <noslip/run/run.hpp>\n",
    "tests/expr/graph_test.cpp": "// Tests.\n#include <gtest/gtest.h>\n#include <noslip/expr/graph.hpp>\n",
    "tests/lie/a.cpp": "// Tests.\n#include <noslip/exec/kernel.hpp>\n",
    "papers/data.hpp": HEADER + "#include <noslip/run/run.hpp>\n",
    "src/app/verb.cpp": '// A verb.\n#include "papers/data.hpp"\n',
    "tests/papers/data_test.cpp": '// Tests.\n#include "papers/data.hpp"\n',
    "examples/one.cpp": "// Shows.\n#include <noslip/run/run.hpp>\n",
}
# Path, text, and a piece of the complaint that it has to cause.
BAD = [
    ("src/core/a.cpp", "// A.\n#include <noslip/expr/graph.hpp>\n", "'core' may not look at 'expr'"),
    ("src/expr/a.cpp", "// A.\n#include <noslip/tape/tape.hpp>\n", "'expr' may not look at 'tape'"),
    ("src/tableau/a.cpp", "// A.\n#include <noslip/exec/kernel.hpp>\n", "'tableau' may not look at 'exec'"),
    ("src/lie/a.cpp", "// A.\n#include <noslip/exec/kernel.hpp>\n", "'lie' may not look at 'exec'"),
    ("tests/tableau/a.cpp", "// A.\n#include <noslip/exec/kernel.hpp>\n", "'tableau' may not look at 'exec'"),
    ("src/model/a.cpp", "// A.\n#include <noslip/method/method.hpp>\n", "'model' may not look at 'method'"),
    ("src/catalogue/a.cpp", "// A.\n#include <noslip/method/method.hpp>\n", "'catalogue' may not look at 'method'"),
    ("src/method/a.cpp", "// A.\n  #  include <noslip/catalogue/c.hpp>\n", "'method' may not look at 'catalogue'"),
    ("src/run/a.cpp", "// A.\n#include <noslip/io/csv.hpp>\n", "'run' may not look at 'io'"),
    ("src/ensemble/a.cpp", "// A.\n#include <noslip/io/csv.hpp>\n", "'ensemble' may not look at 'io'"),
    ("include/noslip/expr/a.hpp", HEADER + "#include <noslip/run/run.hpp>\n", "'expr' may not look at 'run'"),
    ("include/noslip/expr/a.hpp", HEADER + "#include <Eigen/Dense>\n", "a public header needs"),
    ("tests/expr/a.cpp", "// A.\n#include <noslip/model/system.hpp>\n", "'expr' may not look at 'model'"),
    ("src/core/a.cpp", '// A.\n#include "expr/detail.hpp"\n', "private header of 'expr'"),
    ("tests/model/a.cpp", '// A.\n#include "../../src/expr/detail.hpp"\n', "private header of 'expr'"),
    ("include/noslip/expr/a.hpp", HEADER + '#include "../../../src/expr/detail.hpp"\n', "private header of 'expr'"),
    ("src/app/a.cpp", '// A.\n#include "expr/detail.hpp"\n', "private header of 'expr'"),
    ("src/run/a.cpp", '// A.\n#include "papers/data.hpp"\n', "is not a file next to"),
    ("src/app/a.cpp", '// A.\n#include "papers/nowhere.hpp"\n', "is not a file"),
    ("papers/a.cpp", '// A.\n#include "../src/expr/detail.hpp"\n', "private header of 'expr'"),
    ("examples/a.cpp", '// A.\n#include "../src/expr/detail.hpp"\n', "private header of 'expr'"),
    ("src/expr/a.cpp", '// A.\n#include "noslip/expr/graph.hpp"\n', "included as <noslip/...>"),
    ("src/expr/a.cpp", '// A.\n#include "nowhere.hpp"\n', "is not a file"),
    ("src/run/a.cpp", "// A.\n#include <toml++/toml.h>\n", "belongs in src/model only"),
    ("src/io/a.cpp", "// A.\n#include <CLI/CLI.hpp>\n", "belongs in src/app only"),
    ("src/solve/a.cpp", "// A.\n#include <asmjit/asmjit.h>\n", "belongs in src/exec only"),
    ("src/tape/a.cpp", "// A.\n#include <sleef.h>\n", "belongs in src/exec only"),
    ("src/nowhere/a.cpp", "// A.\n#include <noslip/core/error.hpp>\n", "not a part that the rings know"),
    ("src/core/a.cpp", "#include <string>\n", "the first line has to say"),
    ("include/noslip/core/a.hpp", "#pragma once\n", "the first line has to say"),
    ("tools/a.py", "import sys\n", "the first line has to say"),
    ("tools/a.sh", "#!/usr/bin/env bash\nset -e\n", "the first line has to say"),
    ("include/noslip/core/a.hpp", "// A.\n", "no #pragma once"),
    ("src/core/a.cpp", "// A.\n" + 500 * "int x;\n", "more than 500"),
    ("src/core/a.cpp", '// A.\nconst char* file = "' + "/tm" + 'p/x";\n', "a path of one machine"),
    ("docs/a.md", "Look into " + "/wor" + "k/main.\n", "a path of one machine"),
]


def problems_with(extra):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**GOOD, **extra}.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return list(check_rings.problems_of(root))


class CheckRings(unittest.TestCase):
    def test_a_good_tree_has_no_problems(self):
        self.assertEqual(problems_with({}), [])

    def test_every_bad_file_is_caught_and_named(self):
        for name, text, complaint in BAD:
            with self.subTest(file=name, complaint=complaint):
                problems = problems_with({name: text})
                self.assertEqual(len(problems), 1, problems)
                self.assertTrue(problems[0].startswith(name + ":"), problems)
                self.assertIn(complaint, problems[0])


if __name__ == "__main__":
    unittest.main()
