//! Recordings of what ran on the simulated machine: `MOCL3_RECORD` names the folder into which
//! each process writes a file (crate `recording`). While there is one, the commands of all queues
//! are timed.

use crate::device::Device;
use crate::device::platform::Platform;
use crate::event::ProfilingPoint;
use crate::kernel::Kernel;
use crate::kernel::launch::Launch;
use crate::program::Program;
use crate::queue::{CommandQueue, QueueProperties};
use crate::time::command_work::CommandWork;
use crate::time::simulated_command::SimulatedCommand;
use crate::time::simulated_schedule;
use ::recording::{End, Header, Line, Peaks, SourceFile, Writer};
use device_sim::machine::Machine;
use environment::{RECORD, RECORD_TIMELINE};
use host_exec::{host_threads, process_lifecycle};
use once_cell::sync::Lazy;
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Where the file is to be. Forced by the first call of the process.
static FOLDER: Lazy<Option<PathBuf>> = Lazy::new(|| {
    let folder = RECORD.get()?;
    Lazy::force(&ORIGIN);
    Some(folder.into())
});

/// The file. Not made before the devices are opened: until then a process may fork, and parent
/// and child have files of their own.
static WRITER: Lazy<Option<Writer>> = Lazy::new(|| {
    let folder = FOLDER.as_ref()?;
    let writer = Writer::create(folder, header());
    writer
        .inspect_err(|error| {
            log::warn!("{RECORD}={}: {error}; no recording", folder.display());
        })
        .ok()
});

static ORIGIN: Lazy<Instant> = Lazy::new(Instant::now);

/// What is to be written.
struct Lines {
    /// From before there was a file.
    early: Vec<Line>,
    /// The last line has been written, or nothing more can be.
    closed: bool,
}

static LINES: Mutex<Lines> = Mutex::new(Lines {
    early: Vec::new(),
    closed: false,
});

/// Whether there is a recording.
pub fn is_on() -> bool {
    FOLDER.is_some() && Lazy::get(&WRITER).is_none_or(Option::is_some)
}

/// Whether launches are to be recorded with pieces of the arrays' time.
pub fn wants_timeline() -> bool {
    static WANTED: Lazy<bool> = Lazy::new(|| {
        let value = RECORD_TIMELINE.get().unwrap_or_default();
        match value.to_string_lossy().trim() {
            "" | "0" => false,
            "1" => true,
            _ => {
                let value = value.display();
                log::warn!("{RECORD_TIMELINE}={value} is neither 0 nor 1; no timeline");
                false
            }
        }
    });
    is_on() && *WANTED
}

/// Nanoseconds of the host since the first call.
fn host_time() -> u64 {
    ORIGIN.elapsed().as_nanos() as u64
}

fn write(line: Line) {
    let mut lines = LINES.lock();
    if lines.closed {
        return;
    }
    if !Platform::is_open() {
        lines.early.push(line);
        return;
    }
    let Some(writer) = &*WRITER else {
        lines.closed = true;
        return;
    };
    let mut all = std::mem::take(&mut lines.early).into_iter().chain([line]);
    let written = all.try_for_each(|line| writer.write(line));
    if let Err(error) = written {
        log::warn!(
            "{}: {error}; the recording ends here",
            writer.path().display()
        );
        lines.closed = true;
    }
}

/// The end of the process, after all handlers of `atexit` and destructors of the host program's.
extern "C" fn end() {
    if process_lifecycle::forked() || Lazy::get(&WRITER).is_none_or(Option::is_none) {
        return;
    }
    let Some(time) = simulated_schedule::end() else {
        return;
    };
    write(Line::End(End {
        host_time: host_time(),
        time,
    }));
    LINES.lock().closed = true;
}

#[used]
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = end;

fn header() -> Header {
    let arguments = std::env::args_os();
    let mut header = Header {
        arguments: arguments
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect(),
        host_threads: host_threads::count() as u32,
        ..Header::default()
    };
    let devices = Platform::get().devices();
    if let Some(device) = devices.first() {
        let machine = device.machine();
        header.machine.clone_from(&machine.name);
        header.clock = machine.clusters.clock.value;
        header.lanes = machine.array.lanes.value as u32;
        header.dma_channels = machine.dma.channels.value as u32;
        header.peaks = peaks(machine);
    }
    header.devices = devices
        .iter()
        .map(|device| ::recording::Device {
            name: device.name(),
            arrays: device.compute_units(),
        })
        .collect();
    header
}

/// What the machine can do at most, in a second.
fn peaks(machine: &Machine) -> Peaks {
    let clock = machine.clusters.clock.value;
    let (memory, array) = (&machine.memory, &machine.array);
    let (am, sm) = (&memory.am, &memory.sm);
    let (registers, slots) = (&array.vector_register, &array.slots);
    let operations = |bits| {
        let lanes = registers.value / bits;
        product(&[2, lanes, slots.vector_multiply.value, clock])
    };
    let (am_access, am_units) = (am.access.value, am.load_store_units.value);
    let (sm_access, sm_units) = (sm.access.value, sm.load_store_units.value);
    Peaks {
        single: operations(32),
        double: operations(64),
        ddr: memory.ddr.bandwidth.value,
        gsm: memory.gsm.bandwidth.value,
        hbsm: memory.hbsm.bandwidth.value,
        am: product(&[am_access, am_units, array.lanes.value, clock]),
        sm: product(&[sm_access, sm_units, clock]),
        dma: product(&[machine.dma.rate.value, clock]),
    }
}

/// Numbers of a machine file, each of which may be as large as the file may name it.
fn product(numbers: &[u64]) -> u64 {
    numbers.iter().fold(1, |all, one| all.saturating_mul(*one))
}

/// Something that is told apart from others of its kind by a number in the recording.
#[derive(Default)]
pub(crate) struct RecordId(AtomicU64);

impl RecordId {
    /// Its number, from 1 on; `first` is called if it has none yet.
    fn number(&self, count: &AtomicU64, first: impl FnOnce(u64)) -> u64 {
        let known = self.0.load(Ordering::Relaxed);
        if known != 0 {
            return known;
        }
        let number = count.fetch_add(1, Ordering::Relaxed) + 1;
        match self
            .0
            .compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed)
        {
            Ok(_) => {
                first(number);
                number
            }
            Err(known) => known,
        }
    }
}

fn queue_number(queue: &CommandQueue) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    queue.recorded().number(&COUNT, |_| ())
}

/// What has been recorded of a program.
#[derive(Default)]
pub(crate) struct RecordedProgram {
    numbered: RecordId,
    /// Names of its files.
    files: Mutex<HashSet<String>>,
}

/// Its number; it is written when that is asked for first, and later with files that timed code
/// is made of.
fn program_number(program: &Program, files: &[SourceFile]) -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let recorded = program.recorded();
    let mut is_new = false;
    let number = recorded.numbered.number(&COUNT, |_| is_new = true);
    let own = Some(program.source()).filter(|source| is_new && !source.is_empty());
    let own = own.map(|text| SourceFile {
        name: kernel_compiler::PROGRAM_NAME.into(),
        text: text.into_owned(),
    });
    let mut known = recorded.files.lock();
    let files: Vec<SourceFile> = own
        .iter()
        .chain(files)
        .filter(|file| known.insert(file.name.clone()))
        .cloned()
        .collect();
    drop(known);
    if is_new || !files.is_empty() {
        write(Line::Program(::recording::Program { number, files }));
    }
    number
}

/// What a launch is recorded with.
pub(crate) struct RecordedLaunch {
    kernel: String,
    program: u64,
    global_size: Vec<u64>,
    local_size: Vec<u64>,
}

impl RecordedLaunch {
    /// None if there is no recording.
    pub fn new(kernel: &Kernel, launch: &Launch) -> Option<Box<Self>> {
        if !is_on() {
            return None;
        }
        let nd_range = &launch.nd_range;
        let files = launch
            .code
            .timed
            .as_ref()
            .map(|timed| &timed.cost().files[..]);
        let dimensions = nd_range.work_dimensions as usize;
        Some(Box::new(Self {
            kernel: kernel.interface().name.clone(),
            program: program_number(kernel.program(), files.unwrap_or_default()),
            global_size: nd_range.global_size[..dimensions].to_vec(),
            local_size: nd_range.local_size[..dimensions].to_vec(),
        }))
    }
}

/// A command that is to be recorded when its times are known.
pub(crate) struct PendingRecord(::recording::Command);

impl PendingRecord {
    /// None if there is no recording.
    pub fn new(
        queue: &CommandQueue,
        kind: &str,
        waits_for: impl Iterator<Item = u64>,
        launched: Option<Box<RecordedLaunch>>,
    ) -> Option<Box<Self>> {
        if !is_on() {
            return None;
        }
        let out_of_order = QueueProperties::OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let device: &Device = queue.device();
        let mut command = ::recording::Command {
            queue: queue_number(queue),
            in_order: !queue.properties().contains(out_of_order),
            device: device.index() as u32,
            first_array: device.arrays().numbers().start as u32,
            arrays: device.compute_units(),
            kind: kind.into(),
            waited_for: waits_for.filter(|number| *number != 0).collect(),
            ..::recording::Command::default()
        };
        if let Some(launched) = launched {
            command.kernel = Some(launched.kernel);
            command.program = Some(launched.program);
            command.global_size = launched.global_size;
            command.local_size = launched.local_size;
        }
        Some(Box::new(Self(command)))
    }

    /// It begins to run on the host.
    pub fn begins(&mut self) {
        self.0.host_begin = host_time();
    }

    /// It has run on the host.
    pub fn has_run(&mut self) {
        self.0.host_end = host_time();
    }

    /// Writes it, with its times.
    pub fn write(self, time: &SimulatedCommand, spent: &CommandWork, status: i32) {
        let at = |point| time.at(point).unwrap_or(1);
        write(Line::Command(Box::new(::recording::Command {
            number: time.number(),
            status,
            bytes: spent.host.map_or(0, |work| work.bytes),
            moved: spent.moved_bytes(),
            queued: at(ProfilingPoint::Queued),
            submit: at(ProfilingPoint::Submit),
            start: at(ProfilingPoint::Start),
            end: at(ProfilingPoint::End),
            report: spent.report.as_deref().cloned(),
            ..self.0
        })));
    }
}

thread_local! {
    static THREAD: Cell<u64> = const { Cell::new(0) };
    /// The command that the call that this thread is in has put into a queue.
    static ENQUEUED: Cell<u64> = const { Cell::new(0) };
}

/// A command has this number that the call of this thread has put into a queue.
pub(crate) fn enqueued(number: u64) {
    // A thread that ends makes no calls.
    let _ = ENQUEUED.try_with(|enqueued| enqueued.set(number));
}

fn thread() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    THREAD
        .try_with(|thread| {
            if thread.get() == 0 {
                thread.set(COUNT.fetch_add(1, Ordering::Relaxed) + 1);
            }
            thread.get()
        })
        .unwrap_or(0)
}

/// A call of a function by the host program, which is recorded.
pub struct Call(Arc<PendingCall>);

/// A call whose simulated times are perhaps not known yet.
pub(crate) struct PendingCall(Mutex<::recording::Call>);

impl Call {
    /// It begins. None if there is no recording.
    pub fn begin(function: &'static str) -> Option<Self> {
        if !is_on() || process_lifecycle::forked() {
            return None;
        }
        enqueued(0);
        let record = Arc::new(PendingCall(Mutex::new(::recording::Call {
            function: function.into(),
            thread: thread(),
            host_begin: host_time(),
            ..::recording::Call::default()
        })));
        simulated_schedule::call_begins(&record);
        Some(Self(record))
    }

    /// It returns.
    pub fn end(self) {
        let mut call = self.0.0.lock();
        call.host_end = host_time();
        let number = ENQUEUED.try_with(Cell::get).unwrap_or(0);
        call.command = (number != 0).then_some(number);
        drop(call);
        simulated_schedule::call_ends(self.0);
    }
}

impl PendingCall {
    /// The simulated time at which it was called.
    pub fn begun_at(&self, time: u64) {
        self.0.lock().begin = time;
    }

    /// The simulated time at which it returned; it is written.
    pub fn ended_at(&self, time: u64) {
        let mut call = self.0.lock();
        call.end = time;
        write(Line::Call(std::mem::take(&mut call)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_of_a_machine_that_is_fast_beyond_measure_do_not_overflow() {
        let mut machine = Machine::mt3000();
        let double = peaks(&machine).double;
        assert_eq!(double, 2 * 16 * 3 * 1_200_000_000);
        machine.clusters.clock.value = 1 << 40;
        machine.array.vector_register.value = 1 << 20;
        machine.array.slots.vector_multiply.value = 64;
        machine.memory.am.access.value = 1 << 10;
        machine.memory.am.load_store_units.value = 64;
        machine.array.lanes.value = 1024;
        let peaks = peaks(&machine);
        assert_eq!((peaks.double, peaks.am), (1 << 61, u64::MAX));
    }
}
