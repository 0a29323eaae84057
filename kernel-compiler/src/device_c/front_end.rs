//! Runs clang on a file in device C.

use super::assembly;
use crate::failure::BuildFailure;
use crate::guard::{self, Stopped};
use crate::ir::{Context, c_string};
use crate::process_end::Use;
use crate::shim::{self, Language, VirtualFile};
use crate::target::TRIPLE;
use host_exec::floating_point::DefaultEnvironment;
use std::ffi::CString;

/// The folder of the virtual headers.
const HEADERS: &str = "/mt3000/include";

/// The virtual header that is included before each file.
pub const IMPLICIT_HEADER: &str = "/mt3000/include/m3000_types.h";

/// What the language of the machine's compiler is, for clang. The data model: `long double` and
/// `double` are alike. Functions of other files may replace those of libraries, so that symbols are
/// reached as in a shared library. Denormal results are zero. Denormal operands count as zero as well, but
/// LLVM must not rely on it: numbers of 16 bits are computed as `float`, in which theirs are normal.
const DIALECT: &[&str] = &[
    "-x",
    "c",
    "-mlong-double-64",
    "-mrelocation-model",
    "pic",
    "-pic-level",
    "2",
    "-fcommon",
    "-fdenormal-fp-math=preserve-sign,dynamic",
    "-flax-vector-conversions=all",
    "-ffunction-sections",
    "-disable-llvm-passes",
    "-no-enable-noundef-analysis",
    "-nostdsysteminc",
    "-nobuiltininc",
    "-relaxed-aliasing",
    "-Wno-psabi",
    "-Wno-unknown-warning-option",
    "-Wno-unknown-attributes",
    "-Wno-ignored-attributes",
];

/// Violations of C's constraints of which the machine's compiler, GCC 8, only warns.
const WARNINGS: &[&str] = &[
    "implicit-function-declaration",
    "implicit-int",
    "incompatible-function-pointer-types",
    "incompatible-pointer-types",
    "int-conversion",
    "return-mismatch",
];

/// A file to compile.
pub struct Source<'a> {
    /// Path of the file.
    pub path: &'a str,
    /// Arguments of `clang -cc1` that the command line requests.
    pub arguments: &'a [String],
    /// The device's headers: their names as `#include` gives them, and their texts.
    pub headers: &'a [(&'a str, &'a str)],
}

/// Compiles a file to bitcode; also gives clang's warnings. Thread-safe.
///
/// # Errors
/// clang's errors, or a crash of clang.
pub fn compile(source: &Source<'_>) -> Result<(Vec<u8>, String), BuildFailure> {
    let _in_use = Use::begin()?;
    // Constants are folded in the rounding mode of this thread.
    let _environment = DefaultEnvironment::begin();
    let mut log = Vec::new();
    let bitcode = guard::run(|| bitcode(source, &mut log));
    finish(source, bitcode, log)
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Device C.
    InC,
    /// The machine's assembly language.
    InAssembly,
}

/// The text that the preprocessor makes of a file, with lines that say where text is from; also clang's warnings.
/// Thread-safe.
///
/// # Errors
/// clang's errors, or a crash of clang.
pub fn preprocess(
    source: &Source<'_>,
    written: Written,
) -> Result<(Vec<u8>, String), BuildFailure> {
    let _in_use = Use::begin()?;
    let mut log = Vec::new();
    let mut arguments = match written {
        Written::InC => arguments(source),
        Written::InAssembly => {
            let mut all = ["-triple", TRIPLE, "-x", "assembler-with-cpp"]
                .map(str::to_owned)
                .to_vec();
            all.extend_from_slice(source.arguments);
            all.extend(["-internal-isystem", HEADERS, source.path].map(str::to_owned));
            all
        }
    };
    arguments.push("-E".to_owned());
    let arguments: Vec<CString> = arguments.iter().map(|a| c_string(a)).collect();
    let files = virtual_files(source);
    let text = guard::run(|| shim::preprocess(&arguments, &files, &mut log));
    finish(source, text, log)
}

/// The result, with the log; or else the failure.
fn finish(
    source: &Source<'_>,
    result: Result<Option<Vec<u8>>, Stopped>,
    log: Vec<u8>,
) -> Result<(Vec<u8>, String), BuildFailure> {
    let log = String::from_utf8_lossy(&log).into_owned();
    match result {
        Ok(Some(result)) => Ok((result, log)),
        Ok(None) => Err(BuildFailure::new(log)),
        Err(stopped) => {
            let mut failure = BuildFailure::stopped(source.path, &stopped);
            failure.log.insert_str(0, &log);
            Err(failure)
        }
    }
}

fn virtual_files<'a>(source: &Source<'a>) -> Vec<VirtualFile<'a>> {
    let headers = source.headers.iter();
    headers
        .map(|(name, text)| VirtualFile {
            name: format!("{HEADERS}/{name}"),
            text,
        })
        .collect()
}

/// The bitcode; `None` if the log has errors. To be called guarded.
fn bitcode(source: &Source<'_>, log: &mut Vec<u8>) -> Option<Vec<u8>> {
    let files = virtual_files(source);
    let arguments: Vec<CString> = arguments(source).iter().map(|a| c_string(a)).collect();
    let context = Context::create();
    let language = Language::DeviceC;
    let module = shim::compile(&context, language, &arguments, &files, None, log, |_| ())?;
    // Files in several folders may have the same relative path.
    let key = (source.arguments, std::fs::canonicalize(source.path).ok());
    match assembly::assemble_in(&context, &module, source.path, &key) {
        Ok(()) => Some(module.bitcode()),
        Err(errors) => {
            log.extend_from_slice(errors.as_bytes());
            None
        }
    }
}

fn arguments(source: &Source<'_>) -> Vec<String> {
    let mut arguments = vec!["-triple".to_owned(), TRIPLE.to_owned()];
    arguments.extend(DIALECT.iter().map(|&argument| argument.to_owned()));
    let warning = |group: &&str| format!("-Wno-error={group}");
    arguments.extend(WARNINGS.iter().map(warning));
    arguments.extend_from_slice(source.arguments);
    let headers = ["-internal-isystem", HEADERS, "-include", IMPLICIT_HEADER];
    arguments.extend(headers.map(str::to_owned));
    arguments.extend(["-main-file-name", source.path, source.path].map(str::to_owned));
    arguments
}
