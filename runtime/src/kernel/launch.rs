//! A launch of a kernel: its code, arguments, index space and memory.

use crate::check;
use crate::check::mapped::MappedAccess;
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::kernel::argument_block::ArgumentBlock;
use crate::kernel::capture;
use crate::kernel::code_versions::CodeVersion;
use crate::kernel::launch_key::LaunchKey;
use crate::kernel::sharing::{self, Sharing};
use crate::memory::memory_access::{MemoryAccess, MemoryAccesses, migrate_in};
use crate::memory::missing_results;
use crate::memory::transfer::MemoryLocation;
use crate::recording::recorder;
use crate::time::command_work::CommandWork;
use crate::time::prediction_mode::PredictionMode;
use device_sim::timing::cost::FollowedData;
use device_sim::timing::pending_report::PendingReport;
use host_exec::error::ExecError;
use host_exec::launch::{self, CounterSlice, LaunchConfiguration};
use host_exec::memory_checker::ArgumentMemory;
use host_exec::printf_buffer::Recording;
use host_exec::signals::kernel_description::{DescribedArgument, KernelDescription, SourceLookup};
use host_exec::store_trial::Stores;
use kernel_compiler::executable::{ArgumentKind, KernelInterface};
use recording::Prediction;
use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Maximum expected duration of a short launch: about what it costs to hand a command to another
/// thread, most of it for moving its data between the processors' caches.
const SHORT: Duration = Duration::from_micros(1);

/// The same of timed launches: the threads share the log of what decides about times, too.
const SHORT_TIMED: Duration = Duration::from_micros(3);

/// The target of a launch: a queue's context and device.
#[derive(Clone, Copy)]
pub struct LaunchTarget<'a> {
    pub(crate) context: &'a Arc<Context>,
    pub(crate) device: &'a Arc<Device>,
    /// Whether the launch is timed on the simulated machine.
    pub(crate) timed: bool,
}

/// What is known of the time of a launch.
#[derive(Default)]
struct TimedLaunch {
    /// Its report, if the code is timed.
    report: Option<PendingReport>,
    /// Its prediction, if it was predicted.
    predicted: Option<Prediction>,
}

/// A launch with everything that its execution needs.
pub(crate) struct PreparedLaunch {
    pub interface: Arc<KernelInterface>,
    pub context: Arc<Context>,
    pub device: Arc<Device>,
    pub code: Arc<CodeVersion>,
    pub block: ArgumentBlock,
    pub configuration: LaunchConfiguration,
    /// Memory objects among the arguments. They are alive until the launch has ended, with their
    /// bytes and the descriptors of images.
    pub accesses: MemoryAccesses,
    /// The memory of each argument, if accesses are checked.
    pub checked_arguments: Vec<ArgumentMemory>,
    /// Offset in the block, and size in bytes, of each pointer to local memory.
    pub local_pointers: Vec<(usize, u64)>,
    /// How it shares its time; none if it is executed in any case.
    pub sharing: Option<Arc<Sharing>>,
}

impl PreparedLaunch {
    /// Whether it is expected to take less time than handing it to another thread, by the last
    /// two launches of the same code. Not known of checked launches.
    pub fn is_short(&self) -> bool {
        let groups = self.configuration.nd_range.groups();
        let expected = self.code.group_time.expected_if_uninterrupted(groups);
        let native = &self.code.native;
        let limit = match native.timed {
            Some(_) => SHORT_TIMED,
            None => SHORT,
        };
        native.checked.is_none() && expected.is_some_and(|expected| expected <= limit)
    }

    /// What its simulated time depends on; none if it has none.
    pub fn key(&self) -> Option<LaunchKey> {
        self.code.native.timed.as_ref()?;
        Some(LaunchKey::compiled(
            &self.code.native,
            self.device.arrays(),
            &self.configuration,
            (&self.interface.arguments, &self.block),
            &self.accesses,
        ))
    }

    /// Migrates its memory objects to the device, and executes it. If the context is terminated
    /// meanwhile, some work-groups are left out.
    ///
    /// # Errors
    /// `OutOfResources`: the host has no memory for local or private memory.
    pub fn run(&self) -> Result<CommandWork> {
        if check::follows_mappings() {
            self.report_mapped();
        }
        let known = sharing::known_report(self.sharing.as_deref());
        self.check_missing_results(known.is_some())?;
        let location = MemoryLocation::of_device(&self.device);
        let moved = migrate_in(&self.accesses, location);
        let mut predicted = None;
        if let Some(report) = known {
            return Ok(CommandWork {
                moved,
                report: Some(report),
                ..CommandWork::default()
            });
        }
        let execute = || {
            let is_executed =
                PredictionMode::get() != PredictionMode::Only || self.predictable_slice().is_none();
            let capture = is_executed.then(|| capture::begin(self.launched()));
            let capture = capture.flatten();
            let recording = capture::record();
            let timed = self.block.aligned(|arguments| self.execute(arguments));
            let timed =
                timed.map_err(|error| Error::new(Code::OutOfResources, error.to_string()))?;
            if let Some(capture) = capture {
                capture.finish(recording.and_then(Recording::finish));
            }
            predicted = timed.predicted;
            Ok(timed.report)
        };
        let report = sharing::report(self.sharing.as_deref(), &self.context, execute)?;
        Ok(CommandWork {
            moved,
            report,
            predicted,
            ..CommandWork::default()
        })
    }

    /// What is captured of it.
    fn launched(&self) -> capture::Launched<'_> {
        capture::Launched {
            interface: &self.interface,
            code: &self.code,
            block: &self.block,
            configuration: &self.configuration,
            accesses: &self.accesses,
            local_pointers: &self.local_pointers,
        }
    }

    /// Notes that results will be missing if the launch is not executed: it shares the time of another
    /// one, or is predicted.
    ///
    /// # Errors
    /// `OutOfResources`: it has to be executed, and results that decide where it accesses memory or what
    /// it does are missing.
    fn check_missing_results(&self, shares: bool) -> Result<()> {
        let is_predicted = PredictionMode::get() == PredictionMode::Only;
        if !is_predicted && !missing_results::are_shared() {
            return Ok(());
        }
        if shares || (is_predicted && self.predictable_slice().is_some()) {
            missing_results::note(&self.accesses);
            return Ok(());
        }
        let are_missing = match is_predicted {
            true => missing_results::are_in(&self.accesses),
            false => missing_results::are_in(self.followed()),
        };
        if are_missing {
            let kernel = &self.interface.name;
            let why = match is_predicted {
                true => "were predicted, not executed",
                false => {
                    "shared the time of an equal one and were not executed; run the program without \
                          sharing launches (MOCL3_SHARE_LAUNCHES, mocl3 mpi --share-launches)"
                }
            };
            let sentence =
                format!("what `{kernel}` does depends on results of launches that {why}");
            return Err(Error::new(Code::OutOfResources, sentence));
        }
        missing_results::pass_on(&self.accesses);
        Ok(())
    }

    /// The accesses to objects whose contents decide about addresses and branches. With images and
    /// checked code these may be all.
    fn followed(&self) -> impl Iterator<Item = &MemoryAccess> {
        let followed = &self.code.native.followed;
        let arguments = self.interface.arguments.iter();
        let offsets = arguments.map(|argument| argument.offset);
        let offsets = offsets.filter(|offset| followed.contains(*offset as u64));
        let starts: Vec<usize> = offsets.map(|offset| self.block.pointer(offset)).collect();
        self.accesses.iter().filter(move |access| {
            *followed == FollowedData::Any || starts.contains(&access.object.start().0.addr())
        })
    }

    /// The counter slice by which the launch can be predicted in the selected mode.
    fn predictable_slice(&self) -> Option<CounterSlice> {
        let native = &self.code.native;
        let slice = native.timed.as_ref().and(native.counter_slice())?;
        match PredictionMode::get() {
            PredictionMode::Off => None,
            PredictionMode::Only => (!slice.dependence.buffers).then_some(slice),
            PredictionMode::Compare => Some(slice),
        }
    }

    /// Reports its accesses to memory objects that are mapped. The code counts as reading and writing
    /// what it has loads and stores of.
    fn report_mapped(&self) {
        let tables = self.code.native.checked.as_deref();
        let Some(table) = tables.and_then(|tables| tables.memory.as_ref()) else {
            return;
        };
        let arguments = self.interface.arguments.iter().enumerate();
        let of_objects = arguments.filter(|(index, argument)| {
            let memory = self.checked_arguments.get(*index);
            memory.is_some_and(|memory| match argument.kind {
                ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer => memory.address != 0,
                ArgumentKind::Image => true,
                _ => false,
            })
        });
        for ((index, argument), access) in of_objects.zip(&self.accesses) {
            let object = &access.object;
            let conflict = [true, false].into_iter().find_map(|writes| {
                let is_accessed = table.accesses(index, writes);
                let part = is_accessed.then(|| object.conflicting_mapping(writes))??;
                Some(MappedAccess {
                    writes,
                    mapped: part.bytes,
                    for_writing: part.for_writing,
                })
            });
            if let Some(access) = conflict {
                let kernel = &self.interface.name;
                let argument = (index, argument.name.as_str());
                check::mapped::of_kernel(&self.context, kernel, argument, object.size(), &access);
            }
        }
    }

    /// Executes the launch, or predicts its time.
    fn execute(&self, arguments: &[u8]) -> std::result::Result<TimedLaunch, ExecError> {
        let launch = launch::Launch {
            kernel: self,
            number: launch::next_number(),
            function: self.code.native.function,
            code: self.code.native.addresses(),
            stack_bytes: self.code.native.stack_bytes,
            arguments,
            configuration: self.configuration,
            arrays: self.device.arrays(),
            stop: self.context.termination_flag(),
            limit: None,
            group_time: &self.code.group_time,
            store_trial: self.code.store_trial(),
            stores: Stores::Streaming,
            dma_checker: None,
            memory_checker: None,
            barrier_checker: None,
            race_checker: None,
            recorder: None,
            counter_slice: self.code.native.counter_slice(),
        };
        // Compiled kernels have code for clusters only.
        let Some(cluster) = self.device.cluster() else {
            return Ok(TimedLaunch::default());
        };
        // SAFETY: the block is laid out as the code's interface says; buffers and code
        // are kept alive by this value. The program is responsible for the kernel's accesses
        // through its pointers.
        unsafe {
            if self.code.native.checked.is_some() {
                let arguments = &self.checked_arguments;
                for finding in check::run(cluster, &launch, &self.code.native, arguments)? {
                    self.context.notify(&finding);
                }
                return Ok(TimedLaunch::default());
            }
            let Some(kernel) = &self.code.native.timed else {
                cluster.run(&launch)?;
                return Ok(TimedLaunch::default());
            };
            let mut predicted = None;
            if let Some(slice) = self.predictable_slice() {
                let begin = Instant::now();
                let report = cluster.predict(&launch, &slice, kernel)?;
                let is_executed = PredictionMode::get() == PredictionMode::Compare;
                predicted = Some(Prediction {
                    cycles: report.timing.end.0,
                    host_time: begin.elapsed().as_nanos() as u64,
                    is_executed,
                });
                if !is_executed {
                    let report = Some(PendingReport::known(report));
                    return Ok(TimedLaunch { report, predicted });
                }
            }
            let report = cluster.run_timed(&launch, kernel, recorder::details())?;
            Ok(TimedLaunch {
                report: Some(report),
                predicted,
            })
        }
    }
}

/// The kernel's name, and the sizes.
impl Display for PreparedLaunch {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let nd_range = &self.configuration.nd_range;
        let used = (nd_range.work_dimensions as usize).clamp(1, 3);
        write!(
            formatter,
            "`{}`, global size {:?}, local size {:?}",
            self.interface.name,
            &nd_range.global_size[..used],
            &nd_range.local_size[..used]
        )
    }
}

impl PreparedLaunch {
    /// Addresses of the buffer that starts there, without the end of a larger one that it is part
    /// of.
    fn buffer_at(&self, start: usize) -> Option<Range<usize>> {
        let mut objects = self.accesses.iter().map(|access| &access.object);
        let buffer = objects.find(|object| object.start().0.addr() == start)?;
        Some(start..start + buffer.size())
    }
}

impl KernelDescription for PreparedLaunch {
    fn name(&self) -> &str {
        &self.interface.name
    }

    fn source_lookup(&self) -> Option<Arc<dyn SourceLookup>> {
        Some(Arc::<CodeVersion>::clone(&self.code))
    }

    fn argument(&self, index: usize) -> Option<DescribedArgument<'_>> {
        let argument = self.interface.arguments.get(index)?;
        let addresses = match argument.kind {
            ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer => {
                match self.block.pointer(argument.offset) {
                    0 => Some(0..0),
                    start => self.buffer_at(start),
                }
            }
            _ => None,
        };
        Some(DescribedArgument {
            name: &argument.name,
            addresses,
        })
    }
}
