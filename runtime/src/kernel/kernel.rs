//! The kernel object: a function of a program with its arguments.

use crate::check;
use crate::context::{Context, MemoryInitialisation};
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::handle_slot::{HandleSlot, HasHandle};
use crate::kernel::arguments::{ArgumentValue, Arguments, CapturedArguments, check_context};
use crate::kernel::code_memory;
use crate::kernel::code_versions::{CodeVersion, CodeVersions, LaunchProperties};
use crate::kernel::launch::{LaunchTarget, PreparedLaunch};
use crate::kernel::local_size_override;
use crate::kernel::needed_checks::needed_checks;
use crate::kernel::precompile;
use crate::kernel::private_memory::{self, TooMuchPrivateMemory};
use crate::kernel::sharing::Sharing;
use crate::kernel::variant::Variant;
use crate::kernel::work_group_size::{self, LaunchSizes};
use crate::program::{KernelCode, Program, argument_limits};
use crate::recording::command_record::RecordedLaunch;
use crate::recording::recorder;
use built_in_kernels::CallError;
use host_exec::launch::LaunchConfiguration;
use host_exec::work_group::NdRange;
use kernel_compiler::Cause;
use kernel_compiler::executable::{
    KernelArgument, KernelInterface, NormalisedSpecialisation, Specialisation, WorkGroupCode,
};
use std::sync::Arc;

/// A launch whose memories the machine has.
struct FittedLaunch {
    nd_range: NdRange,
    code: Arc<CodeVersion>,
    local_memory: u64,
    /// The properties that the code is chosen by, if it has checks.
    checked: Option<LaunchProperties>,
}

/// A kernel object.
///
/// ```
/// use runtime::context::Context;
/// use runtime::device::platform::Platform;
/// use runtime::kernel::{ArgumentValue, Kernel};
/// use runtime::program::Program;
/// use std::sync::Arc;
///
/// let context = Context::new(vec![Arc::clone(&Platform::get().devices()[0])], None)?;
/// let program = Program::from_source(&context, "kernel void k(int x) {}".into());
/// program.build(&[], "", None)?;
/// let kernel = Kernel::new(&program, "k")?;
/// assert_eq!(kernel.argument(0)?.name, "x");
/// let number = 7_i32.to_ne_bytes();
/// let read = || &number[..];
/// kernel.set_argument(0, ArgumentValue::Bytes { size: 4, read: &read })?;
/// assert!(kernel.set_argument(0, ArgumentValue::Bytes { size: 8, read: &read }).is_err());
/// # Ok::<(), runtime::error::Error>(())
/// ```
pub struct Kernel {
    handle: HandleSlot,
    program: Arc<Program>,
    interface: Arc<KernelInterface>,
    /// Its name, for recordings.
    recorded_name: Arc<str>,
    variants: Vec<Variant>,
    pub(super) arguments: Arguments,
    versions: CodeVersions,
}

impl Kernel {
    /// `clCreateKernel`.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`, `InvalidKernelName`, `InvalidKernelDefinition`.
    pub fn new(program: &Arc<Program>, name: &str) -> Result<Arc<Self>> {
        program.attach(|codes| Self::from_codes(program, name, codes))
    }

    fn from_codes(
        program: &Arc<Program>,
        name: &str,
        codes: Vec<(Arc<Device>, KernelCode)>,
    ) -> Result<Arc<Self>> {
        let (interface, variants) = Variant::all(name, codes)?;
        Ok(Arc::new(Self {
            handle: HandleSlot::default(),
            program: Arc::clone(program),
            arguments: Arguments::new(&interface),
            recorded_name: interface.name.as_str().into(),
            interface: Arc::new(interface),
            variants,
            versions: CodeVersions::default(),
        }))
    }
    /// Its program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
    /// Its context.
    pub fn context(&self) -> &Arc<Context> {
        self.program().context()
    }
    /// Its name, arguments and attributes.
    pub fn interface(&self) -> &KernelInterface {
        &self.interface
    }
    /// Argument `index`.
    ///
    /// # Errors
    /// `InvalidArgIndex`.
    pub fn argument(&self, index: usize) -> Result<&KernelArgument> {
        self.interface.arguments.get(index).ok_or_else(|| {
            Error::new(
                Code::InvalidArgIndex,
                format!(
                    "kernel `{}` has {} arguments and no argument {index}",
                    self.interface.name,
                    self.interface.arguments.len()
                ),
            )
        })
    }
    /// `clSetKernelArg`. The value's kind must be the argument's.
    ///
    /// # Errors
    /// `InvalidArgIndex`, `InvalidArgSize`, `InvalidArgValue`, `InvalidMemObject`,
    /// `InvalidSampler`.
    pub fn set_argument(&self, index: usize, value: ArgumentValue<'_>) -> Result<()> {
        let argument = self.argument(index)?;
        if let ArgumentValue::Bytes { size: 4, read } = value
            && let Some(kernel) = self.variants.iter().find_map(Variant::built_in)
        {
            let bits = read()
                .first_chunk()
                .map_or(0, |word| u32::from_ne_bytes(*word));
            let declared = &kernel.declaration().arguments[index];
            let invalid = |error: CallError| Error::new(Code::InvalidArgValue, error.to_string());
            let size = declared.kind.size(bits).unwrap_or_default();
            declared.check_size(size).map_err(invalid)?;
        }
        self.arguments.set(index, argument, value, self.context())
    }

    /// The code for a device: its own, or that of its nearest ancestor (5.6.5).
    fn variant(&self, device: &Arc<Device>) -> Result<&Variant> {
        let variant_of = |device| {
            let mut variants = self.variants.iter();
            variants.find(|variant| Arc::ptr_eq(&variant.device, device))
        };
        device.lineage().find_map(variant_of).ok_or_else(|| {
            Error::new(
                Code::InvalidProgramExecutable,
                "the program is not built for that device",
            )
        })
    }

    /// The local size that the source requires (`reqd_work_group_size`), if any.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`.
    pub fn required_work_group_size(&self, device: &Arc<Device>) -> Result<Option<[u64; 3]>> {
        Ok(self.variant(device)?.interface().required_work_group_size)
    }

    fn compile(
        &self,
        variant: &Variant,
        version: NormalisedSpecialisation,
    ) -> Result<Arc<WorkGroupCode>> {
        variant
            .executable()?
            .work_group_code(variant.number, version)
            .map_err(|failure| {
                self.context().notify(&failure.log);
                let code = match failure.cause {
                    Cause::HostMemory => Code::OutOfHostMemory,
                    Cause::Program | Cause::HostThreads => Code::OutOfResources,
                };
                Error::new(code, failure.log)
            })
    }

    /// Code for any launch, from which the kernel's resource use is queried.
    fn general_code(&self, device: &Arc<Device>) -> Result<Arc<WorkGroupCode>> {
        let variant = self.variant(device)?;
        let wanted = Specialisation {
            small_launch: true,
            checks: check::checks(),
            ..Default::default()
        };
        let version = variant.executable()?.normalise(variant.number, wanted);
        self.compile(variant, version)
    }

    /// Code for a launch with these properties.
    fn code_for(
        &self,
        variant: &Variant,
        properties: LaunchProperties,
    ) -> Result<Arc<CodeVersion>> {
        let executable = variant.executable()?;
        if let Some(code) = self.versions.cached(executable, &properties) {
            return Ok(code);
        }
        argument_limits::check(&variant.device, &self.interface)?;
        let compile = |version: NormalisedSpecialisation| {
            precompile::compile(executable, variant.number, &version);
            self.compile(variant, version)
        };
        self.versions.choose(
            &self.program,
            executable,
            variant.number,
            &variant.device,
            properties,
            compile,
        )
    }

    /// `CL_KERNEL_LOCAL_MEM_SIZE`: the kernel's own variables and its arguments as set now, bytes.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`; `OutOfResources` if the code cannot be compiled.
    pub fn local_memory_size(&self, device: &Arc<Device>) -> Result<u64> {
        if self.variant(device)?.built_in().is_some() {
            return Ok(0);
        }
        let own = self.general_code(device)?.local_memory_bytes;
        Ok(own.saturating_add(self.arguments.local_memory()))
    }
    /// `CL_KERNEL_PRIVATE_MEM_SIZE`, bytes per work-item.
    ///
    /// # Errors
    /// As `local_memory_size`.
    pub fn private_memory_size(&self, device: &Arc<Device>) -> Result<u64> {
        if self.variant(device)?.built_in().is_some() {
            return Ok(0);
        }
        Ok(self
            .general_code(device)?
            .private_memory_use
            .per_work_item())
    }
    /// `CL_KERNEL_WORK_GROUP_SIZE`: what private memory permits, with local memory as set now. 1 if
    /// the private memory of one work-item is too much, which a launch reports.
    ///
    /// # Errors
    /// As `local_memory_size`.
    pub fn max_work_group_size(&self, device: &Arc<Device>) -> Result<u64> {
        // Work-items keep nothing without barriers, so that the size does not matter.
        let has_barriers = self.variant(device)?.interface().has_barriers;
        if !has_barriers || !private_memory::is_limited() {
            return Ok(device.max_work_group_size());
        }
        let code = self.general_code(device)?;
        let local_memory = self.local_memory_size(device)?;
        Ok(private_memory::most_work_items(device, &code, local_memory).unwrap_or(1))
    }
    /// `CL_KERNEL_GLOBAL_WORK_SIZE`; none of a compiled kernel.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`.
    pub fn max_global_size(&self, device: &Arc<Device>) -> Result<Option<[u64; 3]>> {
        let built_in = self.variant(device)?.built_in();
        Ok(built_in.map(|_| work_group_size::TASK_SIZE))
    }
    /// Whether it can execute on a device of its context.
    pub fn runs_on(&self, device: &Arc<Device>) -> bool {
        self.context().contains(device) && self.variant(device).is_ok()
    }

    /// The local size of a launch that gives none (`clGetKernelSuggestedLocalWorkSizeKHR`).
    /// Dimensions beyond the global size's are 1.
    ///
    /// # Errors
    /// As for `launch`.
    pub fn suggested_local_size(
        &self,
        target: LaunchTarget<'_>,
        global_offset: Option<&[usize]>,
        global_size: &[usize],
    ) -> Result<[u64; 3]> {
        let variant = self.variant_for(target)?;
        let mut captured = self.arguments.capture(&self.interface)?;
        let sizes = LaunchSizes {
            global_offset,
            global_size,
            local_size: None,
        };
        if variant.built_in().is_some() {
            work_group_size::check_task(target.device, sizes)?;
            return Ok(work_group_size::TASK_SIZE);
        }
        self.fit(target, variant, &mut captured, sizes)
            .map(|fitted| fitted.nd_range.local_size)
    }

    /// Chooses index space and code of a launch, and places its local memory.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` for sizes and memory.
    fn fit(
        &self,
        target: LaunchTarget<'_>,
        variant: &Variant,
        captured: &mut CapturedArguments,
        sizes: LaunchSizes<'_>,
    ) -> Result<FittedLaunch> {
        let device = target.device;
        let required = variant.interface().required_work_group_size;
        let given = match required {
            None => local_size_override::of(&variant.interface().name),
            Some(_) => None,
        };
        let sizes = LaunchSizes {
            local_size: given.or(sizes.local_size),
            ..sizes
        };
        let is_chosen = sizes.local_size.is_none() && required.is_none();
        let mut chosen_limit = u64::MAX;
        loop {
            let nd_range = work_group_size::nd_range(device, required, sizes, chosen_limit)?;
            let images = captured.images.clone();
            let properties =
                LaunchProperties::new(&nd_range, &captured.accesses, images, target.timed);
            let checked = (!properties.checks().is_empty()).then(|| properties.clone());
            let code = self.code_for(variant, properties)?;
            code_memory::check(device, &code.native)
                .map_err(|error| self.out_of_resources(&error))?;
            let check = |bytes| self.check_local_memory(device, bytes);
            let local_memory =
                captured.place_local_pointers(code.native.local_memory_bytes, check)?;
            let work_items = nd_range.work_items_per_group();
            match private_memory::check_group(device, &code.native, work_items, local_memory) {
                Ok(()) => {
                    return Ok(FittedLaunch {
                        nd_range,
                        code,
                        local_memory,
                        checked,
                    });
                }
                Err(TooMuchPrivateMemory {
                    most_work_items: Some(most),
                    ..
                }) if is_chosen => chosen_limit = most.min(work_items - 1),
                Err(error) => return Err(self.out_of_resources(&error)),
            }
        }
    }

    /// The code for a launch target, checked before the launch's sizes are.
    pub(super) fn variant_for(&self, target: LaunchTarget<'_>) -> Result<&Variant> {
        check_context(self.context(), target.context, Code::InvalidContext)?;
        self.variant(target.device)
    }

    /// A launch with the arguments as they are set now.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` for kernel and sizes.
    pub(crate) fn launch(
        &self,
        target: LaunchTarget<'_>,
        sizes: LaunchSizes<'_>,
    ) -> Result<PreparedLaunch> {
        let device = target.device;
        let variant = self.variant_for(target)?;
        // Captured without holding the lock until the end: compiling takes long, and may call the
        // host program.
        let mut captured = self.arguments.capture(&self.interface)?;
        let FittedLaunch {
            nd_range,
            mut code,
            local_memory,
            checked,
        } = self.fit(target, variant, &mut captured, sizes)?;
        if let Some(properties) = checked {
            let needed = needed_checks(&code.native, &captured, &nd_range, properties.checks());
            if needed != properties.checks() {
                code = self.code_for(variant, properties.with_checks(needed))?;
            }
        }
        let work_items = nd_range.work_items_per_group();
        let configuration = LaunchConfiguration {
            nd_range,
            group_order: code.native.group_order,
            local_memory,
            zeroes_local_memory: self.context().initialises(MemoryInitialisation::LOCAL),
            private_memory: code.native.private_bytes(work_items),
            machine_private_memory: private_memory::of_group(&code.native, work_items),
        };
        let mut launch = PreparedLaunch {
            interface: Arc::clone(&self.interface),
            context: Arc::clone(self.context()),
            device: Arc::clone(device),
            code,
            block: captured.block,
            configuration,
            accesses: captured.accesses,
            checked_arguments: captured.checked,
            local_pointers: captured.local_pointers,
            sharing: None,
        };
        launch.sharing = Sharing::of(|| launch.key());
        Ok(launch)
    }

    /// Replaces a launch's arguments by those set now.
    ///
    /// # Errors
    /// `InvalidKernelArgs`.
    pub(crate) fn capture_again(&self, launch: &mut PreparedLaunch) -> Result<()> {
        let mut captured = self.arguments.capture(&self.interface)?;
        captured.place_local_pointers(launch.code.native.local_memory_bytes, |_| Ok(()))?;
        (launch.block, launch.accesses) = (captured.block, captured.accesses);
        launch.checked_arguments = captured.checked;
        launch.local_pointers = captured.local_pointers;
        Ok(())
    }

    /// The record of a launch; none if the process is not recorded.
    pub(crate) fn record(&self, launch: &PreparedLaunch) -> Option<Box<RecordedLaunch>> {
        if !recorder::is_on() {
            return None;
        }
        let nd_range = &launch.configuration.nd_range;
        let timed = launch.code.native.timed.as_ref();
        let files = timed.map_or(&[][..], |timed| &timed.cost().files[..]);
        let dimensions = nd_range.work_dimensions as usize;
        Some(Box::new(RecordedLaunch {
            kernel: Arc::clone(&self.recorded_name),
            program: self.program.recorded_number(files),
            global_size: nd_range.global_size[..dimensions].into(),
            local_size: nd_range.local_size[..dimensions].into(),
        }))
    }

    /// A kernel that the machine cannot run.
    fn out_of_resources(&self, reason: &dyn std::error::Error) -> Error {
        let sentence = format!("kernel {}: {reason}", self.interface.name);
        Error::new(Code::OutOfResources, sentence)
    }

    fn check_local_memory(&self, device: &Device, bytes: u64) -> Result<()> {
        let limit = device.local_memory_size();
        if bytes <= limit {
            return Ok(());
        }
        Err(Error::new(
            Code::OutOfResources,
            format!(
                "kernel {} needs {bytes} bytes of local memory; the array has {limit}",
                self.interface.name
            ),
        ))
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.detach();
    }
}

impl HasHandle for Kernel {
    fn handle_slot(&self) -> &HandleSlot {
        &self.handle
    }
}
