//! Runs clang in process, with the project's arguments and virtual headers.

use crate::cache::observed_files::ObservedFiles;
use crate::failure::BuildFailure;
use crate::front_end::extension;
use crate::front_end::includes::Includes;
use crate::front_end::options::BuildOptions;
use crate::guard;
use crate::intrinsics::{CHECKED, DO_NOT_OPTIMISE};
use crate::ir::{Context, c_string};
use crate::shim::{self, Language, Observation, VirtualFile};
use crate::unit::{Header, Unit};
use compiler_resources::{BASE_HEADER, FRONT_END_FLAGS};
use std::ffi::CString;
use std::sync::Arc;

/// Parts of clang's error messages, and the notes that are added to a log that has them.
const NOTES: &[(&str, &str)] = &[
    // clang suggests that a `*` was forgotten.
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

/// clang's message for a program before OpenCL C 2.0 that uses `ctz` and does not define it.
const LACKS_CTZ: &str = "use of undeclared identifier 'ctz'";

/// Arguments that make the header declare `ctz`.
const DECLARE_CTZ: [&str; 2] = ["-D", "__mocl3_declare_ctz"];

/// Why a header may not be found.
const FOLDERS_NOTE: &str = "note: only files in the folders of -I can be included \
     (MOCL3_INCLUDE, -cl-mocl3-include-folders)\n";

const SYSTEM_DIRECTORY: &str = "/mocl3/include";
const HEADER_DIRECTORY: &str = "/mocl3/headers";

/// Violations of C's constraints that compilers only warned of when programs were written (clang
/// up to 15, and other platforms), and that are errors in clang since.
const WARNINGS: &[&str] = &[
    "implicit-int",
    "incompatible-function-pointer-types",
    "incompatible-pointer-types",
    "int-conversion",
    "return-mismatch",
];

/// A program to compile.
pub struct Program<'a> {
    /// Path that diagnostics show.
    pub name: &'a str,
    /// Its text.
    pub source: &'a str,
    /// The build options.
    pub options: &'a BuildOptions,
    /// Headers given with the program.
    pub headers: &'a [Header],
}

/// Compiles a program and lists the files of the host that were read for it.
///
/// # Errors
/// clang's errors, or a crash of clang.
pub fn compile(program: &Program<'_>) -> Result<(Unit, ObservedFiles), BuildFailure> {
    program.check_text()?;
    log::debug!("compiles program {}", program.name);
    let folders = program.include_folders();
    let mut observed = ObservedFiles::default();
    let mut log = Vec::new();
    let bitcode = guard::run(|| {
        let observe = |observation: Observation<'_>| observed.note(observation);
        program.bitcode(folders.as_deref(), &mut log, observe)
    });
    let mut log = String::from_utf8_lossy(&log).into_owned();
    match bitcode {
        Ok(Some(bitcode)) => {
            let unit = Unit {
                bitcode,
                log,
                initialises_private_memory: program.options.initialises_private_memory(),
                origins: Vec::new(),
            };
            Ok((unit, observed))
        }
        Ok(None) => {
            let notes = NOTES.iter().filter(|(message, _)| log.contains(message));
            let notes: String = notes.map(|(_, note)| *note).collect();
            log.push_str(&notes);
            if folders.is_some() && log.contains("file not found") {
                log.push_str(FOLDERS_NOTE);
            }
            Err(BuildFailure::new(log))
        }
        Err(stopped) => {
            let mut failure = BuildFailure::stopped(program.name, &stopped);
            failure.log.insert_str(0, &log);
            Err(failure)
        }
    }
}

impl Program<'_> {
    /// Rejects NUL characters, which clang skips without a message.
    fn check_text(&self) -> Result<(), BuildFailure> {
        let headers = self.headers.iter();
        let texts = headers.map(|header| (&*header.name, &*header.source));
        for (name, text) in std::iter::once((self.name, self.source)).chain(texts) {
            if let Some(position) = text.find('\0') {
                let (line, column) = line_and_column(text, position);
                return Err(BuildFailure::new(format!(
                    "{name}:{line}:{column}: error: a NUL character in the source"
                )));
            }
        }
        Ok(())
    }

    /// The only folders that files may be included from; `None` if any file may be.
    fn include_folders(&self) -> Option<Vec<CString>> {
        match Includes::new(self.options) {
            Includes::Anywhere => None,
            Includes::Folders => {
                let folders = self.options.include_folders().into_iter();
                Some(folders.map(c_string).collect())
            }
        }
    }

    /// The files that clang sees in addition to those of the host.
    fn virtual_files(&self) -> Vec<VirtualFile<'_>> {
        let mut files = vec![
            VirtualFile {
                name: self.name.into(),
                text: self.source,
            },
            VirtualFile {
                name: format!("{SYSTEM_DIRECTORY}/opencl-c-base.h"),
                text: BASE_HEADER,
            },
        ];
        for header in self.headers {
            // Under its own name as well: quoted includes search the current folder of the host
            // first, and a file there must not shadow the header.
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
        files
    }

    /// LLVM bitcode, or `None` if the log has errors. To be called guarded.
    fn bitcode(
        &self,
        folders: Option<&[CString]>,
        log: &mut Vec<u8>,
        mut observe: impl FnMut(Observation<'_>),
    ) -> Option<Arc<[u8]>> {
        let arguments = arguments(self.name, self.options);
        let files = self.virtual_files();
        let context = Context::create();
        let mut compile_with = |more: &[&str], log: &mut Vec<u8>| {
            let more = more.iter().copied();
            let arguments = arguments.iter().map(String::as_str).chain(more);
            let arguments: Vec<CString> = arguments.map(c_string).collect();
            shim::compile(
                &context,
                Language::OpenClC,
                &arguments,
                &files,
                folders,
                log,
                &mut observe,
            )
        };
        let mut module = compile_with(&[], log);
        if module.is_none() && String::from_utf8_lossy(log).contains(LACKS_CTZ) {
            log.clear();
            module = compile_with(&DECLARE_CTZ, log);
        }
        let module = module?;
        if !self.options.optimises() {
            module.mark(DO_NOT_OPTIMISE);
        }
        if self.options.checks_memory() {
            module.mark(CHECKED);
        }
        Some(Arc::from(module.bitcode()))
    }
}

/// Line and column, from 1 on, of a position in a text; columns are bytes, as clang's.
fn line_and_column(text: &str, position: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..position];
    let line_start = before.iter().rposition(|byte| *byte == b'\n');
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    (
        line,
        position - line_start.map_or(0, |newline| newline + 1) + 1,
    )
}

/// The arguments of clang for a program of that name.
pub fn arguments(name: &str, options: &BuildOptions) -> Vec<String> {
    let mut arguments: Vec<String> = FRONT_END_FLAGS.lines().map(str::to_owned).collect();
    arguments.extend(
        [
            "-cl-kernel-arg-info",
            "-internal-isystem",
            SYSTEM_DIRECTORY,
            "-I",
            HEADER_DIRECTORY,
            "-fno-gnu-inline-asm",
            // The time for one error may grow with the size of the program.
            "-ferror-limit",
            "100",
            "-main-file-name",
            name,
            // The device's version; clang knows the language's only (6.10).
            "-D__OPENCL_VERSION__=120",
        ]
        .map(str::to_owned),
    );
    // Without it clang enables every extension that it knows for x86-64.
    arguments.push(extension::clang_argument());
    let requested = options.clang_arguments();
    if !requested.iter().any(|argument| argument == "-Werror") {
        let warning = |group| format!("-Wno-error={group}");
        arguments.extend(WARNINGS.iter().map(warning));
    }
    arguments.extend(requested);
    arguments.push(name.into());
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_end::options::BuildCall;
    use crate::unit::PROGRAM_NAME;

    fn compile(
        name: &str,
        source: &str,
        options: &BuildOptions,
        headers: &[Header],
    ) -> Result<(Unit, ObservedFiles), BuildFailure> {
        super::compile(&Program {
            name,
            source,
            options,
            headers,
        })
    }

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
