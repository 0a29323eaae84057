//! Programs: built with and without callbacks, from the cache and from binaries, compiled and
//! linked, and invalid ones.

use crate::command;
use crate::world::{self, Station, World, compare, refused};
use anyhow::{Result, ensure};
use cl_sys::*;
use fastrand::Rng;
use harness::call::{code, made, ok};
use harness::callback::{self, Latch};
use harness::object::{Kernel, Object, Program};
use std::ffi::CString;
use std::ptr::{null, null_mut};

/// A kernel that adds a value from the build options.
const SOURCE: &str = "kernel void add_value(global uint *data) {
    data[get_global_id(0)] += VALUE;
}
kernel void twice(global uint *data) {
    data[get_global_id(0)] *= 2;
}
";

/// Builds a program by a random method and checks the result of its kernel.
pub fn run(world: &World, random: &mut Rng, _thread: usize) -> Result<()> {
    let (_, station) = world.any_station(random);
    // The number of values is small, so that other threads find built programs in the cache.
    let value = random.u32(..20);
    let options = format!("-DVALUE={value}");
    match random.u8(..6) {
        0 => {
            let program = built(station, &options)?;
            check(station, random, &program, value)?;
            kernels_of(&program)
        }
        1 => {
            let program = world::program(&station.context, SOURCE)?;
            build_in_the_background(&program, &options)?;
            check(station, random, &program, value)
        }
        2 => {
            let program = built(station, &options)?;
            let binary = from_binary(station, &program)?;
            drop(program);
            world::build(&binary, "")?;
            check(station, random, &binary, value)
        }
        3 => {
            let program = compiled_and_linked(station, value)?;
            check(station, random, &program, value)
        }
        4 => {
            let program = world::program(&station.context, "kernel void wrong( {")?;
            let code = code!(clBuildProgram(
                program.get(),
                0,
                null(),
                null(),
                None,
                null_mut(),
            ));
            refused("clBuildProgram", CL_BUILD_PROGRAM_FAILURE, code)
        }
        _ => {
            let program = built(station, &options)?;
            ok!(clUnloadCompiler())?;
            check(station, random, &program, value)
        }
    }
}

fn built(station: &Station, options: &str) -> Result<Object<Program>> {
    let program = world::program(&station.context, SOURCE)?;
    world::build(&program, options)?;
    Ok(program)
}

/// The kernel must add the value.
fn check(station: &Station, random: &mut Rng, program: &Object<Program>, value: u32) -> Result<()> {
    let words: Vec<u32> = (0..100).map(|_| random.u32(..)).collect();
    let buffer = world::buffer(&station.context, 0, words.len(), Some(&words))?;
    let kernel = world::kernel(program, "add_value")?;
    command::set(&kernel, 0, &buffer.get())?;
    let queue = &station.any_queue(random).queue;
    let event = command::launch(queue, &kernel, 0..words.len(), None, &[])?;
    drop(kernel);
    let expected: Vec<_> = words.iter().map(|word| word.wrapping_add(value)).collect();
    let read = command::read_now(queue, &buffer, words.len(), &[&event])?;
    compare("add_value", &expected, &read)
}

/// `clBuildProgram` with a callback.
fn build_in_the_background(program: &Object<Program>, options: &str) -> Result<()> {
    let ended = Latch::new(1);
    let notified = ended.clone();
    let user_data = callback::user_data("a build's callback", move |handle, _| {
        // A callback may query and retain the program.
        harness::failure::note_error(Object::<Program>::retained(handle).and_then(|program| {
            ensure!(program.references()? > 0, "the program has no references");
            Ok(())
        }));
        notified.count_down();
    });
    let options = CString::new(options)?;
    let called = ok!(clBuildProgram(
        program.get(),
        0,
        null(),
        options.as_ptr(),
        Some(callback::program),
        user_data,
    ));
    if called.is_err() {
        callback::forget(user_data);
    }
    called?;
    ended.wait("a build's callback");
    Ok(())
}

/// `clCreateKernelsInProgram`
fn kernels_of(program: &Object<Program>) -> Result<()> {
    let mut count = 0;
    let mut handles = [null_mut(); 2];
    ok!(clCreateKernelsInProgram(
        program.get(),
        2,
        handles.as_mut_ptr(),
        &raw mut count,
    ))?;
    let kernels = handles.map(Object::<Kernel>::new);
    ensure!(count == 2, "{count} kernels");
    for kernel in &kernels {
        kernel.count_up_and_down(2, true)?;
    }
    Ok(())
}

/// A program from the binaries of another.
fn from_binary(station: &Station, program: &Object<Program>) -> Result<Object<Program>> {
    let devices: Vec<_> = station.devices.iter().map(|device| device.0).collect();
    let mut sizes = vec![0usize; devices.len()];
    ok!(clGetProgramInfo(
        program.get(),
        CL_PROGRAM_BINARY_SIZES,
        size_of_val(&sizes[..]),
        sizes.as_mut_ptr().cast(),
        null_mut(),
    ))?;
    let mut binaries: Vec<Vec<u8>> = sizes.iter().map(|size| vec![0; *size]).collect();
    let mut starts: Vec<*mut u8> = binaries
        .iter_mut()
        .map(|binary| binary.as_mut_ptr())
        .collect();
    ok!(clGetProgramInfo(
        program.get(),
        CL_PROGRAM_BINARIES,
        size_of_val(&starts[..]),
        starts.as_mut_ptr().cast(),
        null_mut(),
    ))?;
    let starts: Vec<*const u8> = starts.into_iter().map(<*mut u8>::cast_const).collect();
    made!(clCreateProgramWithBinary(
        station.context.get(),
        devices.len() as cl_uint,
        devices.as_ptr(),
        sizes.as_ptr(),
        starts.as_ptr().cast_mut(),
        null_mut(),
    ))
    .map(Object::new)
}

/// `clCompileProgram` with a header, and `clLinkProgram`.
fn compiled_and_linked(station: &Station, value: u32) -> Result<Object<Program>> {
    let source = format!("#include \"value.h\"\n{SOURCE}");
    let program = world::program(&station.context, &source)?;
    let header = world::program(&station.context, &format!("#define VALUE {value}\n"))?;
    let (header, name) = (header.get(), c"value.h".as_ptr());
    ok!(clCompileProgram(
        program.get(),
        0,
        null(),
        null(),
        1,
        &raw const header,
        [name].as_mut_ptr(),
        None,
        null_mut(),
    ))?;
    let input = program.get();
    made!(clLinkProgram(
        station.context.get(),
        0,
        null(),
        null(),
        1,
        &raw const input,
        None,
        null_mut(),
    ))
    .map(Object::new)
}
