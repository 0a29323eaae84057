//! OpenCL C to LLVM IR: runs clang in process with the project's arguments and
//! virtual headers.

pub mod extension;
mod includes;
pub mod options;

use crate::cache::Cache;
use crate::cache::in_process::{Remembered, Shared};
use crate::cache::observed_files::ObservedFiles;
use crate::front_end::includes::Includes;
use crate::front_end::options::BuildOptions;
use crate::inspect::dump;
use crate::ir::c_string;
use crate::shim::{self, Observation, VirtualFile};
use crate::{BuildFailure, Header, Origin, Unit, guard};
use inkwell::context::Context;
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};
use std::ffi::CString;
use std::sync::{Arc, Weak};

/// Arguments that user programs and the builtin library are compiled with alike;
/// the mangled names and calling conventions of the two must agree.
const COMMON_ARGUMENTS: &str = include_str!("../../front-end.flags");

/// clang's own declarations of OpenCL C's types and macros, and what it lacks.
const BASE_HEADER: &str = concat!(
    include_str!(env!("MOCL3_OPENCL_HEADER")),
    include_str!("../../builtins/single_halves.h"),
    include_str!("../../builtins/trailing_zeros.h")
);

/// What clang says of an error, and what it does not say.
const NOTES: &[(&str, &str)] = &[
    // It asks whether a `*` was forgotten.
    (
        "half' is not allowed",
        "note: halves are computed with after \
         `#pragma OPENCL EXTENSION cl_khr_fp16 : enable` only\n",
    ),
    (
        "changes address space of pointer",
        "note: a pointer without an address space points to private memory; the generic address \
         space of OpenCL C 2.0 is not supported\n",
    ),
    (
        "variable must reside in constant address space",
        "note: variables of program scope in global memory (OpenCL C 2.0) are not supported\n",
    ),
];

/// What clang says of a program that uses `ctz` and does not define it, before OpenCL C 2.0.
const LACKS_CTZ: &str = "use of undeclared identifier 'ctz'";

/// By which the header declares it.
const DECLARE_CTZ: [&str; 2] = ["-D", "__mocl3_declare_ctz"];

/// Why a header may not be found.
const FOLDERS_NOTE: &str = "note: only files in the folders of -I can be included \
     (MOCL3_INCLUDE, -cl-mocl3-include-folders)\n";

const SYSTEM_DIRECTORY: &str = "/mocl3/include";
const HEADER_DIRECTORY: &str = "/mocl3/headers";

/// What breaks a constraint of C but has a plain meaning: programs were written with compilers
/// that warn of it (clang up to 15, and other platforms), and errors in clang since.
const WARNINGS: &[&str] = &[
    "implicit-int",
    "incompatible-function-pointer-types",
    "incompatible-pointer-types",
    "int-conversion",
    "return-mismatch",
];

/// Name of the module metadata that says: do not optimise.
pub const DO_NOT_OPTIMISE: &str = "mocl3.do_not_optimise";

/// What the cache keeps of a program's text.
#[derive(Serialize, Deserialize)]
struct KeptUnit {
    files: ObservedFiles,
    #[serde(with = "serde_bytes")]
    bitcode: Vec<u8>,
    log: String,
}

const KIND: &str = "unit";

/// How many units are kept of one text, which differ by the header files read.
const VARIANTS: usize = 4;

/// A program's text, compiled now or before; `name` is its path, as diagnostics show it.
/// Failures are compiled anew each time.
pub fn unit(
    name: &str,
    source: &str,
    options: &BuildOptions,
    headers: &[Header],
) -> Result<Unit, BuildFailure> {
    if name.is_empty() || name.starts_with('-') || name.contains('\0') {
        return Err(BuildFailure::new(format!(
            "error: {name:?} is no name for a program"
        )));
    }
    let mut unit = unit_shared(name, source, options, headers);
    if dump::is_on() {
        let origin = Arc::new(Origin {
            name: name.to_owned(),
            source: source.to_owned(),
            clang_arguments: arguments(name, options),
            optimise: options.optimises(),
            headers: headers.to_vec(),
            bitcode: unit.as_ref().ok().map(|unit| Arc::clone(&unit.bitcode)),
        });
        match &mut unit {
            Ok(unit) => unit.origins.push(origin),
            Err(failure) => dump::failed_build(&[origin], &failure.log),
        }
    }
    unit
}

/// A unit that somebody in this process may hold.
struct KnownUnit {
    files: ObservedFiles,
    bitcode: Weak<[u8]>,
    log: String,
    initialises_private_memory: bool,
}

impl Remembered for KnownUnit {
    type Result = Unit;

    fn get(&self) -> Option<Unit> {
        let bitcode = self.bitcode.upgrade().filter(|_| self.files.still_hold())?;
        Some(Unit {
            bitcode,
            log: self.log.clone(),
            initialises_private_memory: self.initialises_private_memory,
            origins: Vec::new(),
        })
    }

    fn is_gone(&self) -> bool {
        self.bitcode.strong_count() == 0
    }
}

static KNOWN_UNITS: Lazy<Shared<KnownUnit>> = Lazy::new(Shared::new);

fn unit_shared(
    name: &str,
    source: &str,
    options: &BuildOptions,
    headers: &[Header],
) -> Result<Unit, BuildFailure> {
    let options_text = format!("{options:?}");
    let includes = format!("{:?}", Includes::of(options));
    let mut parts = vec![
        name.as_bytes(),
        source.as_bytes(),
        options_text.as_bytes(),
        includes.as_bytes(),
    ];
    for header in headers {
        parts.extend([header.name.as_bytes(), header.source.as_bytes()]);
    }
    KNOWN_UNITS.get(&parts, || {
        let (unit, files) = unit_kept(name, source, options, headers, &parts)?;
        let known = files.are_repeatable().then(|| KnownUnit {
            files,
            bitcode: Arc::downgrade(&unit.bitcode),
            log: unit.log.clone(),
            initialises_private_memory: unit.initialises_private_memory,
        });
        Ok((unit, known))
    })
}

/// A unit of the compile cache, or one compiled now. `parts` tell it from all others.
fn unit_kept(
    name: &str,
    source: &str,
    options: &BuildOptions,
    headers: &[Header],
    parts: &[&[u8]],
) -> Result<(Unit, ObservedFiles), BuildFailure> {
    let Some(cache) = Cache::get() else {
        return compile(name, source, options, headers);
    };
    let key = cache.key(KIND, parts);
    let mut kept: Vec<KeptUnit> = cache.load(KIND, &key).unwrap_or_default();
    if let Some(place) = kept.iter().position(|unit| unit.files.still_hold()) {
        let kept = kept.swap_remove(place);
        let unit = Unit {
            bitcode: kept.bitcode.into(),
            log: kept.log,
            initialises_private_memory: options.initialises_private_memory(),
            origins: Vec::new(),
        };
        return Ok((unit, kept.files));
    }
    let (unit, files) = compile(name, source, options, headers)?;
    if files.are_repeatable() {
        kept.insert(
            0,
            KeptUnit {
                files: files.clone(),
                bitcode: unit.bitcode.to_vec(),
                log: unit.log.clone(),
            },
        );
        kept.truncate(VARIANTS);
        cache.store(KIND, &key, &kept);
    }
    Ok((unit, files))
}

/// Compiles a program's text and says which files of the host were read for it.
fn compile(
    name: &str,
    source: &str,
    options: &BuildOptions,
    headers: &[Header],
) -> Result<(Unit, ObservedFiles), BuildFailure> {
    let texts = headers
        .iter()
        .map(|header| (&*header.name, &*header.source));
    for (name, text) in std::iter::once((name, source)).chain(texts) {
        if let Some(position) = text.find('\0') {
            let (line, column) = place(text, position);
            return Err(BuildFailure::new(format!(
                "{name}:{line}:{column}: error: a NUL character in the source"
            )));
        }
    }
    let mut files = vec![
        VirtualFile {
            name: name.into(),
            text: source,
        },
        VirtualFile {
            name: format!("{SYSTEM_DIRECTORY}/opencl-c-base.h"),
            text: BASE_HEADER,
        },
    ];
    for header in headers {
        // Under its own name as well: a file of the host in the current folder, where
        // names in quotes are looked for first, must not come before it.
        for name in [
            format!("{HEADER_DIRECTORY}/{}", header.name),
            header.name.clone(),
        ] {
            files.push(VirtualFile {
                name,
                text: &header.source,
            });
        }
    }
    log::debug!("compiles program {name}");
    let mut observed = ObservedFiles::default();
    let mut log = Vec::new();
    let arguments = arguments(name, options);
    let folders: Option<Vec<CString>> = match Includes::of(options) {
        Includes::Anywhere => None,
        Includes::Folders => {
            let folders = options.include_folders().into_iter();
            Some(folders.map(c_string).collect())
        }
    };
    let bitcode = guard::run(|| {
        let context = Context::create();
        let mut compile_with = |more: &[&str], log: &mut Vec<u8>| {
            let more = more.iter().copied();
            let arguments = arguments.iter().map(String::as_str).chain(more);
            let arguments: Vec<CString> = arguments.map(c_string).collect();
            let observe = |observation: Observation<'_>| observed.note(observation);
            let folders = folders.as_deref();
            shim::compile(&context, &arguments, &files, folders, log, observe)
        };
        let mut module = compile_with(&[], &mut log);
        if module.is_none() && String::from_utf8_lossy(&log).contains(LACKS_CTZ) {
            log.clear();
            module = compile_with(&DECLARE_CTZ, &mut log);
        }
        let module = module?;
        if !options.optimises() {
            let mark = context.metadata_node(&[]);
            module
                .add_global_metadata(DO_NOT_OPTIMISE, &mark)
                .expect("the node belongs to this context");
        }
        Some(Arc::from(module.write_bitcode_to_memory().as_slice()))
    });
    let mut log = String::from_utf8_lossy(&log).into_owned();
    match bitcode {
        Ok(Some(bitcode)) => {
            let unit = Unit {
                bitcode,
                log,
                initialises_private_memory: options.initialises_private_memory(),
                origins: Vec::new(),
            };
            Ok((unit, observed))
        }
        Ok(None) => {
            let notes = NOTES.iter().filter(|(said, _)| log.contains(said));
            let notes: String = notes.map(|(_, note)| *note).collect();
            log.push_str(&notes);
            if folders.is_some() && log.contains("file not found") {
                log.push_str(FOLDERS_NOTE);
            }
            Err(BuildFailure::new(log))
        }
        Err(stopped) => {
            let mut failure = BuildFailure::stopped(name, &stopped);
            failure.log.insert_str(0, &log);
            Err(failure)
        }
    }
}

/// Line and column, from 1 on, of a position in a text; columns are bytes, as clang's.
fn place(text: &str, position: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..position];
    let line_start = before.iter().rposition(|byte| *byte == b'\n');
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    (
        line,
        position - line_start.map_or(0, |newline| newline + 1) + 1,
    )
}

fn arguments(name: &str, options: &BuildOptions) -> Vec<String> {
    let mut arguments: Vec<String> = COMMON_ARGUMENTS.lines().map(str::to_owned).collect();
    arguments.extend(
        [
            "-cl-kernel-arg-info",
            "-internal-isystem",
            SYSTEM_DIRECTORY,
            "-I",
            HEADER_DIRECTORY,
            "-fno-gnu-inline-asm",
            // Each error may cost time by the size of the program.
            "-ferror-limit",
            "100",
            "-main-file-name",
            name,
            // The device's version; clang knows the language's only (6.10).
            "-D__OPENCL_VERSION__=120",
        ]
        .map(str::to_owned),
    );
    // Without this clang takes x86-64 to have every extension it knows.
    arguments.push(extension::clang_argument());
    let asked = options.clang_arguments();
    if !asked.iter().any(|argument| argument == "-Werror") {
        let warning = |group| format!("-Wno-error={group}");
        arguments.extend(WARNINGS.iter().map(warning));
    }
    arguments.extend(asked);
    arguments.push(name.into());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PROGRAM_NAME;
    use crate::front_end::options::BuildCall;

    fn log_of(source: &str) -> String {
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        compile(PROGRAM_NAME, source, &options, &[])
            .err()
            .expect("must not compile")
            .log
    }

    #[test]
    fn diagnostics_have_file_line_column_and_caret() {
        let log = log_of("kernel void k(global int *x) {\n  *x = missing;\n}\n");
        assert!(
            log.contains("program.cl:2:8: error: use of undeclared identifier 'missing'"),
            "{log}"
        );
        assert!(
            log.contains("    2 |   *x = missing;\n      |        ^"),
            "{log}"
        );
    }

    #[test]
    fn warnings_are_kept() {
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        let (unit, _) = compile(
            PROGRAM_NAME,
            "kernel void k(void) {\n#warning old\n}",
            &options,
            &[],
        )
        .unwrap();
        assert!(
            unit.log.contains("program.cl:2:2: warning: old"),
            "{}",
            unit.log
        );
    }

    #[test]
    fn vectors_wider_than_the_hosts_registers_are_nothing_to_warn_of() {
        let options = BuildOptions::parse("-Werror", BuildCall::Build).unwrap();
        let source = "kernel void k(global double8 *x) { x[0] = sqrt(x[1]); }";
        let (unit, _) = compile(PROGRAM_NAME, source, &options, &[]).unwrap();
        assert_eq!(unit.log, "");
    }

    #[test]
    fn what_compilers_of_the_time_warned_of_is_an_error_under_werror_only() {
        for statement in [
            "global float4 *four = one;",
            "int *number = 8;",
            "const three = 3;",
            "return known;",
        ] {
            let source = format!("kernel void k(global float *one, int known) {{ {statement} }}");
            let options = BuildOptions::parse("", BuildCall::Build).unwrap();
            let (unit, _) = compile(PROGRAM_NAME, &source, &options, &[]).unwrap();
            assert!(unit.log.contains("warning: "), "{statement}\n{}", unit.log);
            let strict = BuildOptions::parse("-Werror", BuildCall::Build).unwrap();
            assert!(
                compile(PROGRAM_NAME, &source, &strict, &[]).is_err(),
                "{statement}"
            );
        }
    }

    #[test]
    fn headers_given_with_the_program_are_found() {
        let options = BuildOptions::parse("-DWIDTH=4", BuildCall::Compile).unwrap();
        let headers = [Header {
            name: "shapes/width.h".into(),
            source: "int width(void) { return WIDTH; }".into(),
        }];
        let source = "#include \"shapes/width.h\"\nkernel void k(global int *x) { *x = width(); }";
        compile(PROGRAM_NAME, source, &options, &headers).unwrap();
    }

    #[test]
    fn the_macros_of_section_6_10_are_defined() {
        let options = BuildOptions::parse("-cl-fast-relaxed-math", BuildCall::Build).unwrap();
        let source = "
            #if __OPENCL_VERSION__ != 120 || __OPENCL_C_VERSION__ != 120 || CL_VERSION_1_2 != 120
            #error version
            #endif
            #if !defined __ENDIAN_LITTLE__ || !defined __FAST_RELAXED_MATH__ || !defined cl_khr_fp16
            #error missing
            #endif
            #if !defined __IMAGE_SUPPORT__ || !defined cl_khr_3d_image_writes
            #error images
            #endif
            #if defined __EMBEDDED_PROFILE__
            #error not there
            #endif
            kernel void k(void) {}";
        compile(PROGRAM_NAME, source, &options, &[]).unwrap();
    }

    #[test]
    fn logs_end() {
        let statements = "missing = 1;\n".repeat(1 << 16);
        let log = log_of(&format!("void f(void) {{\n{statements}}}"));
        assert_eq!(log.matches(": error: ").count(), 100, "{log}");
        assert!(log.contains("too many errors"), "{log}");
        // clang reports the first one only.
        let log = log_of(&"int f(void) { return 1; }\n".repeat(1 << 16));
        assert!(
            log.contains("program.cl:101:5: fatal error: too many errors"),
            "{log}"
        );

        let warnings = "#warning w\n".repeat(1 << 16) + "kernel void k(void) {}";
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        let (unit, _) = compile(PROGRAM_NAME, &warnings, &options, &[]).unwrap();
        assert!(unit.log.len() <= (1 << 20) + 100, "{}", unit.log.len());
        assert!(unit.log.ends_with("the build log is cut here, at 1 MiB\n"));

        // What comes after a full log is an error still.
        let log = log_of(&(warnings + " kernel void l(void) { missing; }"));
        assert!(log.ends_with("the build log is cut here, at 1 MiB\n"));
    }

    #[test]
    fn line_numbers_do_not_wrap_around() {
        for directive in [
            "#line 4294967295",
            "# 4294967295 \"file\"",
            "#line 2147483648",
        ] {
            let broken = "g(b , c = d(1)e if (x)\n;\n}";
            let log = log_of(&format!(
                "void f(int *x) {{\n int a =\n{directive}\n{broken}"
            ));
            assert!(log.contains("a line number beyond 2147483647"), "{log}");
        }
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        let source = "#line 2147483647\nkernel void k(void) {}";
        compile(PROGRAM_NAME, source, &options, &[]).unwrap();
    }

    #[test]
    fn a_crash_in_clang_is_a_build_failure() {
        for _ in 0..2 {
            let log = log_of("#pragma clang __debug crash\nkernel void k(void) {}");
            assert!(
                log.contains("error: program.cl: the compiler crashed"),
                "{log}"
            );
            let log = log_of("#pragma clang __debug llvm_fatal_error\nkernel void k(void) {}");
            assert!(
                log.contains("the compiler failed: #pragma clang __debug"),
                "{log}"
            );
        }
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        compile(PROGRAM_NAME, "kernel void k(void) {}", &options, &[]).unwrap();
    }

    #[test]
    fn a_deeply_nested_program_does_not_overflow_the_stack() {
        let sum = "+ x".repeat(20_000);
        let source = format!("kernel void k(global int *p, int x) {{ *p = x {sum}; }}");
        let options = BuildOptions::parse("", BuildCall::Build).unwrap();
        let _either = compile(PROGRAM_NAME, &source, &options, &[]);
        assert!(log_of(&"(".repeat(100_000)).contains("error"));
    }
}
