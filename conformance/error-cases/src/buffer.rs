//! Buffers.

use crate::objects::image;
use crate::session::{Session, made, ok, refused};
use crate::stale;
use crate::table::{Entry, table};
use cl_sys::*;
use std::ptr::null_mut;

/// Creates a buffer of 64 bytes of the host program's, which are there during the call.
fn create(context: cl_context, flags: cl_mem_flags, has_host: bool) -> cl_int {
    let mut memory = [0u8; 64];
    let host = if has_host {
        memory.as_mut_ptr().cast()
    } else {
        null_mut()
    };
    // SAFETY: the memory has as many bytes, and nothing is made of it that lasts.
    refused(|code| unsafe { clCreateBuffer(context, flags, 64, host, code) })
}

fn create_large(context: cl_context, flags: cl_mem_flags, size: usize) -> cl_int {
    // SAFETY: there is no host memory.
    refused(|code| unsafe { clCreateBuffer(context, flags, size, null_mut(), code) })
}

/// A context of the last cluster: tests elsewhere leave its memory alone.
fn alone(session: &Session) -> Session {
    Session::over(session.platform, vec![session.devices[3]])
}

/// The largest buffer and all of the memory of a device, bytes.
fn capacity(session: &Session) -> (usize, usize) {
    let query = |name| {
        let mut bytes = 0u64;
        let to = (&raw mut bytes).cast();
        // SAFETY: there is room for the answer.
        ok(unsafe { clGetDeviceInfo(session.devices[0], name, 8, to, null_mut()) });
        bytes as usize
    };
    (
        query(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
        query(CL_DEVICE_GLOBAL_MEM_SIZE),
    )
}

/// Creates a sub-buffer of a buffer with 4096 bytes and these flags.
fn part(session: &Session, flags: cl_mem_flags, part_flags: cl_mem_flags) -> cl_int {
    // SAFETY: there is no host memory.
    let buffer =
        made(|code| unsafe { clCreateBuffer(session.context, flags, 4096, null_mut(), code) });
    part_of(
        buffer,
        part_flags,
        CL_BUFFER_CREATE_TYPE_REGION,
        Some([0, 128]),
    )
}

fn part_of(
    buffer: cl_mem,
    flags: cl_mem_flags,
    create_type: cl_buffer_create_type,
    region: Option<[usize; 2]>,
) -> cl_int {
    let region = region.as_ref();
    let region = region.map_or(std::ptr::null(), |region| region.as_ptr().cast());
    // SAFETY: the region is read during the call.
    refused(|code| unsafe { clCreateSubBuffer(buffer, flags, create_type, region, code) })
}

/// Creates a sub-buffer with this region of a buffer with 4096 bytes.
fn region(session: &Session, origin: usize, size: usize) -> cl_int {
    let buffer = session.buffer(&[0u8; 4096]);
    part_of(
        buffer,
        0,
        CL_BUFFER_CREATE_TYPE_REGION,
        Some([origin, size]),
    )
}

/// Creates a sub-buffer of something.
fn part_of_object(object: cl_mem) -> cl_int {
    part_of(object, 0, CL_BUFFER_CREATE_TYPE_REGION, Some([0, 128]))
}

/// The cases.
pub static CASES: &[Entry] = table! {
    clCreateBuffer {
        CL_INVALID_CONTEXT {
            null: |_| create(null_mut(), 0, false),
            released: |session| create(stale::context(session), 0, false),
            a_queue: |session| create(session.queue.cast(), 0, false),
        }
        CL_INVALID_VALUE {
            an_unknown_flag: |session| create(session.context, 1 << 6, false),
            reading_only_and_writing_only: |session| {
                create(session.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, false)
            },
            reading_only_and_both: |session| {
                create(session.context, CL_MEM_READ_ONLY | CL_MEM_READ_WRITE, false)
            },
            writing_only_and_both: |session| {
                create(session.context, CL_MEM_WRITE_ONLY | CL_MEM_READ_WRITE, false)
            },
            memory_used_and_allocated: |session| {
                create(session.context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, true)
            },
            memory_used_and_copied: |session| {
                create(session.context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, true)
            },
            the_host_only_reads_and_only_writes: |session| {
                let flags = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY;
                create(session.context, flags, false)
            },
            the_host_only_reads_and_has_no_access: |session| {
                let flags = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
                create(session.context, flags, false)
            },
            the_host_only_writes_and_has_no_access: |session| {
                let flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
                create(session.context, flags, false)
            },
        }
        CL_INVALID_BUFFER_SIZE {
            no_bytes: |session| create_large(session.context, 0, 0),
            one_byte_more_than_the_largest: |session| {
                create_large(session.context, 0, capacity(session).0 + 1)
            },
            all_bytes_there_can_be: |session| create_large(session.context, 0, usize::MAX),
        }
        CL_INVALID_HOST_PTR {
            nothing_to_use: |session| create(session.context, CL_MEM_USE_HOST_PTR, false),
            nothing_to_copy: |session| create(session.context, CL_MEM_COPY_HOST_PTR, false),
            memory_without_a_flag: |session| create(session.context, 0, true),
            memory_and_allocated: |session| create(session.context, CL_MEM_ALLOC_HOST_PTR, true),
        }
        CL_MEM_OBJECT_ALLOCATION_FAILURE {
            more_than_the_device_has_left: |session| {
                let session = alone(session);
                let (largest, all) = capacity(&session);
                // SAFETY: there is no host memory.
                let buffer = made(|code| unsafe {
                    clCreateBuffer(session.context, 0, largest, null_mut(), code)
                });
                assert!(2 * largest > all, "two of them do not fit");
                let code = create_large(session.context, 0, largest);
                // SAFETY: the buffer is valid.
                ok(unsafe { clReleaseMemObject(buffer) });
                // What failed has left nothing behind.
                for _ in 0..20 {
                    // SAFETY: there is no host memory.
                    unsafe {
                        let buffer = made(|code| {
                            clCreateBuffer(session.context, 0, largest, null_mut(), code)
                        });
                        ok(clReleaseMemObject(buffer));
                    }
                }
                code
            },
        }
    }
    clCreateSubBuffer {
        CL_INVALID_MEM_OBJECT {
            null: |_| part_of_object(null_mut()),
            released: |session| part_of_object(stale::buffer(session)),
            an_image: |session| part_of_object(image(session, 0)),
            a_context: |session| part_of_object(session.context.cast()),
            a_sub_buffer: |session| {
                let buffer = session.buffer(&[0u8; 4096]);
                let region = [0usize, 1024];
                // SAFETY: the region is read during the call.
                part_of_object(made(|code| unsafe {
                    let region = region.as_ptr().cast();
                    clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, region, code)
                }))
            },
        }
        CL_INVALID_VALUE {
            reading_what_is_only_written: |session| {
                part(session, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY)
            },
            reading_and_writing_what_is_only_written: |session| {
                part(session, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE)
            },
            writing_what_is_only_read: |session| {
                part(session, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY)
            },
            reading_and_writing_what_is_only_read: |session| {
                part(session, CL_MEM_READ_ONLY, CL_MEM_READ_WRITE)
            },
            the_host_reads_what_it_only_writes: |session| {
                part(session, CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY)
            },
            the_host_writes_what_it_only_reads: |session| {
                part(session, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY)
            },
            the_host_reads_what_it_has_no_access_to: |session| {
                part(session, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY)
            },
            the_host_writes_what_it_has_no_access_to: |session| {
                part(session, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY)
            },
            using_host_memory: |session| part(session, 0, CL_MEM_USE_HOST_PTR),
            allocating_host_memory: |session| part(session, 0, CL_MEM_ALLOC_HOST_PTR),
            copying_host_memory: |session| part(session, 0, CL_MEM_COPY_HOST_PTR),
            an_unknown_flag: |session| part(session, 0, 1 << 6),
            an_unknown_type: |session| {
                let type_after_the_only_one = CL_BUFFER_CREATE_TYPE_REGION + 1;
                part_of(session.buffer(&[0u8; 4096]), 0, type_after_the_only_one, Some([0, 128]))
            },
            null_region: |session| {
                part_of(session.buffer(&[0u8; 4096]), 0, CL_BUFFER_CREATE_TYPE_REGION, None)
            },
            a_region_beyond_the_end: |session| region(session, 4096 - 128, 129),
            an_origin_beyond_the_end: |session| region(session, 8192, 128),
            an_end_beyond_all_memory: |session| region(session, 128, usize::MAX),
        }
        CL_INVALID_BUFFER_SIZE {
            no_bytes: |session| region(session, 128, 0),
        }
        CL_MISALIGNED_SUB_BUFFER_OFFSET {
            an_origin_that_is_aligned_for_no_device: |session| region(session, 64, 128),
            an_origin_at_byte_1: |session| region(session, 1, 64),
        }
    }
};
