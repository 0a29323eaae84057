//! Finds the LLVM installation that the crate is built against.

use std::path::PathBuf;
use std::process::Command;

/// The one major version of LLVM and clang that is supported.
pub const MAJOR: &str = "22";

/// Paths of an LLVM installation with clang's libraries.
pub struct Installation {
    /// Full version, for example `22.1.8`.
    pub version: String,
    /// C and C++ headers.
    pub include: PathBuf,
    /// Shared libraries.
    pub libraries: PathBuf,
    /// clang's resource directory.
    pub resources: PathBuf,
    /// The clang executable, for the builtin library.
    pub clang: PathBuf,
}

impl Installation {
    /// Looks in `LLVM_SYS_221_PREFIX` (set for all by .cargo/config.toml).
    pub fn find() -> Result<Self, String> {
        println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
        let prefix = PathBuf::from(
            std::env::var_os("LLVM_SYS_221_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into()),
        );
        let missing = |what: &str| {
            format!(
                "LLVM {MAJOR} with clang's libraries is needed and {what} was not found under {}: \
                 run `cargo xtask setup`, which installs it",
                prefix.display()
            )
        };
        let output = Command::new(prefix.join("bin/llvm-config"))
            .args(["--version", "--includedir", "--libdir"])
            .output()
            .map_err(|_| missing("llvm-config"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut lines = text.lines().map(str::to_owned);
        let mut line = || lines.next().ok_or_else(|| missing("llvm-config"));
        let version = line()?;
        let (include, libraries) = (PathBuf::from(line()?), PathBuf::from(line()?));
        if version.split('.').next() != Some(MAJOR) {
            return Err(format!("{} (it has version {version})", missing("LLVM")));
        }
        let found = Self {
            resources: libraries.join("clang").join(MAJOR),
            clang: prefix.join("bin/clang"),
            version,
            include,
            libraries,
        };
        for (what, path) in [
            ("clang", found.clang.clone()),
            ("clang++", found.clangxx()),
            ("llvm-nm", found.tool("llvm-nm")),
            ("opt", found.tool("opt")),
            ("libclang-cpp.so", found.libraries.join("libclang-cpp.so")),
            (
                "clang's C++ headers",
                found.include.join("clang/Frontend/CompilerInstance.h"),
            ),
            (
                "opencl-c-base.h",
                found.resources.join("include/opencl-c-base.h"),
            ),
        ] {
            if !path.exists() {
                return Err(missing(what));
            }
        }
        Ok(found)
    }

    /// The clang++ executable, for the shim.
    pub fn clangxx(&self) -> PathBuf {
        self.tool("clang++")
    }

    /// An executable, by its name.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.clang.with_file_name(name)
    }

    /// The names of the archives that clang's and LLVM's shared libraries are made of, users
    /// before the archives that they use.
    pub fn archives(&self) -> Result<Vec<String>, String> {
        let failed = |error: std::io::Error| {
            format!(
                "LLVM's static libraries in {}: {error}",
                self.libraries.display()
            )
        };
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.libraries).map_err(failed)? {
            let file = entry.map_err(failed)?.file_name();
            let name = name_of(&file.to_string_lossy()).map(str::to_owned);
            names.extend(name.filter(|name| name.starts_with("clang")));
        }
        if names.is_empty() {
            return Err(format!(
                "there are no static libraries of clang in {}",
                self.libraries.display()
            ));
        }
        // Their order is of no concern to lld, which rustc links with.
        names.sort();
        let output = Command::new(self.libraries.join("../bin/llvm-config"))
            .args(["--link-static", "--libnames", "all"])
            .output()
            .map_err(failed)?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let text = String::from_utf8_lossy(&output.stdout);
        // Debian ships Polly's archives in a separate package.
        let here = text
            .split_whitespace()
            .filter(|file| self.libraries.join(file).exists());
        names.extend(here.filter_map(name_of).map(str::to_owned));
        Ok(names)
    }
}

/// The name by which linker options refer to an archive: without `lib` and `.a`.
fn name_of(file: &str) -> Option<&str> {
    file.strip_prefix("lib")?.strip_suffix(".a")
}
