//! What profilers see of kernels: the map of names, and the jitdump file, which perf reads.

use crate::process::compile;
use crate::session::vendors;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a program with these variables; its process.
fn run(program: &Path, variables: &[(&str, &str)]) -> u32 {
    let mut child = Command::new(program)
        .env("OCL_ICD_VENDORS", vendors())
        .envs(variables.iter().copied())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let process = child.id();
    assert!(child.wait().unwrap().success());
    process
}

/// The functions of a process's map: name, address and size.
fn map(process: u32) -> Vec<(String, u64, u64)> {
    let path = format!("/tmp/perf-{process}.map");
    let map = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let functions = map.lines().map(|line| {
        let mut words = line.splitn(3, ' ');
        let mut number = || u64::from_str_radix(words.next().unwrap(), 16).unwrap();
        let (address, size) = (number(), number());
        (words.next().unwrap().to_owned(), address, size)
    });
    functions.collect()
}

#[test]
fn profilers_find_kernels_in_the_map() {
    let process = run(&compile("debugged"), &[("MOCL3_PERF_MAP", "1")]);
    let functions = map(process);
    let (_, address, size) = functions.iter().find(|(name, ..)| name == "shade").unwrap();
    assert!(*address > 0 && *size > 0);
}

/// A file of a process, read as the specification of the format says.
struct Jitdump {
    functions: Vec<Function>,
    /// It ends with the mark of the end.
    is_closed: bool,
}

struct Function {
    name: String,
    address: u64,
    code: Vec<u8>,
    /// Address, line and file.
    lines: Vec<(u64, u32, String)>,
}

/// Reads a file from its start.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        let (first, rest) = self.0.split_at(count);
        self.0 = rest;
        first.to_vec()
    }
    fn u32(&mut self) -> u32 {
        u32::from_ne_bytes(self.bytes(4).try_into().unwrap())
    }
    fn u64(&mut self) -> u64 {
        u64::from_ne_bytes(self.bytes(8).try_into().unwrap())
    }
    fn text(&mut self) -> String {
        let length = self.0.iter().position(|byte| *byte == 0).unwrap();
        let text = String::from_utf8(self.bytes(length)).unwrap();
        self.bytes(1);
        text
    }
}

fn jitdump(folder: &Path, process: u32) -> Jitdump {
    let path = folder.join(format!("jit-{process}.dump"));
    let file = std::fs::read(path).unwrap();
    let mut reader = Reader(&file);
    assert_eq!((reader.u32(), reader.u32()), (0x4a69_5444, 1));
    const X86_64: u32 = 62;
    assert_eq!((reader.u32(), reader.u32()), (40, X86_64));
    reader.u32();
    assert_eq!(reader.u32(), process);
    let mut time = reader.u64();
    assert_eq!(reader.u64(), 0, "no flags");
    let mut functions = Vec::new();
    let mut lines: Option<(u64, Vec<_>)> = None;
    let mut is_closed = false;
    while !reader.0.is_empty() {
        assert!(!is_closed, "nothing follows the end");
        let (kind, size, at) = (reader.u32(), reader.u32(), reader.u64());
        assert!(at >= time);
        time = at;
        let content = reader.bytes(size as usize - 16);
        let mut content = Reader(&content);
        match kind {
            0 => {
                assert_eq!(content.u32(), process);
                assert!(content.u32() > 0, "a thread");
                let (vma, address) = (content.u64(), content.u64());
                assert_eq!(vma, address);
                let size = content.u64();
                assert_eq!(content.u64(), functions.len() as u64, "the index");
                let name = content.text();
                let code = content.bytes(size as usize);
                let (of, lines) = lines.take().unwrap_or((address, Vec::new()));
                assert_eq!(of, address, "lines come right before their function");
                functions.push(Function {
                    name,
                    address,
                    code,
                    lines,
                });
            }
            2 => {
                let (address, count) = (content.u64(), content.u64());
                let entry = |_| {
                    let (at, line) = (content.u64(), content.u32());
                    assert_eq!(content.u32(), 0, "no discriminator");
                    (at, line, content.text())
                };
                lines = Some((address, (0..count).map(entry).collect()));
            }
            3 => is_closed = true,
            _ => panic!("a record of kind {kind}"),
        }
        assert!(content.0.is_empty());
    }
    Jitdump {
        functions,
        is_closed,
    }
}

/// The lines of a program's functions, by the text of each.
fn source_lines(jitdump: &Jitdump) -> BTreeMap<String, String> {
    let mut lines = BTreeMap::new();
    for function in &jitdump.functions {
        let end = function.address + function.code.len() as u64;
        for (at, line, file) in &function.lines {
            assert!((function.address..end).contains(at));
            let text = std::fs::read_to_string(file).expect(file);
            let text = text.lines().nth(*line as usize - 1).unwrap();
            lines.insert(text.trim().to_owned(), file.clone());
        }
    }
    lines
}

#[test]
fn a_jitdump_file_has_the_code_of_ordinary_runs_and_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let program = compile("debugged");
    let variables = [
        ("MOCL3_JITDUMP", folder.path().to_str().unwrap()),
        ("MOCL3_PERF_MAP", "1"),
    ];
    let process = run(&program, &variables);
    let jitdump = jitdump(folder.path(), process);
    assert!(jitdump.is_closed);
    // Kernels that the program does not launch may have been compiled ahead when it ends.
    let launched = |functions: Vec<(String, u64, u64)>| -> Vec<_> {
        let mut functions = functions;
        functions.retain(|(name, _, _)| name == "shade");
        functions
    };
    let dumped = jitdump.functions.iter();
    let dumped = dumped.map(|one| (one.name.clone(), one.address, one.code.len() as u64));
    let dumped = launched(dumped.collect());
    assert_eq!(dumped, launched(map(process)));
    let sizes = |functions: Vec<(String, u64, u64)>| -> Vec<_> {
        let sizes = functions.into_iter().map(|(name, _, size)| (name, size));
        sizes.collect()
    };
    let ordinary = launched(map(run(&program, &[("MOCL3_PERF_MAP", "1")])));
    assert_eq!(sizes(dumped), sizes(ordinary));
    let shade = jitdump.functions.iter().find(|one| one.name == "shade");
    assert!(shade.unwrap().code.contains(&0xc3), "it returns");
    let lines = source_lines(&jitdump);
    for text in [
        "float sum = tile[7 - l] + history[1];",
        "x[i] = sum + q.number * n;",
        // Inlined.
        "float scaled = x * by;",
    ] {
        let file = lines
            .get(text)
            .unwrap_or_else(|| panic!("{text}: {lines:?}"));
        assert!(Path::new(file).starts_with(folder.path().canonicalize().unwrap()));
    }
}

#[test]
fn lines_of_linked_programs_and_headers_are_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let variables = [("MOCL3_JITDUMP", folder.path().to_str().unwrap())];
    let process = run(&compile("linked_sources"), &variables);
    let lines = source_lines(&jitdump(folder.path(), process));
    let file = |text: &str| PathBuf::from(&lines[text]);
    let name = |text: &str| file(text).file_name().unwrap().to_owned();
    assert_eq!(name("return sin(x);"), "more.h");
    let [one, other] = [
        "x[get_global_id(0)] = other(sqrt(x[get_global_id(0)]));",
        "return exp(more(x));",
    ];
    assert_eq!(
        (name(one), name(other)),
        ("program.cl".into(), "program.cl".into())
    );
    assert_ne!(file(one), file(other));
}

#[test]
fn perf_reads_the_jitdump_file() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name);
    let perf = |arguments: &[&str]| {
        let mut perf = Command::new("perf");
        perf.args(arguments)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_JITDUMP", folder.path())
            .current_dir(folder.path());
        perf.output()
    };
    let program = compile("debugged");
    let program = program.to_str().unwrap();
    // Without `-o` it writes to standard output, which is a pipe.
    let to_file = ["record", "-o", "perf.data", "-k", "mono"];
    let clock = [&to_file[..], &["-e", "cpu-clock", program]].concat();
    let recorded = match perf(&clock) {
        Err(_) => {
            eprintln!("skipped: perf is not installed (apt-get install linux-perf)");
            return;
        }
        Ok(output) => output,
    };
    if !recorded.status.success() {
        let reason = String::from_utf8_lossy(&recorded.stderr);
        eprintln!("skipped: perf cannot record here: {reason}");
        return;
    }
    let injected = ["inject", "--jit", "-i", "perf.data", "-o", "jit.data"];
    let injected = perf(&injected).unwrap();
    assert!(injected.status.success(), "{injected:?}");
    // perf has made a file of each function, with a line table.
    let is_made = |name: &str| name.starts_with("jitted-") && name.ends_with(".so");
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let made: Vec<_> = names.filter(|name| is_made(name)).collect();
    assert!(!made.is_empty());
    let has = |file: &[u8], text: &str| {
        let mut windows = file.windows(text.len());
        windows.any(|window| window == text.as_bytes())
    };
    let is_shade = |name: &String| {
        let file = std::fs::read(in_folder(name)).unwrap();
        has(&file, "shade\0") && has(&file, "program.cl\0") && has(&file, ".debug_line\0")
    };
    assert!(made.iter().any(is_shade), "{made:?}");
}
