#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Parse a script of Inno Setup without its compiler, which runs only on Windows. 54-setup.sh runs
this.

    inno.py SCRIPT FOLDER    FOLDER has the files that the script takes from {#Folder}

Checks sections, their directives or parameters, flags, constants, quotes, and the nesting of
[Code]. inno.py knows only the names that such a script may need. Inno Setup's documentation
(jrsoftware.org/ishelp) describes them.
"""
import os
import re
import sys

DIRECTIVES = {"AppId", "AppName", "AppVersion", "DefaultDirName", "ArchitecturesAllowed",
              "ArchitecturesInstallIn64BitMode", "CloseApplications", "PrivilegesRequired", "OutputBaseFilename"}
REQUIRED = {"AppName", "AppVersion", "DefaultDirName"}
# Identifiers of Inno Setup 6.3; x64 is deprecated.
ARCHITECTURES = {"arm64", "win64", "x64compatible", "x64os", "x86compatible", "x86os"}
PARAMETERS = {"Files": {"Source", "DestDir", "Flags"},
              "UninstallRun": {"Filename", "Parameters", "Flags", "RunOnceId"}}
FLAGS = {"Files": {"ignoreversion", "restartreplace", "uninsrestartdelete"},
         "UninstallRun": {"runhidden", "waituntilterminated"}}
CONSTANTS = {"app", "autopf", "#Version", "#Folder"}
EVENTS = {"CurStepChanged": "(CurStep: TSetupStep);", "GetCustomSetupExitCode": ": Integer;"}
TOKEN = re.compile(r"'(?:[^']|'')*'|\{[^}]*\}|//[^\n]*|[A-Za-z_]\w*|:=|<>|[-+*/=<>():;,.\[\]]|\d+|\s+")


class Problem(Exception):
    """A fault, described by a sentence."""


def check_constants(text, place):
    """Check {app} and other constants."""
    for name in re.findall(r"\{([^}]*)\}", text):
        if name not in CONSTANTS:
            raise Problem(f"{place}: there is no constant {{{name}}}")


def parameters_of(line, place):
    """Return parameters like Name: value; name: "value" as a dictionary."""
    found = {}
    rest = line
    while rest.strip():
        match = re.match(r'\s*(\w+): ("(?:[^"]|"")*"|[^;"]*)(?:;|$)', rest)
        if not match:
            raise Problem(f"{place}: {rest!r} is no parameter")
        if match[1] in found:
            raise Problem(f"{place}: {match[1]} stands twice")
        found[match[1]] = match[2].strip().strip('"')
        rest = rest[match.end():]
    return found


def check_entry(section, line, place, folder):
    """Check a line of [Files] or [UninstallRun]."""
    parameters = parameters_of(line, place)
    for name, value in parameters.items():
        if name not in PARAMETERS[section]:
            raise Problem(f"{place}: [{section}] has no parameter {name}")
        check_constants(value, place)
    for flag in parameters.get("Flags", "").split():
        if flag not in FLAGS[section]:
            raise Problem(f"{place}: [{section}] has no flag {flag}")
    if section == "Files":
        path = parameters["Source"].replace("{#Folder}", folder).replace("\\", "/")
        if not os.path.exists(path):
            raise Problem(f"{place}: there is no {path}")


def check_directive(line, place, found):
    """Check a line of [Setup]."""
    name, equals, value = line.partition("=")
    if not equals or name not in DIRECTIVES or name in found or not value:
        raise Problem(f"{place}: {line!r} is no directive")
    check_constants(value, place)
    if name.startswith("Architectures") and value not in ARCHITECTURES:
        raise Problem(f"{place}: there is no architecture {value}")
    found[name] = value


def tokens_of(code):
    """Return the words and signs of Pascal."""
    found = []
    at = 0
    while at < len(code):
        match = TOKEN.match(code, at)
        if not match:
            raise Problem(f"[Code]: {code[at:at + 20]!r} is no Pascal")
        at = match.end()
        if match[0].strip() and not match[0].startswith(("{", "//")):
            found.append(match[0])
    return found


def check_code(code):
    """Check that every begin, `if` and parenthesis is closed, and that Inno Setup calls every function."""
    tokens = tokens_of(code)
    words = [token.lower() for token in tokens]
    if words.count("begin") != words.count("end"):
        raise Problem("[Code]: begin and end do not match")
    if words.count("if") != words.count("then"):
        raise Problem("[Code]: an if without then")
    if words.count("(") != words.count(")"):
        raise Problem("[Code]: parentheses do not match")
    for before, word, after in zip(words, words[1:], words[2:]):
        if word == "else" and before == ";":
            raise Problem("[Code]: a semicolon before else")
        if word == "end" and after not in (";", ".", "else"):
            raise Problem("[Code]: no semicolon after end")
    for name, rest in re.findall(r"(?:procedure|function) (\w+)(.*)", code):
        if EVENTS.get(name) != rest:
            raise Problem(f"[Code]: Inno Setup calls no {name}{rest}")
    for constant in re.findall(r"ExpandConstant\('([^']*)'\)", code):
        check_constants(constant, "[Code]")


def check(path, folder):
    """Check the whole script."""
    with open(path, encoding="utf-8") as file:
        text, _, code = file.read().partition("[Code]\n")
    section = None
    directives = {}
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{path}:{number}"
        if not line.strip() or line.startswith(";"):
            continue
        header = re.fullmatch(r"\[(\w+)\]", line)
        if header:
            section = header[1]
        elif section == "Setup":
            check_directive(line, place, directives)
        elif section in PARAMETERS:
            check_entry(section, line, place, folder)
        else:
            raise Problem(f"{place}: {line!r} is in no section")
    if not REQUIRED <= directives.keys():
        raise Problem(f"{path}: [Setup] has no {REQUIRED - directives.keys()}")
    if "restartreplace" in text and directives.get("CloseApplications") != "no":
        raise Problem(f"{path}: a silent setup would end programs that run")
    check_code(code)


def main():
    """Check the script of the arguments."""
    try:
        check(*sys.argv[1:])
    except Problem as problem:
        print(f"FAILED: {problem}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
