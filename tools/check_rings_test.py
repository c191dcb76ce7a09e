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
    "src/expr/graph.cpp": '// Graph.\n#include <fmt/format.h>\n\n#include "detail.hpp"\n#include "expr/detail.hpp"\n',
    "src/model/inner.cpp": '// An inner part.\n#include "expr/detail.hpp"\n',
    "src/model/file.cpp": "// Files.\n#include <toml++/toml.h>\n\n#include <noslip/model/system.hpp>\n",
    "src/ensemble/mpi/a.cpp": '// Others.\n#include <mpi.h>\nconst char* text = "use srun --mpi=pmix";\n',
    "src/app/main.cpp": "// The tool.\n#include <CLI/CLI.hpp>\n\n#include <noslip/run/run.hpp>\n",
    "tests/expr/graph_test.cpp": "// Tests.\n#include <gtest/gtest.h>\n\n#include <noslip/expr/graph.hpp>\n",
    "tests/lie/a.cpp": "// Tests.\n#include <noslip/exec/kernel.hpp>\n",
    "papers/data.hpp": HEADER + "#include <noslip/run/run.hpp>\n",
    "src/app/verb.cpp": '// A verb.\n#include "papers/data.hpp"\n',
    "tests/papers/data_test.cpp": '// Tests.\n#include "papers/data.hpp"\n',
    "examples/one.cpp": "// Shows.\n#include <noslip/run/run.hpp>\n",
    # Names that meet nowhere, or are meant to: nested, anonymous, declared, specialised, overloaded, in other namespaces.
    "src/expr/names.hpp": HEADER + """namespace noslip {
struct Place { int line; struct Inner { int x; }; enum class Kind { a, b }; };
class Declared;
template <class T> struct Pack { T x; };
inline int size_of(int x) { return x; }
template <class T> T largest(const T& x, int count = 3) { return x; }
constexpr char text[] = "struct Place { }";
}
""",
    "src/run/names.cpp": """// Names.
namespace noslip {
class Declared { struct Inner { int x; }; };
template <> struct Pack<int> { int x; };
inline long size_of(long x) { return x; }
static inline int size_of(int y) { return y; }
namespace { struct Place { int other; }; inline int size_of(int x) { return x; } }
namespace app { struct Place { int third; }; }
/* struct Place {}; */  // struct Place {};
const char* raw = R"(struct Place { })";
}
""",
    "tests/run/one.cpp": "// Tests.\nnamespace noslip { struct Case { int x; }; }\n",
    "tests/suite/one.cpp": "// Tests.\nnamespace noslip { struct Case { long x; }; }\n",
}
# Path, text, and a piece of the complaint that it has to cause.
BAD = [
    ("src/io/a.cpp", "// A.\n#include <vector>\n#include <string>\n", "includes: own header"),
    ("src/io/a.cpp", "// A.\n#include <string>\n#include <fmt/format.h>\n", "includes: own header"),
    ("src/io/a.cpp", "// A.\n#include <fmt/format.h>\n\n#include <string>\n", "includes: own header"),
    ("src/io/a.cpp", "// A.\n#include <string>\n\n#include <vector>\n", "includes: own header"),
    ("src/run/a.cpp", '// A.\nconst char* text = "use --project";\n', "does not know flags of the tool"),
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
    ("src/ensemble/a.cpp", "// A.\n#include <mpi.h>\n", "belongs in src/ensemble/mpi only"),
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
    ("src/run/a.cpp", "// A.\nnamespace noslip {\nenum class Place : int { here };\n}\n", "'noslip::Place' is also a type"),
    ("src/run/a.hpp", HEADER + "namespace noslip { class Place final : Declared { int x; }; }\n", "is also a type"),
    ("src/run/a.cpp", "// A.\nnamespace noslip { template <int n> struct Pack { int x[n]; }; }\n", "is also a type"),
    ("src/run/z.cpp", "// A.\nnamespace noslip::app {\nunion Place { int x; };\n}\n", "'noslip::app::Place' is also"),
    ("src/run/a.hpp", HEADER + "namespace noslip { inline int size_of(int n) { return n; } }\n", "is also a function"),
    ("src/run/a.cpp", "// A.\nnamespace noslip { constexpr int size_of(int) { return 1; } }\n", "is also a function"),
    ("src/run/a.cpp", "// A.\nnamespace noslip { template <class T>\nT largest(const T& y, int n) { return y; } }\n",
     "'noslip::largest(const T &, int)' is also a function"),
    ("tests/run/a.cpp", "// A.\nnamespace noslip { class Place { int x; }; }\n", "is also a type of src/expr/names.hpp"),
    ("tests/run/two.cpp", "// A.\nnamespace noslip { struct Case { char x; }; }\n", "is also a type of tests/run/one.cpp"),
    ("src/io/a.cpp", "// A.\nauto x = strtod(text, nullptr);\n", "`strtod(` depends on the locale"),
    ("src/io/a.cpp", "// A.\nauto x = std::stod(text);\n", "depends on the locale"),
    ("papers/a.cpp", "// A.\nstd::ostringstream text;\n", "depends on the locale"),
    ("src/io/a.cpp", '// A.\nauto x = fmt::format("{:.3L}", y);\n', "depends on the locale"),
    ("src/app/a.cpp", "// A.\nbool x = std::isalpha(c) != 0;\n", "depends on the locale"),
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
