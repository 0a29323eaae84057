//! The tree of the toolchain that the tests use, and commands in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The tree, made once for a program of tests.
pub struct Tree(TempDir);

pub static TREE: LazyLock<Tree> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    // Cargo puts libraries that tests depend on next to them.
    let tests = std::env::current_exe().unwrap();
    let library = tests.with_file_name("libhthread_host.so");
    let output = Command::new(env!("CARGO_BIN_EXE_m3cc"))
        .arg("--make-tree")
        .args([folder.path(), &library])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    Tree(folder)
});

impl Tree {
    /// A command that finds the toolchain by `PATH`, in `folder`.
    pub fn command(&self, program: &str, folder: &Path) -> Command {
        let mut path = self.0.path().join("dsp_compiler/bin").into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(program);
        command.current_dir(folder).env("PATH", path);
        // `make` in a job of cargo's has a job server.
        command.env_remove("MAKEFLAGS").env_remove("MFLAGS");
        command
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Runs a command line.
    pub fn run(&self, line: &str, folder: &Path) -> Output {
        self.command("sh", folder)
            .args(["-c", line])
            .output()
            .unwrap()
    }

    /// Runs a command line that must succeed; its output.
    pub fn succeed(&self, line: &str, folder: &Path) -> String {
        let output = self.run(line, folder);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}\n{text}{errors}");
        text
    }
}

/// Builds `kernel.dat` and `program` in a folder from the texts of a kernel and a host program; `options` are
/// m3cc's. Files are called `kernel.c` and `program.c`. Object files in the folder are linked, too.
pub fn build_texts(folder: &Path, kernel: &str, program: &str, options: &str) {
    fs::write(folder.join("kernel.c"), kernel).unwrap();
    fs::write(folder.join("program.c"), program).unwrap();
    let tree = TREE.0.path().display();
    TREE.succeed(
        &format!(
            "MT-3000-gcc -c {options} -I{tree}/hthreads/include -I{tree}/dsp_compiler/include kernel.c && \
             MT-3000-ld *.o {tree}/hthreads/lib/libhthread_device.a -L{tree}/dsp_compiler/lib -lvm -o kernel.out && \
             MT-3000-makedat -J kernel.out && \
             gcc -I{tree}/hthreads/include program.c {tree}/hthreads/lib/libhthread_host.a -lpthread -o program \
             -Wl,--allow-shlib-undefined"
        ),
        folder,
    );
}

/// A folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path)
}
