//! Memory objects that several clusters use: contents are right everywhere, and the log
//! shows what the machine would move.

use crate::process::compile;
use crate::session::{Session, made, ok, vendors};
use cl_sys::*;
use std::process::Command;
use std::ptr::{null, null_mut};

/// The steps of `tests/programs/migration.c` and their transfers.
const STEPS: &[(&str, &[&str])] = &[
    ("the first use", &["4096 host 0"]),
    ("of another device", &["4096 0 1"]),
    ("writing makes copies stale", &["4096 1 0"]),
    ("sub-buffers", &[]),
    ("what they have become", &["1024 1 0"]),
    ("requested", &["1024 0 1"]),
    ("to the host", &["4096 1 host"]),
    ("contents undefined", &[]),
    ("mapped", &["1024 0 host", "1024 host 0"]),
    ("mapped and overwritten", &["1024 host 0"]),
    (
        "written and read",
        &["256 host 1", "512 0 host", "256 1 host", "256 0 host"],
    ),
    ("copied", &["512 0 1"]),
    ("never written", &["512 1 0"]),
    (
        "a rectangle of 2 rows",
        // Of 16 to 336, what was there goes first.
        &["320 0 1", "128 host 1"],
    ),
    ("a rectangle of 2 rows from elsewhere", &["128 1 host"]),
    ("an image", &["256 host 0"]),
    ("the whole image", &["128 0 1"]),
    ("end", &[]),
];

#[test]
fn the_log_shows_each_transfer() {
    let output = Command::new(compile("migration"))
        .env("OCL_ICD_VENDORS", vendors())
        .env("MOCL3_LOG", "runtime::memory::memory_access=debug")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    let mut steps: Vec<(&str, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("step ") {
            steps.push((name, Vec::new()));
        } else if let Some((_, transfer)) = line.split_once("] ") {
            let transfer = transfer
                .replace(" bytes of a memory object go from", "")
                .replace(" to ", " ")
                .replace("the host", "host")
                .replace("cluster ", "");
            let (_, transfers) = steps.last_mut().expect("a step before its transfers");
            transfers.push(transfer);
        }
    }
    let expected: Vec<_> = STEPS
        .iter()
        .map(|(name, transfers)| (*name, transfers.iter().map(ToString::to_string).collect()))
        .collect();
    assert_eq!(steps, expected);
}

#[test]
fn contents_follow_from_device_to_device() {
    let session = Session::open();
    let queues = [0, 1].map(|index| {
        let device = session.devices[index];
        // SAFETY: both are devices of the context.
        made(|code| unsafe { clCreateCommandQueue(session.context, device, 0, code) })
    });
    let buffer = session.buffer(&[0i32; 256]);
    let kernel = session.kernel(
        "kernel void add(global int *x, int y) { x[get_global_id(0)] += y; }",
        "add",
    );
    ok(session.set(kernel, 0, &buffer));
    let mut last: cl_event = null_mut();
    for round in 0..10i32 {
        let queue = queues[round as usize % 2];
        let mut events = [last, null_mut()];
        let count = u32::from(!last.is_null());
        let list = if count == 0 { null() } else { events.as_ptr() };
        let flags = [0, CL_MIGRATE_MEM_OBJECT_HOST, 0][round as usize % 3];
        // SAFETY: objects and events are valid.
        unsafe {
            let event = events.as_mut_ptr().add(1);
            ok(clEnqueueMigrateMemObjects(
                queue, 1, &buffer, flags, count, list, event,
            ));
            let mut command_type = 0u32;
            let to = (&raw mut command_type).cast();
            ok(clGetEventInfo(
                events[1],
                CL_EVENT_COMMAND_TYPE,
                4,
                to,
                null_mut(),
            ));
            assert_eq!(command_type, CL_COMMAND_MIGRATE_MEM_OBJECTS);
        }
        ok(session.set(kernel, 1, &round));
        ok(session.launch(queue, kernel, &[256], None, &events[1..], &mut last));
    }
    // SAFETY: the event is valid.
    ok(unsafe { clWaitForEvents(1, &last) });
    assert_eq!(session.read::<i32>(buffer, 256), [45; 256]);
}

/// Each device has a half of a buffer as a sub-buffer, and both work at the same time.
#[test]
fn devices_work_on_parts_of_a_buffer_at_the_same_time() {
    let session = Session::open();
    let buffer = session.buffer(&[1i32; 2048]);
    let source = "kernel void add(global int *x, int y) { x[get_global_id(0)] += y; }";
    let halves = [0, 1].map(|half: usize| {
        let region = [4096 * half, 4096];
        // SAFETY: the region is read during the call; the device is of the context.
        let (part, queue) = unsafe {
            let region = region.as_ptr().cast();
            let create_type = CL_BUFFER_CREATE_TYPE_REGION;
            let device = session.devices[half];
            (
                made(|code| clCreateSubBuffer(buffer, 0, create_type, region, code)),
                made(|code| clCreateCommandQueue(session.context, device, 0, code)),
            )
        };
        let kernel = session.kernel(source, "add");
        ok(session.set(kernel, 0, &part));
        ok(session.set(kernel, 1, &(half as i32 + 1)));
        (queue, kernel)
    });
    for _ in 0..200 {
        for (queue, kernel) in halves {
            ok(session.launch(queue, kernel, &[1024], None, &[], null_mut()));
        }
    }
    for (queue, _) in halves {
        // SAFETY: the queue is valid.
        ok(unsafe { clFinish(queue) });
    }
    let expected = [[201i32; 1024], [401; 1024]].concat();
    assert_eq!(session.read::<i32>(buffer, 2048), expected);
}
