//! Functions that wait for commands: callbacks that are due meanwhile are called first.

use crate::functions::types::*;
use crate::functions::{slot, timed};
use crate::target::Address;
use crate::waits;

/// Functions that wait if an argument says so: before that, callbacks are called that are due meanwhile.
macro_rules! blocking {
    ($($name:ident as $function:ident (
        $queue:ident, $object:ident, $blocking:ident
        $(, $argument:ident : $type:ty)*
    ) -> $result:ty;)*) => {
        $(unsafe extern "C-unwind" fn $function(
            $queue: cl_command_queue,
            $object: cl_mem,
            $blocking: cl_bool,
            $($argument: $type),*
        ) -> $result {
            // SAFETY: as the caller promises.
            unsafe {
                if $blocking != CL_FALSE {
                    waits::for_queue($queue);
                }
                timed::$name($queue, $object, $blocking, $($argument),*)
            }
        })*

        /// The functions that wait, with their places in the dispatch table.
        pub const BLOCKING: &[(i32, Address)] = &[
            (slot::clFinish, Address(finish as *const ())),
            (slot::clWaitForEvents, Address(wait_for_events as *const ())),
            $((slot::$name, Address($function as *const ())),)*
        ];
    };
}

blocking! {
    clEnqueueReadBuffer as read_buffer(
        queue, buffer, blocking, offset: usize, size: usize, pointer: Out<c_void>, count: cl_uint,
        list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    clEnqueueWriteBuffer as write_buffer(
        queue, buffer, blocking, offset: usize, size: usize, pointer: In<c_void>, count: cl_uint,
        list: In<cl_event>, event: Out<cl_event>
    ) -> cl_int;
    clEnqueueReadBufferRect as read_buffer_rect(
        queue, buffer, blocking, buffer_origin: In<usize>, host_origin: In<usize>, region: In<usize>,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize,
        host_slice_pitch: usize, pointer: Out<c_void>, count: cl_uint, list: In<cl_event>,
        event: Out<cl_event>
    ) -> cl_int;
    clEnqueueWriteBufferRect as write_buffer_rect(
        queue, buffer, blocking, buffer_origin: In<usize>, host_origin: In<usize>, region: In<usize>,
        buffer_row_pitch: usize, buffer_slice_pitch: usize, host_row_pitch: usize,
        host_slice_pitch: usize, pointer: In<c_void>, count: cl_uint, list: In<cl_event>,
        event: Out<cl_event>
    ) -> cl_int;
    clEnqueueReadImage as read_image(
        queue, image, blocking, origin: In<usize>, region: In<usize>, row_pitch: usize,
        slice_pitch: usize, pointer: Out<c_void>, count: cl_uint, list: In<cl_event>,
        event: Out<cl_event>
    ) -> cl_int;
    clEnqueueWriteImage as write_image(
        queue, image, blocking, origin: In<usize>, region: In<usize>, row_pitch: usize,
        slice_pitch: usize, pointer: In<c_void>, count: cl_uint, list: In<cl_event>,
        event: Out<cl_event>
    ) -> cl_int;
    clEnqueueMapBuffer as map_buffer(
        queue, buffer, blocking, flags: cl_map_flags, offset: usize, size: usize, count: cl_uint,
        list: In<cl_event>, event: Out<cl_event>, errcode_ret: Out<cl_int>
    ) -> *mut c_void;
    clEnqueueMapImage as map_image(
        queue, image, blocking, flags: cl_map_flags, origin: In<usize>, region: In<usize>,
        row_pitch: Out<usize>, slice_pitch: Out<usize>, count: cl_uint, list: In<cl_event>,
        event: Out<cl_event>, errcode_ret: Out<cl_int>
    ) -> *mut c_void;
}

unsafe extern "C-unwind" fn finish(queue: cl_command_queue) -> cl_int {
    // SAFETY: as the caller promises.
    unsafe {
        waits::for_queue(queue);
        timed::clFinish(queue)
    }
}

unsafe extern "C-unwind" fn wait_for_events(count: cl_uint, list: In<cl_event>) -> cl_int {
    // SAFETY: as the caller promises.
    unsafe {
        waits::for_events(count, list);
        timed::clWaitForEvents(count, list)
    }
}
