//! Runs kernels on images whose descriptors are made by hand.

use crate::reference::Image;
use host_exec::work_group::{NdRange, WorkGroupContext};
use kernel_compiler::executable::{Executable, Specialisation};
use kernel_compiler::image_argument::{ImageDescriptor, KnownArgument};
use kernel_compiler::options::{BuildCall, BuildOptions};

pub fn executable(source: &str, options: &str) -> std::sync::Arc<Executable> {
    let options = BuildOptions::parse(options, BuildCall::Build).unwrap();
    let unit = kernel_compiler::compile(source, &options, &[])
        .unwrap_or_else(|failure| panic!("{failure}"));
    Executable::link(&[&unit]).unwrap_or_else(|failure| panic!("{failure}"))
}

#[repr(align(128))]
#[derive(Clone)]
struct Line([u8; 128]);

/// Runs a kernel for `count` work-items, in groups of 32 and one smaller group. Each argument takes
/// 8 bytes.
pub fn run(program: &Executable, kernel: &str, arguments: &[u64], count: usize) {
    run_knowing(&[], program, kernel, arguments, count);
}

/// As [`run`], in code that is specialised for formats and samplers.
pub fn run_knowing(
    known: &[KnownArgument],
    program: &Executable,
    kernel: &str,
    arguments: &[u64],
    count: usize,
) {
    let number = program
        .kernels()
        .iter()
        .position(|known| known.name == kernel)
        .unwrap();
    let specialisation = Specialisation {
        small_launch: true,
        images: known.to_vec(),
        ..Specialisation::default()
    };
    let code = program
        .work_group_code(number, program.normalise(number, specialisation))
        .unwrap_or_else(|failure| panic!("{failure}"));
    let mut block = Line([0; 128]);
    for (place, argument) in block.0.chunks_exact_mut(8).zip(arguments) {
        place.copy_from_slice(&argument.to_ne_bytes());
    }
    const GROUP: u64 = 32;
    let mut private = vec![Line([0; 128]); code.private_bytes(GROUP) as usize / 128 + 1];
    let count = count as u64;
    for (first, size) in [(0, GROUP), (count / GROUP * GROUP, count % GROUP)] {
        let groups = if first == 0 && size == GROUP {
            count / GROUP
        } else {
            u64::from(size != 0)
        };
        for group in 0..groups {
            let nd_range = NdRange {
                work_dimensions: 1,
                global_offset: [first, 0, 0],
                global_size: [groups * size, 1, 1],
                local_size: [size, 1, 1],
                group_count: [groups, 1, 1],
            };
            let context = WorkGroupContext {
                nd_range,
                group_id: [group, 0, 0],
                local_memory: private.as_mut_ptr().cast(),
                private_memory: private.as_mut_ptr().cast(),
                counters: std::ptr::null_mut(),
                recorder: std::ptr::null_mut(),
                argument_bounds: std::ptr::null(),
                checker: std::ptr::null(),
                barrier_checker: std::ptr::null(),
                race_checker: std::ptr::null(),
                dma_checker: std::ptr::null(),
                watched_memory: std::ptr::null(),
                local_memory_bytes: 0,
                footprints: std::ptr::null_mut(),
                ordinary_stores: 0,
            };
            // SAFETY: the block has a slot for each argument as the kernel's interface
            // says, and the kernel uses no local memory.
            unsafe { (code.function)(block.0.as_ptr(), &context) };
        }
    }
}

pub fn descriptor(image: &mut Image) -> ImageDescriptor {
    ImageDescriptor {
        data: image.bytes.as_mut_ptr(),
        width: image.size[0] as u32,
        height: image.size[1] as u32,
        depth: image.size[2] as u32,
        array_size: image.layers as u32,
        row_pitch: image.row_pitch as u64,
        slice_pitch: image.slice_pitch as u64,
        channel_order: image.format.order,
        channel_data_type: image.format.data_type,
        element_size: image.format.size() as u32,
        reserved: 0,
    }
}

/// A vector of four components, aligned as in OpenCL.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Four<T>(pub [T; 4]);

pub fn address<T>(elements: &[T]) -> u64 {
    elements.as_ptr().expose_provenance() as u64
}

/// The address of elements that a kernel writes.
pub fn place<T>(elements: &mut [T]) -> u64 {
    elements.as_mut_ptr().expose_provenance() as u64
}
