//! Tests of `mocl3 compare` on synthetic recordings.

mod synthetic;

use assert_cmd::Command;
use recording::Process;
use serde_json::Value;
use tempfile::TempDir;

struct Recordings {
    before: TempDir,
    after: TempDir,
}

impl Recordings {
    fn new(before: &Process, after: &Process) -> Self {
        let recordings = Self {
            before: tempfile::tempdir().unwrap(),
            after: tempfile::tempdir().unwrap(),
        };
        synthetic::write(before, recordings.before.path());
        synthetic::write(after, recordings.after.path());
        recordings
    }

    fn compare(&self, options: &[&str], code: i32) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command.arg("compare").args(options);
        command.args([self.before.path(), self.after.path()]);
        let output = command.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{errors}");
        String::from_utf8(output.stdout).unwrap() + &errors
    }
}

#[test]
fn equal_recordings_have_no_differences() {
    let recordings = Recordings::new(&synthetic::example(), &synthetic::example());
    let text = recordings.compare(&["--threshold", "0"], 0);
    assert!(text.contains("no kernel takes more time"), "{text}");
    assert!(!text.contains("a launch ("), "{text}");
    let json: Value = serde_json::from_str(&recordings.compare(&["--json"], 0)).unwrap();
    for kernel in json["kernels"].as_array().unwrap() {
        assert_eq!(kernel["change_percent"], 0.0);
        assert_eq!(kernel["counters"].as_array().unwrap().len(), 0);
        assert_eq!(kernel["source_differs"], false);
    }
}

#[test]
fn a_slower_kernel_is_a_regression_with_its_reason() {
    let recordings = Recordings::new(&synthetic::example(), &synthetic::slower());
    let text = recordings.compare(&["--threshold", "20"], 1);
    assert!(
        text.contains("regression: add (256) → add (512) takes"),
        "{text}"
    );
    assert!(text.contains("memory +"), "{text}");
    let json: Value = serde_json::from_str(&recordings.compare(&["--json"], 1)).unwrap();
    let kernels = json["kernels"].as_array().unwrap();
    let add = kernels
        .iter()
        .find(|kernel| kernel["name"] == "add")
        .unwrap();
    assert_eq!(add["local_size"][1][0], 512);
    assert_eq!(add["regressed"], true);
    let launches = [0, 1].map(|place| add["launch_ns"][place].as_f64().unwrap());
    let change =
        |one: &Value| one["after_ns"].as_f64().unwrap() - one["before_ns"].as_f64().unwrap();
    let activities = add["activities"].as_array().unwrap();
    assert_eq!(activities[0]["activity"], "memory");
    // Activities explain all of the change.
    let explained: f64 = activities.iter().map(change).sum();
    let difference = launches[1] - launches[0];
    assert!(
        (explained - difference).abs() < 2.0,
        "{explained} {difference}"
    );
    // The same the other direction is none, and neither is it below the threshold.
    let reversed = Recordings {
        before: recordings.after,
        after: recordings.before,
    };
    let text = reversed.compare(&[], 0);
    assert!(text.contains("memory −"), "{text}");
}

#[test]
fn machines_sources_and_failures_are_compared() {
    let mut after = synthetic::example();
    let mut description = device_sim::machine::Description::select("mt3000").unwrap();
    description.set("dma.channels=4").unwrap();
    after.header.machine_identity = description.identity().clone();
    after.programs[0].files[0].text.push_str("// changed\n");
    for command in &mut after.commands {
        if command.kernel.as_deref() == Some("multiply") {
            command.status = -5;
        }
    }
    let recordings = Recordings::new(&synthetic::example(), &after);
    let text = recordings.compare(&[], 1);
    assert!(
        text.contains("changed: dma.channels is 4, not 10"),
        "{text}"
    );
    assert!(text.contains("regression: multiply (64×1) takes"), "{text}");
    let json: Value = serde_json::from_str(&recordings.compare(&["--json"], 1)).unwrap();
    assert_eq!(json["kernels"][0]["source_differs"], true);
    assert_eq!(json["recordings"][1]["changes"][0]["name"], "dma.channels");
}

#[test]
fn kernels_of_one_recording_only_are_new_or_gone() {
    let mut after = synthetic::example();
    for command in &mut after.commands {
        if command.kernel.as_deref() == Some("add") {
            command.kernel = Some("sub".into());
        }
    }
    let recordings = Recordings::new(&synthetic::example(), &after);
    let text = recordings.compare(&[], 0);
    let row = |name: &str| {
        text.lines()
            .find(|line| line.starts_with(name))
            .unwrap()
            .to_owned()
    };
    assert!(row("add (256)").ends_with("gone"), "{text}");
    assert!(row("sub (256)").ends_with("new"), "{text}");
}

#[test]
fn trouble_is_no_regression() {
    let recordings = Recordings::new(&synthetic::example(), &synthetic::example());
    std::fs::remove_dir_all(recordings.after.path()).unwrap();
    assert!(recordings.compare(&[], 2).contains("error:"));
    let recordings = Recordings::new(&synthetic::example(), &synthetic::example());
    recordings.compare(&["--threshold=-1"], 2);
}
