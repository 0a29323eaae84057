"""Reads the profiles and recordings of MOCL3 (docs/profiling.md describes both formats)."""

import json
import subprocess
import tempfile
from pathlib import Path

from mocl3.commands import program

STAT_FORMAT = 1
RECORDING_FORMAT = 7

ACTIVITIES = (
    "compute",
    "scratchpad",
    "memory",
    "dma_wait",
    "lock_wait",
    "barrier",
    "launch",
    "idle",
)
MEMORIES = ("gsm", "hbsm", "ddr")


class FormatError(Exception):
    """A file is not of the format that this version reads."""


def table(rows):
    """The rows as a pandas DataFrame, or as they are without pandas."""
    rows = list(rows)
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


class Stat:
    """A profile: what ``mocl3 stat --json`` prints."""

    def __init__(self, document):
        if document.get("format") != STAT_FORMAT:
            raise FormatError(f"profile of format {document.get('format')}, not {STAT_FORMAT}")
        self.document = document

    def kernels(self):
        """A row for each kernel and local size, by descending simulated time."""
        return table(_flat(kernel) for kernel in self.document["kernels"])

    def lines(self):
        """A row for each source line of each kernel, by descending cycles."""
        return self._parts("lines")

    def arrays(self):
        """A row for each array of each kernel."""
        return self._parts("per_array")

    def transfers(self):
        """A row for each type of the other commands."""
        return table(self.document["transfers"])

    def _parts(self, key):
        return table(
            {"kernel": kernel["name"], "local_size": tuple(kernel["local_size"]), **_flat(part)}
            for kernel in self.document["kernels"]
            for part in kernel[key]
        )


def _flat(row, prefix=""):
    """Objects within a row become columns such as ``shares_compute``; lists of objects are left
    out, and lists of numbers become tuples."""
    flat = {}
    for key, value in row.items():
        name = prefix + key
        if isinstance(value, dict):
            flat.update(_flat(value, name + "_"))
        elif isinstance(value, list):
            if not any(isinstance(element, dict) for element in value):
                flat[name] = tuple(value)
        else:
            flat[name] = value
    return flat


def read_stat(path):
    """The profile in a file that ``mocl3 stat --json`` wrote."""
    return Stat(json.loads(Path(path).read_text(encoding="utf-8")))


def stat(*command):
    """Runs a program with its arguments under ``mocl3 stat``, and returns the profile.

    Raises ``subprocess.CalledProcessError`` if the program fails or uses no device.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stat.json"
        arguments = [*program("stat"), "--json", "-o", str(path), "--", *map(str, command)]
        subprocess.run(arguments, check=True)
        return read_stat(path)


class Process:
    """The recording of a process: ``header``, ``programs``, ``end``, and tables."""

    def __init__(self, header):
        self.header = header
        self.programs = {}
        self.end = None
        self._commands = []
        self._calls = []

    def commands(self):
        """A row for each command in the order of enqueueing: its times in nanoseconds, sizes and
        queue."""
        return table(self._rows(with_counters=False))

    def launches(self):
        """A row for each launch that was timed: the command's, and the performance counters by
        the names of ``cl_mocl3_performance_counters`` (docs/extensions.md)."""
        return table(self._rows(with_counters=True))

    def arrays(self):
        """A row for each launch and array, with cycles by activity."""
        return table(
            {
                "number": command["number"],
                "kernel": command["kernel"],
                "device": command["device"],
                "array": array,
                "begin": begin,
                "end": end,
                **dict(zip((f"{name}_cycles" for name in ACTIVITIES), cycles)),
            }
            for command in self._commands
            if command["report"]
            for array, begin, end, cycles in command["report"]["timing"]["arrays"]
        )

    def calls(self):
        """A row for each call of an API function, in the order of their begins."""
        return table(self._calls)

    def _rows(self, with_counters):
        for command in self._commands:
            report = command["report"]
            row = {
                key: tuple(value) if isinstance(value, list) else value
                for key, value in command.items()
                if key != "report"
            }
            if not with_counters:
                yield row
            elif report:
                yield {**row, **counters(report)}


def counters(report):
    """The performance counters of a launch from its report in a recording."""
    timing, totals = report["timing"], report["totals"]
    values = {"cycles": timing["end"]}
    for place, name in enumerate(ACTIVITIES):
        values[f"{name}_cycles"] = sum(cycles[place] for *_, cycles in timing["arrays"])
    names = ("operations", "single_flops", "double_flops", "scalar_flops", "scratchpad_bytes")
    values.update((name, totals[name]) for name in names)
    for name, moved in zip(MEMORIES, timing["traffic"]):
        values[f"{name}_bytes"] = moved
    values["dma_transfers"] = timing["transfers"]
    values["dma_bytes"] = timing["transferred"]
    values["locks"] = timing["locks"]
    values.update((name, totals[name]) for name in ("active_lanes", "lane_slots"))
    values["work_groups"] = totals["groups"]
    values["work_items"] = totals["work_items"]
    values.update((name, report[name]) for name in ("local_memory", "stack", "private_memory"))
    return values


def read_recording(path):
    """The processes of a recording: a folder, or the file of one process."""
    path = Path(path)
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    processes = [process for file in files if (process := _read_process(file))]
    if path.is_dir() and not processes:
        raise FormatError(f"{path} holds no recording")
    return processes


def _read_process(path):
    """The process of a file; None if it was killed before it had written its header."""
    process, whole = None, _WholeLines()
    with path.open(encoding="utf-8") as lines:
        for text in lines:
            if not text.endswith("\n"):
                break  # The process was killed.
            try:
                line = whole.resolve(json.loads(text))
                kind = line.pop("line")
            except (LookupError, TypeError, ValueError) as error:
                raise FormatError(f"{path} has a line that is none of a recording") from error
            if process is None:
                if kind != "header":
                    raise FormatError(f"{path} does not begin with a header")
                if line["format"] != RECORDING_FORMAT:
                    raise FormatError(
                        f"{path}: recording of format {line['format']}, not {RECORDING_FORMAT}"
                    )
                process = Process(line)
            elif kind == "program":
                files = process.programs.setdefault(line["number"], {})
                files.update((file["name"], file["text"]) for file in line["files"])
            elif kind == "command":
                process._commands.append(line)
            elif kind == "call":
                process._calls.append(line)
            elif kind == "end":
                process.end = line
    if process:
        process._commands.sort(key=lambda command: command["number"])
        process._calls.sort(key=lambda call: (call["begin"], call["host_begin"]))
    return process


class _WholeLines:
    """The whole lines of a recording, to which short ones refer (docs/profiling.md, "Recordings")."""

    def __init__(self):
        self.reports = {}
        self.commands, self.command = [], None
        self.calls, self.call = [], None
        self.enqueued = 0

    def resolve(self, line):
        """The whole line, with the keys that it may lack."""
        if isinstance(line, list):
            kind, number, *differences = line
            if kind == "command":
                return self._note_command(self._short_command(self.commands[number], *differences))
            return self._note_call(self._short_call(self.calls[number], *differences))
        if line["line"] == "command":
            line = self._command(line)
            self.commands.append(line)
            return self._note_command(line)
        if line["line"] == "call":
            self.calls.append(line)
            return self._note_call(line)
        return line

    def _command(self, line):
        """A command with all keys and its own report."""
        same = line.pop("same_report_as", None)
        report = self.reports.get(same) if same else line.pop("report", None)
        if report and not same:
            self.reports[line["number"]] = report
        optional = {"kernel": None, "program": None, "global_size": [], "local_size": []}
        return {**optional, "waited_for": [], **line, "report": report}

    def _short_command(
        self, whole, number, queued, submit, start, end, host_begin, host_end, waited_for=()
    ):
        number += self.command["number"]
        queued += self.command["queued"]
        host_begin += self.command["host_begin"]
        return {
            **whole,
            "number": number,
            "queued": queued,
            "submit": queued + submit,
            "start": queued + submit + start,
            "end": queued + submit + start + end,
            "host_begin": host_begin,
            "host_end": host_begin + host_end,
            "waited_for": [number - difference for difference in waited_for],
        }

    def _short_call(self, whole, begin, end, host_begin, host_end, command=None):
        begin += self.call["begin"]
        host_begin += self.call["host_begin"]
        line = {
            **whole,
            "begin": begin,
            "end": begin + end,
            "host_begin": host_begin,
            "host_end": host_begin + host_end,
        }
        line.pop("command", None)
        if command is not None:
            line["command"] = self.enqueued + command
        return line

    def _note_command(self, line):
        self.command = line
        return dict(line)

    def _note_call(self, line):
        self.call = line
        self.enqueued = line.get("command", self.enqueued)
        return dict(line)
