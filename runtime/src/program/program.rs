//! Programs: source or binary, built per device.

use crate::context::{Context, MemoryInitialisation};
use crate::device::Device;
use crate::dma_check;
use crate::error::{Code, Error, Result};
use crate::handle_slot::HandleSlot;
use crate::program::argument_limits;
use crate::program::build_pool;
use crate::program::product::{BinaryType, Product};
use crate::recording::program_record::ProgramRecord;
use crate::recording::recorder;
use ::recording::SourceFile;
use host_exec::process_lifecycle;
use kernel_compiler::executable::{Executable, KernelInterface};
use kernel_compiler::options::{BuildCall, BuildOptions};
use kernel_compiler::{BuildFailure, Header};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// `CL_PROGRAM_BUILD_STATUS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum BuildStatus {
    /// 0
    Success = 0,
    /// -1
    None = -1,
    /// -2
    Error = -2,
    /// -3
    InProgress = -3,
}

/// Called when an asynchronous build has ended.
pub type BuildNotify = Box<dyn FnOnce() + Send>;

/// The state of a program for one device.
pub(super) struct DeviceBuild {
    status: BuildStatus,
    options: String,
    log: String,
    product: Product,
    /// What the program was made of, if of binaries.
    given: Product,
}

impl DeviceBuild {
    fn new(given: Product) -> Self {
        Self {
            status: BuildStatus::None,
            options: String::new(),
            log: String::new(),
            product: Product::None,
            given,
        }
    }

    /// Whether anything was given or built for the device itself.
    fn is_begun(&self) -> bool {
        self.status != BuildStatus::None || !matches!(self.given, Product::None)
    }

    pub(super) fn in_progress(&self) -> bool {
        self.status == BuildStatus::InProgress
    }

    /// What is built, or else what was given.
    pub(super) fn held(&self) -> &Product {
        match self.product {
            Product::None => &self.given,
            _ => &self.product,
        }
    }
}

/// A program object.
pub struct Program {
    handle: HandleSlot,
    context: Arc<Context>,
    source: Option<String>,
    devices: Vec<Arc<Device>>,
    pub(super) state: Mutex<State>,
    record: ProgramRecord,
}

/// What changes of a program.
pub(super) struct State {
    /// By place in the program's `devices`.
    builds: Vec<DeviceBuild>,
    /// Kernel objects that use what is built.
    kernel_objects: usize,
}

/// What a build makes, with the log.
pub(super) type BuildOutcome = std::result::Result<(Product, String), BuildFailure>;

impl Program {
    pub(super) fn new(
        context: &Arc<Context>,
        source: Option<String>,
        devices: Vec<(Arc<Device>, Product)>,
    ) -> Arc<Self> {
        let (devices, given): (Vec<_>, Vec<_>) = devices.into_iter().unzip();
        Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            source,
            devices,
            state: Mutex::new(State {
                builds: given.into_iter().map(DeviceBuild::new).collect(),
                kernel_objects: 0,
            }),
            record: ProgramRecord::default(),
        })
    }

    pub(super) fn without_products(devices: &[Arc<Device>]) -> Vec<(Arc<Device>, Product)> {
        let with_none = |device: &Arc<Device>| (Arc::clone(device), Product::None);
        devices.iter().map(with_none).collect()
    }

    /// From source text. One that holds a NUL does not build.
    pub fn from_source(context: &Arc<Context>, source: String) -> Arc<Self> {
        let devices = Self::without_products(context.devices());
        Self::new(context, Some(source), devices)
    }
    /// From binaries, one per device. Each device's status is in the second part.
    ///
    /// # Errors
    /// `InvalidBinary` if any is not ours, or does not initialise its private variables
    /// though the context demands it; the statuses say which. `OutOfHostMemory` or
    /// `OutOfResources` if the host lacks what it takes to check one.
    #[allow(clippy::type_complexity, reason = "the call answers per device")]
    pub fn from_binaries(
        context: &Arc<Context>,
        binaries: &[(Arc<Device>, &[u8])],
    ) -> (Result<Arc<Self>>, Vec<Result<()>>) {
        let mut devices: Vec<(Arc<Device>, Product)> = Vec::new();
        let mut statuses = Vec::new();
        let initialises = context.initialises(MemoryInitialisation::PRIVATE);
        for (index, (device, bytes)) in binaries.iter().enumerate() {
            // The parts of a cluster have the same binary, whose code is made once.
            let same = binaries[..index].iter().find(|(_, known)| known == bytes);
            let known =
                same.and_then(|(of, _)| devices.iter().find(|(known, _)| Arc::ptr_eq(known, of)));
            let product = match known {
                Some((_, product)) => Ok(product.clone()),
                None => Product::from_binary(bytes),
            };
            match product {
                Ok(product) if initialises && !product.initialises_private_memory() => {
                    let sentence = "it was built for a context that does not initialise private \
                                    memory, and this one does";
                    statuses.push(Err(Error::new(Code::InvalidBinary, sentence)));
                }
                Ok(product) => {
                    devices.push((Arc::clone(device), product));
                    statuses.push(Ok(()));
                }
                Err(error) => statuses.push(Err(error)),
            }
        }
        let failure = statuses
            .iter()
            .find_map(|status| status.as_ref().err().cloned());
        let program = match failure {
            Some(error) => Err(error),
            None => Ok(Self::new(context, None, devices)),
        };
        (program, statuses)
    }

    /// Places in `devices` of those asked for; all if none are named.
    fn places(&self, devices: &[Arc<Device>]) -> Result<Vec<usize>> {
        if devices.is_empty() {
            return Ok((0..self.devices.len()).collect());
        }
        let place = |device| {
            self.place(device).ok_or_else(|| {
                Error::new(Code::InvalidDevice, "a device is not one of the program's")
            })
        };
        devices.iter().map(place).collect()
    }

    fn place(&self, device: &Arc<Device>) -> Option<usize> {
        self.devices
            .iter()
            .position(|known| Arc::ptr_eq(known, device))
    }

    /// Options of a build or compilation in this program's context.
    fn parse(&self, options: &str, stage: BuildCall) -> std::result::Result<BuildOptions, String> {
        let initialises = self.context.initialises(MemoryInitialisation::PRIVATE);
        let parsed = BuildOptions::parse(options, stage)?;
        let parsed = parsed.initialising_private_memory(initialises);
        // A recording says which lines take how long, and checks where something is found.
        if recorder::is_on() || dma_check::is_on() {
            return Ok(parsed.with_line_tables());
        }
        Ok(parsed)
    }

    /// Its number in the recording, which then contains its source text and `files` of its timed
    /// code.
    pub(crate) fn recorded_number(&self, files: &[SourceFile]) -> u64 {
        self.record.number(|| self.source(), files)
    }

    /// Marks a build as begun.
    pub(super) fn begin(&self, places: &[usize], options: &str) -> Result<()> {
        let fail = |sentence| Err(Error::new(Code::InvalidOperation, sentence));
        let mut state = self.state.lock();
        if state.kernel_objects > 0 {
            return fail("there are kernel objects of this program");
        }
        let in_progress = |&place: &usize| state.builds[place].in_progress();
        if places.iter().any(in_progress) {
            return fail("the program is being built");
        }
        for &place in places {
            let build = &mut state.builds[place];
            *build = DeviceBuild {
                status: BuildStatus::InProgress,
                options: options.to_owned(),
                ..DeviceBuild::new(std::mem::take(&mut build.given))
            };
        }
        Ok(())
    }

    /// Notes how a build has ended; false if it failed.
    pub(super) fn end(&self, places: &[usize], outcome: BuildOutcome) -> bool {
        let succeeded = outcome.is_ok();
        let (status, product, log) = match outcome {
            Ok((product, log)) => (BuildStatus::Success, product, log),
            Err(failure) => (BuildStatus::Error, Product::None, failure.log),
        };
        let mut state = self.state.lock();
        let product = state.shared(product);
        for &place in places {
            let build = &mut state.builds[place];
            build.status = status;
            build.product = product.clone();
            build.log.clone_from(&log);
            if let Product::Executable(executable) = &product {
                let device = &self.devices[place];
                build.log += &argument_limits::warnings(device, executable.kernels());
            }
        }
        succeeded
    }

    /// Does the work of a build that has begun for `places`; false if it failed.
    fn complete(&self, places: &[usize], work: impl FnOnce() -> bool) -> bool {
        // A panic is a defect of ours; nobody shall wait for the build for ever.
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            log::error!("building a program: internal error, please report it");
            let log = "error: the compiler has failed (an error in the compiler)\n";
            self.end(places, Err(BuildFailure::new(log)))
        })
    }

    /// Runs `work`, which says whether it succeeded: now, or, to `notify` somebody, in
    /// the background.
    pub(super) fn run(
        self: &Arc<Self>,
        places: Vec<usize>,
        work: impl FnOnce() -> bool + Send + 'static,
        notify: Option<BuildNotify>,
        failure: Code,
    ) -> Result<()> {
        let Some(notify) = notify else {
            if self.complete(&places, work) {
                return Ok(());
            }
            return Err(Error::new(failure, "see the build log"));
        };
        let (program, told) = (Arc::clone(self), Arc::clone(self));
        let build = move || {
            program.complete(&places, work);
        };
        build_pool::run(build, move || {
            notify();
            // Not before: the host program asks the program how it went.
            drop(told);
        });
        Ok(())
    }

    /// `clBuildProgram` for `devices` (empty: all). With `notify` the build goes on
    /// in the background and failures show in status and log only.
    ///
    /// # Errors
    /// All that `clBuildProgram` lists but `InvalidProgram`.
    pub fn build(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        notify: Option<BuildNotify>,
    ) -> Result<()> {
        let places = self.places(devices)?;
        let parsed = self
            .parse(options, BuildCall::Build)
            .map_err(|sentence| Error::new(Code::InvalidBuildOptions, sentence))?;
        let given = match self.source {
            Some(_) => Vec::new(),
            None => self.given_executables(&places)?,
        };
        self.begin(&places, options)?;
        let program = Arc::clone(self);
        let of = places.clone();
        let work = move || match &program.source {
            Some(source) => {
                let make = || {
                    let unit = kernel_compiler::compile(source, &parsed, &[])?;
                    let executable = Executable::link(&[&unit])?;
                    let mut log = unit.log;
                    if parsed.asks_for_remarks() {
                        // The program is built, whether it can be remarked on or not.
                        let remarks = kernel_compiler::remarks(source, &parsed);
                        log.push_str(
                            &remarks.unwrap_or_else(|failure| format!("no remarks: {failure}\n")),
                        );
                    }
                    Ok((Product::Executable(executable), log))
                };
                program.end(&of, make())
            }
            // Each device may have been given another binary.
            None => of.iter().zip(given).all(|(&place, executable)| {
                let log = if parsed.asks_for_remarks() {
                    executable.remarks()
                } else {
                    String::new()
                };
                program.end(&[place], Ok((Product::Executable(executable), log)))
            }),
        };
        self.run(places, work, notify, Code::BuildProgramFailure)
    }

    /// The executables among the binaries that the program was made of.
    fn given_executables(&self, places: &[usize]) -> Result<Vec<Arc<Executable>>> {
        let state = self.state.lock();
        let given = places
            .iter()
            .map(|&place| match &state.builds[place].given {
                Product::Executable(executable) => Ok(Arc::clone(executable)),
                Product::CompiledObject(_) | Product::Library(_) => Err(Error::new(
                    Code::InvalidBinary,
                    "the binary is a compiled object or a library, which are linked, not built",
                )),
                Product::None => Err(Error::new(
                    Code::InvalidOperation,
                    "the program was made neither with source text nor with a binary",
                )),
            });
        given.collect()
    }

    /// `clCompileProgram`.
    ///
    /// # Errors
    /// All that `clCompileProgram` lists but `InvalidProgram`.
    pub fn compile(
        self: &Arc<Self>,
        devices: &[Arc<Device>],
        options: &str,
        headers: &[(String, Arc<Program>)],
        notify: Option<BuildNotify>,
    ) -> Result<()> {
        let places = self.places(devices)?;
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
        self.begin(&places, options)?;
        let program = Arc::clone(self);
        let of = places.clone();
        let work = move || {
            let unit = kernel_compiler::compile(&source, &parsed, &headers);
            let outcome = unit.map(|unit| {
                let log = unit.log.clone();
                (Product::CompiledObject(unit), log)
            });
            program.end(&of, outcome)
        };
        self.run(places, work, notify, Code::CompileProgramFailure)
    }

    pub(super) fn check_same_context(&self, context: &Arc<Context>) -> Result<()> {
        if Arc::ptr_eq(&self.context, context) {
            return Ok(());
        }
        Err(Error::new(
            Code::InvalidProgram,
            "the programs are of several contexts",
        ))
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// Devices it is associated with.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }
    /// Source text without NULs, as `CL_PROGRAM_SOURCE` shows it; empty if made from binaries.
    pub fn source(&self) -> Cow<'_, str> {
        match self.source.as_deref().unwrap_or_default() {
            source if source.contains('\0') => source.replace('\0', "").into(),
            source => source.into(),
        }
    }

    /// Reads the build that a device uses: if nothing is built for a sub-device, that of
    /// the device it is a part of (section 5.6.5).
    pub(super) fn with_build<T>(
        &self,
        device: &Arc<Device>,
        absent: T,
        read: impl FnOnce(&DeviceBuild) -> T,
    ) -> T {
        let builds = &self.state.lock().builds;
        let places = device.lineage().filter_map(|device| self.place(device));
        let begun = places
            .map(|place| &builds[place])
            .find(|build| build.is_begun());
        let own = || self.place(device).map(|place| &builds[place]);
        begun.or_else(own).map_or(absent, read)
    }

    /// Build status for a device.
    pub fn build_status(&self, device: &Arc<Device>) -> BuildStatus {
        self.with_build(device, BuildStatus::None, |build| build.status)
    }
    /// Options of the last build.
    pub fn build_options(&self, device: &Arc<Device>) -> String {
        self.with_build(device, String::new(), |build| build.options.clone())
    }
    /// Log of the last build.
    pub fn build_log(&self, device: &Arc<Device>) -> String {
        self.with_build(device, String::new(), |build| build.log.clone())
    }
    /// What the device holds.
    pub fn binary_type(&self, device: &Arc<Device>) -> BinaryType {
        self.with_build(device, BinaryType::None, |build| build.held().binary_type())
    }
    /// Binary for a device; empty if nothing is built.
    pub fn binary(&self, device: &Arc<Device>) -> Arc<[u8]> {
        let product = self.with_build(device, Product::None, |build| build.held().clone());
        product.to_binary().into()
    }
    /// Kernels of the executables, in source order; without those that are not defined
    /// alike for all devices.
    ///
    /// # Errors
    /// `InvalidProgramExecutable` if no device has an executable.
    pub fn kernels(&self) -> Result<Vec<KernelInterface>> {
        let executables = self.state.lock().executables(&self.devices);
        if executables.is_empty() {
            return Err(not_built());
        }
        let mut kernels: Vec<KernelInterface> = Vec::new();
        let mut different = Vec::new();
        for (_, executable) in executables {
            for kernel in executable.kernels() {
                match kernels.iter().find(|known| known.name == kernel.name) {
                    Some(known) if known.arguments == kernel.arguments => {}
                    Some(_) => different.push(kernel.name.clone()),
                    None => kernels.push(kernel.clone()),
                }
            }
        }
        kernels.retain(|kernel| !different.contains(&kernel.name));
        Ok(kernels)
    }

    /// Makes a kernel object of the executables. While there are such objects, there are
    /// no builds.
    pub(crate) fn attach<T>(
        &self,
        make: impl FnOnce(Vec<(Arc<Device>, Arc<Executable>)>) -> Result<T>,
    ) -> Result<T> {
        let mut state = self.state.lock();
        let made = make(state.executables(&self.devices))?;
        state.kernel_objects += 1;
        Ok(made)
    }

    /// A kernel object is gone.
    pub(crate) fn detach(&self) {
        // A thread of the parent's may have held the lock at a `fork`.
        if process_lifecycle::forked() {
            return;
        }
        self.state.lock().kernel_objects -= 1;
    }
}

impl State {
    /// The product, or the same one of another device: its native code is then made once.
    fn shared(&self, product: Product) -> Product {
        let Product::Executable(made) = &product else {
            return product;
        };
        let same = self.builds.iter().find_map(|build| match &build.product {
            Product::Executable(known) if known.is_same_as(made) => Some(Arc::clone(known)),
            _ => None,
        });
        same.map_or(product, Product::Executable)
    }

    /// Devices that have an executable, with it.
    pub(super) fn executables(
        &self,
        devices: &[Arc<Device>],
    ) -> Vec<(Arc<Device>, Arc<Executable>)> {
        devices
            .iter()
            .zip(&self.builds)
            .filter_map(|(device, build)| match &build.product {
                Product::Executable(executable) => {
                    Some((Arc::clone(device), Arc::clone(executable)))
                }
                _ => None,
            })
            .collect()
    }
}

pub(crate) fn not_built() -> Error {
    Error::new(
        Code::InvalidProgramExecutable,
        "the program is built for no device",
    )
}

impl crate::handle_slot::HasHandle for Program {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
