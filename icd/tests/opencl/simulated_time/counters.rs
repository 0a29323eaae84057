//! `cl_mocl3_performance_counters`, from C.

use crate::process::{compile, run_with};
use std::path::PathBuf;
use std::sync::LazyLock;

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("counters"));

/// What follows a heading, line by line.
fn lines<'a>(printed: &'a str, heading: &str) -> Vec<&'a str> {
    let of_heading = |line: &'a str| {
        let (own, rest) = line.split_once(' ')?;
        (own == heading).then_some(rest)
    };
    printed.lines().filter_map(of_heading).collect()
}

fn names<'a>(printed: &'a str, heading: &str) -> Vec<&'a str> {
    let name = |line: &'a str| {
        let mut fields = line.split('|');
        let name = fields.next().unwrap();
        assert!(fields.next().is_some() && !fields.next().unwrap().is_empty());
        name
    };
    lines(printed, heading).into_iter().map(name).collect()
}

#[test]
fn a_c_program_lists_and_reads_them() {
    let printed = run_with(&PROGRAM, &[]);
    let names_of_launch = names(&printed, "counter");
    let names_of_array = names(&printed, "array-counter");
    assert_eq!(names_of_launch[0], "cycles");
    assert_eq!(names_of_array[0], "array");
    let values = |heading| -> Vec<u64> {
        let values = lines(&printed, heading).into_iter();
        values.map(|value| value.parse().unwrap()).collect()
    };
    let (of_launch, of_arrays) = (values("value"), values("array-value"));
    assert_eq!(of_launch.len(), names_of_launch.len());
    let of = |name: &str| of_launch[names_of_launch.iter().position(|n| *n == name).unwrap()];
    assert_eq!((of("work_groups"), of("work_items")), (16, 1024));
    assert!(of("cycles") > 0 && of("operations") > 0 && of("ddr_bytes") >= 4096);
    let shares = &of_launch[1..9];
    assert_eq!(shares.iter().sum::<u64>(), 24 * of("cycles"));
    let rows: Vec<&[u64]> = of_arrays.chunks(names_of_array.len()).collect();
    assert_eq!(rows.len(), 24);
    for (number, row) in rows.iter().enumerate() {
        assert_eq!(row[0], number as u64);
        assert_eq!(row[3..].iter().sum::<u64>(), of("cycles"), "array {number}");
    }
}

/// Without simulated time there are no counters to print.
#[test]
fn there_are_none_by_the_hosts_time() {
    let printed = run_with(&PROGRAM, &[("MOCL3_PROFILING_TIME", "host")]);
    assert_eq!(lines(&printed, "value"), ["-7"]);
    assert_eq!(lines(&printed, "array-value"), ["-7"]);
}
