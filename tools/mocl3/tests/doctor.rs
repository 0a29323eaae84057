//! Tests of `mocl3 doctor` in environments in which programs do not find the devices.

mod library;

use assert_cmd::Command;
use library::{library, write_icd};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with an `.icd` file with that text.
fn vendors(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mocl3.icd"), text).unwrap();
    folder
}

fn good_vendors() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_icd(folder.path());
    folder
}

fn doctor(vendors: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
    command.arg("doctor").env("OCL_ICD_VENDORS", vendors);
    command
}

/// Exit code and output.
fn run(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code().unwrap(), text)
}

/// The report of a problem.
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

/// A library that needs a missing LLVM: here a library with LLVM's name.
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
fn variables_that_matter_are_reported() {
    let folder = good_vendors();
    let mut command = doctor(folder.path());
    command
        .env("MOCL3_DEVICE_TYPE", "gpu")
        .env("PYOPENCL_CTX", "7");
    let (code, text) = run(&mut command);
    assert_eq!(code, 0, "{text}");
    for expected in ["MOCL3_DEVICE_TYPE=gpu", "PYOPENCL_CTX=7", "type is GPU"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn variables_that_help_programs_are_named() {
    let folder = good_vendors();
    let (code, text) = run(&mut doctor(folder.path()));
    assert_eq!(code, 0, "{text}");
    for expected in [
        "4 devices",
        "MOCL3_DEVICES=1",
        "MOCL3_DEVICE_TYPE=cpu or gpu",
        "the simulated machine's time",
        "MOCL3_PROFILING_TIME=host",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let mut command = doctor(folder.path());
    command
        .env("MOCL3_DEVICES", "1")
        .env("MOCL3_PROFILING_TIME", "host");
    let (code, text) = run(&mut command);
    assert_eq!(code, 0, "{text}");
    for expected in ["1 device, ", "reports the host's time"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_number_of_devices_that_the_machine_does_not_have() {
    let folder = good_vendors();
    let (code, text) = run(doctor(folder.path()).env("MOCL3_DEVICES", "5"));
    assert_eq!(code, 0, "{text}");
    for expected in ["MOCL3_DEVICES=5 is not a number from 1 to 4", "4 devices"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

/// Copies the command below a prefix.
fn installed_command(prefix: &Path) -> PathBuf {
    let bin = prefix.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let program = bin.join("mocl3");
    let original = env!("CARGO_BIN_EXE_mocl3");
    // A copy cannot be run while a process that another test is starting has it open.
    fs::hard_link(original, &program)
        .or_else(|_| fs::copy(original, &program).map(|_| ()))
        .unwrap();
    program
}

/// As after `rm /etc/OpenCL/vendors/mocl3.icd`, which the Debian package respects.
#[test]
fn an_icd_file_that_was_removed() {
    let prefix = tempfile::tempdir().unwrap();
    let program = installed_command(prefix.path());
    let ours = prefix.path().join("lib/mocl3/libmocl3.so");
    fs::create_dir_all(ours.parent().unwrap()).unwrap();
    fs::write(&ours, "").unwrap();
    let empty = tempfile::tempdir().unwrap();
    let text = complaint(
        Command::new(&program)
            .arg("doctor")
            .env("OCL_ICD_VENDORS", empty.path()),
    );
    let advice = format!("echo '{}' >", ours.display());
    assert!(text.contains(&advice), "{text}");
}

#[test]
fn a_private_prefix_that_the_loader_does_not_know() {
    let prefix = tempfile::tempdir().unwrap();
    let private = prefix.path().join("etc/OpenCL/vendors");
    fs::create_dir_all(&private).unwrap();
    let program = installed_command(prefix.path());
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
    let advice = format!("export OCL_ICD_VENDORS='{}'/", private.display());
    assert!(text.contains(&advice), "{text}");

    // The advice solves the problem.
    let (code, text) = run(Command::new(&program)
        .arg("doctor")
        .env("OCL_ICD_VENDORS", format!("{}/", private.display())));
    assert_eq!(code, 0, "{text}");
}

/// Characters that the loader takes as part of the library's name keep it from finding the library;
/// the advice solves the problem.
#[test]
fn an_icd_file_with_more_than_the_name() {
    for text in ["{}\r\n", "{}  \n", " {}\n", "\n{}\n", "\u{feff}{}\n"] {
        let name = library().display().to_string();
        let folder = vendors(&text.replace("{}", &name));
        let text = complaint(&mut doctor(folder.path()));
        assert!(text.contains("more in it than the name"), "{text}");
        let (_, cure) = text.split_once("printf").unwrap();
        let cure = format!("printf{}", cure.lines().next().unwrap());
        let status = std::process::Command::new("sh")
            .args(["-c", &cure])
            .status();
        assert!(status.unwrap().success());
        let (code, text) = run(&mut doctor(folder.path()));
        assert_eq!(code, 0, "{text}");
    }
}

#[test]
fn an_icd_file_as_a_shell_would_read_it() {
    for name in ["\"/x/libmocl3.so\"", "~/libmocl3.so", "$HOME/libmocl3.so"] {
        let folder = vendors(&format!("{name}\n"));
        let text = complaint(&mut doctor(folder.path()));
        assert!(text.contains("take the text as it stands"), "{text}");
        assert_eq!(text.matches("BAD  ").count(), 1, "{text}");
    }
}

#[test]
fn a_relative_path_in_an_icd_file() {
    let folder = vendors("release/libmocl3.so\n");
    let text = complaint(&mut doctor(folder.path()));
    assert!(text.contains("a program happens to run"), "{text}");
    assert!(text.contains("write the library's absolute path"), "{text}");
}

#[test]
fn an_icd_file_that_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mocl3.icd");
    std::os::unix::fs::symlink("/no/such/mocl3.icd", &file).unwrap();
    let text = complaint(&mut doctor(folder.path()));
    assert!(
        text.contains("a link to a file that is not there"),
        "{text}"
    );
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let text = complaint(&mut doctor(folder.path()));
    assert!(text.contains("replace it by a file"), "{text}");
    fs::remove_dir(&file).unwrap();
    fs::write(folder.path().join("mocl3.icd.txt"), "").unwrap();
    let text = complaint(&mut doctor(folder.path()));
    assert!(text.contains("whose names end in .icd"), "{text}");
}

/// Other platforms' broken files do not prevent the use of ours.
#[test]
fn an_icd_file_of_others_that_is_empty() {
    let folder = good_vendors();
    fs::write(folder.path().join("other.icd"), "").unwrap();
    let (code, text) = run(&mut doctor(folder.path()));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("other.icd is empty"), "{text}");
}

/// ocl-icd accepts the name of a file or a library instead of a folder.
#[test]
fn the_variable_names_a_file_or_a_library() {
    let folder = good_vendors();
    let file = folder.path().join("mocl3.icd");
    let (code, text) = run(&mut doctor(&file));
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(&mut doctor(&library()));
    assert_eq!(code, 0, "{text}");
    let places = library().parent().unwrap().to_owned();
    let (code, text) = run(doctor(Path::new("libmocl3.so")).env("LD_LIBRARY_PATH", places));
    assert_eq!(code, 0, "{text}");
    let text = complaint(&mut doctor(Path::new("/no/such/file.icd")));
    assert!(text.contains("/no/such/file.icd"), "{text}");
}

#[test]
fn a_library_for_other_processors() {
    let folder = tempfile::tempdir().unwrap();
    let ours = folder.path().join("libmocl3.so");
    let mut bytes = fs::read(library()).unwrap();
    // ELF's number for 64-bit ARM.
    bytes[18] = 183;
    fs::write(&ours, bytes).unwrap();
    let vendors = vendors(&format!("{}\n", ours.display()));
    let text = complaint(&mut doctor(vendors.path()));
    assert!(text.contains("another kind of processor"), "{text}");
    fs::write(&ours, "version https://git-lfs.github.com/spec/v1\n").unwrap();
    let text = complaint(&mut doctor(vendors.path()));
    assert!(text.contains("it is no library"), "{text}");
}

#[test]
fn two_installations() {
    let folder = good_vendors();
    let second = folder.path().join("libmocl3.so");
    fs::copy(library(), &second).unwrap();
    let name = format!("{}\n", second.display());
    fs::write(folder.path().join("second.icd"), name).unwrap();
    let (code, text) = run(&mut doctor(folder.path()));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("more than once"), "{text}");
}

#[test]
fn a_file_that_is_no_loader() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("libOpenCL.so.1"), "text").unwrap();
    let vendors = good_vendors();
    let text = complaint(doctor(vendors.path()).env("LD_LIBRARY_PATH", folder.path()));
    assert!(text.contains("hides the loader"), "{text}");
    let text = complaint(doctor(vendors.path()).args(["--loader", "/no/such/loader"]));
    assert!(text.contains("/no/such/loader"), "{text}");
    let text = complaint(doctor(vendors.path()).arg("--loader").arg(library()));
    assert!(text.contains("clGetPlatformIDs"), "{text}");
}

/// A loader that belongs to a program.
#[test]
fn another_loader() {
    let vendors = good_vendors();
    let (code, text) = run(doctor(vendors.path()).args(["--loader", "libOpenCL.so.1"]));
    assert_eq!(code, 0, "{text}");
    let environment = tempfile::tempdir().unwrap();
    let folder = environment
        .path()
        .join("lib/python3.99/site-packages/pyopencl/.libs");
    fs::create_dir_all(&folder).unwrap();
    let loader = folder.join("libOpenCL-1234.so.1.0.0");
    fs::write(&loader, "").unwrap();
    let (code, text) = run(doctor(vendors.path()).env("VIRTUAL_ENV", environment.path()));
    assert_eq!(code, 0, "{text}");
    let advice = format!("mocl3 doctor --loader '{}'", loader.display());
    assert!(text.contains(&advice), "{text}");
}

#[test]
fn log_entries_of_all_levels_are_reported_whole() {
    let folder = good_vendors();
    let machine = folder.path().join("machine.toml");
    fs::write(&machine, "name = 3\n").unwrap();
    let mut command = doctor(folder.path());
    command
        .env("MOCL3_MACHINE", &machine)
        .env("MOCL3_LOG", "off");
    let text = complaint(&mut command);
    assert!(text.contains("expected a string"), "{text}");
}

/// A cache on a disk with room for a folder, but for no file.
#[test]
fn a_cache_on_a_full_disk() {
    // Files of more than a block cannot be written, as if the disk were full.
    let vendors = good_vendors();
    let cache = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" doctor"])
        .arg(env!("CARGO_BIN_EXE_mocl3"))
        .env("OCL_ICD_VENDORS", vendors.path())
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", cache.path());
    let (code, text) = run(&mut command);
    assert_eq!(code, 0, "programs run without it: {text}");
    assert!(text.contains("compile cache cannot keep"), "{text}");
}
