//! Objects and their references: counts, queries, and releases in any order.

use crate::activities::callbacks::sampler;
use crate::command;
use crate::world::{self, Root, World};
use anyhow::{Result, ensure};
use cl_sys::*;
use fastrand::Rng;
use harness::call::{code, ok};
use harness::callback::Latch;
use harness::object::{Context, Event, Memory, Object, Queue, SubDevice};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Queries an object for its context: the error code and the handle.
macro_rules! context_of {
    ($query:ident, $object:expr, $name:expr) => {{
        let mut handle: *mut c_void = null_mut();
        let code = code!($query(
            $object.get(),
            $name,
            size_of::<cl_context>(),
            (&raw mut handle).cast(),
            null_mut(),
        ));
        (code, handle)
    }};
}

/// Retains, releases and queries an object of each kind.
pub fn run(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    let context = &station.context;
    let queue = world::queue(context, station.any_device(random), 0)?;
    let buffer = world::buffer(context, 0, random.usize(1..5000), None)?;
    let sampler = sampler(context)?;
    let kernel = world::kernel(&station.program, "add")?;
    // It is never set, and destroyed with its last reference.
    let event = command::user_event(context.get())?;
    let times = random.u32(1..5);
    queue.count_up_and_down(times, true)?;
    buffer.count_up_and_down(times, true)?;
    sampler.count_up_and_down(times, true)?;
    kernel.count_up_and_down(times, true)?;
    event.count_up_and_down(times, true)?;
    context.count_up_and_down(times, false)?;
    station.program.count_up_and_down(times, false)?;
    for (what, answer) in [
        (
            "queue",
            context_of!(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT),
        ),
        (
            "buffer",
            context_of!(clGetMemObjectInfo, buffer, CL_MEM_CONTEXT),
        ),
        (
            "sampler",
            context_of!(clGetSamplerInfo, sampler, CL_SAMPLER_CONTEXT),
        ),
        (
            "kernel",
            context_of!(clGetKernelInfo, kernel, CL_KERNEL_CONTEXT),
        ),
        (
            "event",
            context_of!(clGetEventInfo, event, CL_EVENT_CONTEXT),
        ),
    ] {
        ensure!(
            answer == (CL_SUCCESS, context.get()),
            "the context of a {what} is {answer:?}"
        );
    }
    // An object of another context is invalid, and the call must not keep a reference to it.
    let other = &world.stations[random.usize(..world.stations.len())];
    let word = [0u32];
    let foreign = code!(clEnqueueWriteBuffer(
        other.queues[0].queue.get(),
        buffer.get(),
        CL_TRUE,
        0,
        command::WORD,
        word.as_ptr().cast(),
        0,
        std::ptr::null(),
        null_mut(),
    ));
    let expected = if other.context.get() == context.get() {
        CL_SUCCESS
    } else {
        CL_INVALID_CONTEXT
    };
    world::refused("clEnqueueWriteBuffer", expected, foreign)
}

/// A context of this thread. Everything is released while commands may be running.
pub fn own_context(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let count = random.usize(1..=world.platform.devices.len());
    let devices = &world.platform.devices[..count];
    let context = world::context(devices)?;
    ensure!(context.references()? >= 1, "a new context has no reference");
    context.count_up_and_down(2, true)?;
    use_and_release(&context, devices, random)
}

/// Fills buffers on the devices and reads them back.
fn use_and_release(context: &Object<Context>, devices: &[Root], random: &mut Rng) -> Result<()> {
    let buffers = random.usize(1..5);
    let gone = Latch::new(buffers);
    for number in 0..buffers {
        let order = if random.bool() {
            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
        } else {
            0
        };
        let device = devices[random.usize(..devices.len())];
        let queue = world::queue(context, device, order)?;
        let words = random.usize(1..10_000);
        let buffer = world::buffer(context, 0, words, None)?;
        let notified = gone.clone();
        command::on_destruction(&buffer, move || notified.count_down())?;
        let value = random.u32(..);
        let filled = command::fill(&queue, &buffer, &[value], 0..words, &[])?;
        if number % 2 == 0 {
            let read = command::read_now(&queue, &buffer, words, &[&filled])?;
            ensure!(read.iter().all(|word| *word == value), "a fill is lost");
        }
        command::flush(&queue)?;
        release_in_any_order(random, filled, queue, buffer);
    }
    gone.wait("the buffers of a context");
    Ok(())
}

fn release_in_any_order(
    random: &mut Rng,
    event: Object<Event>,
    queue: Object<Queue>,
    buffer: Object<Memory>,
) {
    let mut releases: Vec<Box<dyn FnOnce()>> = vec![
        Box::new(|| drop(event)),
        Box::new(|| drop(queue)),
        Box::new(|| drop(buffer)),
    ];
    random.shuffle(&mut releases);
    for release in releases {
        release();
    }
}

/// Sub-devices, and a context with some of them.
pub fn sub_devices(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let roots = &world.platform.devices;
    let root = roots[random.usize(..roots.len())];
    let mut most = 0;
    ok!(clGetDeviceInfo(
        root.0,
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
        size_of::<cl_uint>(),
        (&raw mut most).cast(),
        null_mut(),
    ))?;
    if most < 2 {
        return Ok(());
    }
    let equally = CL_DEVICE_PARTITION_EQUALLY as cl_device_partition_property;
    let mut units = 0 as cl_uint;
    ok!(clGetDeviceInfo(
        root.0,
        CL_DEVICE_MAX_COMPUTE_UNITS,
        size_of::<cl_uint>(),
        (&raw mut units).cast(),
        null_mut(),
    ))?;
    let each = random.u32(1..=units / 2);
    let properties = [equally, each as cl_device_partition_property, 0];
    let mut count = 0;
    let mut handles = vec![null_mut(); (units / each) as usize];
    ok!(clCreateSubDevices(
        root.0,
        properties.as_ptr(),
        handles.len() as cl_uint,
        handles.as_mut_ptr(),
        &raw mut count,
    ))?;
    ensure!(
        count == units / each,
        "{units} units in parts of {each} gave {count} devices"
    );
    let mut parts: Vec<Object<SubDevice>> = handles.into_iter().map(Object::new).collect();
    parts[0].count_up_and_down(3, true)?;
    let used: Vec<Root> = parts.iter().take(3).map(|part| Root(part.get())).collect();
    let context = world::context(&used)?;
    if random.bool() {
        // The context retains its devices; the other sub-devices are released.
        parts.truncate(3);
    }
    use_and_release(&context, &used, random)?;
    if random.bool() {
        drop(context);
    }
    random.shuffle(&mut parts);
    drop(parts);
    Ok(())
}
