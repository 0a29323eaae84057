//! The host API.

mod binaries;
mod buffers;
mod built_in_kernels;
mod commands;
mod devices;
mod events;
mod failed_events;
mod images;
mod kernels;
mod programs;
mod refusals;

use crate::case::Origin::{Pocl16, PoclLater};
use crate::case::{Case, Category};
use crate::cases::calls;
use anyhow::Result;
use harness::feature::Feature;
use harness::session::Session;

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Runtime, name, what, run).from(Pocl16)
}

const fn own(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Runtime, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "clGetEventInfo",
        "information about commands that have ended and about user events",
        events::info,
    ),
    case(
        "clFinish",
        "commands of two queues in the order of their events",
        events::finish,
    ),
    case(
        "test_event_cycle",
        "wait lists that are used again, each time with a newer event",
        events::cycle,
    ),
    case(
        "clSetEventCallback",
        "callbacks for all states of a command, and after its end",
        events::callbacks,
    ),
    case(
        "test_event_free",
        "events of commands that cannot be enqueued, fail, or run",
        failed_events::released,
    ),
    case(
        "test_event_double_wait",
        "one event waited for several times, in one list too",
        events::double_wait,
    ),
    case(
        "test_user_event",
        "all objects are released before the user event is set",
        failed_events::user_event_last,
    ),
    case(
        "test_event_failed_dependency",
        "commands that wait for a failed event do not run",
        failed_events::failed_dependency,
    )
    .from(PoclLater),
    case(
        "clGetDeviceInfo",
        "sizes are those of a full profile and agree with each other",
        devices::info,
    ),
    case(
        "clCreateSubDevices",
        "equal parts, parts by counts, kernels on parts",
        devices::parts,
    )
    .needs(&[Feature::ComputeUnits(2)]),
    case(
        "clCreateKernel",
        "kernels by name, invalid names, kernels whose program is released",
        kernels::by_name,
    ),
    case(
        "clCreateKernelsInProgram",
        "all kernels of a program and no other functions",
        kernels::all_of_program,
    )
    .prints(kernels::hello_world),
    case(
        "clGetKernelArgInfo",
        "address space, access, type, qualifiers and name of arguments",
        kernels::arguments,
    ),
    case(
        "clEnqueueNativeKernel",
        "a function of the host between kernels, with copied arguments",
        kernels::native,
    )
    .needs(&[Feature::NativeKernels]),
    case(
        "clCreateProgramWithBinary",
        "a program from its binary, twice; data that is no binary",
        binaries::round_trip,
    ),
    case(
        "test_enqueue_kernel_from_binary",
        "kernels from a binary in groups of all shapes",
        binaries::several_local_sizes,
    ),
    case(
        "clBuildProgram",
        "headers, options, macros, logs, callbacks, names, invalid calls",
        programs::build_options,
    ),
    case(
        "test_kernel_cache_includes",
        "headers change between builds of one source",
        programs::included_headers,
    ),
    case(
        "test_link_error",
        "a call of an undefined function",
        programs::link_error,
    ),
    case(
        "test_compile_n_link",
        "separately compiled units, linked",
        programs::compile_and_link,
    )
    .from(PoclLater),
    case(
        "test_read-copy-write-buffer",
        "reads, writes and copies at all offsets, also of rectangles; invalid calls",
        buffers::transfers,
    ),
    case(
        "test_fill-buffer",
        "patterns of all sizes; no other bytes change",
        buffers::fill,
    ),
    case(
        "clSetMemObjectDestructorCallback",
        "called once, in reverse, and not while anything needs the buffer",
        buffers::destructor_callbacks,
    ),
    case(
        "test_subbuffers",
        "parts of a buffer, each used by a queue of its own",
        buffers::parts,
    )
    .from(PoclLater),
    case(
        "test_buffer_migration",
        "a buffer is moved to each device before a kernel there changes it",
        buffers::migration,
    )
    .needs(&[Feature::Devices(2)])
    .from(PoclLater),
    case(
        "test_buffer_ping_pong",
        "two devices change a buffer alternately",
        buffers::ping_pong,
    )
    .needs(&[Feature::Devices(2)])
    .from(PoclLater),
    case(
        "test_large_buf",
        "indices and offsets beyond 32 bits",
        buffers::beyond_32_bits,
    )
    .needs(&[Feature::BufferBytes(buffers::LARGE)])
    .from(PoclLater),
    case(
        "clGetSupportedImageFormats",
        "lists contain the required formats, and images can be created in all of them",
        images::formats,
    )
    .needs(&[Feature::Images]),
    case(
        "test_buffer-image-copy",
        "regions of images copied from and to buffers",
        images::buffer_copies,
    )
    .needs(&[Feature::Images]),
    case(
        "test_image_normalized_conv",
        "images filled with floats hold the nearest normalised integers",
        images::normalised_conversion,
    )
    .needs(&[Feature::Images])
    .from(PoclLater),
    own(
        "a_chain_fails",
        "commands that wait for each other, the first for an event that fails",
        failed_events::chain,
    ),
    own(
        "a_chain_fails_released",
        "the same, after the host has released all their events",
        failed_events::released_chain,
    ),
    own(
        "a_failure_before_its_turn",
        "a command fails while the one before it in the queue waits",
        failed_events::before_its_turn,
    ),
    own(
        "callbacks_of_failures",
        "callbacks of commands that fail",
        failed_events::callbacks,
    ),
    own(
        "builds_again",
        "a program is built again: with other options, after a build that failed",
        programs::again,
    ),
    own(
        "refused_build_arguments",
        "inconsistent lists, lengths and user data; programs with kernels",
        refusals::build_arguments,
    ),
    own(
        "refused_wait_lists",
        "a number without list, a list without number, null and foreign events",
        refusals::wait_lists,
    ),
    own(
        "refused_overflowing_offsets",
        "offset and size whose sum overflows to 0",
        refusals::overflowing_offsets,
    ),
    own(
        "refused_global_offset",
        "global ids that do not fit into size_t",
        refusals::global_offset,
    ),
    own(
        "refused_argument_size",
        "arguments larger and smaller than the kernel's",
        refusals::argument_size,
    ),
    own(
        "refused_argument_index",
        "an argument index that the kernel does not have",
        refusals::argument_index,
    ),
    own(
        "refused_sub_devices",
        "parts larger than the device; no room for their handles",
        refusals::sub_devices,
    )
    .needs(&[Feature::ComputeUnits(2)]),
    own(
        "refused_whole_device",
        "one part with all compute units of the device",
        refusals::whole_device,
    )
    .needs(&[Feature::ComputeUnits(2)]),
    own(
        "refused_argument_objects",
        "buffers for images, images for buffers, null samplers",
        refusals::argument_objects,
    )
    .needs(&[Feature::Images]),
    own(
        "built_in_kernel_programs",
        "programs of one built-in kernel and of all, and their kernels",
        built_in_kernels::programs,
    )
    .needs(&[Feature::BuiltInKernels]),
    own(
        "built_in_kernel_sums",
        "a built-in kernel adds vectors",
        built_in_kernels::sums,
    )
    .needs(&[Feature::BuiltInKernels]),
    own(
        "refused_built_in_kernels",
        "unknown names of built-in kernels, no names, no devices",
        built_in_kernels::refusals,
    )
    .needs(&[Feature::BuiltInKernels]),
    own(
        "built_in_kernels_not_built",
        "programs of built-in kernels are not built or compiled",
        built_in_kernels::not_built,
    )
    .needs(&[Feature::BuiltInKernels]),
    own(
        "built_in_kernels_custom_devices",
        "custom devices are found by their type only, and compile nothing",
        built_in_kernels::custom_devices,
    )
    .needs(&[Feature::CustomDevices]),
    own(
        "device_types",
        "each device has a type and is found by it; the default device is one of them",
        devices::types,
    ),
    own(
        "image_overflowing_colours",
        "images filled with huge and infinite colours hold the ends of their range",
        images::overflowing_colours,
    )
    .needs(&[Feature::Images]),
    own(
        "refused_image_formats",
        "format queries without entries or result, an invalid channel order",
        refusals::image_formats,
    )
    .needs(&[Feature::Images]),
    own(
        "refused_image_regions",
        "copies of regions that lie partly outside an image",
        refusals::image_regions,
    )
    .needs(&[Feature::Images]),
];

#[cfg(test)]
mod tests {
    use super::CASES;
    use crate::case::Origin;

    #[test]
    fn all_that_opencl_1_2_covers_is_there() {
        let from = |origin| CASES.iter().filter(|case| case.origin == origin).count();
        assert_eq!(from(Origin::Pocl16), 23);
        assert_eq!(from(Origin::PoclLater), 7);
    }
}
