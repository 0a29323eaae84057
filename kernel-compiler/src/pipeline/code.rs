//! Native code of a kernel: compiled now, or read from the compile cache, and loaded.

use super::compilation::{self, Emitted, Input};
use super::fallback;
use super::module_guard::LeakOnPanic;
use crate::cache::{Cache, CacheInput};
use crate::check::CheckTables;
use crate::failure::BuildFailure;
use crate::guard;
use crate::inspect::remarks;
use crate::inspect::stage::{Observer, Stage, TeeObserver};
use crate::ir::Context;
use crate::ir::diagnostics::Errors;
use crate::jit::Visible;
use crate::jit::loader::Image;
use crate::jit::stack_use;
use crate::kernel::resource_use::{PrivateMemoryUse, ResourceUse};
use crate::kernel::specialisation::Specialisation;
use crate::shim::Refused;
use crate::vectorize::{self, WidthPolicy};
use crate::work_group::{self, Resources};
use device_sim::timing::cost::{FollowedData, KernelCost, SliceDependence};
use device_sim::timing::timed_kernel::TimedKernel;
use host_exec::group_order::GroupOrder;
use host_exec::launch::{CodeAddresses, CounterSlice};
use host_exec::work_group::WorkGroupFunction;
use inkwell::memory_buffer::MemoryBuffer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Native code of one kernel. Keeps the code mapped while it lives.
pub struct WorkGroupCode {
    /// The kernel's name.
    pub kernel: String,
    /// Entry point.
    pub function: WorkGroupFunction,
    /// Bytes of scratchpad for the kernel's own `__local` variables, at the start
    /// of local memory; `__local` arguments follow.
    pub local_memory_bytes: u64,
    /// Private memory that the machine needs for it.
    pub private_memory_use: PrivateMemoryUse,
    /// Bytes of private memory that each group must be given, whatever its size.
    pub group_private_bytes: u64,
    /// Bytes of private memory that each group must be given for each of its work-items.
    pub work_item_private_bytes: u64,
    /// The order in which groups should run.
    pub group_order: GroupOrder,
    /// Stack that a call takes at most, bytes, without functions of the host that it calls.
    pub stack_bytes: usize,
    /// Cost of the blocks on the simulated machine; of timed code only.
    pub timed: Option<Arc<TimedKernel>>,
    /// What the numbers in reports of checked code mean; of checked code only.
    pub checked: Option<Arc<CheckTables>>,
    /// The data that its addresses and branches depend on: any if the code is not timed.
    pub followed: FollowedData,
    /// Entry point of its own code.
    own_function: WorkGroupFunction,
    /// What the code depends on if it is a counter slice.
    counter_slice: Option<SliceDependence>,
    /// The code that does the work of a counter slice, whose entry point is `function` then.
    worker: Option<Arc<WorkGroupCode>>,
    specialisation: Specialisation,
    /// Dropped before the code.
    visible: Visible,
    _image: Image,
}

impl WorkGroupCode {
    /// Where its machine code is, with that of functions which it calls.
    pub fn addresses(&self) -> CodeAddresses {
        self.worker().visible.addresses
    }

    /// What the code relies on.
    pub(crate) fn specialisation(&self) -> &Specialisation {
        &self.worker().specialisation
    }

    /// Whether it is for launches that write more than the host's caches hold.
    pub fn has_large_output(&self) -> bool {
        self.specialisation().large_output
    }

    /// The code that does the work of the kernel.
    fn worker(&self) -> &Self {
        self.worker.as_deref().unwrap_or(self)
    }

    /// The version of the code that has to do the work, if this is a counter slice.
    pub(crate) fn wanted_worker(&self) -> Option<Specialisation> {
        self.counter_slice.map(|_| Specialisation {
            timed: None,
            ..self.specialisation.clone()
        })
    }

    /// The counter slice, with the code that does the work.
    pub(crate) fn with_worker(self, worker: Arc<Self>) -> Self {
        Self {
            function: worker.function,
            local_memory_bytes: self.local_memory_bytes.max(worker.local_memory_bytes),
            group_private_bytes: self.group_private_bytes.max(worker.group_private_bytes),
            work_item_private_bytes: self
                .work_item_private_bytes
                .max(worker.work_item_private_bytes),
            stack_bytes: self.stack_bytes.max(worker.stack_bytes),
            worker: Some(worker),
            ..self
        }
    }

    /// What computes the counters of a group after `function`, if that does not.
    pub fn counter_slice(&self) -> Option<CounterSlice> {
        let dependence = self.counter_slice?;
        Some(CounterSlice {
            function: self.own_function,
            code: self.visible.addresses,
            dependence,
        })
    }

    /// The machine code.
    pub(crate) fn bytes(&self) -> &[u8] {
        let CodeAddresses { start, end } = self.addresses();
        if start == end {
            return &[];
        }
        // SAFETY: these are the addresses of code that is mapped while `self` lives.
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(start), end - start) }
    }

    /// Bytes `WorkGroupContext::private_memory` must hold for groups of `work_items`.
    pub fn private_bytes(&self, work_items: u64) -> u64 {
        self.group_private_bytes + self.work_item_private_bytes * work_items
    }
}

/// The object file of one kernel for one specialisation.
pub struct KernelObject {
    /// ELF, relocatable.
    pub object: Vec<u8>,
    /// The resources that the kernel uses.
    pub resources: ResourceUse,
    /// The cost of its blocks on the simulated machine; of timed code only.
    pub cost: Option<KernelCost>,
}

/// What native code depends on.
#[derive(Serialize)]
struct CodeInput<'a> {
    #[serde(with = "serde_bytes")]
    bitcode: &'a [u8],
    kernel: &'a str,
    specialisation: &'a Specialisation,
    policy: WidthPolicy,
    line_table: bool,
}

impl CacheInput for CodeInput<'_> {
    const KIND: &'static str = "native code";
    const VERSION: u32 = 8;
}

/// A work-group function as the cache keeps it.
#[derive(Serialize, Deserialize)]
struct NativeCode {
    #[serde(with = "serde_bytes")]
    object: Vec<u8>,
    resources: Resources,
    cost: Option<Arc<KernelCost>>,
    counter_slice: Option<SliceDependence>,
    followed: FollowedData,
    checked: Option<Arc<CheckTables>>,
    /// An optimisation failed. Such code is not cached, so that each process reports it.
    #[serde(skip)]
    is_fallback: bool,
}

/// Native code of a kernel, compiled now or before.
///
/// # Errors
/// Code generation failed, or the object file cannot be loaded.
pub fn code(input: Input<'_>, observer: &mut dyn Observer) -> Result<WorkGroupCode, BuildFailure> {
    if remarks::are_wanted() {
        let observer = &mut TeeObserver(observer, &mut remarks::StandardError);
        return cached_code(input, observer);
    }
    cached_code(input, observer)
}

fn cached_code(
    input: Input<'_>,
    observer: &mut dyn Observer,
) -> Result<WorkGroupCode, BuildFailure> {
    let Some(cache) = Cache::get() else {
        return load(input, &compile(input, observer)?);
    };
    let key = CodeInput {
        bitcode: input.bitcode,
        kernel: &input.interface.name,
        specialisation: input.specialisation,
        policy: vectorize::width_policy_of_environment(),
        line_table: input.line_table,
    };
    // Cached code has no remarks.
    if !observer.wants(Stage::Remarks)
        && let Some(code) = cache.load(&key)
        && let Ok(loaded) = load(input, &code)
    {
        return Ok(loaded);
    }
    let code = compile(input, observer)?;
    if !code.is_fallback {
        cache.store(&key, &code);
    }
    load(input, &code)
}

fn load(input: Input<'_>, code: &NativeCode) -> Result<WorkGroupCode, BuildFailure> {
    guard::run(|| load_unguarded(input, code)).unwrap_or_else(|stopped| {
        let kernel = &input.interface.name;
        Err(BuildFailure::of_kernel(kernel, &stopped))
    })
}

/// As `load`. To be called guarded.
fn load_unguarded(input: Input<'_>, code: &NativeCode) -> Result<WorkGroupCode, BuildFailure> {
    let kernel = &input.interface.name;
    let NativeCode {
        object,
        resources,
        cost,
        counter_slice,
        followed,
        checked,
        is_fallback: _,
    } = code;
    let buffer = MemoryBuffer::create_from_memory_range_copy(object, "object");
    let checks_transfers = checked.as_ref().is_some_and(|tables| tables.dma.is_some());
    let image = Image::load(buffer, checks_transfers)?;
    let address = image.address(work_group::SYMBOL)?;
    let visible = Visible::new(object, &image, work_group::SYMBOL, kernel, address);
    // SAFETY: the symbol is the work-group function, made with this very signature.
    let function = unsafe { std::mem::transmute::<u64, WorkGroupFunction>(address) };
    Ok(WorkGroupCode {
        kernel: kernel.to_owned(),
        function,
        own_function: function,
        local_memory_bytes: resources.local_memory,
        private_memory_use: resources.private,
        group_private_bytes: resources.group_private,
        work_item_private_bytes: resources.work_item_private,
        group_order: GroupOrder::first_along(resources.group_dimension),
        stack_bytes: stack_use::stack_bytes(object),
        timed: cost.clone().map(|cost| Arc::new(TimedKernel::new(cost))),
        checked: checked.clone(),
        followed: followed.clone(),
        counter_slice: *counter_slice,
        worker: None,
        specialisation: input.specialisation.clone(),
        visible,
        _image: image,
    })
}

fn compile(input: Input<'_>, observer: &mut dyn Observer) -> Result<NativeCode, BuildFailure> {
    log::debug!("compiles kernel `{}`", input.interface.name);
    compile_guarded(input, observer, |emitted| NativeCode {
        object: emitted.object.as_slice().to_vec(),
        resources: emitted.formation.resources,
        cost: emitted.cost.map(Arc::new),
        counter_slice: emitted.counter_slice,
        followed: emitted.followed,
        checked: emitted.checked.map(Arc::new),
        is_fallback: emitted.is_fallback,
    })
}

/// Compiles a kernel whose stages `observer` shows, timed code as a whole; loads and caches nothing.
///
/// # Errors
/// Code generation failed.
pub fn compile_for_inspection(
    input: Input<'_>,
    observer: &mut dyn Observer,
) -> Result<KernelObject, BuildFailure> {
    let input = Input {
        counter_slice: false,
        ..input
    };
    compile_guarded(input, observer, |emitted| KernelObject {
        resources: emitted.resource_use(),
        object: emitted.object.as_slice().to_vec(),
        cost: emitted.cost,
    })
}

/// Compiles a kernel on guarded threads, a new one and a new context for each attempt; `finish`
/// takes from the result what outlives the context.
fn compile_guarded<R: Send>(
    input: Input<'_>,
    observer: &mut dyn Observer,
    finish: impl Fn(Emitted) -> R + Sync,
) -> Result<R, BuildFailure> {
    fallback::compile(&input.interface.name, |attempt| {
        let context = LeakOnPanic::new(Context::create());
        let errors = Errors::collect(&context);
        let emitted = compilation::compile(&context, input, attempt, observer)?;
        match errors.first() {
            Some(error) => Err(Refused(error)),
            None => Ok(finish(emitted)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::check_distinct;
    use crate::check::Checks;
    use crate::kernel::image_argument::KnownArgument;
    use crate::kernel::specialisation::{Timed, TimedPurpose};
    use device_sim::machine::{CodeMemory, CodeStackLayout, Machine};

    fn timed(change: impl FnOnce(&mut Machine, &mut CodeStackLayout)) -> Specialisation {
        let mut machine = Machine::mt3000();
        let mut layout = CodeStackLayout::from(&machine.layout);
        change(&mut machine, &mut layout);
        Specialisation {
            timed: Some(Timed {
                machine: Arc::new(machine),
                layout,
                purpose: TimedPurpose::Execution,
            }),
            ..Specialisation::default()
        }
    }

    #[test]
    fn the_key_depends_on_each_field_and_on_the_machines_numbers() {
        let known = |known| Specialisation {
            images: vec![known],
            ..Specialisation::default()
        };
        let image = |channel_order, channel_data_type, element_size| {
            known(KnownArgument::Image {
                channel_order,
                channel_data_type,
                element_size,
            })
        };
        let timed_for = |purpose| {
            let mut specialisation = timed(|_, _| {});
            if let Some(timed) = &mut specialisation.timed {
                timed.purpose = purpose;
            }
            specialisation
        };
        let specialisations = [
            Specialisation {
                local_size: Some([8, 1, 1]),
                ..Specialisation::default()
            },
            Specialisation {
                local_size: Some([1, 8, 1]),
                ..Specialisation::default()
            },
            Specialisation {
                small_launch: true,
                ..Specialisation::default()
            },
            Specialisation {
                without_offset: true,
                ..Specialisation::default()
            },
            Specialisation {
                separate_objects: true,
                ..Specialisation::default()
            },
            Specialisation {
                checks: Checks::DMA,
                ..Specialisation::default()
            },
            Specialisation {
                checks: Checks::MEMORY,
                ..Specialisation::default()
            },
            known(KnownArgument::Sampler(1)),
            known(KnownArgument::Sampler(2)),
            image(1, 2, 3),
            image(2, 2, 3),
            image(1, 3, 3),
            image(1, 2, 4),
            timed(|_, _| {}),
            timed(|machine, _| machine.array.lanes.value += 1),
            timed(|machine, _| machine.name.push('2')),
            timed(|_, layout| layout.stack_percent += 1),
            timed(|_, layout| {
                layout.code = match layout.code {
                    CodeMemory::Ddr => CodeMemory::Gsm,
                    CodeMemory::Gsm => CodeMemory::Ddr,
                }
            }),
            timed_for(TimedPurpose::Prediction),
            timed_for(TimedPurpose::Advice),
        ];
        let plain = Specialisation::default();
        let base = || CodeInput {
            bitcode: b"ab",
            kernel: "k",
            specialisation: &plain,
            policy: WidthPolicy::ByCost,
            line_table: false,
        };
        let mut inputs = vec![
            base(),
            CodeInput {
                bitcode: b"a",
                kernel: "bk",
                ..base()
            },
            CodeInput {
                policy: WidthPolicy::Fixed(4),
                ..base()
            },
            CodeInput {
                policy: WidthPolicy::Fixed(8),
                ..base()
            },
            CodeInput {
                line_table: true,
                ..base()
            },
        ];
        inputs.extend(specialisations.iter().map(|specialisation| CodeInput {
            specialisation,
            ..base()
        }));
        check_distinct(&inputs, &base());
    }

    #[test]
    fn notes_of_the_machine_description_are_not_part_of_the_key() {
        let plain = timed(|_, _| {});
        let annotated = timed(|machine, _| machine.array.lanes.note.push_str(" (checked)"));
        let input = |specialisation| CodeInput {
            bitcode: b"",
            kernel: "k",
            specialisation,
            policy: WidthPolicy::ByCost,
            line_table: false,
        };
        check_distinct(&[input(&plain)], &input(&annotated));
    }
}
