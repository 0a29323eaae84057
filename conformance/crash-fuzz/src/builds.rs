//! Sources and options with tokens that are deleted, duplicated, swapped and inserted.

use crate::input::{Input, Verdict};
use crate::{corpus, exercise, mutation};
use anyhow::Result;
use fastrand::Rng;
use harness::session::{Session, Settings};
use opencl3::error_codes::ClError;
use opencl3::program::{
    build_program, compile_program, create_program_with_source, link_program, release_program,
};
use opencl3::types::cl_program;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;

/// Builds programs in one context.
pub struct Builds {
    session: Session,
    folder: PathBuf,
}

/// A source with its options.
struct Attempt {
    source: String,
    options: String,
    /// The options of `clLinkProgram`, if the source is compiled and linked instead of built.
    linked: Option<&'static str>,
}

impl Builds {
    /// Creates the inputs of a process, which are written to the folder.
    ///
    /// # Errors
    /// The platform is not there.
    pub fn new(folder: &Path) -> Result<Self> {
        let settings = Settings {
            platform: "MOCL3".to_owned(),
            ..Settings::default()
        };
        Ok(Self {
            session: Session::open(&settings)?,
            folder: folder.to_owned(),
        })
    }
}

impl Attempt {
    fn new(seed: u64) -> Self {
        let mut random = mutation::random(seed);
        let (text, other) = (corpus::source(&mut random), corpus::source(&mut random));
        let source = match random.u32(0..8) {
            // These inputs mutate the options only.
            0 => text,
            1 => {
                let mut bytes = text.into_bytes();
                mutation::bytes(&mut random, &mut bytes, other.as_bytes());
                String::from_utf8_lossy(&bytes).into_owned()
            }
            2 | 3 => mutation::text(&mut random, &text, &other, corpus::WORDS),
            _ => mutation::similar_text(&mut random, &text),
        };
        let linked = ["", "-create-library", "-cl-fast-relaxed-math"];
        Self {
            source,
            options: options(&mut random),
            linked: (random.u32(0..5) == 0).then(|| linked[random.usize(0..linked.len())]),
        }
    }

    fn text(&self) -> String {
        let how = match self.linked {
            None => "clBuildProgram".to_owned(),
            Some(options) => format!("clCompileProgram, clLinkProgram with \"{options}\""),
        };
        format!("// {how}, options: {}\n{}", self.options, self.source)
    }
}

fn options(random: &mut Rng) -> String {
    let count = [0, 0, 0, 0, 0, 1, 2, 4][random.usize(0..8)];
    let words = (0..count).map(|_| corpus::OPTIONS[random.usize(0..corpus::OPTIONS.len())]);
    let words: Vec<&str> = std::iter::once(corpus::DEFINITIONS).chain(words).collect();
    let text = words.join(" ");
    if random.u32(0..8) == 0 {
        mutation::text(random, &text, "-cl-std=CL1.2 -D A=\"b c\"", corpus::OPTIONS)
    } else {
        text
    }
}

impl Input for Builds {
    fn run(&mut self, seed: u64) -> Result<Verdict> {
        let attempt = Attempt::new(seed);
        std::fs::write(self.folder.join("input.cl"), attempt.text())?;
        let options = attempt.options.replace('\0', "");
        let options = CString::new(options).unwrap_or_default();
        let session = &self.session;
        let context = session.context.get();
        let devices = session.context.devices();
        let Ok(program) = create_program_with_source(context, &[&attempt.source]) else {
            return Ok(Verdict::Refused);
        };
        let program = Program(program);
        let Some(linker) = attempt.linked else {
            let built = build_program(program.0, devices, &options, None, null_mut());
            return judge(session, &program, built.is_ok());
        };
        let compiled =
            compile_program(program.0, devices, &options, &[], &[], None, null_mut()).is_ok();
        if !compiled {
            return judge(session, &program, false);
        }
        exercise::check_log(session, program.0)?;
        let linker = CString::new(linker)?;
        // SAFETY: the program is valid during the call.
        let linked =
            unsafe { link_program(context, devices, &linker, &[program.0], None, null_mut()) };
        match linked {
            Ok(linked) => judge(session, &Program(linked), true),
            Err(_) => Ok(Verdict::Refused),
        }
    }
}

/// A program object with one reference.
pub struct Program(pub cl_program);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        let released = unsafe { release_program(self.0) };
        released.map_err(ClError).expect("clReleaseProgram");
    }
}

/// Checks the build log, and queries and compiles the kernels of a built program.
///
/// # Errors
/// The log blames a pass of MOCL3, or calls contradict each other.
pub fn judge(session: &Session, program: &Program, built: bool) -> Result<Verdict> {
    if built {
        exercise::kernels(session, program.0)?;
    }
    let crashed = exercise::check_log(session, program.0)?;
    Ok(match (built, crashed) {
        (_, true) => Verdict::CompilerCrashed,
        (true, false) => Verdict::Accepted,
        (false, false) => Verdict::Refused,
    })
}
