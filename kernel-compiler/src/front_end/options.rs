//! Build options of OpenCL 1.2, section 5.6.4: which there are, to which call each
//! belongs, and clang's arguments for it.

use crate::debugger::Renamed;
use serde::Serialize;

/// Which call the options belong to; each accepts its own set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildCall {
    /// `clBuildProgram`
    Build,
    /// `clCompileProgram`
    Compile,
    /// `clLinkProgram`
    Link,
}

/// Parsed options of `clBuildProgram`, `clCompileProgram` or `clLinkProgram`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BuildOptions {
    clang: Vec<String>,
    do_not_optimise: bool,
    language_version: bool,
    creates_library: bool,
    initialises_private_memory: bool,
    include_folders_only: bool,
    remarks: bool,
    checks_memory: bool,
}

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// clang knows it by the same name.
    Clang,
    /// clang knows it by the same name and needs these arguments as well.
    ClangWith(&'static [&'static str]),
    /// Followed by, or joined with, a value; handed to clang as two arguments.
    WithValue,
    DoNotOptimise,
    CreateLibrary,
    /// Only files in the folders of `-I` can be included.
    IncludeFoldersOnly,
    /// Remarks; only for calls that make executables.
    Remarks,
    /// Accepted; true of every build here, or without effect.
    Always,
}

/// Compile options, then linker options (5.6.5). `-cl-std=` is handled apart.
const OPTIONS: &[(&str, Meaning, bool, bool)] = {
    use Meaning::*;
    // name, meaning, for compile, for link
    &[
        ("-D", WithValue, true, false),
        ("-I", WithValue, true, false),
        ("-w", Clang, true, false),
        ("-Werror", Clang, true, false),
        ("-cl-single-precision-constant", Clang, true, false),
        // A hint that may be left alone: denormals are kept.
        ("-cl-denorms-are-zero", Always, true, true),
        (
            "-cl-fp32-correctly-rounded-divide-sqrt",
            Always,
            true,
            false,
        ),
        ("-cl-opt-disable", DoNotOptimise, true, false),
        // clang warns that only OpenCL 1.0 knows it, which -Werror would make an error.
        ("-cl-strict-aliasing", Always, true, false),
        // Across statements, too; where FP_CONTRACT is OFF it stays so.
        (
            "-cl-mad-enable",
            ClangWith(&["-ffp-contract=fast-honor-pragmas"]),
            true,
            false,
        ),
        ("-cl-no-signed-zeros", Clang, true, true),
        // As section 5.6.5.2 spells it.
        ("-cl-no-signed-zeroes", Always, false, true),
        ("-cl-unsafe-math-optimizations", Clang, true, true),
        // clang's option of that name alone changes nothing.
        (
            "-cl-finite-math-only",
            ClangWith(&["-menable-no-nans", "-menable-no-infs"]),
            true,
            true,
        ),
        ("-cl-fast-relaxed-math", Clang, true, true),
        ("-cl-kernel-arg-info", Always, true, false),
        ("-create-library", CreateLibrary, false, true),
        ("-enable-link-options", Always, false, true),
        // Not in the specification; debuggers and profilers pass it.
        ("-g", Always, true, false),
        // MOCL3's: for sources that are not trusted.
        ("-cl-mocl3-include-folders", IncludeFoldersOnly, true, false),
        // MOCL3's: the build log has remarks on vectorising.
        (REMARKS, Remarks, true, true),
    ]
};

const LANGUAGE_VERSION: &str = "-cl-std=";

/// Values of `-cl-std=`, and clang's arguments. What is mandatory in 2.0 is optional in 3.0
/// and absent here, so programs of 2.0 are compiled as 3.0 without these features.
const VERSIONS: &[(&str, &[&str])] = &[
    ("CL1.1", &["-cl-std=CL1.1"]),
    ("CL1.2", &["-cl-std=CL1.2"]),
    (
        "CL2.0",
        &[
            "-cl-std=CL3.0",
            "-U",
            "__OPENCL_C_VERSION__",
            "-D",
            "__OPENCL_C_VERSION__=200",
        ],
    ),
    ("CL3.0", &["-cl-std=CL3.0"]),
];

const LINE_TABLES: &[&str] = &[
    "-debug-info-kind=line-tables-only",
    "-dwarf-version=5",
    "-gembed-source",
];

/// The option for remarks, which does not change the program.
pub const REMARKS: &str = "-cl-mocl3-remarks";

/// Arguments for debuggers; `-O0` follows the `-O2` that all programs are compiled with.
const FULL_DEBUG_INFORMATION: &[&str] = &[
    "-O0",
    "-debug-info-kind=limited",
    "-dwarf-version=5",
    "-debugger-tuning=gdb",
];

impl BuildOptions {
    /// Parses and checks option text.
    ///
    /// # Errors
    /// A sentence that names the offending option (`CL_INVALID_BUILD_OPTIONS`,
    /// `CL_INVALID_COMPILER_OPTIONS` or `CL_INVALID_LINKER_OPTIONS` by call).
    pub fn parse(text: &str, call: BuildCall) -> Result<Self, String> {
        Self::from_words(split_words(text)?, call)
    }

    /// As `parse`, for options that have been split already, as by a shell.
    ///
    /// # Errors
    /// As `parse`.
    pub fn from_words(words: Vec<String>, call: BuildCall) -> Result<Self, String> {
        let mut options = Self::default();
        if words.iter().any(|word| word.contains('\0')) {
            return Err("the options hold a NUL character".into());
        }
        let enables_link_options = words.iter().any(|word| word == "-enable-link-options");
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if let Some(version) = word.strip_prefix(LANGUAGE_VERSION) {
                if call == BuildCall::Link {
                    return Err(format!("`{word}` is no linker option"));
                }
                let Some((_, arguments)) = VERSIONS.iter().find(|(name, _)| *name == version)
                else {
                    let known: Vec<_> = VERSIONS.iter().map(|(name, _)| *name).collect();
                    return Err(format!("`{word}` is none of {}", known.join(", ")));
                };
                options.language_version = true;
                let arguments = arguments.iter().map(|&argument| argument.to_owned());
                options.clang.extend(arguments);
                continue;
            }
            let known = OPTIONS.iter().find(|(name, meaning, ..)| {
                *name == word || (*meaning == Meaning::WithValue && word.starts_with(name))
            });
            let Some(&(name, meaning, compile, link)) = known else {
                return Err(format!("`{word}` is no build option of OpenCL 1.2"));
            };
            let allowed = match call {
                BuildCall::Link => link,
                BuildCall::Compile => compile && meaning != Meaning::Remarks,
                BuildCall::Build => compile,
            };
            if !allowed {
                return Err(format!("`{word}` does not belong to this call"));
            }
            match meaning {
                Meaning::Clang => options.clang.push(word),
                Meaning::ClangWith(more) => {
                    options.clang.push(word);
                    options
                        .clang
                        .extend(more.iter().map(|&word| word.to_owned()));
                }
                Meaning::WithValue => {
                    let value = if word == name {
                        words
                            .next()
                            .ok_or_else(|| format!("`{name}` lacks its value"))?
                    } else {
                        word[name.len()..].to_owned()
                    };
                    options.clang.extend([name.to_owned(), value]);
                }
                Meaning::DoNotOptimise => options.do_not_optimise = true,
                Meaning::CreateLibrary => options.creates_library = true,
                Meaning::IncludeFoldersOnly => options.include_folders_only = true,
                Meaning::Remarks => options.remarks = true,
                Meaning::Always => {}
            }
        }
        if enables_link_options && !options.creates_library {
            return Err("`-enable-link-options` needs `-create-library`".into());
        }
        Ok(options)
    }

    /// `-create-library` was given.
    pub fn creates_library(&self) -> bool {
        self.creates_library
    }

    /// `-cl-mocl3-remarks` was given.
    pub fn emits_remarks(&self) -> bool {
        self.remarks
    }

    /// `-cl-mocl3-include-folders` was given.
    pub fn includes_from_folders_only(&self) -> bool {
        self.include_folders_only
    }

    /// The folders that `-I` names, in order.
    pub fn include_folders(&self) -> Vec<&str> {
        let mut folders = Vec::new();
        let mut words = self.clang.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-I" => folders.extend(words.next().map(String::as_str)),
                // The value of another option may look like one.
                "-D" | "-U" => {
                    words.next();
                }
                _ => {}
            }
        }
        folders
    }

    /// The same, with code that knows which line it was made of, and the files.
    pub fn with_line_tables(mut self) -> Self {
        self.clang
            .extend(LINE_TABLES.iter().map(|&word| word.to_owned()));
        self
    }

    /// The same, for a program whose memory accesses are to be checked.
    pub fn checking_memory(mut self) -> Self {
        self.checks_memory = true;
        self
    }

    /// Memory accesses are to be checked.
    pub fn checks_memory(&self) -> bool {
        self.checks_memory
    }

    /// Code knows which line it was made of.
    pub fn has_line_tables(&self) -> bool {
        self.clang.iter().any(|word| word == LINE_TABLES[0])
    }

    /// The same, with unoptimised code that has full debug information.
    pub fn for_debuggers(mut self) -> Self {
        let arguments = FULL_DEBUG_INFORMATION.iter();
        self.clang.extend(arguments.map(|&word| word.to_owned()));
        self.do_not_optimise = true;
        self
    }

    /// The same, with these paths of files in debug information and line tables.
    pub fn naming_files(mut self, files: &[Renamed]) -> Self {
        for Renamed { name, path } in files {
            // Headers are found in the current folder, which is part of their names.
            for folder in ["", "./"] {
                let map = format!("-fdebug-prefix-map={folder}{name}={}", path.display());
                self.clang.push(map);
            }
        }
        self
    }

    /// The code is to be optimised: it is not for debuggers, and `-cl-opt-disable` was not given.
    pub fn optimises(&self) -> bool {
        !self.do_not_optimise
    }

    /// Private variables begin as zeros, or not (cl_khr_initialize_memory).
    pub fn initialising_private_memory(mut self, initialises: bool) -> Self {
        self.initialises_private_memory = initialises;
        self
    }

    /// Private variables begin as zeros.
    pub fn initialises_private_memory(&self) -> bool {
        self.initialises_private_memory
    }

    /// The arguments for clang.
    pub(crate) fn clang_arguments(&self) -> Vec<String> {
        let mut arguments = self.clang.clone();
        if self.initialises_private_memory {
            arguments.push("-ftrivial-auto-var-init=zero".into());
        }
        if !self.language_version {
            arguments.push(format!("{LANGUAGE_VERSION}CL1.2"));
        }
        arguments
    }
}

/// Splits at blanks; double quotes hold blanks together, a backslash takes the next
/// character as it is.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            '\\' => {
                let next = characters.next().unwrap_or('\\');
                word.get_or_insert_default().push(next);
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    if quoted {
        return Err("a double quote is not closed".into());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(text: &str) -> Result<Vec<String>, String> {
        BuildOptions::parse(text, BuildCall::Build).map(|options| options.clang_arguments())
    }

    #[test]
    fn defines_joined_and_apart_are_the_same() {
        assert_eq!(build("-DN=4"), build("-D N=4"));
        assert_eq!(build("-DN=4").unwrap(), ["-D", "N=4", "-cl-std=CL1.2"]);
    }

    #[test]
    fn include_folders_are_those_of_i() {
        let text = "-I a -D I -Ib/c -D -I -I \"d e\"";
        let options = BuildOptions::parse(text, BuildCall::Build).unwrap();
        assert_eq!(options.include_folders(), ["a", "b/c", "d e"]);
    }

    #[test]
    fn quotes_hold_blanks_together() {
        assert_eq!(
            build(r#"-D "T=unsigned int""#).unwrap()[1],
            "T=unsigned int"
        );
        assert!(build(r#"-D "T"#).unwrap_err().contains("quote"));
    }

    #[test]
    fn unknown_options_are_named() {
        assert!(build("-O3").unwrap_err().contains("-O3"));
        for version in ["CL1.0", "CL2.1", "CL4.0", "CLC++", "c99", ""] {
            let error = build(&format!("-cl-std={version}")).unwrap_err();
            assert!(error.contains("CL3.0"), "{error}");
        }
        assert!(build("-D").is_err());
    }

    #[test]
    fn each_call_has_its_own_options() {
        assert!(BuildOptions::parse("-create-library", BuildCall::Build).is_err());
        assert!(BuildOptions::parse("-DX", BuildCall::Link).is_err());
        // A unit is vectorised only after it is linked.
        let remarks = |call| BuildOptions::parse("-cl-mocl3-remarks", call);
        assert!(remarks(BuildCall::Compile).is_err());
        for call in [BuildCall::Build, BuildCall::Link] {
            assert!(remarks(call).unwrap().emits_remarks());
        }
        let library = BuildOptions::parse("-create-library", BuildCall::Link).unwrap();
        assert!(library.creates_library());
        assert!(
            BuildOptions::parse("-create-library -enable-link-options", BuildCall::Link).is_ok()
        );
        assert!(BuildOptions::parse("-enable-link-options", BuildCall::Link).is_err());
        assert!(BuildOptions::parse("-cl-no-signed-zeroes", BuildCall::Link).is_ok());
    }

    #[test]
    fn every_option_builds_a_kernel_without_a_warning() {
        let source = "kernel void k(global float *x) { *x = sqrt(*x) / 3; }";
        let plain = |option: &&(&str, Meaning, bool, bool)| option.2 && option.1 != WithValue;
        use Meaning::WithValue;
        for (name, ..) in OPTIONS.iter().filter(plain) {
            let options =
                BuildOptions::parse(&format!("-Werror {name}"), BuildCall::Build).unwrap();
            if let Err(failure) = crate::compile(source, &options, &[]) {
                panic!("{name}: {failure}");
            }
        }
    }
}
