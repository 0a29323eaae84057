//! The recording of what the program runs on the simulated machine, in the format of crate `recording`,
//! and the simulated clock of the host program. `MOCL3_RECORD` names the folder; while a program is
//! recorded, its threads have simulated time.

use device_sim::machine::{Identity, Machine};
use device_sim::units::Nanoseconds;
use environment::{RECORD, RECORD_ALTERNATIVES, RECORD_TIMELINE};
use host_exec::host_threads;
use parking_lot::Mutex;
use recording::{Call, Command, Device, End, Header, Line, SourceFile, Writer};
use std::cell::Cell;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The recording of this process.
pub struct Recorder {
    writer: Writer,
    origin: Instant,
    /// The simulated clock of the host program. It does not advance while the program computes.
    clock: Mutex<Nanoseconds>,
    commands: AtomicU64,
    programs: AtomicU64,
    /// Whether launches are recorded with a timeline.
    pub timeline: bool,
    /// Whether launches are recorded with the times under changes.
    pub alternatives: bool,
}

static RECORDER: OnceLock<Option<Recorder>> = OnceLock::new();

/// Begins the recording, if one is wanted, before the first cluster is opened.
pub fn begin(machine: &Machine, identity: &Identity) {
    RECORDER.get_or_init(|| {
        let folder = RECORD.get()?;
        let recorder = Recorder::create(Path::new(&folder), machine, identity);
        let shown = folder.display();
        recorder
            .inspect_err(|error| eprintln!("{RECORD}={shown}: {error}; no recording"))
            .ok()
    });
}

/// The recording, if the program is recorded.
pub fn get() -> Option<&'static Recorder> {
    RECORDER.get()?.as_ref()
}

impl Recorder {
    fn create(folder: &Path, machine: &Machine, identity: &Identity) -> std::io::Result<Self> {
        let device = |number: u64| Device {
            name: format!("{} acceleration cluster {number}", machine.name),
            arrays: machine.clusters.arrays.value as u32,
            clock: None,
        };
        let alternatives = RECORD_ALTERNATIVES.is_one();
        let header = Header {
            alternatives,
            host_threads: host_threads::count() as u32,
            devices: (0..machine.clusters.count.value).map(device).collect(),
            ..Header::of_machine(machine, identity)
        };
        Ok(Self {
            writer: Writer::create(folder, header)?,
            origin: Instant::now(),
            clock: Mutex::new(Nanoseconds(1)),
            commands: AtomicU64::new(0),
            programs: AtomicU64::new(0),
            timeline: RECORD_TIMELINE.is_one(),
            alternatives,
        })
    }

    fn write(&self, line: Line) {
        // A recording that cannot be written breaks off, which `mocl3` reports.
        let _ = self.writer.write(&line);
    }

    /// Host nanoseconds since the recording began.
    pub fn host_time(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }

    /// The simulated clock.
    pub fn now(&self) -> Nanoseconds {
        *self.clock.lock()
    }

    /// The program spends simulated time; the new time.
    pub fn spend(&self, duration: Nanoseconds) -> Nanoseconds {
        let mut clock = self.clock.lock();
        *clock = clock.saturating_add(duration);
        *clock
    }

    /// The program observes something that happened at `moment`.
    pub fn observe(&self, moment: Nanoseconds) {
        let mut clock = self.clock.lock();
        *clock = moment.max(*clock);
    }

    /// The number of a new command, which the current call of this thread made.
    pub fn new_command(&self) -> u64 {
        let number = self.commands.fetch_add(1, Ordering::Relaxed) + 1;
        CALLED.set(Some(number));
        number
    }

    /// Records a command that has ended.
    pub fn command(&self, command: Command) {
        self.write(Line::Command(Box::new(command)));
        let _ = self.writer.flush();
    }

    /// Records a program with the files of its source; its number.
    pub fn program(&self, files: &[SourceFile]) -> u64 {
        let number = self.programs.fetch_add(1, Ordering::Relaxed) + 1;
        self.write(Line::Program(recording::Program {
            number,
            files: files.to_vec(),
        }));
        number
    }
}

thread_local! {
    /// The number of this thread of the host program, from 1.
    static THREAD: Cell<u64> = const { Cell::new(0) };
    /// The command that the current call made.
    static CALLED: Cell<Option<u64>> = const { Cell::new(None) };
}

fn thread() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    if THREAD.get() == 0 {
        THREAD.set(COUNT.fetch_add(1, Ordering::Relaxed) + 1);
    }
    THREAD.get()
}

/// A call of the library that is recorded when it returns.
pub struct RecordedCall {
    function: &'static str,
    begin: Nanoseconds,
    host_begin: u64,
}

impl RecordedCall {
    /// A call that begins now. None if the program is not recorded.
    pub fn begin(function: &'static str) -> Option<Self> {
        let recorder = get()?;
        CALLED.set(None);
        Some(Self {
            function,
            begin: recorder.now(),
            host_begin: recorder.host_time(),
        })
    }
}

impl Drop for RecordedCall {
    fn drop(&mut self) {
        if let Some(recorder) = get() {
            recorder.write(Line::Call(Call {
                function: self.function.into(),
                thread: thread(),
                begin: self.begin.0,
                end: recorder.now().0,
                host_begin: self.host_begin,
                host_end: recorder.host_time(),
                command: CALLED.get(),
            }));
        }
    }
}

/// Ends the recording with the process.
extern "C" fn finish_recording() {
    if let Some(recorder) = get() {
        recorder.write(Line::End(End {
            host_time: recorder.host_time(),
            time: recorder.now().0,
        }));
        let _ = recorder.writer.flush();
    }
}

#[used]
#[unsafe(link_section = ".fini_array")]
static FINISH_RECORDING: extern "C" fn() = finish_recording;
