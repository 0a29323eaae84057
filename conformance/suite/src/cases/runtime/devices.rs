//! Device queries and sub-devices.

use super::calls::{answer, number, refused, text};
use super::commands;
use crate::compare::equal;
use anyhow::{Result, ensure};
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Context, Kernel, Object, Program, Queue, SubDevice};
use harness::session::Session;
use std::ptr::{null, null_mut};

/// Each device reports a type other than the default one, and is found by it; the default device
/// is one of them (4.2, 4.4).
pub fn types(session: &Session) -> Result<()> {
    let platform = session.device.platform()? as cl_platform_id;
    let all = devices_of(platform, CL_DEVICE_TYPE_ALL)?;
    for &device in &all {
        let device_type: cl_device_type =
            number(answer!(clGetDeviceInfo(device, CL_DEVICE_TYPE))?)?;
        let own = device_type & !CL_DEVICE_TYPE_DEFAULT;
        ensure!(own != 0, "CL_DEVICE_TYPE is {device_type:#x}");
        ensure!(
            devices_of(platform, own)?.contains(&device),
            "a device of type {own:#x} is not found by it"
        );
    }
    let default = devices_of(platform, CL_DEVICE_TYPE_DEFAULT)?;
    ensure!(
        default.iter().all(|device| all.contains(device)),
        "the default device is not among all devices"
    );
    let properties = [
        CL_CONTEXT_PLATFORM as cl_context_properties,
        platform as cl_context_properties,
        0,
    ];
    let context: Object<Context> = made!(clCreateContextFromType(
        properties.as_ptr(),
        CL_DEVICE_TYPE_DEFAULT,
        None,
        null_mut()
    ))
    .map(Object::new)?;
    let count: cl_uint = number(answer!(clGetContextInfo(
        context.get(),
        CL_CONTEXT_NUM_DEVICES
    ))?)?;
    equal(
        "default devices in a context",
        &[count as usize],
        &[default.len()],
    )
}

/// The devices of a platform that are of a type.
fn devices_of(platform: cl_platform_id, device_type: cl_device_type) -> Result<Vec<cl_device_id>> {
    let mut devices = vec![null_mut(); 64];
    let mut count = 0;
    let to = devices.as_mut_ptr();
    ok!(clGetDeviceIDs(
        platform,
        device_type,
        64,
        to,
        &raw mut count
    ))?;
    devices.truncate(count as usize);
    Ok(devices)
}

type Query = fn(cl_device_id, cl_device_info) -> Result<u64>;

/// A query with an answer of the type `uint`.
fn int(device: cl_device_id, which: cl_device_info) -> Result<u64> {
    Ok(number::<u32>(answer!(clGetDeviceInfo(device, which))?)?.into())
}

/// A query with an answer of the type `ulong`.
fn long(device: cl_device_id, which: cl_device_info) -> Result<u64> {
    number(answer!(clGetDeviceInfo(device, which))?)
}

/// A query with an answer of the type `size_t`.
fn size(device: cl_device_id, which: cl_device_info) -> Result<u64> {
    Ok(number::<usize>(answer!(clGetDeviceInfo(device, which))?)? as u64)
}

macro_rules! row {
    ($query:ident $name:ident $least:expr) => {
        (stringify!($name), $query as Query, $name, $least)
    };
}

/// The smallest values on devices of a full profile (table 4.3).
const MINIMA: [(&str, Query, cl_device_info, u64); 11] = [
    row!(int CL_DEVICE_MAX_COMPUTE_UNITS 1),
    row!(int CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS 3),
    row!(size CL_DEVICE_MAX_WORK_GROUP_SIZE 1),
    row!(size CL_DEVICE_MAX_PARAMETER_SIZE 1024),
    row!(long CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE 64 << 10),
    row!(int CL_DEVICE_MAX_CONSTANT_ARGS 8),
    row!(long CL_DEVICE_LOCAL_MEM_SIZE 32 << 10),
    row!(size CL_DEVICE_PRINTF_BUFFER_SIZE 1 << 20),
    row!(int CL_DEVICE_MEM_BASE_ADDR_ALIGN 1024),
    row!(int CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT 1),
    row!(int CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT 1),
];

/// As [`MINIMA`], for devices with images.
const IMAGE_MINIMA: [(&str, Query, cl_device_info, u64); 10] = [
    row!(size CL_DEVICE_IMAGE2D_MAX_WIDTH 8192),
    row!(size CL_DEVICE_IMAGE2D_MAX_HEIGHT 8192),
    row!(size CL_DEVICE_IMAGE3D_MAX_WIDTH 2048),
    row!(size CL_DEVICE_IMAGE3D_MAX_HEIGHT 2048),
    row!(size CL_DEVICE_IMAGE3D_MAX_DEPTH 2048),
    row!(size CL_DEVICE_IMAGE_MAX_BUFFER_SIZE 65536),
    row!(size CL_DEVICE_IMAGE_MAX_ARRAY_SIZE 2048),
    row!(int CL_DEVICE_MAX_READ_IMAGE_ARGS 128),
    row!(int CL_DEVICE_MAX_WRITE_IMAGE_ARGS 8),
    row!(int CL_DEVICE_MAX_SAMPLERS 16),
];

/// Sizes are those of a full profile (table 4.3), and agree with each other.
pub fn info(session: &Session) -> Result<()> {
    let device = session.device.id();
    let global = long(device, CL_DEVICE_GLOBAL_MEM_SIZE)?;
    let largest = long(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE)?;
    ensure!(global > 0, "CL_DEVICE_GLOBAL_MEM_SIZE is 0");
    ensure!(
        largest <= global && largest >= (global / 4).max(128 << 20),
        "CL_DEVICE_MAX_MEM_ALLOC_SIZE is {largest}, CL_DEVICE_GLOBAL_MEM_SIZE {global}"
    );
    let image_minima: &[_] = if session.device.image_support()? {
        &IMAGE_MINIMA
    } else {
        &[]
    };
    for &(name, query, which, least) in MINIMA.iter().chain(image_minima) {
        let got = query(device, which)?;
        ensure!(got >= least, "{name} is {got}, expected at least {least}");
    }
    let items = answer!(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES))?;
    let dimensions = int(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)? as usize;
    ensure!(
        items.len() == dimensions * size_of::<usize>()
            && items
                .chunks(size_of::<usize>())
                .all(|size| size.iter().any(|&byte| byte != 0)),
        "CL_DEVICE_MAX_WORK_ITEM_SIZES of {dimensions} dimensions is {items:?}"
    );
    let addresses = int(device, CL_DEVICE_ADDRESS_BITS)?;
    ensure!(
        [32, 64].contains(&addresses),
        "CL_DEVICE_ADDRESS_BITS is {addresses}"
    );
    versions_and_names(device)?;
    ensure!(
        long(device, CL_DEVICE_EXECUTION_CAPABILITIES)? & CL_EXEC_KERNEL != 0,
        "the device cannot run kernels"
    );
    equal(
        "CL_DEVICE_AVAILABLE",
        &[int(device, CL_DEVICE_AVAILABLE)?],
        &[CL_TRUE.into()],
    )?;
    equal(
        "CL_DEVICE_COMPILER_AVAILABLE",
        &[int(device, CL_DEVICE_COMPILER_AVAILABLE)?],
        &[CL_TRUE.into()],
    )?;
    equal(
        "CL_DEVICE_LINKER_AVAILABLE",
        &[int(device, CL_DEVICE_LINKER_AVAILABLE)?],
        &[CL_TRUE.into()],
    )?;
    invalid_queries(device)
}

fn versions_and_names(device: cl_device_id) -> Result<()> {
    let string = |which| text(answer!(clGetDeviceInfo(device, which))?);
    let version = string(CL_DEVICE_VERSION)?;
    let mut words = version.split(' ');
    let number_of = (words.next(), words.next());
    ensure!(
        matches!(number_of, (Some("OpenCL"), Some(number)) if number.split('.').count() == 2),
        "CL_DEVICE_VERSION is `{version}`"
    );
    let language = string(CL_DEVICE_OPENCL_C_VERSION)?;
    ensure!(
        language.starts_with("OpenCL C "),
        "CL_DEVICE_OPENCL_C_VERSION is `{language}`"
    );
    equal(
        "CL_DEVICE_PROFILE",
        &[string(CL_DEVICE_PROFILE)?.as_str()],
        &["FULL_PROFILE"],
    )?;
    for which in [CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION] {
        ensure!(!string(which)?.is_empty(), "the text {which:#x} is empty");
    }
    if version.starts_with("OpenCL 3") {
        // Numeric version: major in the upper 10 bits.
        let numeric = int(device, 0x105E)?;
        equal("major of CL_DEVICE_NUMERIC_VERSION", &[numeric >> 22], &[3])?;
    }
    Ok(())
}

fn invalid_queries(device: cl_device_id) -> Result<()> {
    let mut byte = 0u8;
    refused!(
        CL_INVALID_VALUE,
        clGetDeviceInfo(
            device,
            CL_DEVICE_GLOBAL_MEM_SIZE,
            1,
            (&raw mut byte).cast(),
            null_mut()
        )
    )?;
    refused!(
        CL_INVALID_VALUE,
        clGetDeviceInfo(device, 0, 0, null_mut(), null_mut())
    )?;
    refused!(
        CL_INVALID_DEVICE,
        clGetDeviceInfo(null_mut(), CL_DEVICE_NAME, 0, null_mut(), null_mut())
    )
}

/// Partitions into halves, unequal parts and single compute units; kernels on parts; invalid calls.
pub fn parts(session: &Session) -> Result<()> {
    let device = session.device.id();
    let units = session.device.max_compute_units()?;
    let equally = CL_DEVICE_PARTITION_EQUALLY as cl_device_partition_property;
    let by_counts = CL_DEVICE_PARTITION_BY_COUNTS as cl_device_partition_property;
    let supported = answer!(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES))?;
    let supports = |which: cl_device_partition_property| {
        supported
            .chunks(size_of::<isize>())
            .any(|property| property == which.to_ne_bytes())
    };
    ensure!(
        supports(equally),
        "the device cannot be partitioned equally"
    );
    let most: u32 = number(answer!(clGetDeviceInfo(
        device,
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES
    ))?)?;
    ensure!(most >= 2, "CL_DEVICE_PARTITION_MAX_SUB_DEVICES is {most}");
    let halves = [equally, (units / 2) as isize, 0];
    let made = partition(device, &halves)?;
    let expected = (units / (units / 2)) as usize;
    equal("halves", &[made.len()], &[expected])?;
    work(session, &made, &halves, &vec![units / 2; expected])?;
    if units <= most {
        let ones = [equally, 1, 0];
        work(
            session,
            &partition(device, &ones)?,
            &ones,
            &vec![1; units as usize],
        )?;
    }
    if supports(by_counts) {
        let counts = [by_counts, (units - 1) as isize, 1, 0, 0];
        work(
            session,
            &partition(device, &counts)?,
            &counts[..4],
            &[units - 1, 1],
        )?;
        let one = [by_counts, 1, 0, 0];
        work(session, &partition(device, &one)?, &one[..3], &[1])?;
        let too_many = [by_counts, units as isize, 1, 0, 0];
        refused!(
            CL_INVALID_DEVICE_PARTITION_COUNT,
            clCreateSubDevices(device, too_many.as_ptr(), 0, null_mut(), &mut 0)
        )?;
    }
    refused!(
        CL_INVALID_VALUE,
        clCreateSubDevices(device, null(), 0, null_mut(), &mut 0)
    )?;
    let unknown = [0x7777, 1, 0];
    refused!(
        CL_INVALID_VALUE,
        clCreateSubDevices(device, unknown.as_ptr(), 0, null_mut(), &mut 0)
    )?;
    refused!(
        CL_INVALID_DEVICE,
        clCreateSubDevices(null_mut(), halves.as_ptr(), 0, null_mut(), &mut 0)
    )
}

fn partition(
    device: cl_device_id,
    properties: &[cl_device_partition_property],
) -> Result<Vec<Object<SubDevice>>> {
    let mut count = 0;
    ok!(clCreateSubDevices(
        device,
        properties.as_ptr(),
        0,
        null_mut(),
        &raw mut count
    ))?;
    let mut devices = vec![null_mut(); count as usize];
    let mut again = 0;
    ok!(clCreateSubDevices(
        device,
        properties.as_ptr(),
        count,
        devices.as_mut_ptr(),
        &raw mut again
    ))?;
    equal("sub-devices", &[again], &[count])?;
    Ok(devices.into_iter().map(Object::new).collect())
}

/// Checks sizes and parents of the sub-devices, and runs a kernel on all of them.
fn work(
    session: &Session,
    devices: &[Object<SubDevice>],
    properties: &[cl_device_partition_property],
    units: &[u32],
) -> Result<()> {
    let mut handles = Vec::new();
    for (device, &units) in devices.iter().zip(units) {
        let device = device.get();
        let got: u32 = number(answer!(clGetDeviceInfo(
            device,
            CL_DEVICE_MAX_COMPUTE_UNITS
        ))?)?;
        equal("CL_DEVICE_MAX_COMPUTE_UNITS", &[got], &[units])?;
        let parent: usize = number(answer!(clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE))?)?;
        equal(
            "CL_DEVICE_PARENT_DEVICE",
            &[parent],
            &[session.device.id() as usize],
        )?;
        let how = answer!(clGetDeviceInfo(device, CL_DEVICE_PARTITION_TYPE))?;
        let how: Vec<isize> = how
            .chunks_exact(size_of::<isize>())
            .map(bytemuck::pod_read_unaligned)
            .collect();
        ensure!(
            how.starts_with(properties) && how[properties.len()..].iter().all(|&rest| rest == 0),
            "CL_DEVICE_PARTITION_TYPE is {how:?}, expected {properties:?}"
        );
        handles.push(device);
    }
    equal("sub-devices", &[devices.len()], &[units.len()])?;
    devices[0].count_up_and_down(2, true)?;
    let count = handles.len() as cl_uint;
    let context: Object<Context> = made!(clCreateContext(
        null(),
        count,
        handles.as_ptr(),
        None,
        null_mut()
    ))
    .map(Object::new)?;
    let source = "kernel void number(global int *out, int first) { \
        out[get_global_id(0)] = first + get_global_id(0); }\n";
    let program: Object<Program> = super::calls::program(context.get(), source)?;
    let options = session.with_options("")?;
    ok!(clBuildProgram(
        program.get(),
        count,
        handles.as_ptr(),
        options.as_ptr(),
        None,
        null_mut()
    ))?;
    let kernel: Object<Kernel> =
        made!(clCreateKernel(program.get(), c"number".as_ptr())).map(Object::new)?;
    const ITEMS: usize = 300;
    let mut enqueued = Vec::new();
    for (index, &device) in handles.iter().enumerate() {
        let queue: Object<Queue> =
            made!(clCreateCommandQueue(context.get(), device, 0)).map(Object::new)?;
        let buffer = super::calls::buffer(context.get(), CL_MEM_READ_WRITE, &[0; ITEMS * 4])?;
        let first = index as i32 * 1000;
        commands::set_argument(kernel.get(), 0, &buffer.get())?;
        commands::set_argument(kernel.get(), 1, &first)?;
        commands::launch(queue.get(), kernel.get(), ITEMS)?;
        ok!(clFlush(queue.get()))?;
        enqueued.push((queue, buffer, first));
    }
    for (queue, buffer, first) in enqueued {
        let got: Vec<i32> = commands::read(queue.get(), buffer.get(), 0, ITEMS)?;
        let expected: Vec<i32> = (first..first + ITEMS as i32).collect();
        equal("numbers of a sub-device", &got, &expected)?;
    }
    Ok(())
}
