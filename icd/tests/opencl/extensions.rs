//! Extensions of the host's interface, used as programs use them: names from the lists,
//! functions by name.

use crate::session::{Session, answer, text};
use cl_sys::*;

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
    let platform = |name| {
        // SAFETY: `answer` and `text` give room.
        move |size, value, size_ret| unsafe {
            clGetPlatformInfo(session.platform, name, size, value, size_ret)
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
        // No intermediate languages, no built-in kernels.
        assert!(answer(device(0x1061)).is_empty());
        assert!(answer(device(0x1062)).is_empty());
    }
}
