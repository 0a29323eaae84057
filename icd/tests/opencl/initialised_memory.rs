//! cl_khr_initialize_memory: contexts whose kernels find zeros in local and private memory.

use crate::linking::{binaries, compiled, linked, recreated, with_binaries};
use crate::session::{Session, answer, ok, refused};
use cl_sys::*;
use std::ptr::{null, null_mut};

const CL_CONTEXT_MEMORY_INITIALIZE_KHR: cl_context_properties = 0x2030;
const LOCAL: cl_context_properties = 1;
const PRIVATE: cl_context_properties = 2;

/// Fills much of local memory and the stack, then adds up what kernels find in variables
/// that they have not set.
const SOURCE: &str = "
    kernel void dirty(global int *x, local int *scratch, int count) {
        local int own[1000];
        volatile int stack[500];
        for (int i = 0; i < 1000; i++) own[i] = -1;
        for (int i = 0; i < count; i++) scratch[i] = -1;
        for (int i = 0; i < 500; i++) stack[i] = -1;
        *x = own[*x & 255] + stack[*x & 255] + scratch[*x & 255];
    }
    kernel void local_memory(global uint *found, local uint *scratch, int count) {
        local uint own[300];
        local struct { char c; uint n; } pair;
        uint sum = pair.n | pair.c;
        for (int i = 0; i < 300; i++) sum |= own[i];
        for (int i = 0; i < count; i++) sum |= scratch[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_or(found, sum);
        own[get_local_id(0)] = scratch[get_local_id(0)] = pair.n = 7;
    }
    void spill(volatile private uint *array, int n) { array[n] |= 0; }
    kernel void private_memory(global uint *found, int n) {
        uint array[200], scalar, sum = 0;
        uint3 vector;
        struct { char c; uint n[3]; } structure;
        spill(array, n);
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (int i = 0; i < 200; i++) sum |= array[i];
        sum |= scalar | vector.x | vector.z | structure.c | structure.n[n & 1];
        for (int i = 0; i < 3; i++) {
            uint inner[5];
            spill(inner, n & 3);
            sum |= inner[0] | inner[1] | inner[4];
            inner[n & 1] = 5;
        }
        atomic_or(found, sum);
    }";

fn session(initialised: cl_context_properties) -> Session {
    Session::with_properties(&[CL_CONTEXT_MEMORY_INITIALIZE_KHR, initialised, 0])
}

fn dirty(session: &Session, program: cl_program) {
    let kernel = session.kernel_of(program, "dirty");
    let buffer = session.buffer(&[1]);
    ok(session.set(kernel, 0, &buffer));
    // SAFETY: local memory has no value to be read.
    ok(unsafe { clSetKernelArg(kernel, 1, 400_000, null()) });
    ok(session.set(kernel, 2, &100_000i32));
    ok(session.launch(session.queue, kernel, &[64], Some(&[1]), &[], null_mut()));
    assert_eq!(session.read::<i32>(buffer, 1), [-3]);
}

/// The bits found in local memory by many groups, one after the other.
fn found_in_local_memory(session: &Session, program: cl_program) -> u32 {
    let kernel = session.kernel_of(program, "local_memory");
    let found = session.buffer(&[0u32]);
    ok(session.set(kernel, 0, &found));
    // SAFETY: local memory has no value to be read.
    ok(unsafe { clSetKernelArg(kernel, 1, 4000, null()) });
    ok(session.set(kernel, 2, &1000i32));
    ok(session.launch(session.queue, kernel, &[4096], Some(&[16]), &[], null_mut()));
    session.read::<u32>(found, 1)[0]
}

/// The bits found in private memory by many work-items.
fn found_in_private_memory(session: &Session, program: cl_program) -> u32 {
    let kernel = session.kernel_of(program, "private_memory");
    let found = session.buffer(&[0u32]);
    ok(session.set(kernel, 0, &found));
    ok(session.set(kernel, 1, &3i32));
    for local in [1, 16, 64] {
        ok(session.launch(
            session.queue,
            kernel,
            &[512],
            Some(&[local]),
            &[],
            null_mut(),
        ));
    }
    session.read::<u32>(found, 1)[0]
}

#[test]
fn local_memory_holds_zeros_in_each_group() {
    for initialised in [LOCAL, LOCAL | PRIVATE] {
        let session = session(initialised);
        for options in ["", "-cl-opt-disable"] {
            let program = session.built_with(SOURCE, options);
            dirty(&session, program);
            assert_eq!(found_in_local_memory(&session, program), 0, "{options}");
        }
    }
    // The test can fail: groups of other contexts find what others leave.
    let session = session(PRIVATE);
    let program = session.built(SOURCE);
    dirty(&session, program);
    assert_ne!(found_in_local_memory(&session, program), 0);
}

#[test]
fn private_variables_begin_as_zeros() {
    for initialised in [PRIVATE, LOCAL | PRIVATE] {
        let session = session(initialised);
        for options in ["", "-cl-opt-disable"] {
            let program = session.built_with(SOURCE, options);
            dirty(&session, program);
            assert_eq!(found_in_private_memory(&session, program), 0, "{options}");
        }
        let program = linked(&session, "", &[compiled(&session, SOURCE)]);
        dirty(&session, program);
        assert_eq!(found_in_private_memory(&session, program), 0);
    }
    // The test can fail.
    let session = session(LOCAL);
    let program = session.built_with(SOURCE, "-cl-opt-disable");
    dirty(&session, program);
    assert_ne!(found_in_private_memory(&session, program), 0);
}

#[test]
fn binaries_that_leave_private_memory_as_it_is_are_refused_where_it_must_not_be() {
    let (plain, local, private) = (Session::open(), session(LOCAL), session(PRIVATE));
    let give = |session: &Session, binaries: &[Vec<u8>]| {
        with_binaries(session.context, &session.devices[..1], &binaries[..1]).1
    };
    let library =
        |session: &Session| linked(session, "-create-library", &[compiled(session, SOURCE)]);
    for make in [
        |session: &Session| session.built(SOURCE),
        |session: &Session| compiled(session, SOURCE),
        library,
    ] {
        let of_plain = binaries(make(&plain));
        assert_eq!(give(&private, &of_plain), CL_INVALID_BINARY);
        assert_eq!(give(&local, &of_plain), CL_SUCCESS);
        let of_private = binaries(make(&private));
        assert_eq!(give(&private, &of_private), CL_SUCCESS);
        assert_eq!(give(&plain, &of_private), CL_SUCCESS);
    }
    let program = recreated(&private, private.built(SOURCE));
    ok(private.build(program, ""));
    dirty(&private, program);
    assert_eq!(found_in_private_memory(&private, program), 0);
}

#[test]
fn the_property_is_checked_and_shown() {
    let plain = Session::open();
    for wrong in [4, -1, 1 << 40] {
        let properties = [CL_CONTEXT_MEMORY_INITIALIZE_KHR, wrong, 0];
        // SAFETY: the lists are read during the call.
        let code = refused(|code| unsafe {
            let (properties, devices) = (properties.as_ptr(), plain.devices.as_ptr());
            clCreateContext(properties, 1, devices, None, null_mut(), code)
        });
        assert_eq!(code, CL_INVALID_PROPERTY);
    }
    let session = session(LOCAL | PRIVATE);
    let properties = answer(|size, value, size_ret| {
        // SAFETY: `answer` gives room.
        unsafe {
            clGetContextInfo(
                session.context,
                CL_CONTEXT_PROPERTIES,
                size,
                value,
                size_ret,
            )
        }
    });
    let given = [CL_CONTEXT_MEMORY_INITIALIZE_KHR, LOCAL | PRIVATE, 0];
    let bytes: Vec<u8> = given.iter().flat_map(|word| word.to_ne_bytes()).collect();
    assert_eq!(properties, bytes);
}
