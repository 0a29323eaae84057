//! The choice of the version of a kernel's code for a launch.

use crate::check;
use crate::device::Device;
use crate::error::Result;
use crate::fault;
use crate::memory::memory_access::{MemoryAccess, MemoryAccesses};
use crate::memory::residency::AccessKind;
use crate::program::Program;
use findings::text;
use host_exec::host_caches;
use host_exec::launch::GroupTimeEstimate;
use host_exec::signals::kernel_description::SourceLookup;
use host_exec::store_trial::StoreTrial;
use host_exec::work_group::NdRange;
use kernel_compiler::check::Checks;
use kernel_compiler::debugger;
use kernel_compiler::executable::{
    Executable, NormalisedSpecialisation, SMALL_GRID, SMALL_OBJECT_BYTES, Specialisation,
    WorkGroupCode,
};
use kernel_compiler::image_argument::KnownArgument;
use parking_lot::Mutex;
use std::sync::Arc;

/// Most local sizes that a kernel's code is specialised for, and likewise most combinations of
/// image formats and samplers; launches with further ones share a general version.
const MAX_SPECIALISED: usize = 8;

/// What a work-item is assumed to write at most, bytes: a launch of few work-items writes a small part of a large object.
const MOST_WRITTEN_BY_ITEM: u64 = 4 << 10;

/// The properties of a launch that its code may be specialised for.
#[derive(Clone, PartialEq)]
pub(crate) struct LaunchProperties {
    local_size: [u64; 3],
    small_launch: bool,
    without_offset: bool,
    /// Images and samplers among the arguments, in their order.
    images: Vec<KnownArgument>,
    /// Whether no two memory objects share bytes.
    separate_objects: bool,
    large_output: bool,
    timed: bool,
    checks: Checks,
}

impl LaunchProperties {
    /// A launch is not timed if its accesses are checked, or if it is debugged.
    pub fn new(
        nd_range: &NdRange,
        accesses: &MemoryAccesses,
        images: Vec<KnownArgument>,
        timed: bool,
    ) -> Self {
        let timed = timed && !check::is_on() && !debugger::is_on();
        let is_small = |d: usize| nd_range.global_offset[d] + nd_range.global_size[d] <= SMALL_GRID;
        Self {
            local_size: nd_range.local_size,
            small_launch: ((0..3).all(is_small) || fault::all_grids_are_small())
                && accesses.iter().all(has_small_object),
            without_offset: nd_range.global_offset == [0; 3],
            images,
            separate_objects: are_separate(accesses),
            large_output: has_large_output(nd_range, accesses),
            timed,
            checks: check::of_code(),
        }
    }

    /// What is checked.
    pub fn checks(&self) -> Checks {
        self.checks
    }

    /// The same with other checks.
    pub fn with_checks(self, checks: Checks) -> Self {
        Self { checks, ..self }
    }
}

/// A version of a kernel's code, shared by its launches.
pub(crate) struct CodeVersion {
    pub native: Arc<WorkGroupCode>,
    /// Estimated time of a work-group, from its last launches.
    pub group_time: GroupTimeEstimate,
    store_trial: Arc<StoreTrial>,
    program: Arc<Program>,
    /// The device that the program is built for.
    device: Arc<Device>,
}

impl CodeVersion {
    /// Decides between streaming and ordinary stores, if the code may have both.
    pub fn store_trial(&self) -> Option<&StoreTrial> {
        self.native.has_large_output().then_some(&self.store_trial)
    }

    /// Its program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The device that the program is built for.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }
}

impl SourceLookup for CodeVersion {
    fn describe(&self, address: usize) -> Option<String> {
        let found = self
            .program
            .source_place(&self.device, &self.native, address)?;
        let is_kernel = found.function == self.native.kernel;
        let function = if is_kernel { "" } else { &found.function };
        Some(text::crash_place(&found.place, function))
    }
}

/// The versions of a kernel's code.
#[derive(Default)]
pub(crate) struct CodeVersions {
    /// Local sizes that code is specialised for.
    local_sizes: Mutex<Vec<[u64; 3]>>,
    /// Images and samplers that code is specialised for.
    images: Mutex<Vec<Vec<KnownArgument>>>,
    /// Of the launches with large output, whatever is launched between them.
    store_trial: Arc<StoreTrial>,
    /// The last launch: most launches have the same properties as the one before.
    last: Mutex<Option<LastLaunch>>,
}

struct LastLaunch {
    executable: Arc<Executable>,
    properties: LaunchProperties,
    code: Arc<CodeVersion>,
}

impl CodeVersions {
    /// The code of the last launch, if it had the same properties.
    pub fn cached(
        &self,
        executable: &Arc<Executable>,
        properties: &LaunchProperties,
    ) -> Option<Arc<CodeVersion>> {
        let last = self.last.lock();
        let last = last.as_ref()?;
        let is_same = Arc::ptr_eq(&last.executable, executable) && last.properties == *properties;
        is_same.then(|| Arc::clone(&last.code))
    }

    /// Chooses the version for a launch of kernel number `kernel` of `executable`, has `compile` make its code, and caches that.
    ///
    /// # Errors
    /// Errors of `compile`.
    pub fn choose(
        &self,
        program: &Arc<Program>,
        executable: &Arc<Executable>,
        kernel: usize,
        device: &Arc<Device>,
        properties: LaunchProperties,
        compile: impl FnOnce(NormalisedSpecialisation) -> Result<Arc<WorkGroupCode>>,
    ) -> Result<Arc<CodeVersion>> {
        let local_size = properties.local_size;
        let wanted = Specialisation {
            local_size: specialises(&self.local_sizes, &local_size).then_some(local_size),
            small_launch: properties.small_launch,
            without_offset: properties.without_offset,
            images: if specialises(&self.images, &properties.images) {
                properties.images.clone()
            } else {
                Vec::new()
            },
            separate_objects: properties.separate_objects,
            large_output: properties.large_output,
            timed: properties.timed.then(|| device.timed()),
            checks: properties.checks,
        };
        let code = Arc::new(CodeVersion {
            native: compile(executable.normalise(kernel, wanted))?,
            group_time: GroupTimeEstimate::default(),
            store_trial: Arc::clone(&self.store_trial),
            program: Arc::clone(program),
            device: Arc::clone(device),
        });
        *self.last.lock() = Some(LastLaunch {
            executable: Arc::clone(executable),
            properties,
            code: Arc::clone(&code),
        });
        Ok(code)
    }
}

fn has_small_object(access: &MemoryAccess) -> bool {
    (access.object.size() as u64) < SMALL_OBJECT_BYTES
}

/// Whether a launch writes more to an object than the host's caches hold, as far as known.
fn has_large_output(nd_range: &NdRange, accesses: &MemoryAccesses) -> bool {
    let large = host_caches::bypassed_from();
    let sizes = nd_range.global_size.iter();
    let most_written = sizes.fold(MOST_WRITTEN_BY_ITEM, |most, size| {
        most.saturating_mul(*size)
    });
    let is_large = |access: &MemoryAccess| {
        access.kind != AccessKind::Read && access.object.size() as u64 >= large
    };
    most_written >= large && accesses.iter().any(is_large)
}

/// Whether no two objects share bytes.
fn are_separate(accesses: &MemoryAccesses) -> bool {
    accesses.iter().enumerate().all(|(index, access)| {
        let object = &access.object;
        let start = object.start().0.addr();
        accesses[..index].iter().all(|before| {
            let other = before.object.start().0.addr();
            start + object.size() <= other || other + before.object.size() <= start
        })
    })
}

/// Whether to specialise for a value: it has been before, or the limit is not reached.
fn specialises<T: PartialEq + Clone>(known: &Mutex<Vec<T>>, value: &T) -> bool {
    let mut known = known.lock();
    if known.contains(value) {
        return true;
    }
    let below_limit = known.len() < MAX_SPECIALISED;
    if below_limit {
        known.push(value.clone());
    }
    below_limit
}
