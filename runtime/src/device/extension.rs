//! The extensions of platform and devices: those of OpenCL C, which the compiler lists, and those
//! of the API.

pub use kernel_compiler::extension::Extension;
use kernel_compiler::extension::LANGUAGE_EXTENSIONS;

/// API extensions of devices.
const HOST_EXTENSIONS: &[Extension] = &[
    Extension::first("cl_khr_create_command_queue"),
    Extension::first("cl_khr_device_uuid"),
    Extension::first("cl_khr_extended_versioning"),
    Extension::first("cl_khr_image2d_from_buffer"),
    Extension::first("cl_khr_initialize_memory"),
    Extension::first("cl_khr_suggested_local_work_size"),
    Extension::first("cl_khr_terminate_context"),
    Extension::first("cl_mocl3_performance_counters"),
];

/// Extensions that only the platform reports.
const PLATFORM_EXTENSIONS: &[Extension] = &[
    Extension::first("cl_khr_icd"),
    Extension::first("cl_mocl3_host_clock"),
];

/// API extensions that only custom devices report.
const CUSTOM_EXTENSIONS: &[Extension] = &[Extension::first("cl_mocl3_task_queue")];

/// Extensions of every device but custom ones (`CL_DEVICE_EXTENSIONS`), by name.
pub fn of_devices() -> Vec<Extension> {
    by_name(&[LANGUAGE_EXTENSIONS, HOST_EXTENSIONS])
}

/// API extensions that custom devices do not have: of images and of compiled kernels.
const NOT_OF_CUSTOM_DEVICES: [&str; 2] = ["cl_khr_image2d_from_buffer", "cl_khr_initialize_memory"];

/// Extensions of custom devices, by name.
pub fn of_custom_devices() -> Vec<Extension> {
    let mut extensions = by_name(&[HOST_EXTENSIONS, CUSTOM_EXTENSIONS]);
    extensions.retain(|extension| !NOT_OF_CUSTOM_DEVICES.contains(&extension.name));
    extensions
}

/// Extensions of the platform (`CL_PLATFORM_EXTENSIONS`), by name: its own and those of devices.
pub fn of_platform() -> Vec<Extension> {
    by_name(&[LANGUAGE_EXTENSIONS, HOST_EXTENSIONS, PLATFORM_EXTENSIONS])
}

/// The part of OpenCL that an extension extends, for documentation.
pub fn adds_to(extension: &Extension) -> &'static str {
    if LANGUAGE_EXTENSIONS.contains(extension) {
        "OpenCL C"
    } else if HOST_EXTENSIONS.contains(extension) {
        "the host's interface"
    } else {
        "the platform, which alone reports it"
    }
}

/// The names, separated by blanks, as queries return them.
pub fn names(extensions: &[Extension]) -> String {
    let names: Vec<_> = extensions.iter().map(|extension| extension.name).collect();
    names.join(" ")
}

fn by_name(tables: &[&[Extension]]) -> Vec<Extension> {
    let mut extensions = tables.concat();
    extensions.sort_by_key(|extension| extension.name);
    extensions
}
