//! What launches take, by the program of `examples/hthreads-overhead`.

use crate::tree::{TREE, repository};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;
use tempfile::TempDir;

/// The example, built.
static EXAMPLE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let example = repository("examples/hthreads-overhead");
    TREE.succeed(&format!("cp {}/* .", example.display()), folder.path());
    TREE.succeed("make -s", folder.path());
    folder
});

/// Runs the example on that many threads; by kernel, the microseconds from the launch to the host's
/// knowledge of its end.
fn microseconds(threads: u32, variables: &str) -> BTreeMap<String, u64> {
    let folder = EXAMPLE.path();
    let recording = tempfile::tempdir_in(folder).unwrap();
    let path: &Path = recording.path();
    let line = format!(
        "MOCL3_RECORD={} {variables} ./overhead {threads}",
        path.display()
    );
    TREE.succeed(&line, folder);
    let [process] = &recording::read_folder(path).unwrap()[..] else {
        panic!("one process");
    };
    let commands = process.commands.iter();
    commands
        .map(|command| {
            let kernel = command.kernel.as_deref().unwrap_or_default();
            // Without the code that an empty kernel has: less than a microsecond.
            (kernel.to_owned(), (command.end - command.queued) / 1000)
        })
        .collect()
}

/// 400 us on 24 cores, and 700 us by libMT; interrupts save up to a half under firing, on one core.
#[test]
fn launches_take_what_is_published() {
    let many = microseconds(24, "");
    assert!((400..402).contains(&many["executed"]), "{many:?}");
    assert!((700..702).contains(&many["fired"]), "{many:?}");
    let one = microseconds(1, "");
    let saved = 1000 - 1000 * one["executed"] / one["created"];
    assert!((495..=505).contains(&saved), "{one:?}");
}

/// `MT_WAIT_MODE` 1 polls, which takes 14 % more on 24 cores. The others wait for interrupts. libMT polls
/// unless the variable says otherwise.
#[test]
fn wait_modes_are_selected_by_the_variable() {
    let interrupt = microseconds(24, "");
    for mode in [0, 2] {
        let waited = microseconds(24, &format!("MT_WAIT_MODE={mode}"));
        for kernel in ["created", "executed"] {
            assert_eq!(waited[kernel], interrupt[kernel], "{mode}");
        }
        assert!(waited["fired"] < interrupt["fired"], "{mode}");
    }
    let polling = microseconds(24, "MT_WAIT_MODE=1");
    let more = 1000 * polling["executed"] / interrupt["executed"];
    assert!((1135..=1145).contains(&more), "{polling:?} {interrupt:?}");
    assert_eq!(polling["fired"], interrupt["fired"]);
}

/// Each array that synchronises with the host costs a microsecond more; arrays that stop after a kernel are
/// fired for each.
#[test]
fn machine_files_select_synchronisation_and_runtime() {
    let resident = microseconds(24, "");
    let set = |settings: &str| microseconds(24, &format!("MOCL3_MACHINE_SET={settings}"));
    let direct = set("launch.synchronisation=direct");
    assert_eq!(direct["executed"], resident["executed"] + 24);
    let naive = set("launch.start=fire,launch.runtime=naive");
    assert_eq!(naive["executed"], resident["created"]);
    assert_eq!(naive["created"], resident["created"]);
}

/// With its stack in DDR, the sum takes longer, as the MOCL3 paper says of such a kernel: 14 %. Code in GSM
/// saves up to 5 %.
#[test]
fn stack_and_code_are_placed_by_the_variables() {
    let add = |variables: &str| microseconds(24, variables)["add_vector"];
    let in_sm = add("HT_MEM_LAYOUT_POS=.2 HT_CODE_LAYOUT_POS=0");
    let in_ddr = add("HT_MEM_LAYOUT_POS=0 HT_CODE_LAYOUT_POS=0");
    let code_in_gsm = add("HT_MEM_LAYOUT_POS=.2 HT_CODE_LAYOUT_POS=1");
    assert!(in_ddr > in_sm, "{in_ddr} {in_sm}");
    assert!(code_in_gsm <= in_sm, "{code_in_gsm} {in_sm}");
    println!("{in_sm} {in_ddr} {code_in_gsm}");
}

/// A value that is none of a variable's is named on the standard error, and changes nothing.
#[test]
fn wrong_values_of_the_variables_are_reported() {
    let folder = EXAMPLE.path();
    for variable in [
        "HT_MEM_LAYOUT_POS=.3",
        "HT_CODE_LAYOUT_POS=2",
        "MT_WAIT_MODE=interrupt",
        "HTHREAD_DEBUG=on",
        "MOCL3_RECORD_TIMELINE=yes MOCL3_RECORD=recording",
    ] {
        let output = TREE.run(&format!("{variable} ./overhead 24"), folder);
        let errors = String::from_utf8_lossy(&output.stderr);
        let first = variable.split(' ').next().unwrap_or_default();
        assert!(errors.contains(first), "{variable}: {errors}");
        assert!(output.status.success(), "{variable}: {errors}");
    }
    assert_eq!(
        microseconds(
            24,
            "HT_MEM_LAYOUT_POS=.3 HT_CODE_LAYOUT_POS=2 MT_WAIT_MODE=x"
        ),
        microseconds(24, "")
    );
}
