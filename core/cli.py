"""The command line: one parser, one function a command. Everything a command needs is imported when it runs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from core.commands.output import complain
from core.errors import BadInput, FronteiraError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = [
    *"urls records links hosts alarms metrics refused conflicts robots log changes".split(),
    *"seeds duplicates page_changes responses".split(),
]
PAGE_READER = "read-pages"  # what an engine calls itself with, for pages under rules without a time limit
RULE_TRIER = "try-rules"  # and a window, for rules that are still being written
COMMANDS = [
    *"new run stop set status explain export diff recrawl reparse".split(),
    *"check backup apply confirm migrate salvage demo".split(),
]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 finished, 1 failed, 2 wrong use, 3 ended early, 4 another engine."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given == [PAGE_READER]:
            return _read_pages()
        if given == [RULE_TRIER]:
            return _try_rules()
        if not given or (given[0] not in COMMANDS and not given[0].startswith("-")):
            return _window([_existing(name) for name in given])
        options = parser().parse_args(given)
        status: int = options.command(options)
    except SettingsError as error:
        for problem in error.problems:
            complain(str(problem))
        return error.exit_status
    except FronteiraError as error:
        complain(str(error))
        return error.exit_status
    except BrokenPipeError:
        return 0  # whoever read our output has seen enough
    return status


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong in one line on standard error, and ends with 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message[:1].upper()}{message[1:]}. See `{self.prog} --help`.\n")


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = OneLineParser(
        prog="fronteira",
        description="A crawl manager whose crawl file survives anything. Without a command: the window on FILE.",
    )
    from core import __version__

    top.add_argument("--version", action="version", version=f"Fronteira {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    _add_making(commands)
    _add_running(commands)
    _add_reading(commands)
    return top


Commands = argparse._SubParsersAction  # the type has no public name


def _add_making(commands: Commands[OneLineParser]) -> None:
    new = _command(commands, "new", _new, "make a crawl file")
    new.add_argument("--settings", type=Path, metavar="S.toml", help="the settings; see also --seed")
    new.add_argument("--seed", action="append", default=[], metavar="URL", help="a seed, beside those of the settings")
    change = _command(commands, "set", _set, "replace the settings, also while it runs")
    change.add_argument("--settings", type=Path, metavar="S.toml", required=True)
    copy = _command(commands, "backup", _backup, "make a consistent copy, also while it runs")
    copy.add_argument("to", type=Path, metavar="TO")
    _command(commands, "apply", _apply, "carry out waiting wishes without crawling")
    _command(commands, "confirm", _confirm, "believe that what vanished, many pages at once, is gone")
    _command(commands, "migrate", _migrate, "bring a file of an earlier version up to date")
    salvage = _command(commands, "salvage", _salvage, "rescue the rows of a damaged or foreign file into a new one")
    salvage.add_argument("to", type=Path, metavar="TO")
    salvage.add_argument("--trust-settings", action="store_true", help="keep settings that need a confirmation")
    salvage.add_argument("--json", action="store_true")


def _add_running(commands: Commands[OneLineParser]) -> None:
    run = _command(commands, "run", _run, "crawl until done, stopped or a limit")
    recrawl = _command(commands, "recrawl", _recrawl, "start a new run over the URLs that are due, and crawl it")
    recrawl.add_argument("--all", action="store_true", help="over every URL")
    for command in (run, recrawl):
        command.add_argument("--concurrency", type=_positive, metavar="N", help="requests at once in all")
        command.add_argument("--attached", action="store_true", help="stop when standard input closes")
    again = _command(commands, "reparse", _reparse, "apply changed record rules to the stored responses")
    again.add_argument("--dry-run", action="store_true", help="only say what would change")
    again.add_argument("--json", action="store_true")
    again.add_argument("--attached", action="store_true", help="tell how far it is; end when standard input closes")
    _command(commands, "stop", _stop, "ask a running engine to stop")
    demo = commands.add_parser("demo", help="a local sample site and the window on it")
    demo.add_argument("--headless", action="store_true", help="without the window")
    demo.set_defaults(command=_demo)


def _add_reading(commands: Commands[OneLineParser]) -> None:
    status = _command(commands, "status", _status, "state, counters, ratios, alarms")
    status.add_argument("--json", action="store_true")
    explain = _command(commands, "explain", _explain, "what becomes of a URL, and why")
    explain.add_argument("url", metavar="URL")
    explain.add_argument("--json", action="store_true")
    diff = _command(commands, "diff", _diff, "what changed from run to run, or from file to file")
    diff.add_argument("other", type=Path, nargs="?", metavar="OTHER")
    diff.add_argument("--from", type=int, dest="before", metavar="RUN", help="default: the run before")
    diff.add_argument("--to", type=int, dest="after", metavar="RUN", help="default: the last run")
    diff.add_argument("--json", action="store_true")
    diff.add_argument("--output", type=Path, metavar="O", help="write what is new, changed or gone, one by one, as CSV")
    check = _command(commands, "check", _check, "audit the file")
    check.add_argument("--json", action="store_true")
    export = _command(commands, "export", _export, "write a table to a file")
    export.add_argument("--table", choices=TABLES, required=True, metavar="T", help=", ".join(TABLES))
    formats = "csv, jsonl, xlsx, parquet; responses as warc or warc.gz too"
    export.add_argument("--format", default="csv", metavar="F", help=formats)
    export.add_argument("--output", type=Path, required=True, metavar="O")
    export.add_argument("--where", default="", metavar="EXPR", help="COLUMN OP VALUE joined by `and`")
    export.add_argument("--raw", action="store_true", help="do not neutralise formula cells")
    export.add_argument("--bom", action="store_true", help="begin with a byte order mark")
    export.add_argument(
        "--about", action="store_true", help="write a small file beside it that says where it came from"
    )


def _command(
    commands: Commands[OneLineParser], name: str, function: object, explanation: str
) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=explanation)
    command.add_argument("file", type=Path, metavar="FILE")
    command.set_defaults(command=function)
    return command


def _positive(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 1024:
        raise argparse.ArgumentTypeError("from 1 to 1024")
    return number


def _existing(name: str) -> str:
    """A crawl file for the window; a word that is neither file nor command is told at once."""
    if not Path(name).exists():
        raise BadInput(f"{name} is neither a file nor a command.", f"Commands are {', '.join(COMMANDS)}.")
    return name


def _window(files: list[str]) -> int:
    from core.commands.display import require_display
    from gui.app import main as window  # the one place where the command line opens the window

    require_display()
    return window(files)


def _read_pages() -> int:
    from core.commands.read_pages import read_pages

    return read_pages()


def _try_rules() -> int:
    from core.commands.try_rules import try_rules

    return try_rules()


def _new(options: argparse.Namespace) -> int:
    from core.commands.files import new

    return new(options.file, options.settings, options.seed)


def _set(options: argparse.Namespace) -> int:
    from core.commands.files import replace_settings

    return replace_settings(options.file, options.settings)


def _backup(options: argparse.Namespace) -> int:
    from core.commands.files import backup

    return backup(options.file, options.to)


def _apply(options: argparse.Namespace) -> int:
    from core.commands.files import apply

    return apply(options.file)


def _confirm(options: argparse.Namespace) -> int:
    from core.commands.files import confirm

    return confirm(options.file)


def _migrate(options: argparse.Namespace) -> int:
    from core.commands.migrate import migrate

    return migrate(options.file)


def _salvage(options: argparse.Namespace) -> int:
    from core.commands.salvage import salvage

    return salvage(options.file, options.to, trusted=options.trust_settings, as_json=options.json)


def _run(options: argparse.Namespace) -> int:
    from core.commands.run import run

    return run(options.file, attached=options.attached, concurrency=options.concurrency)


def _recrawl(options: argparse.Namespace) -> int:
    from core.commands.run import run

    which = "all" if options.all else "due"
    return run(options.file, attached=options.attached, concurrency=options.concurrency, recrawl=which)


def _reparse(options: argparse.Namespace) -> int:
    from core.commands.reparse import reparse

    return reparse(options.file, dry_run=options.dry_run, as_json=options.json, attached=options.attached)


def _stop(options: argparse.Namespace) -> int:
    from core.commands.run import stop

    return stop(options.file)


def _demo(options: argparse.Namespace) -> int:
    from core.commands.demo import demo

    return demo(headless=options.headless)


def _status(options: argparse.Namespace) -> int:
    from core.commands.show import status

    return status(options.file, as_json=options.json)


def _explain(options: argparse.Namespace) -> int:
    from core.commands.explain import explain

    return explain(options.file, options.url, as_json=options.json)


def _diff(options: argparse.Namespace) -> int:
    from core.commands.difference import diff

    return diff(options.file, options.other, options.before, options.after, as_json=options.json, output=options.output)


def _check(options: argparse.Namespace) -> int:
    from core.commands.show import check

    return check(options.file, as_json=options.json)


def _export(options: argparse.Namespace) -> int:
    from core.commands.show import export

    return export(options)
