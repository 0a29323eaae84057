//! Kernels and their arguments.

use crate::objects::{image, sampler};
use crate::session::{Session, ok, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

const SOURCE: &str = "
    typedef struct { int a; char b; } pair;
    kernel void all(global int *buffer, constant float *values, local int *scratch, int number,
                    float3 vector, pair structure, read_only image2d_t read,
                    write_only image2d_t written, sampler_t sampler, image3d_t cube) {}
    kernel void none() {}";

/// The first parameters of `all`, for devices without images.
const PLAIN: &str = "
    kernel void plain(global int *buffer, constant float *values, local int *scratch, int number) {}
    kernel void none() {}";

/// Indices of the arguments of `all`.
const BUFFER: u32 = 0;
const CONSTANT: u32 = 1;
const LOCAL: u32 = 2;
const NUMBER: u32 = 3;
const VECTOR: u32 = 4;
const STRUCTURE: u32 = 5;
const READ: u32 = 6;
const WRITTEN: u32 = 7;
const SAMPLER: u32 = 8;
const CUBE: u32 = 9;

fn plain(session: &Session) -> cl_kernel {
    session.kernel(PLAIN, "plain")
}

fn all(session: &Session) -> cl_kernel {
    session.kernel(SOURCE, "all")
}

/// A program whose kernel `k` takes another type on the second device.
fn of_two_minds(session: &Session) -> cl_program {
    let program = session.program("kernel void k(TYPE x) {} kernel void same(int x) {}");
    for (device, options) in [(0, c"-D TYPE=int"), (1, c"-D TYPE=float4")] {
        let device = &session.devices[device];
        // SAFETY: list and options are read during the call.
        ok(unsafe { clBuildProgram(program, 1, device, options.as_ptr(), None, null_mut()) });
    }
    program
}

fn create(program: cl_program, name: &CStr) -> cl_int {
    // SAFETY: the name outlives the call.
    refused(|code| unsafe { clCreateKernel(program, name.as_ptr(), code) })
}

fn create_all(program: cl_program, count: u32) -> cl_int {
    let mut kernels = [null_mut(); 4];
    // SAFETY: there is room for more kernels than any of the programs has.
    unsafe { clCreateKernelsInProgram(program, count, kernels.as_mut_ptr(), null_mut()) }
}

/// `clSetKernelArg` with a size that need not be the value's.
fn set<T>(kernel: cl_kernel, index: u32, size: usize, value: &T) -> cl_int {
    assert!(size <= size_of::<T>() || size > 1 << 20);
    let value = std::ptr::from_ref(value).cast();
    // SAFETY: the value has as many bytes, or so few that the size must be refused.
    unsafe { clSetKernelArg(kernel, index, size, value) }
}

fn set_null(kernel: cl_kernel, index: u32, size: usize) -> cl_int {
    // SAFETY: there is no value to be read.
    unsafe { clSetKernelArg(kernel, index, size, null()) }
}

fn info(kernel: cl_kernel, name: u32, size: usize) -> cl_int {
    let mut value = [0u64; 16];
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetKernelInfo(kernel, name, size, value.as_mut_ptr().cast(), null_mut()) }
}

fn argument_info(kernel: cl_kernel, index: u32, name: u32, size: usize) -> cl_int {
    let mut value = [0u64; 16];
    let to = value.as_mut_ptr().cast();
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetKernelArgInfo(kernel, index, name, size, to, null_mut()) }
}

fn work_group_info(kernel: cl_kernel, device: cl_device_id, name: u32, size: usize) -> cl_int {
    let mut value = [0u64; 16];
    let to = value.as_mut_ptr().cast();
    // SAFETY: there is room for as much as any of these queries gives.
    unsafe { clGetKernelWorkGroupInfo(kernel, device, name, size, to, null_mut()) }
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateKernel {
        CL_INVALID_PROGRAM {
            null: |_| create(null_mut(), c"all"),
            released: |session| create(stale::program(session), c"all"),
            a_context: |session| create(session.context.cast(), c"all"),
        }
        CL_INVALID_PROGRAM_EXECUTABLE {
            before_the_build: |session| create(session.program(PLAIN), c"all"),
            the_build_has_failed: |session| {
                let program = session.program("kernel void all() { oops; }");
                assert_eq!(session.build(program, ""), CL_BUILD_PROGRAM_FAILURE);
                create(program, c"all")
            },
            a_later_build_has_failed: |session| {
                let program = session.built("kernel void k() { VALUE }".replace("VALUE", "\n#ifdef X\noops\n#endif\n").as_str());
                assert_eq!(session.build(program, "-D X"), CL_BUILD_PROGRAM_FAILURE);
                create(program, c"k")
            },
        }
        CL_INVALID_KERNEL_NAME {
            no_such_function: |session| create(session.built(PLAIN), c"some"),
            empty: |session| create(session.built(SOURCE), c""),
            no_kernel: |session| {
                create(session.built("void f() {} kernel void k() { f(); }"), c"f")
            },
            not_utf8: |session| create(session.built(SOURCE), c"all\xff"),
        }
        CL_INVALID_KERNEL_DEFINITION {
            other_arguments_on_another_device: |session| create(of_two_minds(session), c"k"),
        }
        CL_INVALID_VALUE {
            name_null: |session| {
                let program = session.built(PLAIN);
                // SAFETY: nothing is read.
                refused(|code| unsafe { clCreateKernel(program, null(), code) })
            },
        }
    }
    clCreateKernelsInProgram {
        CL_INVALID_PROGRAM {
            null: |_| create_all(null_mut(), 4),
            released: |session| create_all(stale::program(session), 4),
        }
        CL_INVALID_PROGRAM_EXECUTABLE {
            before_the_build: |session| create_all(session.program(SOURCE), 4),
            only_counting_before_the_build: |session| {
                let mut count = 0;
                let program = session.program(PLAIN);
                // SAFETY: there is room for the count.
                unsafe { clCreateKernelsInProgram(program, 0, null_mut(), &mut count) }
            },
        }
        CL_INVALID_VALUE {
            too_few_entries: |session| create_all(session.built(PLAIN), 1),
            no_entries: |session| create_all(session.built(SOURCE), 0),
        }
    }
    clRetainKernel {
        CL_INVALID_KERNEL {
            // SAFETY: no other pointers are given.
            null: |_| unsafe { clRetainKernel(null_mut()) },
            // SAFETY: as above.
            released: |session| unsafe { clRetainKernel(stale::kernel(session)) },
            // SAFETY: as above.
            a_program: |session| unsafe { clRetainKernel(session.program("").cast()) },
        }
    }
    clReleaseKernel {
        CL_INVALID_KERNEL {
            // SAFETY: no other pointers are given.
            null: |_| unsafe { clReleaseKernel(null_mut()) },
            // SAFETY: as above.
            released: |session| unsafe { clReleaseKernel(stale::kernel(session)) },
            // SAFETY: as above.
            a_program: |session| unsafe { clReleaseKernel(session.program("").cast()) },
        }
    }
    clSetKernelArg {
        CL_INVALID_KERNEL {
            null: |_| set(null_mut(), NUMBER, 4, &7),
            released: |session| set(stale::kernel(session), 0, 4, &7),
            a_program: |session| set(session.built(SOURCE).cast(), NUMBER, 4, &7),
        }
        CL_INVALID_ARG_INDEX {
            too_large: |session| set(all(session), CUBE + 1, 4, &7),
            behind_the_last: |session| set(plain(session), NUMBER + 1, 4, &7),
            largest: |session| set(all(session), u32::MAX, 4, &7),
            no_arguments: |session| set(session.kernel(SOURCE, "none"), 0, 4, &7),
        }
        CL_INVALID_ARG_VALUE {
            a_number_null: |session| set_null(plain(session), NUMBER, 4),
            a_structure_null: |session| set_null(all(session), STRUCTURE, 8),
            local_memory_with_a_value: |session| set(plain(session), LOCAL, 4, &7),
            read_only_image_not_to_be_read: |session| {
                set(all(session), READ, 8, &image(session, CL_MEM_WRITE_ONLY))
            },
            write_only_image_not_to_be_written: |session| {
                set(all(session), WRITTEN, 8, &image(session, CL_MEM_READ_ONLY))
            },
        }
        CL_INVALID_MEM_OBJECT {
            a_released_buffer: |session| set(all(session), BUFFER, 8, &stale::buffer(session)),
            a_queue_for_a_buffer: |session| set(all(session), BUFFER, 8, &session.queue),
            a_number_for_a_buffer: |session| set(all(session), BUFFER, 8, &0x1234_5678u64),
            a_buffer_of_another_context: |session| {
                set(all(session), BUFFER, 8, &session.another().buffer(&[0u8; 64]))
            },
            constants_of_another_context: |session| {
                set(all(session), CONSTANT, 8, &session.another().buffer(&[0u8; 64]))
            },
            an_image_for_a_buffer: |session| set(all(session), BUFFER, 8, &image(session, 0)),
            an_image_for_constants: |session| set(all(session), CONSTANT, 8, &image(session, 0)),
            a_buffer_for_an_image: |session| {
                set(all(session), READ, 8, &session.buffer(&[0u8; 64]))
            },
            an_image_of_two_dimensions_for_three: |session| {
                set(all(session), CUBE, 8, &image(session, 0))
            },
            an_image_null: |session| set_null(all(session), READ, 8),
            a_null_handle_for_an_image: |session| set(all(session), READ, 8, &0u64),
            a_sampler_for_an_image: |session| set(all(session), READ, 8, &sampler(session)),
            an_image_of_another_context: |session| {
                set(all(session), WRITTEN, 8, &image(&session.another(), 0))
            },
        }
        CL_INVALID_SAMPLER {
            null: |session| set_null(all(session), SAMPLER, 8),
            a_null_handle: |session| set(all(session), SAMPLER, 8, &0u64),
            an_image: |session| set(all(session), SAMPLER, 8, &image(session, 0)),
            a_queue: |session| set(all(session), SAMPLER, 8, &session.queue),
            a_released_sampler: |session| set(all(session), SAMPLER, 8, &stale::sampler(session)),
            a_buffer: |session| set(all(session), SAMPLER, 8, &session.buffer(&[0u8; 64])),
            of_another_context: |session| {
                set(all(session), SAMPLER, 8, &sampler(&session.another()))
            },
        }
        CL_INVALID_ARG_SIZE {
            a_number_too_large: |session| set(plain(session), NUMBER, 8, &7u64),
            a_number_too_small: |session| set(all(session), NUMBER, 2, &7u16),
            a_number_of_no_bytes: |session| set(plain(session), NUMBER, 0, &7),
            three_elements_for_a_vector_of_three: |session| {
                set(all(session), VECTOR, 12, &[1f32; 3])
            },
            a_structure_without_its_padding: |session| set(all(session), STRUCTURE, 5, &[0u8; 5]),
            a_buffer_by_value: |session| set(plain(session), BUFFER, 4, &7),
            a_buffer_too_large: |session| set(all(session), BUFFER, 16, &[0u64; 2]),
            a_null_buffer_of_another_size: |session| set_null(all(session), BUFFER, 4),
            an_image_of_another_size: |session| set(all(session), READ, 4, &7),
            a_sampler_of_another_size: |session| set(all(session), SAMPLER, 4, &7),
            local_memory_of_no_bytes: |session| set_null(plain(session), LOCAL, 0),
        }
    }
    clGetKernelInfo {
        CL_INVALID_KERNEL {
            null: |_| info(null_mut(), CL_KERNEL_NUM_ARGS, 4),
            released: |session| info(stale::kernel(session), CL_KERNEL_NUM_ARGS, 4),
            a_program: |session| info(session.built(SOURCE).cast(), CL_KERNEL_NUM_ARGS, 4),
        }
        CL_INVALID_VALUE {
            no_such_query: |session| info(plain(session), CL_KERNEL_WORK_GROUP_SIZE, 64),
            number_of_arguments_too_large: |session| info(all(session), CL_KERNEL_NUM_ARGS, 3),
            name_too_large: |session| info(all(session), CL_KERNEL_FUNCTION_NAME, 3),
            program_too_large: |session| info(plain(session), CL_KERNEL_PROGRAM, 7),
        }
    }
    clGetKernelArgInfo {
        CL_INVALID_KERNEL {
            null: |_| argument_info(null_mut(), 0, CL_KERNEL_ARG_NAME, 64),
            released: |session| argument_info(stale::kernel(session), 0, CL_KERNEL_ARG_NAME, 64),
        }
        CL_INVALID_ARG_INDEX {
            too_large: |session| argument_info(all(session), CUBE + 1, CL_KERNEL_ARG_NAME, 64),
            largest: |session| argument_info(all(session), u32::MAX, CL_KERNEL_ARG_NAME, 64),
        }
        CL_INVALID_VALUE {
            no_such_query: |session| argument_info(all(session), 0, CL_KERNEL_NUM_ARGS, 64),
            name_too_large: |session| argument_info(all(session), BUFFER, CL_KERNEL_ARG_NAME, 6),
            qualifier_too_large: |session| {
                argument_info(all(session), BUFFER, CL_KERNEL_ARG_ADDRESS_QUALIFIER, 3)
            },
            type_qualifier_too_large: |session| {
                argument_info(all(session), BUFFER, CL_KERNEL_ARG_TYPE_QUALIFIER, 4)
            },
        }
    }
    clGetKernelWorkGroupInfo {
        CL_INVALID_KERNEL {
            null: |session| {
                work_group_info(null_mut(), session.devices[0], CL_KERNEL_WORK_GROUP_SIZE, 8)
            },
            released: |session| {
                let kernel = stale::kernel(session);
                work_group_info(kernel, session.devices[0], CL_KERNEL_WORK_GROUP_SIZE, 8)
            },
        }
        CL_INVALID_DEVICE {
            null_and_there_are_two: |session| {
                work_group_info(all(session), null_mut(), CL_KERNEL_WORK_GROUP_SIZE, 8)
            },
            null_and_one_of_two_is_built_for: |session| {
                let program = session.program(SOURCE);
                let device = &session.devices[0];
                // SAFETY: the list is read during the call.
                ok(unsafe { clBuildProgram(program, 1, device, null(), None, null_mut()) });
                let kernel = session.kernel_of(program, "none");
                work_group_info(kernel, null_mut(), CL_KERNEL_WORK_GROUP_SIZE, 8)
            },
            of_another_context: |session| {
                work_group_info(all(session), session.devices[3], CL_KERNEL_WORK_GROUP_SIZE, 8)
            },
            a_queue: |session| {
                work_group_info(all(session), session.queue.cast(), CL_KERNEL_WORK_GROUP_SIZE, 8)
            },
        }
        CL_INVALID_VALUE {
            no_such_query: |session| {
                work_group_info(plain(session), session.devices[0], CL_KERNEL_NUM_ARGS, 64)
            },
            global_work_size_of_no_built_in_kernel: |session| {
                work_group_info(all(session), session.devices[0], CL_KERNEL_GLOBAL_WORK_SIZE, 24)
            },
            size_too_large: |session| {
                work_group_info(plain(session), session.devices[0], CL_KERNEL_WORK_GROUP_SIZE, 4)
            },
            compile_work_group_size_too_large: |session| {
                let name = CL_KERNEL_COMPILE_WORK_GROUP_SIZE;
                work_group_info(all(session), session.devices[0], name, 16)
            },
        }
    }
};
