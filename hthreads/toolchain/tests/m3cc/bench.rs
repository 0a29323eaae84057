//! ht-bench: all programs of the tests, case by case. Ordinary tests run each program at its first
//! optimisation levels; `cargo xtask ht-bench` runs all levels, on one host thread and on several, and
//! prints a table.

use crate::interface::{cases_of_group, words};
use crate::programs::{SOURCES, build};
use crate::real_programs;
use crate::tree::{TREE, repository};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What cases have done: by name, the lines that say what is wrong.
pub type Results = BTreeMap<String, Vec<String>>;

/// Levels of the full run.
const ALL_LEVELS: [&str; 4] = ["-O0", "-O1", "-O2", "-O3"];

/// A program with its cases.
pub struct Group {
    /// The program.
    pub name: &'static str,
    /// Levels of ordinary tests.
    levels: &'static [&'static str],
    /// Variables of the environment that it needs.
    variables: &'static str,
    /// How its output is read.
    read: Read,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    /// It says of each case how that has ended.
    Cases,
    /// So it does, and what its kernels print is compared with a file.
    Output,
    /// Each case is a run of its own; messages and exit are compared with a file.
    Messages,
}

const fn group(name: &'static str, levels: &'static [&'static str]) -> Group {
    Group {
        name,
        levels,
        variables: "",
        read: Read::Cases,
    }
}

/// All programs.
pub const GROUPS: &[Group] = &[
    group("memory", &["-O0", "-O3"]),
    group("transfers", &["-O1", "-O2"]),
    group("synchronisation", &["-O0", "-O2"]),
    group("interrupts", &["-O0", "-O2"]),
    group("libmt", &["-O2"]),
    group("groups", &["-O0", "-O2 -g"]),
    group("intrinsics", &["-O2"]),
    group("instructions", &["-O0"]),
    group("conditional", &["-O0"]),
    group("lane_mask", &["-O0", "-O2"]),
    group("vector_math", &["-O2"]),
    group("vsip", &["-O0"]),
    group("assembly", &["-O0", "-O2 -g"]),
    Group {
        variables: "MOCL3_MACHINE=fast-memory",
        ..group("arrays", &["-O2"])
    },
    Group {
        variables: "HT_MEM_LAYOUT_POS=.2",
        ..group("placement", &["-O2"])
    },
    group("stacks", &["-O0", "-O2"]),
    Group {
        variables: "MOCL3_RECORD=recording",
        ..group("profile", &["-O2"])
    },
    Group {
        read: Read::Output,
        ..group("output", &["-O2"])
    },
    Group {
        read: Read::Messages,
        ..group("errors", &["-O2"])
    },
];

impl Group {
    /// The group of that name.
    pub fn named(name: &str) -> &'static Self {
        let found = GROUPS.iter().find(|group| group.name == name);
        found.unwrap_or_else(|| panic!("no group {name}"))
    }

    /// Runs all cases at a level, on that many host threads.
    fn run_at(&self, folder: &Path, threads: u32) -> Results {
        match self.read {
            Read::Cases => self.run_program(folder, threads, false),
            Read::Output => self.run_program(folder, threads, true),
            Read::Messages => messages(folder),
        }
    }

    fn run_program(&self, folder: &Path, threads: u32, has_output: bool) -> Results {
        let variables = format!("HT_CASES=1 MOCL3_HOST_THREADS={threads} {}", self.variables);
        let output = TREE.run(&format!("{variables} ./program"), folder);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut results = Results::new();
        let (mut wrong, mut printed) = (Vec::new(), String::new());
        for line in text.lines() {
            let ended = line
                .strip_prefix("case ")
                .and_then(|rest| rest.rsplit_once(": "));
            if let Some((case, how)) = ended {
                let reasons = std::mem::take(&mut wrong);
                let all = results.entry(case.to_owned()).or_default();
                if how != "passed" {
                    all.extend(reasons);
                    all.push(how.to_owned());
                }
            } else if has_output {
                printed += line;
                printed.push('\n');
            } else {
                wrong.push(line.to_owned());
            }
        }
        let expected = match has_output {
            true => fs::read_to_string(repository(SOURCES).join("output.txt")).unwrap(),
            false => "0 failures".to_owned(),
        };
        let is_right = match has_output {
            true => printed == expected,
            false => wrong.last() == Some(&expected),
        };
        if !is_right || !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let what = format!("{}: {text}{errors}", output.status);
            results.entry("end".to_owned()).or_default().push(what);
        }
        results
    }

    /// Runs all cases at levels of optimisation; what is wrong names them.
    fn run(&self, levels: &[&str], threads: &[u32]) -> Results {
        let mut all = Results::new();
        for level in levels {
            let folder = build(self.name, &format!("'{level}'"));
            for threads in threads {
                for (case, wrong) in self.run_at(folder.path(), *threads) {
                    let place = format!("{}/{case} {level}, {threads} host threads", self.name);
                    let wrong = wrong.into_iter().map(|line| format!("{place}: {line}"));
                    all.entry(case).or_default().extend(wrong);
                }
            }
        }
        all
    }

    /// Runs all cases at the levels of ordinary tests. None may fail, and those that the table of the
    /// interface names exist.
    pub fn expect_no_failures(&self) {
        let results = self.run(self.levels, &[1, 4]);
        let wrong: Vec<&String> = results.values().flatten().collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        for case in cases_of_group(self.name) {
            assert!(results.contains_key(&case), "no case {}/{case}", self.name);
        }
    }
}

/// The messages and exits of wrong programs.
fn messages(folder: &Path) -> Results {
    let expected = fs::read_to_string(repository(SOURCES).join("errors.txt")).unwrap();
    let mut blocks = Vec::<(String, String)>::new();
    for line in expected.lines() {
        if let Some(rest) = line.strip_prefix('[')
            && let Some((case, _)) = rest.split_once("] status")
        {
            blocks.push((case.to_owned(), String::new()));
        }
        let (_, text) = blocks.last_mut().unwrap();
        writeln!(text, "{line}").unwrap();
    }
    let results = blocks.into_iter().map(|(case, expected)| {
        let mut program = TREE.command("./program", folder);
        let output = program.arg(&case).output().unwrap();
        let status = output.status.code().unwrap_or(-1);
        let errors = without_host(&String::from_utf8_lossy(&output.stderr));
        let found = format!("[{case}] status {status}\n{errors}");
        let is_right = found == expected;
        let wrong = (!is_right).then(|| format!("\n{found}instead of\n{expected}"));
        (case, wrong.into_iter().collect())
    });
    results.collect()
}

/// A text without what differs between hosts: their names, addresses, folders.
fn without_host(text: &str) -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let host = format!("{}:", host.trim());
    let mut result = String::new();
    for line in text.lines() {
        let line = match line.strip_prefix(&host) {
            Some(rest) => format!("HOST:{rest}"),
            None => line.to_owned(),
        };
        let line = match line.find("/errors.") {
            Some(at) => {
                let folder = line[..at].rfind(' ').map_or(0, |blank| blank + 1);
                line[..folder].to_owned() + &line[at + 1..]
            }
            None => line,
        };
        for word in line.split_inclusive(' ') {
            let trimmed = word.trim_end_matches([' ', ':']);
            // Addresses of the host have more digits than masks.
            if trimmed.starts_with("0x") && trimmed.len() > 10 {
                result += &word.replace(trimmed, "ADDRESS");
            } else {
                result += word;
            }
        }
        result.push('\n');
    }
    result
}

/// The source of a case: what it does, and what is expected of it. Empty if there is no such case.
pub fn source(group: &str, case: &str) -> String {
    let read = |name: &str| {
        let path = repository(SOURCES).join(name);
        fs::read_to_string(path).unwrap_or_default()
    };
    let host = read(&format!("{group}.host.c"));
    let shared = read("check.h");
    let device = read(&format!("{group}.c")) + &read(&format!("{group}.s"));
    let mut source = functions(&device, case);
    source += &rows(&read(&format!("{group}.table.h")), case);
    source += &block(&host, &format!("CASE(\"{case}\")"));
    source += &block(&host, &format!("if (!strcmp(what, \"{case}\")"));
    // The kernels that it starts.
    let started: Vec<String> = source
        .split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    for kernel in started.iter().filter(|kernel| *kernel != case) {
        source += &functions(&device, kernel);
    }
    source += &used(&device, &source);
    source += &message(&read("errors.txt"), group, case);
    if group == "output" {
        source += &read("output.txt");
    }
    if case == "open_cluster" {
        source += &functions(&shared, case);
    } else if host.lines().any(|line| is_run(line, case)) {
        source += &functions(&shared, "run");
    }
    source
}

/// Whether a line of a host program runs a kernel as a case.
fn is_run(line: &str, case: &str) -> bool {
    let line = line.trim_start();
    (line.starts_with("RUN(") || line.starts_with("run(")) && line.contains(&format!("\"{case}\""))
}

/// The definitions of a function: of C, or a line of a macro whose first argument it is.
fn functions(text: &str, name: &str) -> String {
    let mut source = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let is_macro = line.split_once('(').is_some_and(|(before, rest)| {
            let names_it = rest.split([',', ')']).next() == Some(name);
            names_it && before.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        });
        if is_macro {
            source += line;
            source.push('\n');
        }
        let is_definition = !line.starts_with([' ', '#', '/']) && !line.ends_with(';');
        if !is_definition || !line.contains(&format!(" {name}(")) {
            continue;
        }
        for line in std::iter::once(line).chain(lines.by_ref().take_while(|line| *line != "}")) {
            source += line;
            source.push('\n');
        }
    }
    source
}

/// The static functions and the variables of a file that a source uses.
fn used(device: &str, source: &str) -> String {
    let mut all = String::new();
    for line in device
        .lines()
        .filter(|line| !line.starts_with([' ', '#', '/', '{', '}']))
    {
        let name = |end: &[&str]| {
            let ends = end.iter().filter_map(|end| line.find(end)).min();
            let before = &line[..ends.unwrap_or(line.len())];
            before
                .rsplit([' ', '*'])
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        if line.starts_with("static ") && line.contains('(') && !line.ends_with(';') {
            let name = name(&["("]);
            if source.contains(&format!("{name}(")) {
                all += &functions(device, &name);
            }
        } else if line.ends_with(';') && !line.contains('(') {
            let name = name(&[" = ", "[", ";"]);
            if words(source).contains(name.as_str()) {
                all += line;
                all.push('\n');
            }
        }
    }
    all
}

/// Rows of a table of functions on lanes: a case has the name of a function and the type of its
/// operands, which is among the first fields.
fn rows(text: &str, case: &str) -> String {
    let is_row = |line: &&str| {
        let words: Vec<&str> = line.split(['(', ',', ')']).map(str::trim).collect();
        let is_name = |name: &str, ty: &str| {
            let rest = case
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('_'));
            rest == Some(ty)
        };
        let mut types = words.iter().skip(1).take(4);
        types.any(|ty| words.iter().any(|name| is_name(name, ty)))
    };
    text.lines().filter(is_row).collect()
}

/// The statement of a host program that begins with a text.
fn block(host: &str, begin: &str) -> String {
    let mut source = String::new();
    let mut lines = host.lines();
    while let Some(line) = lines.next() {
        if !line.trim_start().starts_with(begin) {
            continue;
        }
        let depth = line.len() - line.trim_start().len();
        let is_inside =
            |line: &&str| line.is_empty() || line.len() - line.trim_start().len() > depth;
        // `for` may follow at the same depth.
        source += line;
        let mut rest = lines.clone().peekable();
        if rest
            .peek()
            .is_some_and(|line| line.trim_start().starts_with("for ("))
        {
            source += rest.next().unwrap_or_default();
        }
        source.extend(rest.take_while(is_inside));
    }
    source
}

/// What is expected of a wrong program.
fn message(expected: &str, group: &str, case: &str) -> String {
    if group != "errors" {
        return String::new();
    }
    let begin = format!("[{case}] status");
    let mut lines = expected
        .lines()
        .skip_while(|line| !line.starts_with(&begin));
    let mut text: String = lines.next().unwrap_or_default().to_owned();
    text.extend(lines.take_while(|line| !(line.starts_with('[') && line.contains("] status"))));
    text
}

/// All levels on one host thread and on several, with a table. For `cargo xtask ht-bench`.
#[test]
#[ignore = "takes minutes"]
fn in_full() {
    println!("| group | passed | failed |");
    println!("|---|---:|---:|");
    let (mut passed, mut failed) = (0, 0);
    let mut all = Vec::new();
    let mut add = |name: &str, results: Results| {
        let wrong = results.values().filter(|wrong| !wrong.is_empty()).count();
        println!("| {name} | {} | {wrong} |", results.len() - wrong);
        passed += results.len() - wrong;
        failed += wrong;
        all.extend(results.into_values().flatten());
    };
    for group in GROUPS {
        let levels: Vec<&str> = ALL_LEVELS.iter().chain(group.levels).copied().collect();
        add(group.name, group.run(&levels, &[1, 4]));
    }
    let mut programs = Results::new();
    for level in ALL_LEVELS {
        for (program, wrong) in real_programs::results(level, &[1, 7, 24]) {
            programs.entry(program).or_default().extend(wrong);
        }
    }
    add("programs", programs);
    println!("| all | {passed} | {failed} |");
    assert!(failed == 0, "{all:#?}");
}

/// As many cases as the interface's tests promise.
#[test]
fn there_are_at_least_250_cases() {
    let tables = [
        "intrinsics",
        "instructions",
        "conditional",
        "vector_math",
        "vsip",
    ];
    let rows = tables.map(|name| {
        let text = fs::read_to_string(repository(SOURCES).join(format!("{name}.table.h")));
        let text = text.unwrap();
        text.lines().filter(|line| line.contains("(")).count()
    });
    assert!(rows.iter().sum::<usize>() >= 250, "{rows:?}");
}
