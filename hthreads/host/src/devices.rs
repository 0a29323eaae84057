//! The clusters of the machine, as a process has opened them.

use crate::arithmetic;
use crate::checking;
use crate::core_sets::CoreSets;
use crate::cores::Cores;
use crate::error::Error;
use crate::handlers;
use crate::images::{self, Image};
use crate::launching::{self, Launching, Machines};
use crate::leaks;
use crate::recorder;
use crate::slots::Slots;
use crate::timed_launches::{self, ImageTiming, LaunchingCall};
use crate::units::{Unit, Units};
use device_sim::machine::{Completion, Description, Machine};
use device_threads::exception::Exception;
use device_threads::group::{Group, Status};
use device_threads::{CheckedLaunch, Cluster, ClusterMemory, HostInterrupt, Launch};
use kernel_compiler::device_c::{DeviceCode, MAX_ARGUMENTS};
use parking_lot::Mutex;
use std::path::Path;
use std::sync::{Arc, LazyLock};

pub use device_threads::group::CORES;

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
    units: Units,
    core_sets: CoreSets,
    ddr: Arc<ClusterMemory>,
}

/// A kernel with its arguments; none is the empty kernel.
pub type Call<'a> = Option<(&'a str, [u64; MAX_ARGUMENTS])>;

/// The machine's clusters. Without a machine, whose file may be wrong, there are none.
static DEVICES: LazyLock<Result<Devices, String>> = LazyLock::new(|| {
    // What the environment selects is read from here on, and may be wrong.
    logging::initialise();
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
    leaks::report_at_exit(at_exit);
    if device.open.is_none() {
        let machine = devices.machine();
        let cluster = start(id, machine);
        let cluster = cluster.map_err(|reason| failed(&format!(": {reason}")))?;
        device.open = Some(OpenDevice {
            cluster,
            cores: machine.clusters.arrays.value.min(CORES.into()) as u32,
            image: None,
            groups: Slots::new(CORES as usize),
            units: Units::new(),
            core_sets: CoreSets::new(),
            ddr: Arc::new(ClusterMemory::new(machine.memory.ddr.size.value)),
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

/// Reports clusters that are open when the process ends.
extern "C" fn at_exit() {
    let Ok(devices) = DEVICES.as_ref() else {
        return;
    };
    for (id, device) in (0..).zip(&devices.clusters) {
        // `exit` may be called while a call has the cluster.
        if let Some(device) = device.try_lock()
            && let Some(open) = &device.open
        {
            leaks::report_open(id);
            open.report_leaks(id);
        }
    }
}

/// Closes a cluster in a call of `function`: ends its threads and frees its memory.
///
/// # Errors
/// A handler of the cluster calls it.
pub fn close(function: &'static str, id: i32) -> Result<(), Error> {
    handlers::forbid_in_handler(function, id)?;
    let device = DEVICES.as_ref().ok().and_then(|devices| devices.device(id));
    if let Some(device) = device {
        let open = device.lock().open.take();
        // The last owner of the cluster waits for its threads; only then is their memory freed.
        if let Some(device) = open {
            device.report_leaks(id);
            let OpenDevice { cluster, ddr, .. } = device;
            drop(cluster);
            drop(ddr);
        }
    }
    Ok(())
}

/// Ends what runs on a cluster, in a call of `function`: its groups and sets of cores are gone, and units
/// free. Memory and image stay.
///
/// # Errors
/// The cluster is not open or cannot be started, or a handler of it calls this.
pub fn reset(function: &'static str, id: i32) -> Result<(), Error> {
    handlers::forbid_in_handler(function, id)?;
    let machine = machine().ok_or(Error::NotOpen(function, id))?;
    let fresh = start(id, machine).map_err(|error| Error::Open(id, format!(": {error}")))?;
    let old = required(function, id, |device| {
        device.groups = Slots::new(CORES as usize);
        device.units = Units::new();
        device.core_sets.clear();
        std::mem::replace(&mut device.cluster, fresh)
    })?;
    // Waits for the old threads.
    drop(old);
    Ok(())
}

/// Starts the scheduler of a cluster.
fn start(id: i32, machine: &'static Machine) -> std::io::Result<Arc<Cluster>> {
    let serve = Box::new(move |interrupt: &HostInterrupt<'_>| handlers::serve(id, interrupt));
    Cluster::start(id as u32, machine, serve).map(Arc::new)
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
pub fn load(function: &'static str, id: i32, path: &Path) -> Result<(), Error> {
    required(function, id, |_| ())?;
    let machine = DEVICES.as_ref().ok();
    let machine = machine.map(|devices| &devices.machines.described);
    let image = images::load(function, path, machine)?;
    required(function, id, |device| device.image = Some(image))
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

/// Creates a group, and starts a kernel on its threads.
///
/// # Errors
/// The cluster is not open, has no idle cores or group, or no such kernel.
pub fn create_group(id: i32, cores: Cores, call: Call<'_>) -> Result<i32, Error> {
    let launching = Launching::Create;
    let name = launching.function();
    let devices = DEVICES.as_ref();
    let devices = devices.map_err(|_| Error::NotOpen(name, id))?;
    required(name, id, |device| {
        let (cores, size) = cores.choose(id, device.cores, device.taken_cores())?;
        let launch = device.prepare(name, id, call)?;
        let group = device.add_group(id, &cores, size, devices.machine())?;
        device.launch(place(group).1, launch, &devices.machines, launching);
        Ok(group)
    })?
}

/// Creates a group whose cores do not run yet, in a call of `function`.
///
/// # Errors
/// The cluster is not open, or a core is in use.
pub fn take_cores(function: &'static str, id: i32, cores: Cores) -> Result<i32, Error> {
    let machine = machine().ok_or(Error::NotOpen(function, id))?;
    required(function, id, |device| {
        let (cores, size) = cores.choose(id, device.cores, device.taken_cores())?;
        device.add_group(id, &cores, size, machine)
    })?
}

/// Starts a kernel on the threads of a group, after the one that runs.
///
/// # Errors
/// There is no such group, or no such kernel.
pub fn execute(group: i32, call: Call<'_>, launching: Launching) -> Result<(), Error> {
    let name = launching.function();
    wait(name, group)?;
    let (id, slot) = place(group);
    required(name, id, |device| {
        let launch = device.prepare(name, id, call)?;
        if let Ok(devices) = DEVICES.as_ref() {
            device.launch(slot, launch, &devices.machines, launching);
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
    arithmetic::show(place(id).0, &group);
    timed_launches::observe(&group);
    Ok(status)
}

/// What a group does. `None` if there is no such group.
pub fn status(id: i32) -> Option<Status> {
    let (cluster, group) = group(id)?;
    let status = cluster.status(&group);
    if status != Status::Running {
        timed_launches::observe(&group);
    }
    Some(status)
}

/// Gives the cores of a group back; false if there is no such group.
pub fn destroy(group: i32) -> bool {
    let (id, slot) = place(group);
    let taken = with(id, |device| device.groups.take(slot)).flatten();
    if let Some(group) = &taken {
        leaks::report_buffers(group);
    }
    taken.is_some()
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

/// Whether an address is in a block of any cluster.
pub fn is_of_device(address: usize) -> bool {
    let Ok(devices) = DEVICES.as_ref() else {
        return false;
    };
    let mut all = devices.clusters.iter();
    all.any(|device| {
        let device = device.lock();
        let open = device.open.as_ref();
        open.is_some_and(|open| open.ddr.contains(address))
    })
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

/// Takes a unit of a cluster; its id. `None` if all are in use, or the cluster is not open.
pub fn create_unit(unit: Unit, id: i32) -> Option<i32> {
    with(id, |device| device.units.take(unit, id)).flatten()
}

/// Gives a unit back; without effect if it was not taken.
pub fn destroy_unit(unit: Unit, number: i32) {
    with(unit.cluster(number), |device| {
        device.units.give_back(unit, number)
    });
}

/// Calls `act` with the open sets of cores of a cluster, if it is open.
pub fn with_core_sets<R>(id: i32, act: impl FnOnce(&mut CoreSets) -> R) -> Option<R> {
    with(id, |device| act(&mut device.core_sets))
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
    /// Reports what the program has not freed.
    fn report_leaks(&self, id: i32) {
        self.groups
            .iter()
            .for_each(|group| leaks::report_buffers(group));
        leaks::report_things(
            id,
            &[
                ("`hthread_malloc` block", self.ddr.blocks()),
                ("group", self.groups.iter().count()),
                ("barrier", self.units.taken(Unit::Barrier)),
                ("rwlock", self.units.taken(Unit::Lock)),
            ],
        );
    }

    fn taken_cores(&self) -> u32 {
        self.groups
            .iter()
            .fold(0, |taken, group| taken | group.cores())
    }

    /// Adds a group on these cores, of that many threads for the program; its id.
    fn add_group(
        &mut self,
        id: i32,
        cores: &[u32],
        size: u32,
        machine: &Machine,
    ) -> Result<i32, Error> {
        if self.groups.are_full() {
            return Err(Error::NoIdleGroup(id));
        }
        let first = id as u32 * CORES;
        let sm_end = launching::sm_for_buffers(machine);
        let group = |slot| Group::new(first + slot, size, cores, machine, sm_end).map(Arc::new);
        let slot = self.groups.put(group).ok_or(Error::NoMemory)?;
        Ok((first + slot) as i32)
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
        launching: Launching,
    ) {
        let Some(group) = self.groups.get(slot) else {
            return;
        };
        let machine = machines.of(launching);
        let call = LaunchingCall {
            cluster: group.cluster(),
            launching,
        };
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
        let checks = checking::selected();
        let checked = checks.is_any().then(|| CheckedLaunch {
            kernel: name.into(),
            ddr: Arc::clone(&self.ddr),
            checks,
        });
        self.cluster.launch(Launch {
            checked,
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
