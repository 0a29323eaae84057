//! Building and compiling programs (`clBuildProgram`, `clCompileProgram`).

use crate::context::MemoryInitialisation;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::program::argument_limits;
use crate::program::build_pool;
use crate::program::build_state::{BuildOutcome, BuildStatus, DeviceBuild};
use crate::program::product::Product;
use crate::program::program::{BuildNotify, Program};
use crate::program::source_lines;
use environment::BUILD_OPTIONS;
use kernel_compiler::executable::Executable;
use kernel_compiler::options::{BuildCall, BuildOptions};
use kernel_compiler::{BuildFailure, BuildInput, Header};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The executable of a binary, and what it was built of.
type GivenExecutable = (Arc<Executable>, Option<Arc<BuildInput>>);

impl Program {
    /// Options of a build or compilation in this program's context, and those that the user adds.
    fn parse(&self, options: &str, stage: BuildCall) -> std::result::Result<BuildOptions, String> {
        let initialises = self.context.initialises(MemoryInitialisation::PRIVATE);
        let parsed = match BUILD_OPTIONS.get() {
            Some(more) => {
                let options = format!("{options} {}", more.to_string_lossy());
                BuildOptions::parse(&options, stage)?
            }
            None => BuildOptions::parse(options, stage)?,
        };
        let parsed = parsed.initialising_private_memory(initialises);
        Ok(source_lines::for_this_run(parsed))
    }

    /// Marks a build of `input` as in progress; without one, it is what the binary was built of.
    ///
    /// # Errors
    /// `InvalidOperation`: kernel objects exist, or a build is in progress.
    pub(super) fn begin(
        &self,
        indices: &[usize],
        options: &str,
        input: Option<&Arc<BuildInput>>,
    ) -> Result<()> {
        let fail = |sentence| Err(Error::new(Code::InvalidOperation, sentence));
        let mut state = self.state.lock();
        if state.kernel_objects > 0 {
            return fail("there are kernel objects of this program");
        }
        let in_progress = |&index: &usize| state.builds[index].in_progress();
        if indices.iter().any(in_progress) {
            return fail("the program is being built");
        }
        for &index in indices {
            let build = &mut state.builds[index];
            let input = input.cloned().or_else(|| build.input.take());
            *build = DeviceBuild {
                status: BuildStatus::InProgress,
                options: options.to_owned(),
                ..DeviceBuild::new(std::mem::take(&mut build.given), input)
            };
        }
        Ok(())
    }

    /// What a build of its source is made of.
    fn input(&self, options: &str, headers: &[Header]) -> Option<Arc<BuildInput>> {
        let source = self.source.as_deref()?;
        Some(Arc::new(BuildInput::of_source(source, options, headers)))
    }

    /// Stores the outcome of a build; false if it failed.
    pub(super) fn end(&self, indices: &[usize], outcome: BuildOutcome) -> bool {
        let succeeded = outcome.is_ok();
        let (status, product, log) = match outcome {
            Ok((product, log)) => (BuildStatus::Success, product, log),
            Err(failure) => (BuildStatus::Error, Product::None, failure.log),
        };
        let mut state = self.state.lock();
        let product = state.shared(product);
        for &index in indices {
            let build = &mut state.builds[index];
            build.status = status;
            build.product = product.clone();
            build.log.clone_from(&log);
            if let Product::Executable(executable) = &product {
                let device = &self.devices[index];
                build.log += &argument_limits::warnings(device, executable.kernels());
            }
        }
        succeeded
    }

    /// Does the work of a build in progress; false if it failed.
    fn complete(&self, indices: &[usize], work: impl FnOnce() -> bool) -> bool {
        // A panic is a defect of the compiler; threads that wait for the build must not hang.
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            log::error!("building a program: internal error, please report it");
            let log = "error: the compiler has failed (an error in the compiler)\n";
            self.end(indices, Err(BuildFailure::new(log)))
        })
    }

    /// Calls `work`, which returns whether the build succeeded: now, or with `notify` in the
    /// background.
    pub(super) fn run(
        self: &Arc<Self>,
        indices: Vec<usize>,
        work: impl FnOnce() -> bool + Send + 'static,
        notify: Option<BuildNotify>,
        failure: Code,
    ) -> Result<()> {
        let Some(notify) = notify else {
            if self.complete(&indices, work) {
                return Ok(());
            }
            return Err(Error::new(failure, "see the build log"));
        };
        let (program, alive) = (Arc::clone(self), Arc::clone(self));
        let build = move || {
            program.complete(&indices, work);
        };
        build_pool::run(build, move || {
            notify();
            // The callback queries the program.
            drop(alive);
        });
        Ok(())
    }

    /// `clBuildProgram` for `devices` (empty: all). With `notify` it builds in the background, and
    /// failures appear only in status and log.
    ///
    /// # Errors
    /// The errors of `clBuildProgram` except `InvalidProgram`.
    pub fn build(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        notify: Option<BuildNotify>,
    ) -> Result<()> {
        self.check_not_built_in()?;
        let indices = self.indices_to_compile(devices)?;
        let parsed = self
            .parse(options, BuildCall::Build)
            .map_err(|sentence| Error::new(Code::InvalidBuildOptions, sentence))?;
        let given = match self.source {
            Some(_) => Vec::new(),
            None => self.given_executables(&indices)?,
        };
        let input = self.input(options, &[]);
        self.begin(&indices, options, input.as_ref())?;
        let program = Arc::clone(self);
        let built = indices.clone();
        let work = move || match &program.source {
            Some(source) => {
                let make = || {
                    let unit = kernel_compiler::compile(source, &parsed, &[])?;
                    let executable = Executable::link(&[&unit])?;
                    let mut log = unit.log;
                    if parsed.emits_remarks() {
                        // A failure to produce remarks does not fail the build.
                        let remarks = kernel_compiler::remarks(source, &parsed);
                        log.push_str(
                            &remarks.unwrap_or_else(|failure| format!("no remarks: {failure}\n")),
                        );
                    }
                    Ok((Product::Executable(executable), log))
                };
                program.end(&built, make())
            }
            // Each device may have a different binary.
            None => built
                .iter()
                .zip(given)
                .all(|(&index, (executable, input))| {
                    let executable = source_lines::added(executable, input.as_deref());
                    let log = if parsed.emits_remarks() {
                        executable.remarks()
                    } else {
                        String::new()
                    };
                    program.end(&[index], Ok((Product::Executable(executable), log)))
                }),
        };
        self.run(indices, work, notify, Code::BuildProgramFailure)
    }

    /// The executables that the program was created with.
    fn given_executables(&self, indices: &[usize]) -> Result<Vec<GivenExecutable>> {
        let state = self.state.lock();
        let given = indices
            .iter()
            .map(|&index| match &state.builds[index].given {
                Product::Executable(executable) => {
                    let input = state.builds[index].input.clone();
                    Ok((Arc::clone(executable), input))
                }
                Product::CompiledObject(_) | Product::Library(_) => Err(Error::new(
                    Code::InvalidBinary,
                    "the binary is a compiled object or a library, which are linked, not built",
                )),
                Product::None | Product::BuiltIn(_) => Err(Error::new(
                    Code::InvalidOperation,
                    "the program was made neither with source text nor with a binary",
                )),
            });
        given.collect()
    }

    /// # Errors
    /// `InvalidOperation`: it is a program of built-in kernels.
    fn check_not_built_in(&self) -> Result<()> {
        let state = self.state.lock();
        let mut builds = state.builds.iter();
        if builds.any(|build| matches!(build.given, Product::BuiltIn(_))) {
            return Err(Error::new(
                Code::InvalidOperation,
                "the program has built-in kernels, which are not built",
            ));
        }
        Ok(())
    }

    /// `clCompileProgram`.
    ///
    /// # Errors
    /// The errors of `clCompileProgram` except `InvalidProgram`.
    pub fn compile(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        headers: &[(String, Arc<Program>)],
        notify: Option<BuildNotify>,
    ) -> Result<()> {
        self.check_not_built_in()?;
        let indices = self.indices_to_compile(devices)?;
        let parsed = self
            .parse(options, BuildCall::Compile)
            .map_err(|sentence| Error::new(Code::InvalidCompilerOptions, sentence))?;
        let no_source = |of: &str| {
            Error::new(
                Code::InvalidOperation,
                format!("{of} was not made with source text"),
            )
        };
        let source = self
            .source
            .clone()
            .ok_or_else(|| no_source("the program"))?;
        let headers = headers
            .iter()
            .map(|(name, program)| {
                self.check_same_context(&program.context)?;
                let source = program
                    .source
                    .clone()
                    .ok_or_else(|| no_source("a header"))?;
                Ok(Header {
                    name: name.clone(),
                    source,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let input = self.input(options, &headers);
        self.begin(&indices, options, input.as_ref())?;
        let program = Arc::clone(self);
        let built = indices.clone();
        let work = move || {
            let unit = kernel_compiler::compile(&source, &parsed, &headers);
            let outcome = unit.map(|unit| {
                let log = unit.log.clone();
                (Product::CompiledObject(unit), log)
            });
            program.end(&built, outcome)
        };
        self.run(indices, work, notify, Code::CompileProgramFailure)
    }
}
