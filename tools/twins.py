# Finds two things of one name in different files of one namespace: to the linker they are one (the one-definition rule),
# and it keeps either of them without a word. Used by check_rings.py.
#
# Types (struct, class, enum, union) and functions that may be defined more than once (inline, constexpr, templates) are
# looked at; anonymous namespaces, nested types, static functions and specialisations are not. The linker itself complains
# about two other functions of one name.
import re

TOKEN = re.compile(r"""
    //[^\n]* | /\*.*?\*/                       # comments
  | (?:u8|u|U|L)?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"
  | (?:u8|u|U|L)?"(?:\\.|[^"\\\n])*"
  | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'
  | ^[ \t]*\#(?:\\\n|[^\n])*                   # preprocessor
  | [A-Za-z_]\w*
  | \d(?:[\w.']|(?<=[eEpP])[+-])*
  | ::|\[\[|\]\]|->|\S
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
SKIPPED = ("//", "/*", "#")
TYPE_WORDS = {"struct", "class", "enum", "union"}


def tokens_of(text):
    """Words and signs with their lines; comments, texts and preprocessor lines are left out."""
    line, seen = 1, 0
    for match in TOKEN.finditer(text):
        token = match.group()
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if token.lstrip().startswith(SKIPPED):
            continue
        yield ('""' if token[-1] in "\"'" and len(token) > 1 else token), line


def without_brackets(tokens, opening, closing):
    """The tokens outside of brackets of one kind."""
    depth, result = 0, []
    for token in tokens:
        depth += token == opening
        if depth == 0:
            result.append(token)
        depth -= token == closing and depth > 0
    return result


def type_name(head):
    """The name of the type whose body follows, or None. `head` are the tokens since the last declaration."""
    head = without_brackets(head, "[[", "]]")
    while head[:1] == ["template"]:
        head = after_angles(head[1:])
    if not head or head[0] not in TYPE_WORDS or "(" in head or "=" in head:
        return None
    words = head[1:]
    if head[0] == "enum" and words[:1] in (["class"], ["struct"]):
        words = words[1:]
    if words[:1] == ["alignas"]:
        return None
    # `A::B` is nested in A, `A<int>` a specialisation; both belong to A.
    if not words or not re.match(r"[A-Za-z_]", words[0]) or words[1:2] in (["::"], ["<"]):
        return None
    return words[0]


def after_angles(tokens):
    """What follows the <...> that the tokens begin with."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += (token == "<") - (token == ">")
        if depth == 0:
            return tokens[i + 1:]
    return []


def parameters_of(tokens):
    """The types in a list of parameters, without names and defaults, as one text."""
    parameters, depth = [[]], 0
    for token in tokens:
        if token == "," and depth == 0:
            parameters.append([])
            continue
        depth += (token in "(<[{") - (token in ")>]}")
        parameters[-1].append(token)
    types = []
    for parameter in parameters:
        if "=" in parameter:
            parameter = parameter[:parameter.index("=")]
        is_named = len(parameter) > 1 and re.match(r"[A-Za-z_]", parameter[-1]) and parameter[-2] not in ("::", "const")
        types.append(" ".join(parameter[:-1] if is_named and parameter[0] != parameter[-1] else parameter))
    return ", ".join(types)


def function_key(head):
    """Name and types of a function that may be defined more than once, or None."""
    head = without_brackets(head, "[[", "]]")
    is_template = head[:1] == ["template"]
    while head[:1] == ["template"]:
        if head[1:3] == ["<", ">"]:
            return None  # a specialisation
        head = after_angles(head[1:])
        if head[:1] == ["requires"]:
            return None
    words = set(head)
    if "static" in words or "(" not in head or not (is_template or words & {"inline", "constexpr", "consteval"}):
        return None
    opening = head.index("(")
    if "=" in head[:opening] and "operator" not in head[:opening]:
        return None  # a variable
    if "operator" in head[:opening]:
        start = head.index("operator")
        opening += 2 if head[opening:opening + 2] == ["(", ")"] and head[start + 1] == "(" else 0
        name = " ".join(head[start:opening])
    else:
        start, name = opening - 1, head[opening - 1]
    if start < 0 or head[start - 1] == "::" or name == ">":
        return None  # a member
    depth = 0
    for end in range(opening, len(head)):
        depth += (head[end] == "(") - (head[end] == ")")
        if depth == 0:
            return f"{name}({parameters_of(head[opening + 1:end])})"
    return None


def definitions_of(text):
    """(kind, name with its namespaces, line) of everything that other files could define again."""
    scopes = []  # of open braces: the name of a namespace, "" for an anonymous one, None for anything else
    head, started = [], 0
    for token, line in tokens_of(text):
        is_outside = all(scopes)  # in named namespaces only
        if token == "{":
            if head[:1] == ["namespace"] or head[:2] == ["inline", "namespace"]:
                scopes.append("".join(head[head.index("namespace") + 1:]))
                head = []
                continue
            if is_outside:
                where = "::".join(scopes)
                if name := type_name(head):
                    yield "type", f"{where}::{name}".lstrip(":"), started
                elif key := function_key(head):
                    yield "function", f"{where}::{key}".lstrip(":"), started
            scopes.append(None)
        elif token == "}":
            if scopes:
                scopes.pop()
            if is_outside or all(scopes):
                head = []
        elif token == ";" and is_outside:
            head = []
        elif is_outside:
            if not head:
                started = line
            head.append(token)


def program_of(path):
    """The test program that a file is part of; None for files that many programs have."""
    return path.parts[1] if path.parts[0] == "tests" and path.parts[1] != "support" else None


def twins(files):
    """`files`: pairs of path and text. Yields (path, line, complaint) for each definition after the first of its name.
    Two test programs never meet."""
    known = {}
    for path, text in files:
        for kind, name, line in definitions_of(text):
            others = known.setdefault((kind, name), [])
            for other, there in others:
                if other != path and (program_of(other) in (None, program_of(path)) or program_of(path) is None):
                    yield path, line, f"'{name}' is also a {kind} of {other}:{there}; rename one, or make it anonymous"
                    break
            others.append((path, line))
