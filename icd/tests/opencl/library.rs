//! The library as an ELF file.

use crate::session::library;
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

#[test]
fn exports_what_the_loader_looks_up_and_nothing_else() {
    let text = output("nm", &["-D", "--defined-only"]);
    let mut symbols: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    symbols.sort_unstable();
    assert_eq!(
        symbols,
        [
            "clGetExtensionFunctionAddress",
            "clGetPlatformInfo",
            "clIcdGetPlatformIDsKHR"
        ]
    );
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
