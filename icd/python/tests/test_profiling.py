"""Tests of the module with a recording and a profile that the Rust code wrote.

`tools/mocl3/tests/python.rs` writes both into the folder that MOCL3_TEST_FOLDER names: the
recording `recording`, and its profile `stat.json`. The recording has one process.
"""

import json
import os
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

import mocl3
from mocl3 import commands, profiling

FOLDER = Path(os.environ["MOCL3_TEST_FOLDER"])


def without_pandas():
    """`import pandas` fails, whether it is installed or not."""
    return mock.patch.dict(sys.modules, {"pandas": None})


class Recordings(unittest.TestCase):
    def setUp(self):
        patch = without_pandas()
        patch.start()
        self.addCleanup(patch.stop)
        [self.process] = mocl3.read_recording(FOLDER / "recording")
        self.stat = mocl3.read_stat(FOLDER / "stat.json")

    def test_counters_add_up_to_the_profile(self):
        kernels = {kernel["name"]: kernel for kernel in self.stat.kernels()}
        self.assertGreater(len(kernels), 1)
        for name, kernel in kernels.items():
            launches = [row for row in self.process.launches() if row["kernel"] == name]
            self.assertEqual(len(launches), kernel["launches"])
            for counter, key in (
                ("cycles", "cycles"),
                ("operations", "instructions"),
                ("dma_bytes", "dma_bytes"),
                ("dma_transfers", "dma_transfers"),
                ("locks", "locks"),
                ("gsm_bytes", "bandwidth_gsm_total"),
                ("double_flops", "flops_double_total"),
                ("single_flops", "flops_single_total"),
                ("work_items", "work_items"),
            ):
                total = sum(row[counter] for row in launches)
                self.assertEqual(total, kernel[key], f"{name}: {counter}")
            for activity in profiling.ACTIVITIES:
                total = sum(row[f"{activity}_cycles"] for row in launches)
                self.assertEqual(total, kernel[f"array_cycles_{activity}"], activity)
            ddr = sum(row["ddr_bytes"] + row["dma_bytes"] for row in launches)
            self.assertEqual(ddr, kernel["bandwidth_ddr_total"])

    def test_counters_are_those_of_the_extension(self):
        page = os.environ["MOCL3_TEST_EXTENSIONS"]
        text = Path(page).read_text(encoding="utf-8")
        section = text.split("**Counters of a launch**")[1].split("**")[0]
        names = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
        reports = [command["report"] for command in self.process._commands]
        report = next(report for report in reports if report)
        self.assertEqual(list(profiling.counters(report)), names)

    def test_commands_and_arrays(self):
        rows = self.process.commands()
        self.assertEqual([row["number"] for row in rows], sorted(row["number"] for row in rows))
        launches = [row for row in rows if row["kernel"]]
        self.assertLess(len(launches), len(rows))
        self.assertIsInstance(launches[0]["global_size"], tuple)
        arrays = self.process.arrays()
        of_first = [row for row in arrays if row["number"] == launches[0]["number"]]
        cycles = sum(row["compute_cycles"] for row in of_first)
        self.assertEqual(cycles, self.process.launches()[0]["compute_cycles"])

    def test_calls_and_sources(self):
        calls = self.process.calls()
        self.assertTrue(calls)
        self.assertEqual(calls, sorted(calls, key=lambda call: call["begin"]))
        [files] = self.process.programs.values()
        line = next(row for row in self.stat.lines() if row["text"])
        text = files[line["file"]].splitlines()[line["line"] - 1]
        self.assertEqual(text, line["text"])

    def test_a_line_that_is_cut_off_is_left_out(self):
        [file] = (FOLDER / "recording").glob("*.jsonl")
        text = file.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            cut = Path(folder) / "1.jsonl"
            cut.write_text(text[:-5], encoding="utf-8")
            [process] = mocl3.read_recording(cut)
            self.assertEqual(len(process.commands()), len(self.process.commands()))
            self.assertIsNone(process.end)

    def test_short_lines_are_made_whole(self):
        times = ("queued", "submit", "start", "end", "host_begin", "host_end")
        command = {"kind": "CL_COMMAND_MARKER", **dict(zip(times, (10, 11, 13, 17, 5, 6)))}
        call = {"function": "clFinish", "thread": 1, "command": 3}
        call.update(begin=10, end=15, host_begin=20, host_end=29)
        lines = [
            {"line": "header", "format": profiling.RECORDING_FORMAT, "arguments": ["p"], "pid": 1},
            {"line": "command", "number": 1, **command},
            ["command", 0, 2, 100, 1, 2, 4, -2, 7, [2]],
            {"line": "call", **call},
            ["call", 0, 20, 5, -10, 9],
            ["call", 0, 20, 5, 40, 9, 1],
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "1.jsonl"
            text = "".join(json.dumps(line) + "\n" for line in lines)
            file.write_text(text, encoding="utf-8")
            [process] = mocl3.read_recording(file)
        whole, short = process._commands
        self.assertEqual(short.keys(), whole.keys())
        self.assertEqual((short["number"], short["waited_for"]), (3, [1]))
        self.assertEqual([short[name] for name in times], [110, 111, 113, 117, 3, 10])
        calls = process._calls
        self.assertEqual([call.get("command") for call in calls], [3, None, 4])
        self.assertEqual([call["host_begin"] for call in calls], [20, 10, 50])
        self.assertEqual([call["end"] for call in calls], [15, 35, 55])

    def test_other_formats_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "1.jsonl"
            file.write_text(json.dumps({"line": "header", "format": 1}) + "\n", encoding="utf-8")
            with self.assertRaises(mocl3.FormatError):
                mocl3.read_recording(folder)
            for text in ('["command", 0, 1, 1, 1, 1, 1, 1, 1]', "[]", "3", "{}", "no JSON"):
                file.write_text(text + "\n", encoding="utf-8")
                with self.assertRaises(mocl3.FormatError):
                    mocl3.read_recording(folder)
            file.unlink()
            with self.assertRaises(mocl3.FormatError):
                mocl3.read_recording(folder)
        with self.assertRaises(mocl3.FormatError):
            mocl3.Stat({"format": 2})


class Tables(unittest.TestCase):
    def test_pandas_is_used_where_it_is(self):
        class DataFrame:
            def __init__(self, rows):
                self.rows = rows

        pandas = types.SimpleNamespace(DataFrame=DataFrame)
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            frame = mocl3.read_stat(FOLDER / "stat.json").kernels()
        self.assertIsInstance(frame, DataFrame)
        self.assertGreater(frame.rows[0]["shares_compute"], 0)


class Commands(unittest.TestCase):
    def test_programs_find_this_installation_unless_platforms_are_chosen(self):
        library = str(commands.PROGRAM.parent.with_name("libmocl3.so"))
        with mock.patch.dict(os.environ, clear=True):
            for name in commands.VARIABLES:
                self.assertEqual(commands.environment(["stat"])[name], library)
            self.assertEqual(commands.environment(["doctor"]), {})
        with mock.patch.dict(os.environ, {"OCL_ICD_VENDORS": "x"}, clear=True):
            self.assertEqual(commands.environment(["stat"]), {"OCL_ICD_VENDORS": "x"})

    def test_stat_runs_the_command_of_the_path(self):
        """The sources have no wheel's program, so the one of PATH runs; here a script."""
        with tempfile.TemporaryDirectory() as folder:
            script = Path(folder) / "mocl3"
            script.write_text(f'#!/bin/sh\ncp {FOLDER}/stat.json "$4"\n')
            script.chmod(0o755)
            path = f"{folder}:{os.environ['PATH']}"
            with mock.patch.dict(os.environ, {"PATH": path}), without_pandas():
                profile = mocl3.stat("./program", 4)
        self.assertEqual(profile.document, mocl3.read_stat(FOLDER / "stat.json").document)

    def test_the_version_is_the_workspaces(self):
        self.assertEqual(mocl3.__version__, os.environ["MOCL3_TEST_VERSION"])


if __name__ == "__main__":
    unittest.main()
