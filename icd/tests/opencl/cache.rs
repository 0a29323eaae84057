//! The compile cache and program binaries, between processes: each build is one of the
//! C program `build_and_run`.

use crate::process::compile;
use crate::session::vendors;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

const SOURCE: &str = "kernel void k(global int *x) {\n#warning old\n  *x += 41;\n}\n";
/// What is kept of a program with one kernel that was launched once.
const KINDS: [&str; 3] = ["unit", "executable", "native code"];

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| compile("build_and_run"));

/// What a process printed.
struct Outcome {
    text: String,
    log: String,
}

impl Outcome {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let outcome = Self {
            text: text(&output.stdout),
            log: text(&output.stderr),
        };
        assert!(output.status.success(), "{}{}", outcome.text, outcome.log);
        outcome
    }

    /// Kinds of things that the cache did something with.
    fn cache(&self, verb: &str) -> Vec<&'static str> {
        let happened = |kind: &&str| self.log.contains(&format!("compile cache: {verb} {kind} "));
        KINDS.into_iter().filter(happened).collect()
    }

    #[track_caller]
    fn gives(&self, result: i32) -> &Self {
        let line = format!("result {result}\n");
        assert!(self.text.contains(&line), "{}{}", self.text, self.log);
        self
    }

    #[track_caller]
    fn compiled_nothing(&self) -> &Self {
        assert_eq!(self.cache("has"), KINDS, "{}", self.log);
        assert!(self.cache("keeps").is_empty(), "{}", self.log);
        self
    }

    #[track_caller]
    fn compiled_all(&self) -> &Self {
        assert_eq!(self.cache("keeps"), KINDS, "{}", self.log);
        self
    }
}

/// A process with the cache in `folder`.
fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(&*PROGRAM);
    command
        .args(words)
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_CACHE", "1")
        .env("MOCL3_CACHE_DIR", folder)
        .env("MOCL3_LOG", "kernel_compiler::cache=debug")
        .stdin(Stdio::null());
    command
}

fn build(folder: &Path, source: &str, options: &str) -> Outcome {
    let output = command(folder, &["source", source, options]).output();
    Outcome::of(&output.unwrap())
}

fn place() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The entries in a cache.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap();
    files
        .map(|file| file.unwrap().path())
        .filter(|path| path.file_name().unwrap().len() == 64)
        .collect()
}

#[test]
fn the_second_process_compiles_nothing_and_shows_the_same_log() {
    let place = place();
    let folder = place.path().join("new/folder");
    let first = build(&folder, SOURCE, "");
    first.gives(42).compiled_all();
    assert!(first.text.contains("program.cl:2:2: warning: old"));
    let second = build(&folder, SOURCE, "");
    second.compiled_nothing();
    assert_eq!(first.text, second.text);
    assert_eq!(entries(&folder).len(), KINDS.len());
    assert_eq!(
        folder.metadata().unwrap().permissions().mode() & 0o777,
        0o700
    );
}

#[test]
fn code_that_is_kept_is_compiled_again_to_be_remarked_on() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    for (value, remarks) in [("1", 1), ("0", 0)] {
        let output = command(place.path(), &["source", SOURCE, ""])
            .env("MOCL3_REMARKS", value)
            .output();
        let again = Outcome::of(&output.unwrap());
        again.gives(42);
        let printed = again.log.matches("remarks: kernel `k`, work-groups of ");
        assert_eq!(printed.count(), remarks, "{}", again.log);
    }
}

#[test]
fn another_source_or_other_options_are_another_program() {
    let place = place();
    let source = "#ifndef N\n#define N 1\n#endif\nkernel void k(global int *x) { *x += N; }";
    for (options, result) in [("", 2), ("-D N=2", 3), ("-DN=3", 4)] {
        build(place.path(), source, options)
            .gives(result)
            .compiled_all();
    }
    // What is not optimised is not what is optimised.
    build(place.path(), source, "-cl-opt-disable")
        .gives(2)
        .compiled_all();
    // The same options written differently; a comment that changes nothing.
    build(place.path(), source, "-D N=3")
        .gives(4)
        .compiled_nothing();
    let commented = format!("{source} // more");
    let again = build(place.path(), &commented, "");
    assert_eq!(again.gives(2).cache("keeps"), ["unit"], "{}", again.log);
}

#[test]
fn private_memory_that_begins_as_zeros_is_another_program() {
    let place = place();
    let source = "void f(volatile private int *a, int n) { a[n] |= 0; }
        kernel void k(global int *x) {
            int a[64], sum = 0;
            f(a, *x & 63);
            for (int i = 0; i < 64; i++) sum |= a[i];
            *x += 4 + sum;
        }";
    // The result is unspecified.
    build(place.path(), source, "").compiled_all();
    let zeroed = || {
        Outcome::of(
            &command(place.path(), &["zeroed", source, ""])
                .output()
                .unwrap(),
        )
    };
    zeroed().gives(5).compiled_all();
    zeroed().gives(5).compiled_nothing();
}

#[test]
fn headers_of_the_file_system_are_looked_at_again() {
    let place = place();
    let [first, second] = ["first", "second"].map(|name| place.path().join(name));
    for folder in [&first, &second] {
        fs::create_dir(folder).unwrap();
    }
    let cache = place.path().join("cache");
    let source = "#include \"n.h\"\nkernel void k(global int *x) { *x += N; }";
    let options = format!("-I {} -I {}", first.display(), second.display());
    let build = || build(&cache, source, &options);
    assert!(build().text.contains("built -11"));

    fs::write(second.join("n.h"), "#define N 10\n").unwrap();
    build().gives(11).compiled_all();
    build().gives(11).compiled_nothing();
    fs::write(second.join("n.h"), "#define N 20\n").unwrap();
    build().gives(21).compiled_all();
    // Both versions are kept.
    fs::write(second.join("n.h"), "#define N 10\n").unwrap();
    build().gives(11).compiled_nothing();
    // A header that is found earlier than the one that was read.
    fs::write(
        first.join("n.h"),
        "#include_next \"n.h\"\n#undef N\n#define N 30\n",
    )
    .unwrap();
    build().gives(31).compiled_all();
    fs::remove_file(first.join("n.h")).unwrap();
    build().gives(11).compiled_nothing();
    // A header that another header includes, and that does not exist at first.
    let asks = "#if __has_include(\"more.h\")\n#include \"more.h\"\n#else\n#define N 1\n#endif\n";
    fs::write(second.join("n.h"), asks).unwrap();
    build().gives(2).compiled_all();
    build().gives(2).compiled_nothing();
    fs::write(second.join("more.h"), "#define N 40\n").unwrap();
    build().gives(41).compiled_all();
    build().gives(41).compiled_nothing();
    fs::remove_file(second.join("more.h")).unwrap();
    fs::remove_file(second.join("n.h")).unwrap();
    assert!(build().text.contains("built -11"));
}

#[test]
fn the_working_directory_is_where_headers_are_looked_for() {
    let place = place();
    let cache = place.path().join("cache");
    let source = "#include \"n.h\"\nkernel void k(global int *x) { *x += N; }";
    let folders = [1, 2].map(|n| {
        let folder = place.path().join(n.to_string());
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("n.h"), format!("#define N {n}\n")).unwrap();
        folder
    });
    for compiled_before in [false, true] {
        for (folder, result) in folders.iter().zip([2, 3]) {
            let output = command(&cache, &["source", source, "-I ."])
                .current_dir(folder)
                .output();
            let outcome = Outcome::of(&output.unwrap());
            outcome.gives(result);
            if compiled_before {
                outcome.compiled_nothing();
            }
        }
    }
}

#[test]
fn a_program_that_uses_time_macros_is_compiled_each_time() {
    let place = place();
    let source = "constant char when[] = __TIME__;
        kernel void k(global int *x) { *x += when[2] == ':'; }";
    for _ in 0..2 {
        let outcome = build(place.path(), source, "");
        assert!(!outcome.gives(2).cache("has").contains(&"unit"));
        assert!(!outcome.cache("keeps").contains(&"unit"));
    }
}

#[test]
fn a_failure_is_not_kept() {
    let place = place();
    let source = "kernel void k(global int *x) { *x = oops; }";
    let failures = [0, 1].map(|_| build(place.path(), source, ""));
    assert!(failures[0].text.contains("program.cl:1:37: error"));
    assert_eq!(failures[0].text, failures[1].text);
    assert!(entries(place.path()).is_empty());
}

#[test]
fn damaged_entries_are_ignored_and_rebuilt() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    for entry in entries(place.path()) {
        let whole = fs::read(&entry).unwrap();
        let inverted = |index: usize| {
            let mut bytes = whole.clone();
            bytes[index] ^= 0xFF;
            bytes
        };
        let last = whole.len() - 1;
        for damaged in [
            Vec::new(),
            whole[..whole.len() / 2].to_vec(),
            vec![0; whole.len()],
            inverted(0),
            inverted(20),
            inverted(last / 2),
            inverted(last),
        ] {
            fs::write(&entry, damaged).unwrap();
            let outcome = build(place.path(), SOURCE, "");
            assert_eq!(outcome.gives(42).cache("keeps").len(), 1, "{}", outcome.log);
            assert!(outcome.text.contains("warning: old"));
            assert_eq!(fs::read(&entry).unwrap(), whole);
        }
    }
    // Another program's entries under this one's names.
    let other = tempfile::tempdir().unwrap();
    build(other.path(), "kernel void k(global int *x) { *x = 7; }", "").gives(7);
    for (mine, theirs) in entries(place.path()).iter().zip(entries(other.path())) {
        fs::copy(theirs, mine).unwrap();
    }
    build(place.path(), SOURCE, "").gives(42).compiled_all();
}

#[test]
fn many_processes_share_a_small_cache() {
    let place = place();
    // Room for some of the programs only.
    let sizes = ["256K", "1M"];
    for round in 0..3 {
        let children: Vec<_> = (0..12)
            .map(|number| {
                let source = format!("kernel void k(global int *x) {{ *x += {}; }}", number % 8);
                command(place.path(), &["source", &source, ""])
                    .env("MOCL3_CACHE_SIZE", sizes[round % 2])
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        for (number, child) in children.into_iter().enumerate() {
            let outcome = Outcome::of(&child.wait_with_output().unwrap());
            outcome.gives(1 + number as i32 % 8);
        }
    }
}

#[test]
fn processes_that_are_stopped_leave_nothing_bad() {
    let place = place();
    for number in 0..12 {
        let mut child = command(place.path(), &["source", SOURCE, ""])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 * number));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    build(place.path(), SOURCE, "").gives(42);
    build(place.path(), SOURCE, "").gives(42).compiled_nothing();
}

#[test]
fn programs_run_without_a_cache() {
    let place = place();
    let without = |change: &dyn Fn(&mut Command)| {
        let mut command = command(place.path(), &["source", SOURCE, ""]);
        command.env("MOCL3_LOG", "info").env_remove("MOCL3_CACHE");
        change(&mut command);
        let outcome = Outcome::of(&command.output().unwrap());
        outcome.gives(42);
        assert!(entries(place.path()).is_empty());
        outcome.log
    };
    let lines = |log: &str| log.matches("no compile cache").count();
    assert_eq!(
        without(&|command| {
            command.env("MOCL3_CACHE", "0");
        }),
        ""
    );
    let log = without(&|command| {
        for variable in ["MOCL3_CACHE_DIR", "XDG_CACHE_HOME", "HOME"] {
            command.env_remove(variable);
        }
    });
    assert_eq!(lines(&log), 1, "{log}");
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    let log = without(&|command| {
        command
            .env("MOCL3_CACHE_DIR", &file)
            .env("MOCL3_LOG", "warn");
    });
    assert_eq!(lines(&log), 1, "{log}");
    let log = without(&|command| {
        command
            .env_remove("MOCL3_CACHE_DIR")
            .env("XDG_CACHE_HOME", &file);
    });
    assert_eq!(lines(&log), 1, "{log}");
}

#[test]
fn the_users_own_folder_for_caches_is_used() {
    let place = place();
    let caches = place.path().join("caches");
    for (variable, folder) in [
        ("XDG_CACHE_HOME", caches.join("mocl3")),
        ("HOME", caches.join(".cache/mocl3")),
    ] {
        let output = command(place.path(), &["source", SOURCE, ""])
            .env_remove("MOCL3_CACHE_DIR")
            .env_remove("XDG_CACHE_HOME")
            .env(variable, &caches)
            .output();
        Outcome::of(&output.unwrap()).gives(42).compiled_all();
        assert_eq!(entries(&folder).len(), KINDS.len());
    }
}

/// Whether the tests run as root, who is not bound by permissions but can become
/// another user.
fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

#[test]
fn a_cache_on_a_full_disk_can_still_be_read() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    let run = |source: &str| {
        let command = command(place.path(), &[]);
        let cache: Vec<_> = command
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.unwrap().to_owned()))
            .collect();
        // No file may grow.
        let output = Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
            .arg(command.get_program())
            .args(["source", source, ""])
            .envs(cache)
            .output();
        Outcome::of(&output.unwrap())
    };
    run(SOURCE).gives(42).compiled_nothing();
    let other = run("kernel void k(global int *x) { *x += 2; }");
    assert!(other.gives(3).cache("keeps").is_empty(), "{}", other.log);
    assert!(other.log.contains("cannot keep"), "{}", other.log);
    // Nothing is left of what could not be written.
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), KINDS.len() + 1);
}

#[test]
fn a_read_only_folder_does_no_harm() {
    let outcome = build(Path::new("/proc"), SOURCE, "");
    assert!(
        outcome.gives(42).cache("keeps").is_empty(),
        "{}",
        outcome.log
    );
}

#[test]
fn a_folder_of_another_user_is_not_used() {
    let place = place();
    let folder = if is_root() {
        let folder = place.path().join("cache");
        build(&folder, SOURCE, "").gives(42);
        chown(&folder, Some(65534), None).unwrap();
        folder
    } else {
        PathBuf::from("/usr")
    };
    let outcome = build(&folder, SOURCE, "");
    assert!(outcome.gives(42).cache("has").is_empty());
    assert!(outcome.cache("keeps").is_empty());
    assert!(
        outcome.log.contains("belongs to another user"),
        "{}",
        outcome.log
    );
}

#[test]
fn who_looks_at_the_compiler_sees_it_work() {
    let place = place();
    build(place.path(), SOURCE, "").gives(42);
    let dump = place.path().join("dump");
    let output = command(place.path(), &["source", SOURCE, ""])
        .env("MOCL3_DUMP", &dump)
        .output();
    Outcome::of(&output.unwrap()).gives(42);
    let folders = fs::read_dir(&dump).unwrap();
    let steps: Vec<usize> = folders
        .map(|folder| fs::read_dir(folder.unwrap().path()).unwrap().count())
        .collect();
    assert_eq!(steps, [11], "one kernel, from source to remarks");
}

#[test]
fn binaries_go_from_process_to_process() {
    let place = place();
    let file = place.path().join("program.bin");
    let path = file.to_str().unwrap();
    let source = "kernel void k(global int *count) { *count += (int)sqrt(81.0f); }";
    // Whether there is a cache makes no difference.
    for cache in ["0", "1", "1"] {
        let run = |words: &[&str]| {
            let mut command = command(place.path(), words);
            Outcome::of(&command.env("MOCL3_CACHE", cache).output().unwrap())
        };
        run(&["save", path, source, ""]).gives(10);
        let outcome = run(&["binary", path]);
        assert!(
            outcome.text.contains("created 0 status 0"),
            "{}",
            outcome.text
        );
        assert!(outcome.gives(10).text.contains("argument int* count"));
    }
    let whole = fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let output = command(place.path(), &["binary", path]).output();
        let text = Outcome::of(&output.unwrap()).text;
        assert_eq!(text, "created -42 status -42\n");
    };
    refused(&whole[..whole.len() - 1]);
    // The version, whose length is at 9, begins at 10.
    let mut other_version = whole.clone();
    other_version[10] ^= 1;
    refused(&other_version);
}

#[test]
fn another_build_of_the_library_takes_nothing_from_this_one() {
    let place = place();
    let cache = place.path().join("cache");
    let library = place.path().join("libmocl3.so");
    let mut bytes = fs::read(crate::session::library()).unwrap();
    // The head of the note that holds the linker's build id of 20 bytes.
    let note = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0";
    let head = bytes.windows(note.len()).position(|bytes| bytes == note);
    // A library without a note is known by its file, which is another one here.
    if let Some(head) = head {
        bytes[head + note.len()] ^= 1;
    }
    fs::write(&library, bytes).unwrap();
    fs::write(
        place.path().join("other.icd"),
        format!("{}\n", library.display()),
    )
    .unwrap();
    let on_other = |words: &[&str]| {
        let mut command = command(&cache, words);
        let output = command.env("OCL_ICD_VENDORS", place.path()).output();
        Outcome::of(&output.unwrap())
    };

    let file = place.path().join("program.bin");
    let path = file.to_str().unwrap();
    let output = command(&cache, &["save", path, SOURCE, ""]).output();
    Outcome::of(&output.unwrap()).gives(42).compiled_all();
    on_other(&["source", SOURCE, ""]).gives(42).compiled_all();
    on_other(&["source", SOURCE, ""])
        .gives(42)
        .compiled_nothing();
    build(&cache, SOURCE, "").gives(42).compiled_nothing();
    assert_eq!(on_other(&["binary", path]).text, "created -42 status -42\n");
}
