//! The variables, in one table, and the one function that reads them.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

/// An environment variable. Displays as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// The values that it may have, in short.
    pub values: &'static str,
    /// What it decides, in short.
    pub meaning: &'static str,
}

macro_rules! variables {
    ($($constant:ident = $name:literal, $values:literal, $meaning:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`, ", $values, ": ", $meaning, ".")]
            pub const $constant: Variable = Variable {
                name: $name,
                values: $values,
                meaning: $meaning,
            };
        )*

        /// All variables of the platform's own, which `docs/environment.md` explains.
        pub const ALL: &[Variable] = &[$($constant,)*];
    };
}

variables! {
    HOST_THREADS = "MOCL3_HOST_THREADS", "a number from 1 on",
        "how many host threads run work-groups";
    HOST_CPU = "MOCL3_HOST_CPU", "x86-64, x86-64-v2 or x86-64-v3",
        "the level of the host's instructions that kernels may use";
    SPECIALISE = "MOCL3_SPECIALISE", "0 or 1",
        "whether kernels are compiled in versions";
    LANES = "MOCL3_LANES", "0, 4, 8, 16 or 32",
        "how many work-items run as lanes";
    REMARKS = "MOCL3_REMARKS", "0 or 1",
        "whether kernels are remarked on when they are compiled";
    FALLBACK = "MOCL3_FALLBACK", "allow or error",
        "whether a kernel is compiled without an optimisation that fails";
    INCLUDE = "MOCL3_INCLUDE", "anywhere or folders",
        "which files programs may include";
    MACHINE = "MOCL3_MACHINE", "a machine's name or a file",
        "the machine that is simulated";
    MACHINE_SET = "MOCL3_MACHINE_SET", "a list of name=value",
        "numbers of the machine with other values";
    BUILD_OPTIONS = "MOCL3_BUILD_OPTIONS", "build options",
        "what is added to the options of programs' builds";
    LOCAL_SIZE = "MOCL3_LOCAL_SIZE", "a list of kernel=size",
        "local sizes of launches in the place of the program's";
    STACK_LAYOUT = "HT_MEM_LAYOUT_POS", "0, .2, .4, .6, .8 or 1",
        "the part of SM that holds the stack; local memory may have the rest";
    CODE_LAYOUT = "HT_CODE_LAYOUT_POS", "0 or 1",
        "code is in DDR (0) or GSM (1)";
    WAIT_MODE = "MT_WAIT_MODE", "0, 1 or 2",
        "how the host learns of the end of kernels: by interrupt, by polling, or by both";
    HTHREAD_DEBUG = "HTHREAD_DEBUG", "a number from 0 on",
        "whether hthreads programs show exceptions of arithmetic";
    CHECK = "MOCL3_CHECK", "0, all, or a list of memory, uninitialised, races, barriers, dma and api",
        "what kernels and calls are checked for";
    FINDINGS = "MOCL3_FINDINGS", "a folder",
        "where findings of checks are written";
    TIMEOUT = "MOCL3_TIMEOUT", "a number of seconds",
        "how long a launch may run";
    DEBUG = "MOCL3_DEBUG", "a folder",
        "whether kernels are compiled for debuggers, and where their sources are written";
    PERF_MAP = "MOCL3_PERF_MAP", "0 or 1",
        "whether profilers see the names of kernels";
    JITDUMP = "MOCL3_JITDUMP", "a folder",
        "where a jitdump file is written, by which perf sees source lines of kernels";
    PROFILING_TIME = "MOCL3_PROFILING_TIME", "machine or host",
        "whose time event profiling reports";
    RECORD = "MOCL3_RECORD", "a folder",
        "where a recording of what ran is written";
    RECORD_TIMELINE = "MOCL3_RECORD_TIMELINE", "0 or 1",
        "whether the recording has all pieces of the arrays' time";
    RECORD_ALTERNATIVES = "MOCL3_RECORD_ALTERNATIVES", "0 or 1",
        "whether the recording has the times of launches under changes";
    CAPTURE = "MOCL3_CAPTURE", "a folder",
        "where launches are written, to be run again elsewhere";
    CAPTURE_LAUNCHES = "MOCL3_CAPTURE_LAUNCHES", "a number from 1 on",
        "how many launches of each kernel are written";
    CAPTURE_SIZE = "MOCL3_CAPTURE_SIZE", "bytes, with K, M or G",
        "how many bytes of buffers are written at most";
    PREDICT = "MOCL3_PREDICT", "0, 1 or compare",
        "whether the times of launches are predicted, in the place of their execution or besides";
    DEVICES = "MOCL3_DEVICES", "a number from 1 on",
        "how many devices the platform has";
    NODES = "MOCL3_NODES", "a number from 1 to 65536",
        "how many nodes are simulated, each of which is a platform";
    RANKS = "MOCL3_RANKS", "cluster or node",
        "what each MPI rank has of a node";
    DEVICE_TYPE = "MOCL3_DEVICE_TYPE", "accelerator, cpu or gpu",
        "the type that devices report";
    SHARE_LAUNCHES = "MOCL3_SHARE_LAUNCHES", "0 or 1",
        "whether launches equal to earlier ones take their time and are not executed";
    MPI_REPORT = "MOCL3_MPI_REPORT", "a file",
        "where the times of simulated MPI ranks are written";
    CACHE = "MOCL3_CACHE", "0 or 1",
        "whether there is a compile cache";
    CACHE_DIR = "MOCL3_CACHE_DIR", "a folder",
        "where the compile cache is";
    CACHE_SIZE = "MOCL3_CACHE_SIZE", "bytes, with K, M or G",
        "how much the compile cache may take";
    BUILD_SECONDS = "MOCL3_BUILD_SECONDS", "a number of seconds",
        "how long a compilation may take";
    BUILD_MEMORY = "MOCL3_BUILD_MEMORY", "bytes, with K, M or G",
        "how much memory a compilation may take";
    LOG = "MOCL3_LOG", "error, warn, info or debug",
        "what is logged";
    TRACE_API = "MOCL3_TRACE_API", "0, 1 or a file",
        "where each call of the API is shown";
    DUMP = "MOCL3_DUMP", "a folder",
        "where the stages of each kernel's compilation are shown";
    DUMP_KERNEL = "MOCL3_DUMP_KERNEL", "a kernel's name",
        "the one kernel whose stages are shown";
}

/// The user's folder for caches (XDG Base Directory Specification).
pub const XDG_CACHE_HOME: Variable = Variable {
    name: "XDG_CACHE_HOME",
    values: "an absolute path",
    meaning: "where programs keep caches",
};

/// The user's home.
pub const HOME: Variable = Variable {
    name: "HOME",
    values: "an absolute path",
    meaning: "the user's home",
};

impl Variable {
    /// Its value. None if it is not set, or empty, or if this process must not trust its
    /// environment ([`is_trusted`]).
    pub fn get(&self) -> Option<OsString> {
        let value = if is_trusted() {
            std::env::var_os(self.name)
        } else {
            None
        };
        value.filter(|value| !value.is_empty())
    }

    /// Whether it is 1, of a variable of 0 and 1 that is 0 where it is not set. Another value is taken
    /// as 0, with a warning.
    pub fn is_one(&self) -> bool {
        let value = self.get().unwrap_or_default();
        match value.to_string_lossy().trim() {
            "" | "0" => false,
            "1" => true,
            other => {
                log::warn!("{self}={other} is neither 0 nor 1; taken as 0");
                false
            }
        }
    }
}

impl Display for Variable {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// Whether this process has no more rights than the user who started it: it is not in
/// secure-execution mode (`AT_SECURE`, getauxval(3)).
pub fn is_trusted() -> bool {
    static TRUSTED: LazyLock<bool> = LazyLock::new(|| {
        // SAFETY: the call only returns a number.
        unsafe { libc::getauxval(libc::AT_SECURE) == 0 }
    });
    *TRUSTED
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn the_page_of_variables_has_the_same_ones() {
        let page = include_str!("../../../docs/environment.md");
        let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
        let listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        let set: BTreeSet<&str> = listed.iter().copied().collect();
        assert_eq!(set, ALL.iter().map(|variable| variable.name).collect());
        assert_eq!(listed.len(), ALL.len(), "one is listed twice");
    }

    /// The crates that the library consists of. `fault-injection` is not among them: ordinary builds
    /// have none.
    const LIBRARY: &[&str] = &[
        "device-sim",
        "host-exec",
        "icd",
        "kernel-compiler",
        "support/logging",
        "support/recording",
        "runtime",
    ];

    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .flat_map(|path| match path.is_dir() {
                true => sources(&path),
                false => vec![path],
            })
            .collect()
    }

    #[test]
    fn no_other_crate_of_the_library_reads_the_environment() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut read = 0;
        for path in LIBRARY
            .iter()
            .flat_map(|name| sources(&root.join(name).join("src")))
        {
            let text = fs::read_to_string(&path).unwrap();
            // Tests may.
            let text = text.split("#[test]").next().unwrap_or_default();
            for reader in ["env::var", "var_os(", "getenv", "from_env("] {
                assert!(!text.contains(reader), "{}: {reader}", path.display());
            }
            read += 1;
        }
        assert!(read > 100, "only {read} files");
    }
}
