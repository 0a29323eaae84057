//! Times are those of the machine, whatever the host does: processes that do the same.

use crate::process::{compile, run_with};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Prints the times of many kinds of commands.
pub static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("simulated_time"));

/// The four times of each command, by name.
fn times(printed: &str) -> HashMap<String, [u64; 4]> {
    let command = |line: &str| {
        let mut words = line.rsplitn(5, ' ');
        let mut times = [0; 4];
        for time in times.iter_mut().rev() {
            *time = words.next().unwrap().parse().unwrap();
        }
        (words.next().unwrap().to_owned(), times)
    };
    printed.lines().map(command).collect()
}

#[test]
fn processes_that_do_the_same_have_the_same_times() {
    let first = run_with(&PROGRAM, &[("MOCL3_HOST_THREADS", "4")]);
    for variables in [
        [("MOCL3_HOST_THREADS", "1")],
        [("MOCL3_HOST_THREADS", "2")],
        [("MOCL3_LANES", "0")],
        [("MOCL3_LANES", "8")],
        [("MOCL3_HOST_CPU", "x86-64")],
        [("MOCL3_SPECIALISE", "1")],
    ] {
        assert_eq!(run_with(&PROGRAM, &variables), first, "{variables:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let variables = [("MOCL3_RECORD", folder), ("MOCL3_RECORD_TIMELINE", "1")];
    assert_eq!(
        run_with(&PROGRAM, &variables),
        first,
        "while it is recorded"
    );
}

#[test]
fn commands_are_when_the_rules_say() {
    let all = times(&run_with(&PROGRAM, &[]));
    assert_eq!(all.len(), 20);
    for (name, times) in &all {
        assert!(times[0] > 0 && times.is_sorted(), "{name}: {times:?}");
    }
    let [queued, submit, start, end] = [0, 1, 2, 3].map(|point| {
        let all = &all;
        move |name: &str| all[name][point]
    });
    // One after another in each queue that is in order, and kernels of all queues of a device.
    for (earlier, later) in [
        ("spin", "sum"),
        ("sum", "spin again"),
        ("spin elsewhere", "write"),
        ("spin again", "copy"),
        ("write", "copy"),
        ("copy", "read"),
        ("free", "after both"),
        ("gated", "after both"),
        ("after both", "marker"),
        ("marker", "barrier"),
        ("barrier", "after all"),
        ("whole", "fill"),
        ("fill", "map"),
        ("map", "unmap"),
        ("unmap", "migrate"),
    ] {
        assert!(end(earlier) <= submit(later), "{earlier}, {later}");
    }
    // Transfers take time, markers none.
    for name in ["write", "copy", "read", "fill", "map", "unmap", "migrate"] {
        assert!(start(name) < end(name), "{name}");
    }
    for name in ["marker", "barrier"] {
        assert_eq!(submit(name), end(name), "{name}");
    }
    // Each command takes the host program 1000 ns, which knows of an end if it waited for it.
    assert_eq!(queued("spin"), 1001);
    assert_eq!(queued("copy"), 6001);
    assert_eq!(queued("gated"), end("read") + 1000);
    assert_eq!(submit("gated"), end("free"), "the user event was set then");
    assert_eq!(queued("whole"), end("after all") + 1000);
    assert_eq!(queued("unmap"), end("map") + 1000);
}

#[test]
fn profiling_can_use_the_hosts_time() {
    let machine = times(&run_with(&PROGRAM, &[]));
    let host = times(&run_with(&PROGRAM, &[("MOCL3_PROFILING_TIME", "host")]));
    assert_eq!(host.len(), machine.len());
    for (name, times) in &host {
        assert!(times[0] > 0 && times.is_sorted(), "{name}: {times:?}");
        assert_ne!(times, &machine[name]);
    }
    let wrong = times(&run_with(&PROGRAM, &[("MOCL3_PROFILING_TIME", "sundial")]));
    assert_eq!(wrong, machine);
}
