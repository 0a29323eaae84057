//! The Python module reads what the crates write: its tests with a synthetic recording and the
//! profile that `mocl3 stat` makes of it.

mod synthetic;

use assert_cmd::Command;
use std::path::Path;

#[test]
fn the_python_module_reads_profiles_and_recordings() {
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if !has_python {
        eprintln!("python3 is not installed: the module is not tested");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recording");
    std::fs::create_dir(&recording).unwrap();
    synthetic::write(&synthetic::example(), &recording);
    Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["stat", "--json", "--recording"])
        .arg(&recording)
        .arg("-o")
        .arg(folder.path().join("stat.json"))
        .assert()
        .success();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new("python3")
        .args(["-B", "-m", "unittest", "discover", "--start-directory"])
        .arg(root.join("icd/python/tests"))
        .env("PYTHONPATH", root.join("icd/python"))
        .env("MOCL3_TEST_FOLDER", folder.path())
        .env("MOCL3_TEST_EXTENSIONS", root.join("docs/extensions.md"))
        .env("MOCL3_TEST_VERSION", env!("CARGO_PKG_VERSION"))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    assert!(log.contains("\nOK"), "{log}");
}
