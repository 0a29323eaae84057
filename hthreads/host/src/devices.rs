//! The clusters of the machine, as a process has opened them.

use crate::error::Error;
use crate::handlers;
use crate::launching::{self, Launching, Machines};
use crate::recorder;
use crate::slots::Slots;
use crate::timed_launches::{self, ImageTiming, LaunchingCall};
use device_image::FormatError;
use device_sim::machine::{Completion, Description, Machine};
use device_threads::exception::Exception;
use device_threads::group::{Group, Status};
use device_threads::{Cluster, ClusterMemory, HostInterrupt, Launch};
use kernel_compiler::device_c::{DeviceCode, MAX_ARGUMENTS, NativeCode};
use parking_lot::Mutex;
use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

/// Units of a cluster (from the machine's headers), and the longest path that is kept.
const BARRIERS: u32 = 16;
const LOCKS: u32 = 64;
const PATH_BYTES: usize = 1023;

/// Groups of a cluster in ids of groups, and cores at most (from the machine's headers). A machine file
/// may have fewer arrays.
pub const CORES: u32 = 24;

/// The machine with its clusters.
pub struct Devices {
    machines: Machines,
    clusters: Vec<Mutex<Device>>,
}

/// A cluster.
#[derive(Default)]
struct Device {
    open: Option<OpenDevice>,
}

/// An open cluster.
struct OpenDevice {
    cluster: Arc<Cluster>,
    /// Its cores, one for each array of the machine.
    cores: u32,
    image: Option<Image>,
    groups: Slots<Arc<Group>>,
    barriers: Slots<()>,
    locks: Slots<()>,
    ddr: ClusterMemory,
}

struct Image {
    code: Arc<DeviceCode>,
    timing: Arc<ImageTiming>,
    path: CString,
}

/// A kernel with its arguments; none is the empty kernel.
pub type Call<'a> = Option<(&'a str, [u64; MAX_ARGUMENTS])>;

/// The machine's clusters. Without a machine, whose file may be wrong, there are none.
static DEVICES: LazyLock<Result<Devices, String>> = LazyLock::new(|| {
    let description = Description::from_environment()?;
    let machine = description.machine().map_err(|error| error.to_string())?;
    let count = machine.clusters.count.value;
    recorder::begin(&machine, description.identity());
    Ok(Devices {
        clusters: (0..count).map(|_| Mutex::default()).collect(),
        machines: Machines::new(machine, Completion::from_environment()),
    })
});

/// Opens a cluster, unless it is open.
///
/// # Errors
/// There is no such cluster, or the machine file is wrong.
pub fn open(id: i32) -> Result<(), Error> {
    let failed = |reason: &str| Error::Open(id, reason.to_owned());
    let devices = DEVICES
        .as_ref()
        .map_err(|reason| failed(&format!(": {reason}")))?;
    let device = devices.device(id).ok_or_else(|| failed(""))?;
    let mut device = device.lock();
    if device.open.is_none() {
        let machine = devices.machine();
        let serve = Box::new(move |interrupt: &HostInterrupt<'_>| handlers::serve(id, interrupt));
        let cluster = Cluster::start(id as u32, machine, serve);
        let cluster = cluster.map_err(|reason| failed(&format!(": {reason}")))?;
        device.open = Some(OpenDevice {
            cluster: Arc::new(cluster),
            cores: machine.clusters.arrays.value.min(CORES.into()) as u32,
            image: None,
            groups: Slots::new(CORES as usize),
            barriers: Slots::new(BARRIERS as usize),
            locks: Slots::new(LOCKS as usize),
            ddr: ClusterMemory::new(machine.memory.ddr.size.value),
        });
    }
    Ok(())
}

/// Whether this process has a cluster open.
pub fn is_open(id: i32) -> bool {
    with(id, |_| ()).is_some()
}

/// The machine, if it is known.
pub fn machine() -> Option<&'static Machine> {
    let devices = DEVICES.as_ref().ok()?;
    Some(devices.machine())
}

/// Closes a cluster: ends its threads and frees its memory.
///
/// # Errors
/// A handler of the cluster calls it.
pub fn close(id: i32) -> Result<(), Error> {
    handlers::forbid_in_handler("hthread_dev_close", id)?;
    let device = DEVICES.as_ref().ok().and_then(|devices| devices.device(id));
    if let Some(device) = device {
        let open = device.lock().open.take();
        // The last owner of the cluster waits for its threads; only then is their memory freed.
        if let Some(OpenDevice { cluster, ddr, .. }) = open {
            drop(cluster);
            drop(ddr);
        }
    }
    Ok(())
}

impl Devices {
    fn machine(&self) -> &Machine {
        &self.machines.described
    }

    fn device(&self, id: i32) -> Option<&Mutex<Device>> {
        self.clusters.get(usize::try_from(id).ok()?)
    }
}

/// Calls `act` with a cluster, if it is open.
fn with<R>(id: i32, act: impl FnOnce(&mut OpenDevice) -> R) -> Option<R> {
    let device = DEVICES.as_ref().ok()?.device(id)?;
    device.lock().open.as_mut().map(act)
}

/// As `with`, for a call that needs it.
fn required<R>(
    call: &'static str,
    id: i32,
    act: impl FnOnce(&mut OpenDevice) -> R,
) -> Result<R, Error> {
    with(id, act).ok_or(Error::NotOpen(call, id))
}

/// Loads an image.
///
/// # Errors
/// The cluster is not open, or the file is no image.
pub fn load(id: i32, path: &Path) -> Result<(), Error> {
    required("hthread_dat_load", id, |_| ())?;
    let owned = || path.to_owned();
    let bytes = std::fs::read(path).map_err(|error| Error::Read(owned(), error))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| FormatError::Format);
    let image = text.and_then(device_image::read);
    let image = image.map_err(|error| Error::Format(owned(), error))?;
    let devices = DEVICES.as_ref();
    let timed = devices
        .ok()
        .and_then(|all| timed_launches::timed(&all.machines.described));
    let code = NativeCode::compile(&image.bitcode, timed.as_ref())
        .and_then(|code| code.load(&device_threads::host_functions()))
        .map_err(|failure| Error::Compile(owned(), failure))?;
    let path = path.as_os_str().as_bytes();
    let path = CString::new(&path[..path.len().min(PATH_BYTES)]).unwrap_or_default();
    required("hthread_dat_load", id, |device| {
        device.image = Some(Image {
            code: Arc::new(code),
            timing: Arc::default(),
            path,
        });
    })
}

/// Forgets the image.
pub fn unload(id: i32) {
    with(id, |device| device.image = None);
}

/// The path of the image; valid until the next load or unload.
pub fn image_path(id: i32) -> *const std::ffi::c_char {
    let path = with(id, |device| {
        device.image.as_ref().map(|image| image.path.as_ptr())
    });
    path.flatten().unwrap_or(std::ptr::null())
}

/// Which cores a group is made of.
#[derive(Clone, Copy)]
pub enum Cores {
    /// A number of idle ones, the lowest numbers first.
    Idle(i32),
    /// Those of a mask.
    Masked(u32),
}

/// Creates a group, and starts a kernel on its threads.
///
/// # Errors
/// The cluster is not open, has no idle cores or group, or no such kernel.
pub fn create_group(id: i32, cores: Cores, call: Call<'_>) -> Result<i32, Error> {
    let call_name = "hthread_group_create";
    let devices = DEVICES.as_ref();
    let devices = devices.map_err(|_| Error::NotOpen(call_name, id))?;
    let machine = devices.machine();
    let sm_end = launching::sm_for_buffers(machine);
    required(call_name, id, |device| {
        let (cores, size) = device.choose(id, cores)?;
        let launch = device.prepare(call_name, id, call)?;
        if device.groups.are_full() {
            return Err(Error::NoIdleGroup(id));
        }
        let first = id as u32 * CORES;
        let slot = device
            .groups
            .put(|slot| Group::new(first + slot, size, &cores, machine, sm_end).map(Arc::new));
        let slot = slot.ok_or(Error::NoMemory)?;
        let call = LaunchingCall {
            function: call_name,
            cluster: id as u32,
            launching: Launching::Create,
        };
        device.launch(slot, launch, &devices.machines, call);
        Ok((first + slot) as i32)
    })?
}

/// Starts a kernel on the threads of a group, after the one that runs.
///
/// # Errors
/// There is no such group, or no such kernel.
pub fn execute(group: i32, call: Call<'_>) -> Result<(), Error> {
    let name = "hthread_group_exec";
    wait(name, group)?;
    let (id, slot) = place(group);
    required(name, id, |device| {
        let launch = device.prepare(name, id, call)?;
        if let Ok(devices) = DEVICES.as_ref() {
            let call = LaunchingCall {
                function: name,
                cluster: id as u32,
                launching: Launching::Execute,
            };
            device.launch(slot, launch, &devices.machines, call);
        }
        Ok(())
    })?
}

/// The cluster and slot of a group's id.
fn place(group: i32) -> (i32, u32) {
    let cores = CORES as i32;
    (group.div_euclid(cores), group.rem_euclid(cores) as u32)
}

/// A group with its cluster. `None` if there is no such group.
pub fn group(group: i32) -> Option<(Arc<Cluster>, Arc<Group>)> {
    let (id, slot) = place(group);
    let found = with(id, |device| {
        let group = device.groups.get(slot)?;
        Some((Arc::clone(&device.cluster), Arc::clone(group)))
    });
    found.flatten()
}

/// Waits for a group in a call of `function`; what it did.
///
/// # Errors
/// There is no such group, or it runs and a handler of its cluster waits.
pub fn wait(function: &'static str, id: i32) -> Result<Status, Error> {
    let (cluster, group) = group(id).ok_or(Error::NoGroup(function, id))?;
    if group.status() == Status::Running {
        handlers::forbid_in_handler(function, place(id).0)?;
    }
    let status = cluster.wait(&group);
    timed_launches::observe(&group);
    Ok(status)
}

/// What a group does. `None` if there is no such group.
pub fn status(id: i32) -> Option<Status> {
    let (_, group) = group(id)?;
    let status = group.status();
    if status != Status::Running {
        timed_launches::observe(&group);
    }
    Some(status)
}

/// Gives the cores of a group back; false if there is no such group.
pub fn destroy(group: i32) -> bool {
    let (id, slot) = place(group);
    with(id, |device| device.groups.take(slot).is_some()).unwrap_or(false)
}

/// Cores of a cluster that are in no group; 0 if it is not open.
pub fn idle_cores(id: i32) -> u32 {
    with(id, |device| {
        device.cores - device.taken_cores().count_ones()
    })
    .unwrap_or(0)
}

/// A block of DDR; null if the cluster is not open, or its memory is exhausted.
pub fn allocate(id: i32, bytes: u64) -> *mut u8 {
    with(id, |device| device.ddr.take(bytes)).unwrap_or(std::ptr::null_mut())
}

/// Frees a block of DDR of any cluster; without effect for other addresses.
pub fn free(block: *const u8) {
    let Ok(devices) = DEVICES.as_ref() else {
        return;
    };
    for device in &devices.clusters {
        if let Some(open) = &device.lock().open
            && open.ddr.give_back(block)
        {
            return;
        }
    }
}

/// A unit of a cluster: a barrier or a lock.
#[derive(Clone, Copy)]
pub enum Unit {
    /// A barrier unit.
    Barrier,
    /// A read-write lock.
    Lock,
}

impl Unit {
    fn per_cluster(self) -> u32 {
        match self {
            Self::Barrier => BARRIERS,
            Self::Lock => LOCKS,
        }
    }

    fn of(self, device: &mut OpenDevice) -> &mut Slots<()> {
        match self {
            Self::Barrier => &mut device.barriers,
            Self::Lock => &mut device.locks,
        }
    }

    /// Takes a unit of a cluster; its id.
    pub fn create(self, id: i32) -> Option<i32> {
        let number = with(id, |device| self.of(device).put(|_| Some(()))).flatten()?;
        Some(id * self.per_cluster() as i32 + number as i32)
    }

    /// Gives a unit back; without effect if it was not taken.
    pub fn destroy(self, unit: i32) {
        let count = self.per_cluster() as i32;
        with(unit.div_euclid(count), |device| {
            self.of(device).take(unit.rem_euclid(count) as u32)
        });
    }
}

/// What a launch needs, except for the group; none is the empty kernel.
type Prepared<'a> = Option<(PreparedKernel<'a>, [u64; MAX_ARGUMENTS])>;

/// A kernel of an image.
struct PreparedKernel<'a> {
    name: &'a str,
    entry: kernel_compiler::device_c::Entry,
    code: Arc<DeviceCode>,
    timing: Arc<ImageTiming>,
}

impl OpenDevice {
    fn taken_cores(&self) -> u32 {
        self.groups
            .iter()
            .fold(0, |taken, group| taken | group.cores())
    }

    /// The cores of a new group, and the number of threads that it has for the program.
    fn choose(&self, id: i32, cores: Cores) -> Result<(Vec<u32>, u32), Error> {
        let taken = self.taken_cores();
        let is_idle = |core: &u32| taken & (1 << core) == 0;
        match cores {
            Cores::Idle(count) => {
                let size = u32::try_from(count).unwrap_or(0);
                if size == 0 {
                    return Err(Error::NoThreads);
                }
                let idle = (0..self.cores).filter(is_idle);
                let chosen: Vec<u32> = idle.take(size as usize).collect();
                match chosen.is_empty() {
                    true => Err(Error::NoIdleCores(count, id)),
                    false => Ok((chosen, size)),
                }
            }
            Cores::Masked(mask) => {
                let mask = mask & ((1 << self.cores) - 1);
                if mask == 0 {
                    return Err(Error::NoThreads);
                }
                if mask & taken != 0 {
                    return Err(Error::Busy(mask & taken, id));
                }
                let chosen = (0..self.cores).filter(|core| mask & (1 << core) != 0);
                Ok((chosen.collect(), mask.count_ones()))
            }
        }
    }

    fn prepare<'a>(
        &self,
        name: &'static str,
        id: i32,
        call: Call<'a>,
    ) -> Result<Prepared<'a>, Error> {
        let Some((kernel, arguments)) = call else {
            return Ok(None);
        };
        let image = self.image.as_ref().ok_or(Error::NotLoaded(name, id))?;
        let entry = image.code.kernel(kernel);
        let entry = entry.ok_or_else(|| Error::NoFunction(kernel.to_owned()))?;
        let kernel = PreparedKernel {
            name: kernel,
            entry,
            code: Arc::clone(&image.code),
            timing: Arc::clone(&image.timing),
        };
        Ok(Some((kernel, arguments)))
    }

    fn launch(
        &self,
        slot: u32,
        prepared: Prepared<'_>,
        machines: &'static Machines,
        call: LaunchingCall,
    ) {
        let Some(group) = self.groups.get(slot) else {
            return;
        };
        let machine = machines.of(call.launching);
        let Some((kernel, arguments)) = prepared else {
            timed_launches::record_empty(group, machine, call);
            return;
        };
        let PreparedKernel {
            name,
            entry,
            code,
            timing,
        } = kernel;
        self.cluster.launch(Launch {
            timing: timing.of_launch(&code, name, group, machine, call),
            group: Arc::clone(group),
            code,
            entry,
            arguments,
        });
    }
}

/// The number that `hthread_group_wait` returns.
pub fn exception_number(status: Status) -> i32 {
    match status {
        Status::Stopped(Exception(number)) => number as i32,
        Status::Idle | Status::Running => 0,
    }
}
