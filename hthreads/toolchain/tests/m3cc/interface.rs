//! The table of the interface, `hthreads/interface.toml`, is complete and true.

use crate::tree::repository;
use serde::Deserialize;
use std::collections::BTreeSet;
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
    tested: String,
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
    tested: String,
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

fn read(path: &str) -> String {
    let path = repository("hthreads").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn interface() -> Interface {
    toml::from_str(&read("interface.toml")).unwrap()
}

/// The identifiers of a text.
fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect()
}

/// The functions that a header declares.
fn declared(header: &str) -> BTreeSet<String> {
    let text = read(header);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with(['#', ' ', '/', '*']));
    lines
        .filter_map(|line| line.split_once('('))
        .filter_map(|(before, _)| before.rsplit([' ', '*']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_entry_is_declared_implemented_and_tested_where_the_table_says() {
    for entry in interface().entry {
        let name = entry.name.as_str();
        let test = format!("toolchain/tests/programs/{}", entry.tested);
        // The macro appends the number of arguments.
        let used = match name.strip_suffix(['2', '6']) {
            Some(macro_name) if macro_name == "hthread_group_create" => macro_name,
            _ => name,
        };
        for (path, name) in [
            (&entry.header, name),
            (&entry.implemented, name),
            (&test, used),
        ] {
            assert!(words(&read(path)).contains(name), "{path} lacks {name}");
        }
    }
}

#[test]
fn each_message_is_written_and_tested_where_the_table_says() {
    for message in interface().message {
        let test = format!("toolchain/tests/programs/{}", message.tested);
        for path in [&message.implemented, &test] {
            assert!(
                read(path).contains(&message.text),
                "{path} lacks {}",
                message.text
            );
        }
    }
}

#[test]
fn the_table_has_each_function_that_headers_declare_and_code_may_call() {
    let interface = interface();
    let of_kind = |kind: Kind| -> BTreeSet<String> {
        let entries = interface.entry.iter().filter(|entry| entry.kind == kind);
        entries.map(|entry| entry.name.clone()).collect()
    };
    assert_eq!(
        of_kind(Kind::HostFunction),
        declared("host/include/hthread_host.h")
    );
    let device = of_kind(Kind::DeviceFunction);
    let mut all = declared("device/include/hthread_device.h");
    all.extend(declared("device/include/vector_math.h"));
    let intrinsics = declared("device/include/compiler/m3000.h").into_iter();
    all.extend(intrinsics.filter(|name| !name.starts_with("__ht_")));
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
        assert!(names.contains(name), "{name}");
    }
}
