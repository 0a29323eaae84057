//! Programs: source or binary, built per device.

use crate::background;
use crate::client::ClientSlot;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use kernel_compiler::executable::{Executable, KernelInterface};
use kernel_compiler::options::{BuildOptions, Stage};
use kernel_compiler::{BuildFailure, Header, Unit};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// `CL_PROGRAM_BINARY_TYPE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum BinaryType {
    /// Nothing built.
    None = 0,
    /// Output of `clCompileProgram`.
    CompiledObject = 1,
    /// Output of `clLinkProgram` with `-create-library`.
    Library = 2,
    /// Output of `clBuildProgram` or `clLinkProgram`.
    Executable = 4,
}

/// Called when an asynchronous build has ended.
pub type BuildNotify = Box<dyn FnOnce() + Send>;

/// What a device holds of a program.
#[derive(Clone, Default)]
enum Product {
    #[default]
    None,
    CompiledObject(Unit),
    Library(Unit),
    Executable(Arc<Executable>),
}

impl Product {
    fn from_binary(bytes: &[u8]) -> std::result::Result<Self, String> {
        match Unit::from_binary(bytes) {
            Ok((unit, true)) => Ok(Self::Library(unit)),
            Ok((unit, false)) => Ok(Self::CompiledObject(unit)),
            Err(_) => Executable::from_binary(bytes).map(|e| Self::Executable(Arc::new(e))),
        }
    }

    fn binary_type(&self) -> BinaryType {
        match self {
            Self::None => BinaryType::None,
            Self::CompiledObject(_) => BinaryType::CompiledObject,
            Self::Library(_) => BinaryType::Library,
            Self::Executable(_) => BinaryType::Executable,
        }
    }

    fn to_binary(&self) -> Vec<u8> {
        match self {
            Self::None => Vec::new(),
            Self::CompiledObject(unit) => unit.to_binary(false),
            Self::Library(unit) => unit.to_binary(true),
            Self::Executable(executable) => executable.to_binary(),
        }
    }

    fn unit(&self) -> Option<&Unit> {
        match self {
            Self::CompiledObject(unit) | Self::Library(unit) => Some(unit),
            Self::None | Self::Executable(_) => None,
        }
    }
}

/// The state of a program for one device.
struct DeviceBuild {
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

    /// What is built, or else what was given.
    fn held(&self) -> &Product {
        match self.product {
            Product::None => &self.given,
            _ => &self.product,
        }
    }
}

/// A program object.
pub struct Program {
    client: ClientSlot,
    context: Arc<Context>,
    source: Option<String>,
    devices: Vec<Arc<Device>>,
    /// By place in `devices`.
    builds: Mutex<Vec<DeviceBuild>>,
    /// Kernel objects that use what is built.
    kernel_objects: AtomicUsize,
}

/// What a build makes, with the log.
type Outcome = std::result::Result<(Product, String), BuildFailure>;

impl Program {
    fn new(
        context: &Arc<Context>,
        source: Option<String>,
        devices: Vec<(Arc<Device>, Product)>,
    ) -> Arc<Self> {
        let (devices, given): (Vec<_>, Vec<_>) = devices.into_iter().unzip();
        Arc::new(Self {
            client: ClientSlot::default(),
            context: Arc::clone(context),
            source,
            devices,
            builds: Mutex::new(given.into_iter().map(DeviceBuild::new).collect()),
            kernel_objects: AtomicUsize::new(0),
        })
    }

    fn without_products(devices: &[Arc<Device>]) -> Vec<(Arc<Device>, Product)> {
        let with_none = |device: &Arc<Device>| (Arc::clone(device), Product::None);
        devices.iter().map(with_none).collect()
    }

    /// From source text.
    pub fn from_source(context: &Arc<Context>, source: String) -> Arc<Self> {
        let devices = Self::without_products(context.devices());
        Self::new(context, Some(source), devices)
    }
    /// From binaries, one per device. Each device's status is in the second part.
    ///
    /// # Errors
    /// `InvalidBinary` if any is not ours; the statuses say which.
    #[allow(clippy::type_complexity, reason = "the call answers per device")]
    pub fn from_binaries(
        context: &Arc<Context>,
        binaries: &[(Arc<Device>, &[u8])],
    ) -> (Result<Arc<Self>>, Vec<Result<()>>) {
        let mut devices = Vec::new();
        let mut statuses = Vec::new();
        for (device, bytes) in binaries {
            match Product::from_binary(bytes) {
                Ok(product) => {
                    devices.push((Arc::clone(device), product));
                    statuses.push(Ok(()));
                }
                Err(sentence) => statuses.push(Err(Error::new(Code::InvalidBinary, sentence))),
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

    /// Marks a build as begun.
    fn begin(&self, places: &[usize], options: &str) -> Result<()> {
        if self.kernel_objects.load(Ordering::Acquire) > 0 {
            return Err(Error::new(
                Code::InvalidOperation,
                "there are kernel objects of this program",
            ));
        }
        let mut builds = self.builds.lock();
        let in_progress = |build: &DeviceBuild| build.status == BuildStatus::InProgress;
        if builds.iter().any(in_progress) {
            return Err(Error::new(
                Code::InvalidOperation,
                "the program is being built",
            ));
        }
        for &place in places {
            let given = std::mem::take(&mut builds[place].given);
            builds[place] = DeviceBuild {
                status: BuildStatus::InProgress,
                options: options.to_owned(),
                ..DeviceBuild::new(given)
            };
        }
        Ok(())
    }

    /// Notes how a build has ended; false if it failed.
    fn end(&self, places: &[usize], outcome: Outcome) -> bool {
        let succeeded = outcome.is_ok();
        let (status, product, log) = match outcome {
            Ok((product, log)) => (BuildStatus::Success, product, log),
            Err(failure) => (BuildStatus::Error, Product::None, failure.log),
        };
        let mut builds = self.builds.lock();
        for &place in places {
            let build = &mut builds[place];
            build.status = status;
            build.product = product.clone();
            build.log.clone_from(&log);
        }
        succeeded
    }

    /// Runs `work`, which says whether it succeeded: now, or, to `notify` somebody, in
    /// the background.
    fn run(
        self: &Arc<Self>,
        work: impl FnOnce() -> bool + Send + 'static,
        notify: Option<BuildNotify>,
        failure: Code,
    ) -> Result<()> {
        let Some(notify) = notify else {
            if work() {
                return Ok(());
            }
            return Err(Error::new(failure, "see the build log"));
        };
        let program = Arc::clone(self);
        background::run(move || {
            work();
            notify();
            // Not before: the host program asks the program how it went.
            drop(program);
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
        let parsed = BuildOptions::parse(options, Stage::Build)
            .map_err(|sentence| Error::new(Code::InvalidBuildOptions, sentence))?;
        let given: Vec<Product> = {
            let builds = self.builds.lock();
            places
                .iter()
                .map(|&place| builds[place].given.clone())
                .collect()
        };
        if self.source.is_none() && given.iter().any(|product| matches!(product, Product::None)) {
            return Err(Error::new(
                Code::InvalidOperation,
                "the program was made neither with source text nor with a binary",
            ));
        }
        self.begin(&places, options)?;
        let program = Arc::clone(self);
        let work = move || match &program.source {
            Some(source) => {
                let make = || {
                    let unit = kernel_compiler::compile(source, &parsed, &[])?;
                    let executable = Executable::link(&[&unit])?;
                    Ok((Product::Executable(Arc::new(executable)), unit.log))
                };
                program.end(&places, make())
            }
            // Each device may have been given another binary.
            None => {
                let mut succeeded = true;
                for (&place, product) in places.iter().zip(given) {
                    succeeded &= program.end(&[place], executable_of(product));
                }
                succeeded
            }
        };
        self.run(work, notify, Code::BuildProgramFailure)
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
        let parsed = BuildOptions::parse(options, Stage::Compile)
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
        let work = move || {
            let unit = kernel_compiler::compile(&source, &parsed, &headers);
            let outcome = unit.map(|unit| {
                let log = unit.log.clone();
                (Product::CompiledObject(unit), log)
            });
            program.end(&places, outcome)
        };
        self.run(work, notify, Code::CompileProgramFailure)
    }
    /// `clLinkProgram`: the new program, and how linking went.
    pub fn link(
        context: &Arc<Context>,
        devices: &[Arc<Device>],
        options: &str,
        programs: &[Arc<Program>],
        notify: Option<BuildNotify>,
    ) -> (Option<Arc<Self>>, Result<()>) {
        let parsed = match BuildOptions::parse(options, Stage::Link) {
            Ok(parsed) => parsed,
            Err(sentence) => {
                return (None, Err(Error::new(Code::InvalidLinkerOptions, sentence)));
            }
        };
        let devices = if devices.is_empty() {
            context.devices()
        } else {
            devices
        };
        let inputs = match link_inputs(devices, programs) {
            Ok(inputs) => inputs,
            Err(error) => return (None, Err(error)),
        };
        let places: Vec<usize> = inputs.iter().map(|(place, _)| *place).collect();
        let program = Self::new(context, None, Self::without_products(devices));
        if let Err(error) = program.begin(&places, options) {
            return (None, Err(error));
        }
        let linked = Arc::clone(&program);
        let link_all = move || {
            let mut succeeded = true;
            for (place, units) in inputs {
                let units: Vec<&Unit> = units.iter().collect();
                let outcome = if parsed.creates_library() {
                    kernel_compiler::link_library(&units)
                        .map(|unit| (Product::Library(unit), String::new()))
                } else {
                    Executable::link(&units)
                        .map(|made| (Product::Executable(Arc::new(made)), String::new()))
                };
                succeeded &= linked.end(&[place], outcome);
            }
            succeeded
        };
        let result = program.run(link_all, notify, Code::LinkProgramFailure);
        (Some(program), result)
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
    /// Devices it is associated with.
    pub fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }
    /// Source text; empty if made from binaries.
    pub fn source(&self) -> &str {
        self.source.as_deref().unwrap_or_default()
    }

    fn with_build<T>(
        &self,
        device: &Arc<Device>,
        absent: T,
        read: impl FnOnce(&DeviceBuild) -> T,
    ) -> T {
        match self.place(device) {
            Some(place) => read(&self.builds.lock()[place]),
            None => absent,
        }
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
    /// Kernels of the executable.
    ///
    /// # Errors
    /// `InvalidProgramExecutable` if no device has one.
    pub fn kernels(&self) -> Result<Vec<KernelInterface>> {
        let executables = self.executables();
        let (_, executable) = executables.first().ok_or_else(not_built)?;
        Ok(executable.kernels().to_vec())
    }

    /// Devices that have an executable, with it.
    pub(crate) fn executables(&self) -> Vec<(Arc<Device>, Arc<Executable>)> {
        let builds = self.builds.lock();
        self.devices
            .iter()
            .zip(builds.iter())
            .filter_map(|(device, build)| match &build.product {
                Product::Executable(executable) => {
                    Some((Arc::clone(device), Arc::clone(executable)))
                }
                _ => None,
            })
            .collect()
    }

    /// One kernel object more, or less, uses what is built.
    pub(crate) fn count_kernel_object(&self, made: bool) {
        if made {
            self.kernel_objects.fetch_add(1, Ordering::AcqRel);
        } else {
            self.kernel_objects.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

pub(crate) fn not_built() -> Error {
    Error::new(
        Code::InvalidProgramExecutable,
        "the program is built for no device",
    )
}

/// An executable made of a binary.
fn executable_of(given: Product) -> Outcome {
    match given {
        Product::Executable(_) => Ok((given, String::new())),
        Product::CompiledObject(unit) | Product::Library(unit) => {
            let executable = Executable::link(&[&unit])?;
            Ok((Product::Executable(Arc::new(executable)), String::new()))
        }
        Product::None => Err(BuildFailure {
            log: "error: the program has neither source nor binary for this device\n".into(),
        }),
    }
}

/// Per device (by its place) the units to be linked. Devices for which no program has
/// any are left out.
fn link_inputs(
    devices: &[Arc<Device>],
    programs: &[Arc<Program>],
) -> Result<Vec<(usize, Vec<Unit>)>> {
    let mut inputs = Vec::new();
    for (place, device) in devices.iter().enumerate() {
        let unit = |program: &Arc<Program>| {
            program.with_build(device, None, |build| build.held().unit().cloned())
        };
        let units: Vec<Unit> = programs.iter().filter_map(unit).collect();
        if units.len() == programs.len() {
            inputs.push((place, units));
        } else if !units.is_empty() {
            return Err(Error::new(
                Code::InvalidOperation,
                "some but not all programs are compiled for a device",
            ));
        }
    }
    if inputs.is_empty() {
        return Err(Error::new(
            Code::InvalidOperation,
            "the programs are compiled for no device",
        ));
    }
    Ok(inputs)
}

impl crate::client::ClientObject for Program {
    fn client_slot(&self) -> &ClientSlot {
        &self.client
    }
}
