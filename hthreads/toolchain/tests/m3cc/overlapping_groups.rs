//! Groups that run at the same time in simulated time.

use crate::programs::build;
use crate::timing::record;
use recording::{Command, Process};

/// Simulated nanoseconds of a launch from its first array's start.
fn duration(launch: &Command) -> u64 {
    launch.end - launch.start
}

fn is_close(number: u64, expected: u64) -> bool {
    number.abs_diff(expected) * 100 <= expected * 4
}

/// The launches; how often the program queries a status depends on the host.
fn launches(process: &Process) -> Vec<Command> {
    let mut commands = process.commands.clone();
    commands.sort_by_key(|command| command.number);
    commands
}

#[test]
fn groups_compete_for_memory_whatever_the_host_does() {
    let folder = build("overlapping_groups", "-O2");
    let (output, process) = record(folder.path(), 1, 0);
    let all = launches(&process);
    for (threads, run) in [(1, 1), (4, 0), (7, 0)] {
        let (again, recording) = record(folder.path(), threads, run);
        assert_eq!(again, output, "{threads} threads");
        assert_eq!(launches(&recording), all, "{threads} threads");
    }

    let [alone, first, second, short, long, again, ..] = &all[..] else {
        panic!("{} launches", all.len());
    };
    // Eight arrays take more than DDR gives, so sixteen need twice as long.
    let alone = duration(alone);
    let bytes = 8 * 400 * (64 << 10);
    assert!(is_close(alone, bytes * 10 / 426), "{alone} ns");
    assert!(second.start < first.end);
    let together = second.end.max(first.end) - first.start;
    assert!(is_close(together, 2 * alone), "{together} {alone}");
    // While the long one runs the short one does twice, so that it takes as long as all their bytes.
    assert!(short.end < again.start && again.end < long.end);
    assert!(is_close(duration(short), alone / 2), "{}", duration(short));
    assert!(is_close(duration(again), alone / 2), "{}", duration(again));
    assert!(
        is_close(duration(long), alone * 3 / 2),
        "{}",
        duration(long)
    );
    let [.., short, long, _, _] = &all[..] else {
        panic!("{} launches", all.len());
    };
    assert!(is_close(duration(short), alone / 2), "{}", duration(short));
    assert!(
        is_close(duration(long), alone * 3 / 4),
        "{}",
        duration(long)
    );
}

/// One group takes a turn each 3 ms, another one, which starts later, each 1 ms.
#[test]
fn groups_take_locks_in_the_order_of_simulated_time() {
    let folder = build("overlapping_groups", "-O2");
    let (output, _) = record(folder.path(), 4, 0);
    assert_eq!(output, "2212221222122212\n0 failures\n");
}
