//! Commands on buffers and on memory objects of any kind.

mod call;
mod faults;

use crate::objects::image;
use crate::session::{Session, made, ok};
use crate::stale;
use crate::table::{Entry, ErrorCase, each, entries, table};
use call::*;
use cl_sys::*;
use faults::*;
use std::ptr::{null, null_mut};

/// All cases.
pub fn cases() -> Vec<ErrorCase> {
    let call = |command: fn(&Call) -> cl_int, call: Call| command(&call);
    [
        each(EVERY_COMMAND, VALID, call),
        each(EVERY_COMMAND, WRONG_OBJECTS, call),
        each(BUFFER_COMMANDS, IMAGES, call),
        each(BLOCKING_COMMANDS, FAILED_EVENTS, call),
        each(RECTANGLE_COMMANDS, WRONG_RECTANGLES, call),
        entries(CASES),
    ]
    .concat()
}

/// Both are parts of one buffer, at these places.
fn parts(session: &Session, origin: usize, destination_origin: usize) -> (cl_mem, cl_mem) {
    let buffer = session.buffer(&[0u8; SIZE]);
    let part = |origin: usize| {
        let region = [origin, 1024];
        // SAFETY: the region is read during the call.
        made(|code| unsafe {
            clCreateSubBuffer(
                buffer,
                0,
                CL_BUFFER_CREATE_TYPE_REGION,
                region.as_ptr().cast(),
                code,
            )
        })
    };
    (part(origin), part(destination_origin))
}

/// From a buffer to itself.
fn within_one(session: &Session) -> Call {
    let good = Call::good(session);
    Call {
        destination: good.buffer,
        ..good
    }
}

/// From one part of a buffer to another.
fn between_parts(session: &Session, origin: usize, destination_origin: usize) -> Call {
    let (buffer, destination) = parts(session, origin, destination_origin);
    Call {
        buffer,
        destination,
        ..Call::good(session)
    }
}

/// Cases of single functions.
static CASES: &[Entry] = table! {
    clEnqueueReadBuffer {
        CL_INVALID_VALUE {
            beyond_the_end: |session| {
                read(&Call { offset: SIZE - 63, ..Call::good(session) })
            },
            an_end_beyond_all_memory: |session| {
                read(&Call { offset: usize::MAX - 3, ..Call::good(session) })
            },
            null_pointer: |session| read(&Call { has_pointer: false, ..Call::good(session) }),
        }
        CL_INVALID_OPERATION {
            a_buffer_that_the_host_only_writes: |session| {
                read(&Call::on_flags(session, CL_MEM_HOST_WRITE_ONLY))
            },
            a_buffer_that_the_host_has_no_access_to: |session| {
                read(&Call::on_flags(session, CL_MEM_HOST_NO_ACCESS))
            },
        }
    }
    clEnqueueWriteBuffer {
        CL_INVALID_VALUE {
            beyond_the_end: |session| {
                write(&Call { offset: SIZE - 63, ..Call::good(session) })
            },
            an_end_beyond_all_memory: |session| {
                write(&Call { size: usize::MAX, ..Call::good(session) })
            },
            null_pointer: |session| write(&Call { has_pointer: false, ..Call::good(session) }),
        }
        CL_INVALID_OPERATION {
            a_buffer_that_the_host_only_reads: |session| {
                write(&Call::on_flags(session, CL_MEM_HOST_READ_ONLY))
            },
            a_buffer_that_the_host_has_no_access_to: |session| {
                write(&Call::on_flags(session, CL_MEM_HOST_NO_ACCESS))
            },
        }
    }
    clEnqueueReadBufferRect {
        CL_INVALID_VALUE {
            beyond_the_end: |session| {
                read_rect(&Call { origin: Some([0, 0, 63]), ..Call::good(session) })
            },
            null_pointer: |session| {
                read_rect(&Call { has_pointer: false, ..Call::good(session) })
            },
        }
        CL_INVALID_OPERATION {
            a_buffer_that_the_host_only_writes: |session| {
                read_rect(&Call::on_flags(session, CL_MEM_HOST_WRITE_ONLY))
            },
            a_buffer_that_the_host_has_no_access_to: |session| {
                read_rect(&Call::on_flags(session, CL_MEM_HOST_NO_ACCESS))
            },
        }
    }
    clEnqueueWriteBufferRect {
        CL_INVALID_VALUE {
            beyond_the_end: |session| {
                write_rect(&Call { destination_origin: Some([0, 0, 63]), ..Call::good(session) })
            },
            null_pointer: |session| {
                write_rect(&Call { has_pointer: false, ..Call::good(session) })
            },
        }
        CL_INVALID_OPERATION {
            a_buffer_that_the_host_only_reads: |session| {
                write_rect(&Call::on_flags(session, CL_MEM_HOST_READ_ONLY))
            },
            a_buffer_that_the_host_has_no_access_to: |session| {
                write_rect(&Call::on_flags(session, CL_MEM_HOST_NO_ACCESS))
            },
        }
    }
    clEnqueueCopyBuffer {
        CL_INVALID_CONTEXT {
            a_destination_of_another_context: |session| {
                let destination = session.another().buffer(&[0u8; SIZE]);
                copy(&Call { destination, ..Call::good(session) })
            },
        }
        CL_INVALID_MEM_OBJECT {
            null_destination: |session| {
                copy(&Call { destination: null_mut(), ..Call::good(session) })
            },
            a_released_destination: |session| {
                copy(&Call { destination: stale::buffer(session), ..Call::good(session) })
            },
            an_image_as_destination: |session| {
                copy(&Call { destination: image(session, 0), ..Call::good(session) })
            },
        }
        CL_INVALID_VALUE {
            beyond_the_end_of_the_source: |session| {
                copy(&Call { offset: SIZE - 63, ..Call::good(session) })
            },
            beyond_the_end_of_the_destination: |session| {
                copy(&Call { destination_offset: SIZE - 63, ..Call::good(session) })
            },
            an_end_beyond_all_memory: |session| {
                copy(&Call { offset: usize::MAX, ..Call::good(session) })
            },
        }
        CL_MEM_COPY_OVERLAP {
            within_a_buffer: |session| {
                copy(&Call { destination_offset: 128 + 63, ..within_one(session) })
            },
            onto_itself: |session| {
                copy(&Call { destination_offset: 128, ..within_one(session) })
            },
            the_source_begins_within_the_destination: |session| {
                copy(&Call { destination_offset: 128 - 63, ..within_one(session) })
            },
            between_sub_buffers: |session| {
                // 128 + 128 and 0 + 256
                copy(&between_parts(session, 128, 0))
            },
            from_a_buffer_to_its_sub_buffer: |session| {
                let (part, _) = parts(session, 0, 0);
                let mut buffer: cl_mem = null_mut();
                let to = (&raw mut buffer).cast();
                // SAFETY: there is room for the handle.
                ok(unsafe {
                    clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, 8, to, null_mut())
                });
                let call = Call { buffer, destination: part, ..Call::good(session) };
                copy(&Call { destination_offset: 128, ..call })
            },
        }
    }
    clEnqueueCopyBufferRect {
        CL_INVALID_CONTEXT {
            a_destination_of_another_context: |session| {
                let destination = session.another().buffer(&[0u8; SIZE]);
                copy_rect(&Call { destination, ..Call::good(session) })
            },
        }
        CL_INVALID_MEM_OBJECT {
            null_destination: |session| {
                copy_rect(&Call { destination: null_mut(), ..Call::good(session) })
            },
            a_released_destination: |session| {
                copy_rect(&Call { destination: stale::buffer(session), ..Call::good(session) })
            },
            an_image_as_destination: |session| {
                copy_rect(&Call { destination: image(session, 0), ..Call::good(session) })
            },
        }
        CL_INVALID_VALUE {
            beyond_the_end_of_the_source: |session| {
                copy_rect(&Call { origin: Some([0, 0, 63]), ..Call::good(session) })
            },
            beyond_the_end_of_the_destination: |session| {
                copy_rect(&Call { destination_origin: Some([0, 0, 63]), ..Call::good(session) })
            },
            other_row_pitches_in_one_buffer: |session| {
                let call = Call { destination_row_pitch: 32, ..within_one(session) };
                copy_rect(&Call { destination_slice_pitch: 128, ..call })
            },
            other_slice_pitches_in_one_buffer: |session| {
                copy_rect(&Call { destination_slice_pitch: 128, ..within_one(session) })
            },
        }
        CL_MEM_COPY_OVERLAP {
            within_a_buffer: |session| {
                copy_rect(&Call { destination_origin: Some([8, 4, 3]), ..within_one(session) })
            },
            onto_itself: |session| {
                copy_rect(&Call { destination_origin: Some([1, 2, 3]), ..within_one(session) })
            },
            rows_end_in_the_next_row_of_the_other: |session| {
                // Columns 12 to 19 of rows of 16 meet columns 1 to 8 of the rows after them.
                copy_rect(&Call { destination_origin: Some([12, 1, 3]), ..within_one(session) })
            },
            between_sub_buffers: |session| {
                let call = between_parts(session, 128, 0);
                copy_rect(&Call { destination_origin: Some([1, 2, 5]), ..call })
            },
            between_sub_buffers_with_other_pitches: |session| {
                let call = between_parts(session, 128, 0);
                copy_rect(&Call {
                    destination_origin: Some([0, 0, 1]),
                    destination_row_pitch: 64,
                    destination_slice_pitch: 256,
                    ..call
                })
            },
        }
    }
    clEnqueueFillBuffer {
        CL_INVALID_VALUE {
            beyond_the_end: |session| {
                fill(&Call { offset: SIZE - 60, ..Call::good(session) })
            },
            null_pattern: |session| fill(&Call { has_pointer: false, ..Call::good(session) }),
            an_empty_pattern: |session| fill(&Call { pattern_size: 0, ..Call::good(session) }),
            a_pattern_of_three_bytes: |session| {
                fill(&Call { pattern_size: 3, offset: 0, size: 6, ..Call::good(session) })
            },
            a_pattern_of_more_than_the_largest_type: |session| {
                fill(&Call { pattern_size: 256, offset: 0, size: 256, ..Call::good(session) })
            },
            an_offset_that_is_no_multiple_of_the_pattern: |session| {
                fill(&Call { offset: 130, ..Call::good(session) })
            },
            a_size_that_is_no_multiple_of_the_pattern: |session| {
                fill(&Call { size: 62, ..Call::good(session) })
            },
        }
    }
    clEnqueueMapBuffer {
        CL_INVALID_VALUE {
            beyond_the_end: |session| map(&Call { offset: SIZE - 63, ..Call::good(session) }),
            no_bytes: |session| map(&Call { size: 0, ..Call::good(session) }),
            an_unknown_flag: |session| map(&Call { map_flags: 8, ..Call::good(session) }),
            writing_and_invalidating: |session| {
                let map_flags = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
                map(&Call { map_flags, ..Call::good(session) })
            },
            reading_and_invalidating: |session| {
                let map_flags = CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION;
                map(&Call { map_flags, ..Call::good(session) })
            },
        }
        CL_INVALID_OPERATION {
            reading_what_the_host_only_writes: |session| {
                let call = Call::on_flags(session, CL_MEM_HOST_WRITE_ONLY);
                map(&Call { map_flags: CL_MAP_READ, ..call })
            },
            reading_what_the_host_has_no_access_to: |session| {
                let call = Call::on_flags(session, CL_MEM_HOST_NO_ACCESS);
                map(&Call { map_flags: CL_MAP_READ, ..call })
            },
            writing_what_the_host_only_reads: |session| {
                map(&Call::on_flags(session, CL_MEM_HOST_READ_ONLY))
            },
            invalidating_what_the_host_only_reads: |session| {
                let call = Call::on_flags(session, CL_MEM_HOST_READ_ONLY);
                map(&Call { map_flags: CL_MAP_WRITE_INVALIDATE_REGION, ..call })
            },
            writing_what_the_host_has_no_access_to: |session| {
                map(&Call::on_flags(session, CL_MEM_HOST_NO_ACCESS))
            },
            what_is_mapped_for_writing: |session| {
                let (first, second) = map_copies(&Call::good(session));
                ok(first);
                second
            },
            what_is_mapped_for_writing_through_the_buffer: |session| {
                let buffer = session.buffer(&[0u8; SIZE]);
                let call = Call { buffer, ..Call::good(session) };
                ok(map(&call));
                let region = [128usize, 512];
                // SAFETY: the region is read during the call.
                let part = made(|code| unsafe {
                    let region = region.as_ptr().cast();
                    clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, region, code)
                });
                map(&Call { buffer: part, offset: 60, ..call })
            },
            what_is_mapped_for_writing_through_another_sub_buffer: |session| {
                let call = between_parts(session, 0, 128);
                ok(map(&call));
                map(&Call { buffer: call.destination, offset: 63, ..call })
            },
        }
    }
    clEnqueueUnmapMemObject {
        CL_INVALID_VALUE {
            null_pointer: |session| {
                unmap(&Call { unmapped: Some(null_mut()), ..Call::good(session) })
            },
            a_pointer_that_is_not_mapped: |session| {
                let unmapped = Some(std::ptr::without_provenance_mut(SIZE));
                unmap(&Call { unmapped, ..Call::good(session) })
            },
            what_is_mapped_of_another_object: |session| {
                let good = Call::good(session);
                unmap(&Call { mapped: (session.queue, good.destination), ..good })
            },
            unmapped_before: |session| {
                let call = Call::good(session);
                // SAFETY: both calls name what the first has mapped.
                unsafe {
                    let pointer = made(|code| {
                        clEnqueueMapBuffer(
                            call.queue, call.buffer, CL_TRUE, CL_MAP_READ, 0, 8, 0, null(),
                            null_mut(), code,
                        )
                    });
                    let unmap = || {
                        let (queue, buffer) = (call.queue, call.buffer);
                        clEnqueueUnmapMemObject(queue, buffer, pointer, 0, null(), null_mut())
                    };
                    ok(unmap());
                    unmap()
                }
            },
        }
    }
    clEnqueueMigrateMemObjects {
        CL_INVALID_CONTEXT {
            the_second_of_another_context: |session| {
                let destination = session.another().buffer(&[0u8; SIZE]);
                migrate(&Call { destination, mem_objects: 2, ..Call::good(session) })
            },
        }
        CL_INVALID_MEM_OBJECT {
            null_as_the_second: |session| {
                let destination = null_mut();
                migrate(&Call { destination, mem_objects: 2, ..Call::good(session) })
            },
        }
        CL_INVALID_VALUE {
            no_objects: |session| migrate(&Call { mem_objects: 0, ..Call::good(session) }),
            a_null_list: |session| migrate(&Call { has_pointer: false, ..Call::good(session) }),
            an_unknown_flag: |session| {
                migrate(&Call { migration_flags: 4, ..Call::good(session) })
            },
        }
    }
};
