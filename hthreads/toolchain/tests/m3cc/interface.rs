//! The table of the interface, `hthreads/interface.toml`, is complete and true.

use crate::bench;
use crate::tree::repository;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Interface {
    entry: Vec<Entry>,
    message: Vec<Message>,
    missing: Missing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    kind: Kind,
    header: String,
    implemented: String,
    /// `group/case` of ht-bench.
    case: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Kind {
    #[serde(rename = "host function")]
    HostFunction,
    #[serde(rename = "host macro")]
    HostMacro,
    #[serde(rename = "device function")]
    DeviceFunction,
    #[serde(rename = "device macro")]
    DeviceMacro,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Message {
    text: String,
    implemented: String,
    /// `group/case` of ht-bench.
    case: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    names: Vec<String>,
    families: Vec<Family>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    what: String,
    prefixes: Vec<String>,
}

/// Headers of functions besides hthread_device.h.
const DEVICE_HEADERS: [&str; 5] = [
    "device/include/vector_math.h",
    "device/include/compiler/m3000.h",
    "device/include/compiler/m3000_conditional.h",
    "device/include/compiler/m3000_instructions.h",
    "device/include/compiler/vsip.h",
];

/// A file of the crates of hthreads.
pub fn read(path: &str) -> String {
    let path = repository("hthreads").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn interface() -> Interface {
    toml::from_str(&read("interface.toml")).unwrap()
}

/// The identifiers of a text.
pub fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect()
}

/// The functions that a header declares.
fn declared(header: &str) -> BTreeSet<String> {
    let text = read(header);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with(['#', '/', '*']))
        .filter(|line| {
            let is_row = line.trim_start().starts_with("__HT_") && !line.contains("__HT_VECTOR");
            !line.starts_with(' ') || is_row
        });
    lines
        .filter_map(|line| line.split_once('('))
        .filter_map(
            |(before, rest)| match before.trim_start().strip_prefix("__HT_") {
                // A macro that defines the function of its first argument.
                Some(kind) if !kind.contains(' ') => {
                    let name = rest.split([',', ')']).next();
                    name.filter(|name| name.contains('_'))
                }
                _ => before.rsplit([' ', '*']).next(),
            },
        )
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a case of ht-bench, `group/case`, contains a word.
fn source_of(case: &str) -> String {
    let (group, case) = case.split_once('/').unwrap();
    bench::source(group, case)
}

/// The cases of a group that the table names.
pub fn cases_of_group(group: &str) -> Vec<String> {
    let Interface { entry, message, .. } = interface();
    let entries = entry.into_iter().map(|entry| entry.case);
    let cases = entries.chain(message.into_iter().map(|message| message.case));
    let own = cases.filter_map(|case| {
        let (of, case) = case.split_once('/').unwrap();
        (of == group).then(|| case.to_owned())
    });
    own.collect()
}

#[test]
fn each_entry_is_declared_implemented_and_in_a_case_of_ht_bench() {
    let mut cases = BTreeMap::new();
    for entry in interface().entry {
        let name = entry.name.as_str();
        // The macro appends the number of arguments.
        let used = match name.strip_suffix(['2', '6']) {
            Some(macro_name) if macro_name == "hthread_group_create" => macro_name,
            _ => name,
        };
        for path in [&entry.header, &entry.implemented] {
            assert!(words(&read(path)).contains(name), "{path} lacks {name}");
        }
        let source = cases
            .entry(entry.case.clone())
            .or_insert_with(|| source_of(&entry.case));
        assert!(words(source).contains(used), "{} lacks {name}", entry.case);
    }
}

#[test]
fn each_message_is_written_where_the_table_says_and_in_a_case_of_ht_bench() {
    for message in interface().message {
        let text = &message.text;
        let path = &message.implemented;
        assert!(read(path).contains(text), "{path} lacks {text}");
        let case = &message.case;
        assert!(source_of(case).contains(text), "{case} lacks {text}");
    }
}

#[test]
fn the_table_has_each_function_that_headers_declare_and_code_may_call() {
    let interface = interface();
    let of_kind = |kind: Kind| -> BTreeSet<String> {
        let entries = interface.entry.iter().filter(|entry| entry.kind == kind);
        entries.map(|entry| entry.name.clone()).collect()
    };
    let mut host = declared("host/include/hthread_host.h");
    host.extend(declared("host/include/libmt.h"));
    assert_eq!(of_kind(Kind::HostFunction), host);
    let device = of_kind(Kind::DeviceFunction);
    let mut all = declared("device/include/hthread_device.h");
    for header in DEVICE_HEADERS {
        all.extend(declared(header));
    }
    all.retain(|name| !name.starts_with("__ht_"));
    assert_eq!(device, all);
    // Those of the C library are in its own headers; `__ht_` marks what programs do not call.
    let standard: BTreeSet<String> = ["assert.h", "stdio.h", "stdlib.h", "string.h"]
        .into_iter()
        .flat_map(|header| declared(&format!("device/include/{header}")))
        .collect();
    for name in device_threads::names().filter(|name| !name.starts_with("__ht_")) {
        assert!(
            device.contains(name) || standard.contains(name),
            "the table lacks {name}"
        );
    }
}

#[test]
fn the_table_has_each_macro() {
    let interface = interface();
    let has = |name: &str| {
        let macros = [Kind::HostMacro, Kind::DeviceMacro];
        let mut entries = interface.entry.iter();
        entries.any(|entry| entry.name == name && macros.contains(&entry.kind))
    };
    for header in [
        "host/include/hthread_host_macro.h",
        "device/include/hthread_device.h",
        "device/include/compiler/m3000.h",
        "device/include/compiler/m3000_conditional.h",
        "device/include/compiler/m3000_instructions.h",
        "device/include/compiler/vsip.h",
    ] {
        let text = read(header);
        let defined = text
            .lines()
            .filter_map(|line| line.strip_prefix("#define "));
        for name in defined.filter_map(|line| line.split([' ', '(']).next()) {
            let is_own = name.ends_with("_H")
                || name.starts_with("__HT_")
                || name.starts_with("HT_ARGUMENT")
                || name.starts_with("HT_JOIN");
            assert!(is_own || has(name), "{header}: the table lacks {name}");
        }
    }
}

#[test]
fn no_header_declares_what_is_missing() {
    let Missing { names, families } = interface().missing;
    for name in [
        "host/include/hthread_host.h",
        "device/include/hthread_device.h",
        "device/include/compiler/m3000.h",
        "device/include/compiler/m3000_conditional.h",
        "device/include/compiler/m3000_instructions.h",
        "device/include/compiler/vsip.h",
    ] {
        let text = read(name);
        for word in words(&text) {
            assert!(
                !names.iter().any(|missing| missing == word),
                "{name} has {word}"
            );
            for Family { what, prefixes } in &families {
                let is_one = prefixes.iter().any(|prefix| word.starts_with(prefix));
                assert!(!is_one, "{name} has {word}, of {what}");
            }
        }
    }
}

/// The cost model knows functions by their names.
#[test]
fn functions_with_costs_of_their_own_exist() {
    let names: BTreeSet<&str> = device_threads::names().collect();
    for name in kernel_compiler::device_c::priced_functions() {
        // Which the compiler defines itself.
        let is_defined = name == "__ht_thread_pointer";
        assert!(is_defined || names.contains(name), "{name}");
    }
}
