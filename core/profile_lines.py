"""On which line of a settings file a key stands: the standard library's TOML reader does not say.

A scan over text that is TOML, or nearly: it records the line of every table, key, and list element under its dotted
name (`scope.exclude[2]`, `records[0].fields.price.css`), and comes to an end on any text.
"""

from __future__ import annotations

import re

_SPACE = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_BLANK = re.compile(r"[ \t]*+")
_REST = re.compile(r"[^\n]*+")
_WORD = re.compile(r"[A-Za-z0-9_-]++")
_BARE = re.compile(r"[^\s,\]}#=]++")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)?'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)?"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?",
    re.DOTALL,
)
_DEEPEST = 50


def key_lines(text: str) -> dict[str, int]:
    """The line, from 1, of everything in the file that has a name."""
    scan = _Scan(text)
    scan.file()
    return scan.found


def line_of(text: str, key: str) -> int | None:
    """The line of `key`, or of the nearest place around it that the file has; None where it has none."""
    return nearest_line(key_lines(text), key)


def nearest_line(lines: dict[str, int], key: str) -> int | None:
    """The same, where the lines of the file are known."""
    while key and key not in lines:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return lines.get(key)


class _Scan:
    def __init__(self, text: str) -> None:
        self.found: dict[str, int] = {}
        self._text = text
        self._at = 0
        self._line = 1
        self._tables: dict[str, int] = {}  # how many [[name]] there were

    def file(self) -> None:
        table = ""
        while self._peek(_SPACE):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table, 0)

    def _peek(self, gap: re.Pattern[str]) -> str:
        """Step over `gap`; the character that follows, or "" at the end."""
        self._take(gap)
        return self._text[self._at : self._at + 1]

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            return ""
        self._line += found.group().count("\n")
        self._at = found.end()
        return found.group()

    def _header(self) -> str:
        line = self._line
        is_list = self._text.startswith("[[", self._at)
        self._at += 2 if is_list else 1
        path = ""
        for part in self._key():
            path = below(self._in_last(path), part)
        if is_list:
            self._tables[path] = self._tables.get(path, 0) + 1
        path = self._in_last(path)
        self.found.setdefault(path, line)
        self._take(_REST)
        return path

    def _in_last(self, path: str) -> str:
        return f"{path}[{self._tables[path] - 1}]" if path in self._tables else path

    def _key(self) -> list[str]:
        parts: list[str] = []
        while True:
            quoted = self._peek(_BLANK) in {'"', "'"}
            word = self._take(_STRING).strip("\"'") if quoted else self._take(_WORD)
            if not word and not quoted:
                return parts
            parts.append(word)
            if self._peek(_BLANK) != ".":
                return parts
            self._at += 1

    def _pair(self, table: str, depth: int) -> None:
        line, start = self._line, self._at
        path = table
        for part in self._key():
            path = below(path, part)
            self.found.setdefault(path, line)
        if self._peek(_BLANK) == "=":
            self._at += 1
            self._peek(_BLANK)
            self._value(path, depth)
        elif self._at == start:
            self._at += 1  # no key at all: go on behind it

    def _value(self, path: str, depth: int) -> None:
        character = self._text[self._at : self._at + 1]
        if character in {'"', "'"} and character:
            self._take(_STRING)
        elif character in {"[", "{"} and depth < _DEEPEST:
            self._at += 1
            self._inside(path, "]" if character == "[" else "}", depth + 1)
        elif not self._take(_BARE):
            self._at += 1

    def _inside(self, path: str, end: str, depth: int) -> None:
        number = 0
        while character := self._peek(_SPACE):
            if character == end:
                self._at += 1
                return
            if character == ",":
                self._at += 1
            elif end == "}":
                self._pair(path, depth)
            else:
                self.found.setdefault(f"{path}[{number}]", self._line)
                self._value(f"{path}[{number}]", depth)
                number += 1


def below(path: str, name: str) -> str:
    """The dotted name of `name` in the table at `path`; the file itself has no name."""
    return f"{path}.{name}" if path else name
