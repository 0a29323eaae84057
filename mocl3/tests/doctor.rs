//! `mocl3 doctor` as a person uses it whose programs do not see the devices.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The library that cargo built last.
fn library() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_mocl3")).parent().unwrap();
    let places = [folder.join("libmocl3.so"), folder.join("deps/libmocl3.so")];
    places
        .into_iter()
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .expect("build the package icd before, or test the whole workspace")
}

/// A folder with an `.icd` file of that text.
fn vendors(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mocl3.icd"), text).unwrap();
    folder
}

fn good_vendors() -> TempDir {
    vendors(&format!("{}\n", library().display()))
}

fn doctor(vendors: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command.arg("doctor").env("OCL_ICD_VENDORS", vendors);
    command
}

/// Exit code and what was printed.
fn run(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text)
}

/// Something is in the way: what is said about it.
fn complaint(command: &mut Command) -> String {
    let (code, text) = run(command);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("BAD") && text.contains("→"), "{text}");
    text
}

#[test]
fn a_good_installation() {
    let folder = good_vendors();
    let (code, text) = run(&mut doctor(folder.path()));
    assert_eq!(code, 0, "{text}");
    for expected in [
        "libOpenCL",
        "can be loaded",
        "4 devices",
        "its result is right",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn no_folder() {
    let text = complaint(&mut doctor(Path::new("/no/such/folder")));
    assert!(text.contains("/no/such/folder"), "{text}");
}

#[test]
fn no_icd_file_of_ours() {
    let folder = vendors("libother.so.2\n");
    let text = complaint(&mut doctor(folder.path()));
    assert!(text.contains("names MOCL3"), "{text}");
}

#[test]
fn an_icd_file_that_is_empty() {
    let folder = vendors("");
    let text = complaint(&mut doctor(folder.path()));
    assert!(text.contains("is empty"), "{text}");
}

#[test]
fn a_library_that_is_not_there() {
    let folder = vendors("/no/such/libmocl3.so\n");
    let text = complaint(&mut doctor(folder.path()));
    assert!(
        text.contains("/no/such/libmocl3.so cannot be loaded"),
        "{text}"
    );
}

/// A library that needs LLVM on a machine without: here it needs a library named so.
#[test]
fn a_library_whose_dependency_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("empty.c"), "").unwrap();
    let compile = |arguments: &[&Path]| {
        let status = std::process::Command::new("cc")
            .args(["-shared", "-Wl,--no-as-needed", "-o"])
            .args(arguments)
            .status();
        assert!(status.unwrap().success());
    };
    let (source, llvm) = (file("empty.c"), file("libLLVM.so.1.2"));
    let ours = file("libmocl3.so");
    compile(&[&llvm, &source]);
    compile(&[&ours, &source, &llvm]);
    fs::remove_file(&llvm).unwrap();
    let vendors = vendors(&format!("{}\n", ours.display()));
    let text = complaint(&mut doctor(vendors.path()));
    assert!(
        text.contains("libLLVM.so.1.2") && text.contains("libllvm22"),
        "{text}"
    );
}

#[test]
fn a_library_that_is_no_platform() {
    let folder = tempfile::tempdir().unwrap();
    let (source, ours) = (
        folder.path().join("empty.c"),
        folder.path().join("libmocl3.so"),
    );
    fs::write(&source, "").unwrap();
    let status = std::process::Command::new("cc")
        .arg("-shared")
        .arg("-o")
        .args([&ours, &source])
        .status();
    assert!(status.unwrap().success());
    let vendors = vendors(&format!("{}\n", ours.display()));
    let text = complaint(&mut doctor(vendors.path()));
    assert!(text.contains("it is no OpenCL platform"), "{text}");
}

#[test]
fn no_devices() {
    let folder = good_vendors();
    let text = complaint(doctor(folder.path()).env("MOCL3_MACHINE", "/no/such.toml"));
    assert!(
        text.contains("no devices") && text.contains("/no/such.toml"),
        "{text}"
    );
    let text = complaint(doctor(folder.path()).env("MOCL3_DEVICE_TYPE", "fpga"));
    assert!(text.contains("MOCL3_DEVICE_TYPE=fpga"), "{text}");
}

#[test]
fn a_cache_that_cannot_be_written() {
    let folder = good_vendors();
    let mut command = doctor(folder.path());
    command
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", library().join("below"));
    let (code, text) = run(&mut command);
    assert_eq!(code, 0, "programs run without it: {text}");
    assert!(text.contains("no compile cache"), "{text}");
}

#[test]
fn variables_that_matter_are_told() {
    let folder = good_vendors();
    let mut command = doctor(folder.path());
    command
        .env("MOCL3_DEVICE_TYPE", "gpu")
        .env("PYOPENCL_CTX", "7");
    let (code, text) = run(&mut command);
    assert_eq!(code, 0, "{text}");
    for expected in ["MOCL3_DEVICE_TYPE=gpu", "PYOPENCL_CTX=7", "of type GPU"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_private_prefix_that_the_loader_is_not_told_of() {
    let prefix = tempfile::tempdir().unwrap();
    let (bin, private) = (
        prefix.path().join("bin"),
        prefix.path().join("etc/OpenCL/vendors"),
    );
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&private).unwrap();
    let program = bin.join("mocl3");
    fs::copy(env!("CARGO_BIN_EXE_mocl3"), &program).unwrap();
    fs::write(
        private.join("mocl3.icd"),
        format!("{}\n", library().display()),
    )
    .unwrap();
    let text = complaint(&mut {
        let mut command = Command::new(&program);
        command
            .arg("doctor")
            .env("OCL_ICD_VENDORS", "/no/such/folder");
        command
    });
    let told = format!("export OCL_ICD_VENDORS='{}/'", private.display());
    assert!(text.contains(&told), "{text}");

    // And what is told helps.
    let (code, text) = run(Command::new(&program)
        .arg("doctor")
        .env("OCL_ICD_VENDORS", format!("{}/", private.display())));
    assert_eq!(code, 0, "{text}");
}
