//! Extensions of the host's interface, used as programs use them: names from the lists,
//! functions by name.

use crate::session::{CreateCommandQueueWithProperties, Session, answer, function, made, ok, text};
use cl_sys::*;
use std::ptr::null;

/// Names and versions, of `cl_name_version_khr`.
fn names_and_versions(bytes: &[u8]) -> Vec<(String, u32)> {
    assert_eq!(bytes.len() % 68, 0);
    bytes
        .chunks_exact(68)
        .map(|row| {
            let (version, name) = row.split_at(4);
            let length = name.iter().position(|byte| *byte == 0).unwrap();
            (
                String::from_utf8(name[..length].to_vec()).unwrap(),
                u32::from_ne_bytes(version.try_into().unwrap()),
            )
        })
        .collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

/// cl_khr_extended_versioning.
#[test]
fn versions_as_numbers_agree_with_the_texts() {
    let session = Session::open();
    let handle = session.platform;
    let platform = |name| {
        // SAFETY: `answer` and `text` give room.
        move |size, value, size_ret| unsafe {
            clGetPlatformInfo(handle, name, size, value, size_ret)
        }
    };
    let numeric = answer(platform(0x0906));
    assert_eq!(numeric, (1u32 << 22 | 2 << 12).to_ne_bytes());
    assert!(text(platform(CL_PLATFORM_VERSION)).starts_with("OpenCL 1.2 "));
    let listed = text(platform(CL_PLATFORM_EXTENSIONS));
    let versions = names_and_versions(&answer(platform(0x0907)));
    let names: Vec<_> = versions.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, words(&listed));
    assert!(names.contains(&"cl_khr_icd") && names.contains(&"cl_khr_extended_versioning"));

    for &device in &session.devices {
        let device = |name| {
            // SAFETY: as above.
            move |size, value, size_ret| unsafe {
                clGetDeviceInfo(device, name, size, value, size_ret)
            }
        };
        assert_eq!(answer(device(0x105E)), numeric);
        assert_eq!(answer(device(0x105F)), numeric);
        let listed = text(device(CL_DEVICE_EXTENSIONS));
        let of_device = names_and_versions(&answer(device(0x1060)));
        let names: Vec<_> = of_device.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, words(&listed));
        assert!(!names.contains(&"cl_khr_icd"));
        // What all devices have, the platform has.
        assert!(of_device.iter().all(|pair| versions.contains(pair)));
        let fp64 = of_device.iter().find(|(name, _)| name == "cl_khr_fp64");
        assert_eq!(fp64.map(|(_, version)| *version), Some(1 << 22));
        // No intermediate languages.
        assert!(answer(device(0x1061)).is_empty());
        let kernels = names_and_versions(&answer(device(0x1062)));
        let listed = text(device(CL_DEVICE_BUILT_IN_KERNELS));
        assert!(
            kernels
                .iter()
                .map(|(name, _)| name.as_str())
                .eq(listed.split(';'))
        );
        assert!(kernels.iter().all(|(_, version)| *version == 1 << 22));
    }
}

/// cl_khr_suggested_local_work_size.
#[test]
fn the_suggested_local_size_is_what_a_launch_uses() {
    type Suggest = extern "C" fn(
        cl_command_queue,
        cl_kernel,
        cl_uint,
        *const usize,
        *const usize,
        *mut usize,
    ) -> cl_int;
    let session = Session::open();
    let name = c"clGetKernelSuggestedLocalWorkSizeKHR".as_ptr();
    // SAFETY: the name outlives the call, and the function has this type.
    let suggest: Suggest = unsafe {
        let address = clGetExtensionFunctionAddressForPlatform(session.platform, name);
        assert!(!address.is_null());
        std::mem::transmute(address)
    };
    let program = session.built(
        "kernel void k(global ulong *sizes) {
            if (get_global_linear == 0)
                for (int d = 0; d < 3; d++) sizes[d] = get_local_size(d);
        }
        kernel __attribute__((reqd_work_group_size(4, 2, 1))) void demanding(local int *x) {}"
            .replace(
                "get_global_linear",
                "get_global_id(0) + get_global_id(1) + get_global_id(2)",
            )
            .as_str(),
    );
    let kernel = session.kernel_of(program, "k");
    let (null, mut none) = (std::ptr::null(), [0usize; 3]);
    let ask = |kernel, global: &[usize], offset, local: &mut [usize; 3]| {
        let dimensions = global.len() as u32;
        let (global, local) = (global.as_ptr(), local.as_mut_ptr());
        suggest(session.queue, kernel, dimensions, offset, global, local)
    };
    assert_eq!(ask(kernel, &[64], null, &mut none), CL_INVALID_KERNEL_ARGS);
    let buffer = session.buffer(&[0u64; 3]);
    ok(session.set(kernel, 0, &buffer));
    for global in [
        &[1][..],
        &[64],
        &[1000],
        &[10_007],
        &[1 << 20],
        &[640, 480],
        &[7, 3],
        &[30, 20, 10],
        &[1, 1, 4096],
    ] {
        let mut suggested = [777; 3];
        ok(ask(kernel, global, null, &mut suggested));
        ok(session.launch(
            session.queue,
            kernel,
            global,
            None,
            &[],
            std::ptr::null_mut(),
        ));
        let used = session.read::<u64>(buffer, 3);
        for (d, used) in used.into_iter().enumerate() {
            // Nothing is written beyond the given dimensions.
            let expected = if d < global.len() {
                suggested[d] as u64
            } else {
                1
            };
            assert_eq!(used, expected, "{global:?}");
            assert!(d < global.len() || suggested[d] == 777);
        }
    }
    // The size that the kernel requires, or none fits.
    let demanding = session.kernel_of(program, "demanding");
    // SAFETY: local memory has no value to be read.
    ok(unsafe { clSetKernelArg(demanding, 0, 4, std::ptr::null()) });
    ok(ask(demanding, &[8, 8], null, &mut none));
    assert_eq!(none, [4, 2, 0]);
    for global in [&[6, 8][..], &[8]] {
        let code = ask(demanding, global, null, &mut none);
        assert_eq!(code, CL_INVALID_WORK_GROUP_SIZE, "{global:?}");
    }

    // The errors are those of launches.
    let queue = session.queue;
    let one = [1usize; 3];
    let to = none.as_mut_ptr();
    for (code, expected) in [
        (
            suggest(std::ptr::null_mut(), kernel, 1, null, one.as_ptr(), to),
            CL_INVALID_COMMAND_QUEUE,
        ),
        (
            suggest(queue, std::ptr::null_mut(), 1, null, one.as_ptr(), to),
            CL_INVALID_KERNEL,
        ),
        (
            suggest(queue, kernel, 0, null, one.as_ptr(), to),
            CL_INVALID_WORK_DIMENSION,
        ),
        (
            suggest(queue, kernel, 4, null, one.as_ptr(), to),
            CL_INVALID_WORK_DIMENSION,
        ),
        (
            suggest(queue, kernel, 1, null, null, to),
            CL_INVALID_GLOBAL_WORK_SIZE,
        ),
        (
            suggest(queue, kernel, 1, null, [0].as_ptr(), to),
            CL_INVALID_GLOBAL_WORK_SIZE,
        ),
        (
            suggest(queue, kernel, 1, [usize::MAX].as_ptr(), one.as_ptr(), to),
            CL_INVALID_GLOBAL_OFFSET,
        ),
        (
            suggest(queue, kernel, 1, null, one.as_ptr(), std::ptr::null_mut()),
            CL_INVALID_VALUE,
        ),
        (
            suggest(Session::open().queue, kernel, 1, null, one.as_ptr(), to),
            CL_INVALID_CONTEXT,
        ),
    ] {
        assert_eq!(code, expected);
    }
}

/// cl_khr_create_command_queue.
#[test]
fn queues_are_created_from_lists_of_properties() {
    let session = Session::open();
    let name = c"clCreateCommandQueueWithPropertiesKHR";
    let create: CreateCommandQueueWithProperties = function(session.platform, name);
    // As programs query it.
    // SAFETY: the name ends with NUL.
    let asked =
        unsafe { clGetExtensionFunctionAddressForPlatform(session.platform, name.as_ptr()) };
    assert_eq!(asked.addr(), create as usize);
    let name = cl_queue_properties::from(CL_QUEUE_PROPERTIES);
    let both = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    for (list, expected) in [
        (None, 0),
        (Some([0, 99, 99]), 0),
        (Some([name, 0, 0]), 0),
        (
            Some([name, CL_QUEUE_PROFILING_ENABLE, 0]),
            CL_QUEUE_PROFILING_ENABLE,
        ),
        (Some([name, both, 0]), both),
    ] {
        let list = list
            .as_ref()
            .map_or(null(), |list: &[u64; 3]| list.as_ptr());
        // SAFETY: handles are valid; the list is read during the call.
        unsafe {
            let queue = made(|code| create(session.context, session.devices[0], list, code));
            let properties = answer(|size, value, size_ret| {
                clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, size, value, size_ret)
            });
            assert_eq!(properties, expected.to_ne_bytes());
            ok(clReleaseCommandQueue(queue));
        }
    }
}

/// cl_khr_device_uuid.
#[test]
fn devices_and_the_driver_have_unique_identifiers() {
    let session = Session::open();
    let query = |device, name| {
        // SAFETY: `answer` gives room.
        answer(|size, value, size_ret| unsafe {
            clGetDeviceInfo(device, name, size, value, size_ret)
        })
    };
    let driver = query(session.devices[0], 0x106B);
    let mut seen = vec![driver.clone()];
    for &device in &session.devices {
        let identifier = query(device, 0x106A);
        assert_eq!(identifier.len(), 16);
        assert!(!seen.contains(&identifier));
        seen.push(identifier);
        assert_eq!(query(device, 0x106B), driver);
        assert_eq!(query(device, 0x106C), CL_FALSE.to_ne_bytes());
        assert_eq!(query(device, 0x106D).len(), 8);
        assert_eq!(query(device, 0x106E).len(), 4);
    }
    // The same in every process and build.
    let first: Vec<_> = seen[1].iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(first.concat(), "258528f12d585e51b60a5846d60a6ce7");
}
