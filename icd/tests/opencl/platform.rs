//! Platform, contexts and handles.

use crate::process::compile;
use crate::session::{Session, made, ok, refused, vendors};
use cl_sys::*;
use std::path::Path;
use std::process::Command;
use std::ptr::{null, null_mut};

#[test]
fn a_platform_query_without_outputs_is_refused() {
    Session::open();
    // SAFETY: nothing is to be written.
    let code = unsafe { clGetPlatformIDs(0, null_mut(), null_mut()) };
    assert_eq!(code, CL_INVALID_VALUE);
}

#[test]
fn contexts_check_properties_and_devices() {
    let session = Session::open();
    let device = session.devices[0];
    let foreign = session.context.cast();
    let bad: [cl_context_properties; 3] = [0x9999, 1, 0];
    let good: [cl_context_properties; 3] =
        [CL_CONTEXT_PLATFORM as isize, session.platform as isize, 0];
    // SAFETY: all pointers are to locals.
    unsafe {
        assert_eq!(
            refused(|code| clCreateContext(null(), 1, &foreign, None, null_mut(), code)),
            CL_INVALID_DEVICE
        );
        assert_eq!(
            refused(|code| clCreateContext(bad.as_ptr(), 1, &device, None, null_mut(), code)),
            CL_INVALID_PROPERTY
        );
        let context =
            made(|code| clCreateContext(good.as_ptr(), 1, &device, None, null_mut(), code));
        assert_eq!(
            refused(|code| clCreateCommandQueue(context, session.devices[3], 0, code)),
            CL_INVALID_DEVICE
        );
        ok(clReleaseContext(context));
    }
}

#[test]
fn stale_handles_and_handles_of_another_kind_are_recognised() {
    let session = Session::open();
    let buffer = session.buffer(&[1u8; 64]);
    // SAFETY: the loader reads the handles' first word, which stays readable.
    unsafe {
        ok(clRetainMemObject(buffer));
        ok(clReleaseMemObject(buffer));
        ok(clReleaseMemObject(buffer));
        assert_eq!(clReleaseMemObject(buffer), CL_INVALID_MEM_OBJECT);
        assert_eq!(clReleaseKernel(session.context.cast()), CL_INVALID_KERNEL);
        assert_eq!(clFinish(session.context.cast()), CL_INVALID_COMMAND_QUEUE);
        assert_eq!(clRetainEvent(session.queue.cast()), CL_INVALID_EVENT);
    }
}

#[test]
fn devices_are_found_by_the_type_they_report() {
    let program = compile("device_types");
    for (variable, name, bit) in [
        (None, "accelerator", 8),
        (Some("accelerator"), "accelerator", 8),
        (Some("cpu"), "cpu", 2),
        (Some("GPU"), "gpu", 4),
    ] {
        let mut command = Command::new(&program);
        command.env("OCL_ICD_VENDORS", vendors());
        command.env_remove("MOCL3_DEVICE_TYPE");
        if let Some(value) = variable {
            command.env("MOCL3_DEVICE_TYPE", value);
        }
        let output = command.output().unwrap();
        assert!(output.status.success());
        let printed = String::from_utf8(output.stdout).unwrap();
        let line = |asked| match asked {
            "default" => format!("default: 1, 1 in a context, the first is {bit:#x}\n"),
            _ if asked == name || asked == "all" => {
                format!("{asked}: 4, 4 in a context, the first is {bit:#x}\n")
            }
            _ => format!("{asked}: {CL_DEVICE_NOT_FOUND}\n"),
        };
        let asked = ["default", "cpu", "gpu", "accelerator", "custom", "all"];
        assert_eq!(printed, asked.map(line).concat());
    }
}

/// Programs that were never run with several devices request one with `MOCL3_DEVICES=1`.
#[test]
fn the_number_of_devices_can_be_set() {
    let program = compile("device_types");
    for (value, count, warns) in [
        ("", 4, false),
        ("1", 1, false),
        ("3", 3, false),
        ("4", 4, false),
        ("5", 4, true),
        ("0", 4, true),
        ("one", 4, true),
    ] {
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_DEVICES", value)
            .env_remove("MOCL3_DEVICE_TYPE")
            .env_remove("MOCL3_LOG")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        for (asked, count) in [("default", 1), ("accelerator", count), ("all", count)] {
            let line = format!("{asked}: {count}, {count} in a context, the first is 0x8\n");
            assert!(printed.contains(&line), "{value}: {printed}");
        }
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(log.contains("MOCL3_DEVICES"), warns, "{value}: {log}");
    }
}

/// A machine that has local memory in SM has as much as the stack leaves there.
#[test]
fn local_memory_is_where_the_machine_file_says() {
    let program = compile("local_memory");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../device-sim/machines/mt3000.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (memory, stack, bytes, warns) in [
        ("am", "1", 655_360, false),
        ("sm", "", 52_352, false),
        ("sm", "0", 65_536, false),
        ("sm", ".8", 13_056, false),
        ("sm", ".5", 52_352, true),
    ] {
        let machine = folder.path().join("machine.toml");
        let placed = format!("local_memory_in = \"{memory}\"");
        std::fs::write(&machine, text.replace("local_memory_in = \"am\"", &placed)).unwrap();
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_MACHINE", &machine)
            .env("HT_MEM_LAYOUT_POS", stack)
            .env_remove("MOCL3_LOG")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        let more = bytes + 1;
        let expected =
            format!("{bytes} bytes\n{bytes}: 0\n{more}: {CL_OUT_OF_RESOURCES}\n3 5 7 5\n");
        assert_eq!(printed, expected, "{memory} {stack}");
        let warned = String::from_utf8_lossy(&output.stderr).contains("HT_MEM_LAYOUT_POS");
        assert_eq!(warned, warns, "{stack}");
    }
}
