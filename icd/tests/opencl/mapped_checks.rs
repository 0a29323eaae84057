//! `MOCL3_CHECK=memory`: commands and kernels that access a memory object while a part of it is mapped
//! are reported if they are executed then, and others are not.

use crate::checked;
use crate::process::compile;
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("mapped_checks"));

const WRITE_OF_KERNEL: &str = "mapped: the kernel writes argument `out` (global, 256 bytes), of which bytes 64 to \
                               127 are mapped for reading";
const READ_OF_KERNEL: &str = "mapped: the kernel reads argument `in` (global, 256 bytes), of which bytes 0 to 15 are \
                              mapped for writing";

/// Names of scenarios, and what is reported.
#[rustfmt::skip]
const SCENARIOS: &[(&str, &[&str])] = &[
    ("kernel writes, mapped for reading", &[WRITE_OF_KERNEL]),
    ("host: kernel writes, mapped for reading", &[WRITE_OF_KERNEL]),
    ("kernel reads, mapped for writing", &[READ_OF_KERNEL]),
    ("kernel reads, mapped for reading", &[]),
    ("kernel accesses nothing", &[]),
    ("unmapped in order", &[]),
    ("host: unmapped in order", &[]),
    ("kernel reads a part, mapped for writing", &[
        "mapped: the kernel reads argument `in` (global, 128 bytes), of which bytes 32 to 95 are mapped for writing",
    ]),
    ("kernel reads another part", &[]),
    ("kernel writes, part mapped", &[
        "mapped: the kernel writes argument `out` (global, 256 bytes), of which bytes 128 to 131 are mapped for \
         reading",
    ]),
    ("mapped after enqueuing", &[READ_OF_KERNEL]),
    ("unmapped by events", &[]),
    ("commands, mapped for reading", &[
        "mapped: clEnqueueWriteBuffer writes a buffer of 256 bytes, of which bytes 64 to 127 are mapped for reading",
        "mapped: clEnqueueFillBuffer writes a buffer of 256 bytes, of which bytes 64 to 127 are mapped for reading",
    ]),
    ("host: commands, mapped for writing", &[
        "mapped: clEnqueueReadBuffer reads a buffer of 256 bytes, of which bytes 64 to 127 are mapped for writing",
        "mapped: clEnqueueCopyBuffer reads a buffer of 256 bytes, of which bytes 64 to 127 are mapped for writing",
    ]),
    ("image, mapped for reading", &[
        "mapped: clEnqueueWriteImage writes an image of 512 bytes, of which bytes 0 to 447 are mapped for reading",
    ]),
];

/// What the log says of a kernel or without one.
fn messages(errors: &str) -> Vec<String> {
    let lines = errors
        .lines()
        .map(|line| line.split_once("] ").unwrap_or_default().1);
    let of_kernel = "kernel `k`: ";
    lines
        .map(|line| line.strip_prefix(of_kernel).unwrap_or(line).to_owned())
        .collect()
}

#[test]
fn accesses_of_what_is_mapped_are_found() {
    for (scenario, expected) in SCENARIOS {
        let (errors, _) = checked::run(&PROGRAM, &[*scenario], None, "memory");
        let expected: Vec<&str> = expected
            .iter()
            .map(|line| line.strip_prefix("mapped: ").unwrap())
            .collect();
        assert_eq!(messages(&errors), expected, "{scenario}");
    }
    let (errors, _) = checked::run(&PROGRAM, &[SCENARIOS[0].0], None, "races,barriers");
    assert_eq!(messages(&errors).len(), 1, "{errors}");
    let (errors, _) = checked::run(&PROGRAM, &[SCENARIOS[0].0], None, "barriers,dma");
    assert_eq!(errors, "");
}
