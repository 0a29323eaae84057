//! What `#include`, `#embed` and `__has_include` find of the host's files.

use crate::linking::compile_with;
use crate::process::compile;
use crate::session::{Session, vendors};
use cl_sys::{CL_BUILD_PROGRAM_FAILURE, CL_COMPILE_PROGRAM_FAILURE, CL_SUCCESS};
use std::ffi::CString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const FOLDERS_ONLY: &str = "-cl-mocl3-include-folders";

/// A source with one directive.
fn source(directive: &str) -> String {
    format!("{directive}\nkernel void k(global int *x) {{ *x += 41; }}\n")
}

/// The log of a build that must fail.
#[track_caller]
fn refused(session: &Session, source: &str, options: &str) -> String {
    let program = session.program(source);
    let code = session.build(program, options);
    assert_eq!(code, CL_BUILD_PROGRAM_FAILURE, "{source} {options}");
    session.log(program)
}

#[test]
fn only_regular_files_of_a_sane_size_are_read() {
    let place = tempfile::tempdir().unwrap();
    let pipe = place.path().join("pipe");
    let name = CString::new(pipe.as_os_str().as_bytes()).unwrap();
    // SAFETY: the name ends with NUL.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let long = place.path().join("long");
    File::create(&long)
        .unwrap()
        .set_len((64 << 20) + 1)
        .unwrap();
    let link = place.path().join("link");
    symlink(&pipe, &link).unwrap();
    let session = Session::open();
    for (path, reason) in [
        (pipe.as_path(), "not a regular file"),
        (link.as_path(), "not a regular file"),
        (Path::new("/dev/zero"), "not a regular file"),
        (long.as_path(), "larger than 64 MiB"),
        (place.path(), "file not found"),
    ] {
        let path = path.display();
        let log = refused(&session, &source(&format!("#include \"{path}\"")), "");
        assert!(
            log.contains("program.cl:1:10: ") && log.contains(reason),
            "{log}"
        );
        let embed = format!("constant char c[] = {{\n#embed \"{path}\"\n}};");
        let log = refused(&session, &source(&embed), "");
        assert!(log.contains("program.cl:2:8: "), "{log}");
    }
}

/// `inside/a.h` and the files next to that folder.
fn folders() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    for folder in ["inside/more", "inside-not"] {
        fs::create_dir_all(place.path().join(folder)).unwrap();
    }
    for file in ["inside/a.h", "inside/more/b.h", "inside-not/c.h", "d.h"] {
        fs::write(place.path().join(file), "1").unwrap();
    }
    symlink("../d.h", place.path().join("inside/out.h")).unwrap();
    symlink("more/b.h", place.path().join("inside/in.h")).unwrap();
    symlink("..", place.path().join("inside/up")).unwrap();
    place
}

#[test]
fn with_folders_only_nothing_else_can_be_included() {
    let place = folders();
    let root = place.path().display().to_string();
    let options = format!("-I {root}/inside");
    let session = Session::open();
    let inside = ["a.h", "more/b.h", "more/../a.h", "in.h", "up/inside/a.h"];
    let outside = [
        "../d.h",
        "../inside-not/c.h",
        "out.h",
        "up/d.h",
        "more/../../d.h",
    ];
    let absolute = ["/inside-not/c.h", "/d.h", "/inside/../d.h"].map(|name| root.clone() + name);
    for name in inside
        .into_iter()
        .chain(outside)
        .chain(absolute.iter().map(String::as_str))
    {
        let read = source(&format!("constant int c =\n#include \"{name}\"\n;"));
        // `#embed` does not look into the folders of -I.
        let full = Path::new(&root).join("inside").join(name);
        let full = full.display();
        let embedded = source(&format!("constant char c[] = {{\n#embed \"{full}\"\n}};"));
        let found = format!("#if __has_include(\"{name}\")\n#error found\n#endif");
        for text in [&read, &embedded] {
            session.built_with(text, &options);
        }
        let log = refused(&session, &source(&found), &options);
        assert!(log.contains("error: found"), "{name}: {log}");

        let options = format!("{options} {FOLDERS_ONLY}");
        if inside.contains(&name) {
            session.built_with(&read, &options);
            session.built_with(&embedded, &options);
            refused(&session, &source(&found), &options);
        } else {
            for text in [&read, &embedded] {
                let log = refused(&session, text, &options);
                assert!(log.contains("file not found"), "{name}: {log}");
                assert!(log.contains("MOCL3_INCLUDE"), "{name}: {log}");
            }
            session.built_with(&source(&found), &options);
        }
    }
    // Without folders there is nothing.
    let log = refused(
        &session,
        &source(&format!("#include \"{root}/d.h\"")),
        FOLDERS_ONLY,
    );
    assert!(log.contains("file not found"), "{log}");
}

#[test]
fn given_headers_are_found_with_folders_only() {
    let place = folders();
    let file = place.path().join("d.h").display().to_string();
    let session = Session::open();
    let main = source("#include \"given.h\"");
    for (text, code) in [
        ("#define GIVEN", CL_SUCCESS),
        (&format!("#include \"{file}\""), CL_COMPILE_PROGRAM_FAILURE),
    ] {
        let header = session.program(text);
        let program = session.program(&main);
        let headers = [("given.h", header)];
        assert_eq!(
            compile_with(program, FOLDERS_ONLY, &headers),
            code,
            "{text}"
        );
    }
}

#[test]
fn the_variable_holds_for_programs_that_are_cached_too() {
    let place = folders();
    let program = compile("build_and_run");
    let text = source(&format!(
        "constant int c =\n#include \"{}/d.h\"\n;",
        place.path().display()
    ));
    let built = |value: Option<&str>| {
        let mut command = Command::new(&program);
        command
            .args(["source", &text, ""])
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_CACHE", "1")
            .env("MOCL3_CACHE_DIR", place.path().join("cache"))
            .env_remove("MOCL3_INCLUDE");
        if let Some(value) = value {
            command.env("MOCL3_INCLUDE", value);
        }
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = text.lines().find_map(|line| line.strip_prefix("built "));
        (code.unwrap().parse::<i32>().unwrap(), log)
    };
    for (value, code) in [
        (None, CL_SUCCESS),
        (Some("folders"), CL_BUILD_PROGRAM_FAILURE),
        (Some("anywhere"), CL_SUCCESS),
        (Some("elsewhere"), CL_BUILD_PROGRAM_FAILURE),
    ] {
        let (got, log) = built(value);
        assert_eq!(got, code, "{value:?}: {log}");
        let is_wrong = log.contains("neither `anywhere` nor `folders`");
        assert_eq!(is_wrong, value == Some("elsewhere"), "{log}");
    }
}
