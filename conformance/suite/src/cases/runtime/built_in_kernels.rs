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

/// The session's first device with built-in kernels, and their names.
fn with_kernels(session: &Session) -> Result<(Session, Vec<String>)> {
    let session = session.on_built_in_kernels()?;
    let session = session.context("no device has built-in kernels")?;
    let device = session.device.id();
    let names = text(answer!(clGetDeviceInfo(
        device,
        CL_DEVICE_BUILT_IN_KERNELS
    ))?)?;
    let names = names.split(';').map(str::to_owned).collect();
    Ok((session, names))
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
    let (session, names) = with_kernels(session)?;
    ensure!(
        !names.iter().any(String::is_empty),
        "a kernel has no name: {names:?}"
    );
    for name in &names {
        let program = program(&session, name).with_context(|| name.clone())?;
        let kernel = kernel(&program, name)?;
        calls::is_kernel(&kernel, name, &program)?;
    }
    let all = program(&session, &names.join(";"))?;
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
    let mut expected = names.clone();
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

/// A sum of vectors by a built-in kernel whose arguments are known: PoCL's, and that of the machine `dsp`.
pub fn sums(session: &Session) -> Result<()> {
    const COUNT: usize = 256;
    let (session, names) = with_kernels(session)?;
    let has = |name: &str| names.iter().any(|known| known == name);
    let queue: Object<Queue> = calls::queue(&session, 0)?;
    let context = session.context.get();
    let (name, a, b, expected, sizes): (_, Vec<u8>, Vec<u8>, Vec<u8>, Option<u32>) =
        if has("pocl.add.i8") {
            let a: Vec<u8> = (0..COUNT).map(|i| (i % 100) as u8).collect();
            let b: Vec<u8> = (0..COUNT).map(|i| (i % 91) as u8).collect();
            let sums = a.iter().zip(&b).map(|(a, b)| a + b).collect();
            ("pocl.add.i8", a, b, sums, None)
        } else if has("vector_add") {
            let bytes = |value: &dyn Fn(usize) -> f32| -> Vec<u8> {
                (0..COUNT).flat_map(|i| value(i).to_ne_bytes()).collect()
            };
            let (a, b) = (bytes(&|i| i as f32), bytes(&|i| 3.0 * i as f32));
            let sums = bytes(&|i| 4.0 * i as f32);
            ("vector_add", a, b, sums, Some(COUNT as u32))
        } else {
            return Ok(());
        };
    let program = program(&session, name)?;
    let kernel = kernel(&program, name)?;
    let inputs = [&a, &b].map(|bytes| calls::buffer(context, CL_MEM_READ_ONLY, bytes));
    let [a, b] = inputs;
    let sum: Object<Memory> = calls::buffer(context, CL_MEM_READ_WRITE, &vec![0; expected.len()])?;
    for (index, memory) in [a?, b?, sum].iter().enumerate() {
        let handle = memory.get();
        ok!(clSetKernelArg(
            kernel.get(),
            index as u32,
            size_of::<cl_mem>(),
            (&raw const handle).cast()
        ))?;
        if index == 2 {
            if let Some(count) = sizes {
                ok!(clSetKernelArg(
                    kernel.get(),
                    3,
                    4,
                    (&raw const count).cast()
                ))?;
            }
            let global = if sizes.is_some() { 1 } else { COUNT };
            ok!(clEnqueueNDRangeKernel(
                queue.get(),
                kernel.get(),
                1,
                null(),
                &raw const global,
                null(),
                0,
                null(),
                null_mut()
            ))?;
            let mut found = vec![0u8; expected.len()];
            ok!(clEnqueueReadBuffer(
                queue.get(),
                handle,
                CL_TRUE,
                0,
                found.len(),
                found.as_mut_ptr().cast(),
                0,
                null(),
                null_mut()
            ))?;
            equal(name, &found, &expected)?;
        }
    }
    Ok(())
}

/// Names that are no kernels of the device, and no devices.
pub fn refusals(session: &Session) -> Result<()> {
    let (session, names) = with_kernels(session)?;
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
    let (session, names) = with_kernels(session)?;
    let program = program(&session, &names[0])?;
    neither_built_nor_compiled(&program, CL_INVALID_OPERATION)
}

/// Custom devices are found by their type only, and compile nothing.
pub fn custom_devices(session: &Session) -> Result<()> {
    let (session, _) = with_kernels(session)?;
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
