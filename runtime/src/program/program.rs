//! The program object: source text or binaries, with a build per device.

use crate::context::{Context, MemoryInitialisation};
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::handle_slot::HandleSlot;
use crate::program::build_state::{BuildStates, BuildStatus, DeviceBuild};
use crate::program::built_in::KernelCode;
use crate::program::product::{BinaryType, Product};
use crate::program::source_lines;
use crate::recording::program_record::ProgramRecord;
use ::recording::SourceFile;
use host_exec::process_lifecycle;
use kernel_compiler::executable::{KernelInterface, WorkGroupCode};
use kernel_compiler::{BuildInput, SourcePlace};
use parking_lot::Mutex;
use std::borrow::Cow;
use std::sync::Arc;

/// Called when an asynchronous build has ended.
pub type BuildNotify = Box<dyn FnOnce() + Send>;

/// What a program is created with for a device: a binary's product, and what it was built of.
pub(super) type Given = (Product, Option<Arc<BuildInput>>);

/// A program object.
///
/// ```
/// use runtime::context::Context;
/// use runtime::device::platform::Platform;
/// use runtime::program::{BuildStatus, Program};
/// use std::sync::Arc;
///
/// let device = &Platform::get().devices()[0];
/// let context = Context::new(vec![Arc::clone(device)], None)?;
/// let program = Program::from_source(&context, "kernel void k() { missing(); }".into());
/// assert!(program.build(&[], "", None).is_err());
/// assert_eq!(program.build_status(device), BuildStatus::Error);
/// assert!(program.build_log(device).contains("missing"));
/// # Ok::<(), runtime::error::Error>(())
/// ```
pub struct Program {
    handle: HandleSlot,
    pub(super) context: Arc<Context>,
    pub(super) source: Option<String>,
    pub(super) devices: Vec<Arc<Device>>,
    pub(super) state: Mutex<BuildStates>,
    record: ProgramRecord,
}

impl Program {
    pub(super) fn new(
        context: &Arc<Context>,
        source: Option<String>,
        devices: Vec<(Arc<Device>, Given)>,
    ) -> Arc<Self> {
        let (devices, given): (Vec<_>, Vec<_>) = devices.into_iter().unzip();
        let builds = given.into_iter();
        let builds = builds.map(|(product, input)| DeviceBuild::new(product, input));
        Arc::new(Self {
            handle: HandleSlot::default(),
            context: Arc::clone(context),
            source,
            devices,
            state: Mutex::new(BuildStates {
                builds: builds.collect(),
                kernel_objects: 0,
            }),
            record: ProgramRecord::default(),
        })
    }

    pub(super) fn without_products(devices: &[Arc<Device>]) -> Vec<(Arc<Device>, Given)> {
        let with_none = |device: &Arc<Device>| (Arc::clone(device), (Product::None, None));
        devices.iter().map(with_none).collect()
    }

    /// From source text. Text that contains a NUL does not build.
    pub fn from_source(context: &Arc<Context>, source: String) -> Arc<Self> {
        let devices = Self::without_products(context.devices());
        Self::new(context, Some(source), devices)
    }
    /// From binaries, one per device. The second result is the status of each.
    ///
    /// # Errors
    /// `InvalidBinary`: one is no binary of this compiler build, or does not initialise its private
    /// variables although the context requires it. `OutOfHostMemory` or `OutOfResources`: the
    /// host lacks memory or threads to check one.
    #[allow(clippy::type_complexity, reason = "the call answers per device")]
    pub fn from_binaries(
        context: &Arc<Context>,
        binaries: &[(Arc<Device>, &[u8])],
    ) -> (Result<Arc<Self>>, Vec<Result<()>>) {
        let mut devices: Vec<(Arc<Device>, Given)> = Vec::new();
        let mut statuses = Vec::new();
        let initialises = context.initialises(MemoryInitialisation::PRIVATE);
        for (index, (device, bytes)) in binaries.iter().enumerate() {
            // Sub-devices of a cluster have equal binaries, whose code is compiled once.
            let same = binaries[..index].iter().find(|(_, known)| known == bytes);
            let known =
                same.and_then(|(of, _)| devices.iter().find(|(known, _)| Arc::ptr_eq(known, of)));
            let product = match known {
                _ if !device.is_programmable() => Err(Error::new(
                    Code::InvalidBinary,
                    "a custom device has built-in kernels only",
                )),
                Some((_, given)) => Ok(given.clone()),
                None => Product::from_binary(bytes),
            };
            match product {
                Ok((product, _)) if initialises && !product.initialises_private_memory() => {
                    let sentence = "it was built for a context that does not initialise private \
                                    memory, and this one does";
                    statuses.push(Err(Error::new(Code::InvalidBinary, sentence)));
                }
                Ok(given) => {
                    devices.push((Arc::clone(device), given));
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

    /// Indices of the requested devices; all if none are given.
    pub(super) fn indices(&self, devices: &[Arc<Device>]) -> Result<Vec<usize>> {
        if devices.is_empty() {
            return Ok((0..self.devices.len()).collect());
        }
        let index = |device| {
            self.index_of(device).ok_or_else(|| {
                Error::new(Code::InvalidDevice, "a device is not one of the program's")
            })
        };
        devices.iter().map(index).collect()
    }

    /// As `indices`, of devices that a program can be built or compiled for; those without a compiler count
    /// only if they are given.
    ///
    /// # Errors
    /// `InvalidDevice`; `CompilerNotAvailable`.
    pub(super) fn indices_to_compile(&self, devices: &[Arc<Device>]) -> Result<Vec<usize>> {
        let mut indices = self.indices(devices)?;
        let count = indices.len();
        indices.retain(|index| self.devices[*index].is_programmable());
        if indices.is_empty() || (!devices.is_empty() && indices.len() < count) {
            return Err(Error::new(
                Code::CompilerNotAvailable,
                "a custom device has no compiler",
            ));
        }
        Ok(indices)
    }

    fn index_of(&self, device: &Arc<Device>) -> Option<usize> {
        self.devices
            .iter()
            .position(|known| Arc::ptr_eq(known, device))
    }

    /// Its number in the recording, which then contains its source text and `files` of its timed
    /// code.
    pub(crate) fn recorded_number(&self, files: &[SourceFile]) -> u64 {
        self.record.number(|| self.source(), files)
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
    /// `CL_PROGRAM_DEVICES`.
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

    /// Reads the build that a device uses; without one of its own, a sub-device uses its parent's
    /// (section 5.6.5).
    pub(super) fn with_build<T>(
        &self,
        device: &Arc<Device>,
        absent: T,
        read: impl FnOnce(&DeviceBuild) -> T,
    ) -> T {
        let builds = &self.state.lock().builds;
        let indices = device.lineage().filter_map(|device| self.index_of(device));
        let begun = indices
            .map(|index| &builds[index])
            .find(|build| build.is_begun());
        let own = || self.index_of(device).map(|index| &builds[index]);
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
    /// `CL_PROGRAM_BINARY_TYPE`.
    pub fn binary_type(&self, device: &Arc<Device>) -> BinaryType {
        self.with_build(device, BinaryType::None, |build| build.held().binary_type())
    }
    /// Binary for a device; empty if nothing is built.
    pub fn binary(&self, device: &Arc<Device>) -> Arc<[u8]> {
        let (product, input) = self.held(device);
        product.to_binary(input.as_deref()).into()
    }

    /// What is built for a device, and of what.
    fn held(&self, device: &Arc<Device>) -> Given {
        self.with_build(device, (Product::None, None), |build| {
            (build.held().clone(), build.input.clone())
        })
    }

    /// The place in the source of the instruction at an address of a kernel's code for a device. The
    /// program and the kernel are compiled again for that, with line tables. None if the code is not
    /// made of the source any more.
    pub(crate) fn source_place(
        &self,
        device: &Arc<Device>,
        code: &WorkGroupCode,
        address: usize,
    ) -> Option<SourcePlace> {
        let (product, input) = self.held(device);
        let initialises = product.initialises_private_memory();
        let with_lines = source_lines::build_with_lines(&*input?, initialises)?;
        with_lines.source_place(code, address)
    }

    /// Kernels of the executables in source order, except those whose definitions differ between
    /// devices.
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
        for (_, code) in &executables {
            for kernel in code.kernels() {
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

    /// Calls `make` to create a kernel object from the executables. While kernel objects exist, the
    /// program cannot be built.
    pub(crate) fn attach<T>(
        &self,
        make: impl FnOnce(Vec<(Arc<Device>, KernelCode)>) -> Result<T>,
    ) -> Result<T> {
        let mut state = self.state.lock();
        let made = make(state.executables(&self.devices))?;
        state.kernel_objects += 1;
        Ok(made)
    }

    /// Notes that a kernel object is destroyed, so that the program may be built again.
    pub(crate) fn detach(&self) {
        // A thread of the parent may have held the lock at the `fork`.
        if process_lifecycle::forked() {
            return;
        }
        self.state.lock().kernel_objects -= 1;
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
