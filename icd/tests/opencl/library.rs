//! The library as an ELF file.

use crate::session::{Session, address, dispatch_table, library};
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::process::Command;

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .arg(library())
        .output()
        .unwrap();
    assert!(output.status.success(), "{program}");
    String::from_utf8(output.stdout).unwrap()
}

/// A row of the table of functions, read as text.
struct Row {
    exported: bool,
    slot: Option<usize>,
    status: &'static str,
    name: &'static str,
    arguments: usize,
    returns: &'static str,
}

fn rows() -> Vec<Row> {
    const TABLE: &str = include_str!("../../src/abi/functions.in");
    let (_, table) = TABLE.split_once("functions! {").unwrap();
    let mut exported = false;
    let mut rows = Vec::new();
    for line in table.lines().map(str::trim) {
        if line == "#[unsafe(no_mangle)]" {
            exported = true;
            continue;
        }
        let Some((slot, rest)) = line.split_once(" \"") else {
            continue;
        };
        let (_, rest) = rest.split_once("\" ").expect(line);
        let (status, rest) = rest.split_once(' ').expect(line);
        let (name, rest) = rest.split_once('(').expect(line);
        let (arguments, returns) = rest.split_once(") -> ").expect(line);
        rows.push(Row {
            exported: std::mem::take(&mut exported),
            slot: slot.parse().ok(),
            status,
            name,
            arguments: arguments.matches(": ").count(),
            returns: returns.trim_end_matches(';'),
        });
    }
    assert!(rows.len() > 150);
    rows
}

/// The functions for debuggers, which docs/debugging.md describes.
const FOR_DEBUGGERS: [&str; 3] = [
    "mocl3_debug_finding",
    "mocl3_debug_queues",
    "mocl3_debug_transfers",
];

#[test]
fn exports_what_the_table_marks_and_functions_for_debuggers() {
    let text = output("nm", &["-D", "--defined-only"]);
    let mut symbols: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    symbols.sort_unstable();
    let rows = rows();
    let marked = rows.iter().filter(|row| row.exported);
    let marked = marked.map(|row| row.name);
    let mut marked: Vec<_> = marked.chain(FOR_DEBUGGERS).collect();
    marked.sort_unstable();
    assert_eq!(symbols, marked);
    assert!(marked.contains(&"clIcdGetPlatformIDsKHR"));
}

/// Calls each function as the loader does, with zeros for arguments: none crashes, and
/// each says with its own error code that they are wrong.
#[test]
fn every_function_can_be_called_through_the_dispatch_table() {
    let session = Session::open();
    let table = dispatch_table(session.platform);
    for row in rows() {
        let Row { name, status, .. } = row;
        let c_name = CString::new(name).unwrap();
        let found = address(session.platform, &c_name);
        assert_eq!(!found.is_null(), status == "implemented", "{name}");
        let Some(slot) = row.slot else { continue };
        if status == "implemented" {
            assert_eq!(found, table[slot], "{name}");
        }
        let mut code: cl_int = 0;
        let mut words = [0usize; 16];
        if row.returns == "object" {
            words[row.arguments] = (&raw mut code).expose_provenance();
        }
        // SAFETY: a function of at most 16 words, all of which it must take.
        let returned = unsafe { call(table[slot], words) };
        match row.returns {
            "status" => code = returned as cl_int,
            "object" => assert_eq!(returned, 0, "{name}"),
            "address" => {
                assert_eq!(returned, 0, "{name}");
                continue;
            }
            _ => continue,
        }
        match (name, status) {
            ("clUnloadCompiler", _) => assert_eq!(code, CL_SUCCESS),
            (_, "absent") => assert_eq!(code, CL_INVALID_OPERATION, "{name}"),
            _ => assert!(code < 0 && code != CL_INVALID_OPERATION, "{name}: {code}"),
        }
    }
}

/// Calls a function with 16 words.
///
/// # Safety
/// It takes no more, and all of them are arguments it can be given.
unsafe fn call(function: *mut c_void, words: [usize; 16]) -> usize {
    type W = usize;
    type Function = unsafe extern "C" fn(W, W, W, W, W, W, W, W, W, W, W, W, W, W, W, W) -> W;
    // SAFETY: with C's calling convention on x86-64 the caller cleans up: what the
    // function does not take does no harm.
    unsafe {
        let function: Function = std::mem::transmute(function);
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = words;
        function(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    }
}

#[test]
fn takes_no_opencl_function_from_others() {
    let text = output("nm", &["-D", "--undefined-only"]);
    let foreign = |line: &&str| {
        let name = line.split_whitespace().last().unwrap_or_default();
        name.strip_prefix("cl")
            .is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    assert_eq!(text.lines().find(foreign), None);
    assert!(!output("readelf", &["-d"]).contains("libOpenCL"));
}

#[test]
fn binds_to_itself_and_stays_loaded() {
    let text = output("readelf", &["-d"]);
    assert!(text.contains("SYMBOLIC"), "{text}");
    assert!(text.contains("NODELETE"), "{text}");
}
