//! The objects that the threads of one round share: contexts with queues, programs, counters and
//! mailboxes. They are created anew for each round.

use crate::command;
use crate::kernels;
use anyhow::{Result, ensure};
use cl_sys::*;
use fastrand::Rng;
use harness::call::{check, made, ok};
use harness::object::{Context, Event, Kernel, Memory, Object, Program, Queue};
use harness::{failure, watchdog};
use opencl3::device::Device;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::ffi::CString;
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A root device. Root devices exist as long as the process.
#[derive(Clone, Copy)]
pub struct Root(pub cl_device_id);

// SAFETY: a handle is a number to us, and devices are safe under threads.
unsafe impl Send for Root {}
// SAFETY: as above.
unsafe impl Sync for Root {}

/// The platform under test.
pub struct Platform {
    /// The platform's name and version.
    pub name: String,
    /// All devices of the platform.
    pub devices: Vec<Root>,
    /// Whether queries of stale handles return error codes.
    pub knows_stale_handles: bool,
    /// Whether the devices run native kernels.
    pub native_kernels: bool,
}

impl Platform {
    /// Finds the platform with `name` in its name or version.
    ///
    /// # Errors
    /// There is no such platform.
    pub fn find(name: &str) -> Result<Self> {
        let device = harness::platform::first_device(name)?;
        let platform = opencl3::platform::Platform::new(device.platform()? as *mut _);
        let devices = platform.get_devices(opencl3::device::CL_DEVICE_TYPE_ALL)?;
        let name = platform.name()?;
        Ok(Self {
            knows_stale_handles: name.contains("MOCL3"),
            name: format!("{name}, {}", platform.version()?),
            native_kernels: device.execution_capabilities()? & CL_EXEC_NATIVE_KERNEL != 0,
            devices: devices.into_iter().map(|id| Root(id.cast())).collect(),
        })
    }

    /// The first device, for queries.
    pub fn first(&self) -> Device {
        Device::new(self.devices[0].0.cast())
    }
}

/// A context with its objects.
pub struct Station {
    /// The context.
    pub context: Object<Context>,
    /// The devices of the context.
    pub devices: Vec<Root>,
    /// In-order and out-of-order queues on all devices.
    pub queues: Vec<SharedQueue>,
    /// A program that is built for all devices.
    pub program: Object<Program>,
    /// One kernel object for all threads. The mutex makes setting the arguments and launching
    /// atomic, because setting arguments is not thread-safe (OpenCL 1.2, 5.7.2).
    pub shared_kernel: Mutex<Object<Kernel>>,
    /// One word to which the kernels of all threads add.
    pub counter: Object<Memory>,
    /// The sum that the kernels have added.
    pub added: AtomicU32,
    /// A buffer of which each thread maps its own part.
    pub mapped: Object<Memory>,
}

/// A queue with its order of execution.
pub struct SharedQueue {
    /// The queue.
    pub queue: Object<Queue>,
    /// Whether its commands execute in order.
    pub in_order: bool,
}

/// Number of words of each thread in `Station::mapped`.
pub const MAPPED_WORDS: usize = 1024;

/// A buffer that one thread passes to another.
pub struct Parcel {
    /// Index of the station that the buffer belongs to.
    pub station: usize,
    /// The buffer.
    pub buffer: Object<Memory>,
    /// Contents of the buffer once `ready` is complete.
    pub words: Vec<u32>,
    /// The last command on the buffer.
    pub ready: Object<Event>,
}

/// A user event that another thread sets.
struct Gate {
    event: Object<Event>,
    status: cl_int,
}

/// All shared objects.
pub struct World {
    /// The platform.
    pub platform: Arc<Platform>,
    /// Contexts with one, two and all devices.
    pub stations: Vec<Station>,
    /// Number of threads in the round.
    pub threads: usize,
    /// The buffers that threads pass to each other.
    pub parcels: Mutex<Vec<Parcel>>,
    gates: Mutex<(VecDeque<Gate>, bool)>,
    gates_changed: Condvar,
}

/// `clCreateContext`
///
/// # Errors
/// The call fails.
pub fn context(devices: &[Root]) -> Result<Object<Context>> {
    let ids: Vec<_> = devices.iter().map(|device| device.0).collect();
    made!(clCreateContext(
        null(),
        ids.len() as cl_uint,
        ids.as_ptr(),
        None,
        null_mut(),
    ))
    .map(Object::new)
}

/// `clCreateCommandQueue`
///
/// # Errors
/// The call fails.
pub fn queue(
    context: &Object<Context>,
    device: Root,
    properties: cl_command_queue_properties,
) -> Result<Object<Queue>> {
    made!(clCreateCommandQueue(context.get(), device.0, properties)).map(Object::new)
}

/// `clCreateBuffer` for a number of words, with or without contents.
///
/// # Errors
/// The call fails.
pub fn buffer(
    context: &Object<Context>,
    flags: cl_mem_flags,
    words: usize,
    contents: Option<&[u32]>,
) -> Result<Object<Memory>> {
    let pointer = contents.map_or(null_mut(), |words| words.as_ptr().cast_mut().cast());
    let copies = if contents.is_some() {
        CL_MEM_COPY_HOST_PTR
    } else {
        0
    };
    made!(clCreateBuffer(
        context.get(),
        flags | copies,
        words * command::WORD,
        pointer,
    ))
    .map(Object::new)
}

/// `clCreateProgramWithSource`
///
/// # Errors
/// The call fails.
pub fn program(context: &Object<Context>, source: &str) -> Result<Object<Program>> {
    let (start, length) = (source.as_ptr().cast(), source.len());
    made!(clCreateProgramWithSource(
        context.get(),
        1,
        &raw const start,
        &raw const length,
    ))
    .map(Object::new)
}

/// Blocking `clBuildProgram` for all devices. Returns the code.
pub fn build(program: &Object<Program>, options: &str) -> Result<()> {
    let options = CString::new(options)?;
    ok!(clBuildProgram(
        program.get(),
        0,
        null(),
        options.as_ptr(),
        None,
        null_mut(),
    ))
}

/// `clCreateKernel`
///
/// # Errors
/// The call fails.
pub fn kernel(program: &Object<Program>, name: &str) -> Result<Object<Kernel>> {
    let name = CString::new(name)?;
    made!(clCreateKernel(program.get(), name.as_ptr())).map(Object::new)
}

impl Station {
    fn new(devices: &[Root], threads: usize) -> Result<Self> {
        let context = context(devices)?;
        let mut queues = Vec::new();
        for device in devices {
            let out_of_order = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
            for properties in [
                0,
                CL_QUEUE_PROFILING_ENABLE,
                out_of_order,
                out_of_order | CL_QUEUE_PROFILING_ENABLE,
            ] {
                queues.push(SharedQueue {
                    queue: queue(&context, *device, properties)?,
                    in_order: properties & out_of_order == 0,
                });
            }
        }
        let program = program(&context, kernels::SOURCE)?;
        build(&program, "")?;
        let shared_kernel = Mutex::new(kernel(&program, "count")?);
        let counter = buffer(&context, CL_MEM_READ_WRITE, 1, Some(&[0]))?;
        let zeros = vec![0; threads * MAPPED_WORDS];
        let mapped = buffer(&context, CL_MEM_READ_WRITE, zeros.len(), Some(&zeros))?;
        Ok(Self {
            context,
            devices: devices.to_vec(),
            queues,
            program,
            shared_kernel,
            counter,
            added: AtomicU32::new(0),
            mapped,
        })
    }

    /// A random queue.
    pub fn any_queue(&self, random: &mut Rng) -> &SharedQueue {
        &self.queues[random.usize(..self.queues.len())]
    }

    /// A random device.
    pub fn any_device(&self, random: &mut Rng) -> Root {
        self.devices[random.usize(..self.devices.len())]
    }

    /// Checks that the counter has the sum of all kernels. All queues must be empty.
    fn check(&self) -> Result<()> {
        for shared in &self.queues {
            command::finish(&shared.queue)?;
        }
        let words = command::read_now(&self.queues[0].queue, &self.counter, 1, &[])?;
        let added = self.added.load(Ordering::Relaxed);
        ensure!(
            words[0] == added,
            "the shared counter is {}, not {added}",
            words[0]
        );
        Ok(())
    }
}

impl World {
    /// Creates the objects for a number of threads.
    ///
    /// # Errors
    /// A call fails.
    pub fn new(platform: Arc<Platform>, threads: usize) -> Result<Self> {
        let mut stations = vec![Station::new(&platform.devices[..1], threads)?];
        for devices in [2, 4] {
            if devices <= platform.devices.len() {
                stations.push(Station::new(&platform.devices[..devices], threads)?);
            }
        }
        Ok(Self {
            platform,
            stations,
            threads,
            parcels: Mutex::default(),
            gates: Mutex::default(),
            gates_changed: Condvar::new(),
        })
    }

    /// A random station, with its index.
    pub fn any_station(&self, random: &mut Rng) -> (usize, &Station) {
        let index = random.usize(..self.stations.len());
        (index, &self.stations[index])
    }

    /// Lets another thread set a user event.
    pub fn set_elsewhere(&self, event: Object<Event>, status: cl_int) {
        self.gates.lock().0.push_back(Gate { event, status });
        self.gates_changed.notify_one();
    }

    /// Sets user events, in a thread that does nothing else. Waits for such events therefore have a
    /// time limit.
    pub fn keep_gates(&self, mut random: Rng) {
        loop {
            let mut gates = self.gates.lock();
            while gates.0.is_empty() && !gates.1 {
                self.gates_changed.wait(&mut gates);
            }
            // The events are set in a random order.
            let place = random.usize(..gates.0.len().max(1));
            let Some(gate) = gates.0.remove(place) else {
                return;
            };
            drop(gates);
            match random.u8(..) {
                0..16 => std::thread::sleep(std::time::Duration::from_micros(200)),
                16..64 => std::thread::yield_now(),
                _ => {}
            }
            watchdog::begin("setting user events".to_owned());
            failure::note_error(command::set_status(&gate.event, gate.status));
        }
    }

    /// Ends the thread that sets user events, after the last one.
    pub fn close_gates(&self) {
        self.gates.lock().1 = true;
        self.gates_changed.notify_all();
    }

    /// Checks the shared objects at the end of the round.
    ///
    /// # Errors
    /// A result is wrong.
    pub fn check(&self) -> Result<()> {
        for parcel in self.parcels.lock().drain(..) {
            let station = &self.stations[parcel.station];
            parcel.check(station)?;
        }
        self.stations.iter().try_for_each(Station::check)
    }
}

impl Parcel {
    /// Compares the buffer's contents with `words`.
    ///
    /// # Errors
    /// The contents differ.
    pub fn check(&self, station: &Station) -> Result<()> {
        let queue = &station.queues[0].queue;
        let read = command::read_now(queue, &self.buffer, self.words.len(), &[&self.ready])?;
        compare("a parcel", &self.words, &read)
    }
}

/// Compares words that were read with the expected ones.
///
/// # Errors
/// Words differ; the error names the first.
pub fn compare(what: &str, expected: &[u32], read: &[u32]) -> Result<()> {
    let differs = |(a, b): (&u32, &u32)| a != b;
    if let Some(place) = expected.iter().zip(read).position(differs) {
        anyhow::bail!(
            "{what}: word {place} of {} is {:#x}, not {:#x}",
            expected.len(),
            read[place],
            expected[place]
        );
    }
    ensure!(expected.len() == read.len(), "{what}: lengths differ");
    Ok(())
}

/// Checks the code of a call that must fail.
///
/// # Errors
/// The call returned another code.
pub fn refused(function: &str, expected: cl_int, code: cl_int) -> Result<()> {
    if code == expected {
        return Ok(());
    }
    check(function, code)?;
    anyhow::bail!("{function} succeeded, but should have returned {expected}")
}
