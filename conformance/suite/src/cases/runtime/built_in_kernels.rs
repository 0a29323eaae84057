//! Built-in kernels, and custom devices, which have no others (OpenCL 1.2, sections 4.2 and 5.6).

use super::calls::{self, answer, not_made, number, refused, text};
use crate::compare::equal;
use anyhow::{Context as _, Result, ensure};
use cl_sys::*;
use harness::call::{made, ok};
use harness::object::{Kernel, Memory, Object, Program, Queue};
use harness::session::Session;
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// Sessions on devices with built-in kernels, and the names of these.
fn with_kernels(session: &Session) -> Result<Vec<(Session, Vec<String>)>> {
    let sessions = session.on_built_in_kernels()?;
    ensure!(!sessions.is_empty(), "no device has built-in kernels");
    let with_names = sessions.into_iter().map(|session| {
        let device = session.device.id();
        let names = text(answer!(clGetDeviceInfo(
            device,
            CL_DEVICE_BUILT_IN_KERNELS
        ))?)?;
        Ok((session, names.split(';').map(str::to_owned).collect()))
    });
    with_names.collect()
}

fn program(session: &Session, names: &str) -> Result<Object<Program>> {
    let names = CString::new(names)?;
    let (context, device) = (session.context.get(), session.device.id());
    // cl-sys declares a pointer to Rust characters.
    let names = names.as_ptr().cast();
    made!(clCreateProgramWithBuiltInKernels(
        context,
        1,
        &raw const device,
        names
    ))
    .map(Object::new)
}

fn kernel(program: &Object<Program>, name: &str) -> Result<Object<Kernel>> {
    let name = CString::new(name)?;
    made!(clCreateKernel(program.get(), name.as_ptr())).map(Object::new)
}

/// Programs of one built-in kernel and of all, and their kernels.
pub fn programs(session: &Session) -> Result<()> {
    for (session, names) in with_kernels(session)? {
        programs_of(&session, &names)?;
    }
    Ok(())
}

fn programs_of(session: &Session, names: &[String]) -> Result<()> {
    ensure!(
        !names.iter().any(String::is_empty),
        "a kernel has no name: {names:?}"
    );
    for name in names {
        let program = program(session, name).with_context(|| name.clone())?;
        let kernel = kernel(&program, name)?;
        calls::is_kernel(&kernel, name, &program)?;
    }
    let all = program(session, &names.join(";"))?;
    let got: usize = number(answer!(clGetProgramInfo(
        all.get(),
        CL_PROGRAM_NUM_KERNELS
    ))?)?;
    equal("CL_PROGRAM_NUM_KERNELS", &[got], &[names.len()])?;
    let got = text(answer!(clGetProgramInfo(
        all.get(),
        CL_PROGRAM_KERNEL_NAMES
    ))?)?;
    let mut got: Vec<String> = got.split(';').map(str::to_owned).collect();
    let mut expected = names.to_vec();
    got.sort();
    expected.sort();
    equal("CL_PROGRAM_KERNEL_NAMES", &got, &expected)?;
    let mut kernels = vec![null_mut(); names.len()];
    let mut count = 0;
    ok!(clCreateKernelsInProgram(
        all.get(),
        names.len() as u32,
        kernels.as_mut_ptr(),
        &raw mut count
    ))?;
    let kernels: Vec<Object<Kernel>> = kernels.into_iter().map(Object::new).collect();
    equal("kernels in the program", &[count], &[kernels.len() as u32])
}

/// A built-in kernel whose arguments are known, and which adds vectors.
struct Sum {
    name: &'static str,
    arguments: Vec<Argument>,
    /// The argument that has the sums.
    result: usize,
    expected: Vec<u8>,
    /// Work-items.
    global: usize,
}

enum Argument {
    Vector(Vec<u8>),
    Value(Vec<u8>),
}

const COUNT: usize = 256;

fn singles(value: impl Fn(usize) -> f32) -> Vec<u8> {
    (0..COUNT).flat_map(|i| value(i).to_ne_bytes()).collect()
}

/// PoCL's, that of the machine `dsp`, and that of MT-3000 devices.
fn known_sums() -> [Sum; 3] {
    use Argument::{Value, Vector};
    let bytes = |period: usize| -> Vec<u8> { (0..COUNT).map(|i| (i % period) as u8).collect() };
    let (a, b) = (bytes(100), bytes(91));
    let (x, y) = (singles(|i| i as f32), singles(|i| 3.0 * i as f32));
    let (sums, count) = (
        singles(|i| 4.0 * i as f32),
        Vec::from((COUNT as u32).to_ne_bytes()),
    );
    let (one, step) = (Vec::from(1f32.to_ne_bytes()), Vec::from(1i32.to_ne_bytes()));
    [
        Sum {
            name: "pocl.add.i8",
            expected: a.iter().zip(&b).map(|(a, b)| a + b).collect(),
            arguments: vec![Vector(a), Vector(b), Vector(vec![0; COUNT])],
            result: 2,
            global: COUNT,
        },
        Sum {
            name: "vector_add",
            arguments: vec![
                Vector(x.clone()),
                Vector(y.clone()),
                Vector(vec![0; 4 * COUNT]),
                Value(count.clone()),
            ],
            result: 2,
            expected: sums.clone(),
            global: 1,
        },
        Sum {
            name: "saxpy",
            arguments: vec![
                Value(count),
                Value(one),
                Vector(x),
                Value(step.clone()),
                Vector(y),
                Value(step),
            ],
            result: 4,
            expected: sums,
            global: 1,
        },
    ]
}

/// Sums of vectors by built-in kernels.
pub fn sums(session: &Session) -> Result<()> {
    for (session, names) in with_kernels(session)? {
        for sum in known_sums() {
            if names.iter().any(|known| known == sum.name) {
                check_sum(&session, &sum).with_context(|| sum.name)?;
            }
        }
    }
    Ok(())
}

fn check_sum(session: &Session, sum: &Sum) -> Result<()> {
    let queue: Object<Queue> = calls::queue(session, 0)?;
    let program = program(session, sum.name)?;
    let kernel = kernel(&program, sum.name)?;
    let mut memories: Vec<Object<Memory>> = Vec::new();
    let mut result = null_mut();
    for (index, argument) in sum.arguments.iter().enumerate() {
        let (handle, value);
        let (size, value) = match argument {
            Argument::Value(bytes) => {
                value = bytes.as_ptr().cast();
                (bytes.len(), value)
            }
            Argument::Vector(bytes) => {
                let memory: Object<Memory> =
                    calls::buffer(session.context.get(), CL_MEM_READ_WRITE, bytes)?;
                handle = memory.get();
                if index == sum.result {
                    result = handle;
                }
                memories.push(memory);
                (size_of::<cl_mem>(), (&raw const handle).cast())
            }
        };
        ok!(clSetKernelArg(kernel.get(), index as u32, size, value))?;
    }
    ok!(clEnqueueNDRangeKernel(
        queue.get(),
        kernel.get(),
        1,
        null(),
        &raw const sum.global,
        null(),
        0,
        null(),
        null_mut()
    ))?;
    let mut found = vec![0u8; sum.expected.len()];
    ok!(clEnqueueReadBuffer(
        queue.get(),
        result,
        CL_TRUE,
        0,
        found.len(),
        found.as_mut_ptr().cast(),
        0,
        null(),
        null_mut()
    ))?;
    equal(sum.name, &found, &sum.expected)
}

/// Names that are no kernels of the device, and no devices.
pub fn refusals(session: &Session) -> Result<()> {
    for (session, names) in with_kernels(session)? {
        refusals_on(&session, &names)?;
    }
    Ok(())
}

fn refusals_on(session: &Session, names: &[String]) -> Result<()> {
    let (context, device) = (session.context.get(), session.device.id());
    let device = &raw const device;
    let unknown = CString::new(format!("{};no.such.kernel", names[0]))?;
    not_made!(
        CL_INVALID_VALUE,
        clCreateProgramWithBuiltInKernels(context, 1, device, unknown.as_ptr().cast())
    )?;
    not_made!(
        CL_INVALID_VALUE,
        clCreateProgramWithBuiltInKernels(context, 1, device, null())
    )?;
    let name = CString::new(names[0].as_str())?;
    let name = name.as_ptr().cast();
    not_made!(
        CL_INVALID_VALUE,
        clCreateProgramWithBuiltInKernels(context, 0, device, name)
    )?;
    not_made!(
        CL_INVALID_VALUE,
        clCreateProgramWithBuiltInKernels(context, 1, null(), name)
    )?;
    not_made!(
        CL_INVALID_CONTEXT,
        clCreateProgramWithBuiltInKernels(null_mut(), 1, device, name)
    )
}

/// Checks that a program can neither be built nor compiled, and that both return this code.
fn neither_built_nor_compiled(program: &Object<Program>, code: cl_int) -> Result<()> {
    let program = program.get();
    refused!(
        code,
        clBuildProgram(program, 0, null(), null(), None, null_mut())
    )?;
    refused!(
        code,
        clCompileProgram(
            program,
            0,
            null(),
            null(),
            0,
            null(),
            null_mut(),
            None,
            null_mut()
        )
    )
}

/// Programs of built-in kernels cannot be built.
pub fn not_built(session: &Session) -> Result<()> {
    for (session, names) in with_kernels(session)? {
        let program = program(&session, &names[0])?;
        neither_built_nor_compiled(&program, CL_INVALID_OPERATION)?;
    }
    Ok(())
}

/// Custom devices are found by their type only, and compile nothing.
pub fn custom_devices(session: &Session) -> Result<()> {
    let device = session.device.id();
    let platform: usize = number(answer!(clGetDeviceInfo(device, CL_DEVICE_PLATFORM))?)?;
    let platform = platform as cl_platform_id;
    let found = |device_type| -> Result<Vec<cl_device_id>> {
        let mut devices = vec![null_mut(); 64];
        let mut count = 0;
        ok!(clGetDeviceIDs(
            platform,
            device_type,
            64,
            devices.as_mut_ptr(),
            &raw mut count
        ))?;
        devices.truncate(count as usize);
        Ok(devices)
    };
    let custom = found(CL_DEVICE_TYPE_CUSTOM)?;
    for others in [found(CL_DEVICE_TYPE_ALL)?, found(CL_DEVICE_TYPE_DEFAULT)?] {
        let is_among = |device: &cl_device_id| custom.contains(device);
        ensure!(
            !others.iter().any(is_among),
            "a custom device is among others"
        );
    }
    for device in custom {
        let got: u64 = number(answer!(clGetDeviceInfo(device, CL_DEVICE_TYPE))?)?;
        equal("CL_DEVICE_TYPE", &[got], &[CL_DEVICE_TYPE_CUSTOM])?;
        let got: u32 = number(answer!(clGetDeviceInfo(
            device,
            CL_DEVICE_COMPILER_AVAILABLE
        ))?)?;
        if got == CL_TRUE {
            continue;
        }
        let got: u32 = number(answer!(clGetDeviceInfo(
            device,
            CL_DEVICE_LINKER_AVAILABLE
        ))?)?;
        equal("CL_DEVICE_LINKER_AVAILABLE", &[got], &[CL_FALSE])?;
        let context = made!(clCreateContext(
            null(),
            1,
            &raw const device,
            None,
            null_mut()
        ))?;
        let context: Object<harness::object::Context> = Object::new(context);
        let source = calls::program(context.get(), "kernel void nothing(void) {}")?;
        neither_built_nor_compiled(&source, CL_COMPILER_NOT_AVAILABLE)?;
    }
    Ok(())
}
