//! Commands put into a queue (OpenCL 1.2, sections 5.2.2 to 5.2.5, 5.4.2, 5.4.4, 5.8
//! and 5.10; of OpenCL 1.1 what 1.2 deprecates).

use crate::callback::run_native_kernel;
use crate::entry_point::Call;
use crate::event::{self, event_list};
use crate::function_table::call::{
    clEnqueueBarrier, clEnqueueBarrierWithWaitList, clEnqueueCopyBuffer, clEnqueueCopyBufferRect,
    clEnqueueFillBuffer, clEnqueueMapBuffer, clEnqueueMarker, clEnqueueMarkerWithWaitList,
    clEnqueueMigrateMemObjects, clEnqueueNDRangeKernel, clEnqueueNativeKernel, clEnqueueReadBuffer,
    clEnqueueReadBufferRect, clEnqueueTask, clEnqueueUnmapMemObject, clEnqueueWaitForEvents,
    clEnqueueWriteBuffer, clEnqueueWriteBufferRect,
};
use crate::handle;
use crate::host_memory::{In, Out};
use crate::mem_object::{map_flags, mem_object};
use cl_sys::{
    CL_FALSE, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, CL_MIGRATE_MEM_OBJECT_HOST, cl_event, cl_mem,
};
use runtime::buffer::Buffer;
use runtime::command::{self, Command, Rectangle};
use runtime::error::{Code, Error, Result};
use runtime::event::{Event, ExecutionStatus};
use runtime::kernel::Kernel;
use runtime::mem_object::HostPointer;
use runtime::queue::CommandQueue;
use std::ffi::c_void;
use std::sync::Arc;

pub fn invalid_value<T>(sentence: &'static str) -> Result<T> {
    Err(Error::new(Code::InvalidValue, sentence))
}

pub fn queue(handle: *mut c_void) -> Result<Arc<CommandQueue>> {
    handle::object(handle)
}

pub fn buffer(handle: cl_mem) -> Result<Arc<Buffer>> {
    handle::object(handle)
}

/// A pointer of the host program that must not be null.
pub fn host<T>(pointer: *const T) -> Result<HostPointer> {
    if pointer.is_null() {
        return invalid_value("ptr is NULL");
    }
    Ok(HostPointer(pointer.cast_mut().cast()))
}

/// Puts a command into a queue; waits for its end if `blocking`; hands its event to the
/// host program if that wants it.
pub fn submit(
    queue: &Arc<CommandQueue>,
    command: Command,
    (num_events, wait_list): (u32, In<cl_event>),
    blocking: u32,
    event: Out<cl_event>,
) -> Result<()> {
    let wait_list = event::wait_list(num_events, wait_list)?;
    let enqueued = queue.enqueue(command, &wait_list)?;
    if blocking != CL_FALSE
        && let ExecutionStatus::Failed(code) = enqueued.wait()
    {
        return Err(failure(code, &wait_list));
    }
    if !event.is_null() {
        event.set(handle::publish(enqueued));
    }
    Ok(())
}

/// The error of a blocking call whose command failed with `code`.
fn failure(code: i32, wait_list: &[Arc<Event>]) -> Error {
    let dependency_failed = wait_list
        .iter()
        .any(|event| matches!(event.status(), ExecutionStatus::Failed(_)));
    if dependency_failed {
        return Error::new(
            Code::ExecStatusErrorForEventsInWaitList,
            "an event of the wait list has failed",
        );
    }
    Error::new(
        Code::from_value(code).unwrap_or(Code::OutOfResources),
        format!("the command has failed with {code}"),
    )
}

impl Call for clEnqueueReadBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let buffer = buffer(self.buffer)?;
        let command = Command::read_buffer(&buffer, self.offset, self.size, host(self.ptr)?)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            self.blocking_read,
            self.event,
        )
    }
}

impl Call for clEnqueueWriteBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let buffer = buffer(self.buffer)?;
        let command = Command::write_buffer(&buffer, self.offset, self.size, host(self.ptr)?)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            self.blocking_write,
            self.event,
        )
    }
}

impl Call for clEnqueueCopyBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let (source, destination) = (buffer(self.src_buffer)?, buffer(self.dst_buffer)?);
        let command = Command::copy_buffer(
            &source,
            &destination,
            self.src_offset,
            self.dst_offset,
            self.size,
        )?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

/// An origin or a region.
pub fn triple(list: In<usize>) -> Result<[usize; 3]> {
    list.triple()
        .ok_or_else(|| Error::new(Code::InvalidValue, "an origin or the region is NULL"))
}

impl Call for clEnqueueReadBufferRect {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let buffer = buffer(self.buffer)?;
        let rectangle = Rectangle {
            region: triple(self.region)?,
            source_origin: triple(self.buffer_origin)?,
            source_row_pitch: self.buffer_row_pitch,
            source_slice_pitch: self.buffer_slice_pitch,
            destination_origin: triple(self.host_origin)?,
            destination_row_pitch: self.host_row_pitch,
            destination_slice_pitch: self.host_slice_pitch,
        };
        let command = Command::read_buffer_rect(&buffer, rectangle, host(self.ptr)?)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            self.blocking_read,
            self.event,
        )
    }
}

impl Call for clEnqueueWriteBufferRect {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let buffer = buffer(self.buffer)?;
        let rectangle = Rectangle {
            region: triple(self.region)?,
            source_origin: triple(self.host_origin)?,
            source_row_pitch: self.host_row_pitch,
            source_slice_pitch: self.host_slice_pitch,
            destination_origin: triple(self.buffer_origin)?,
            destination_row_pitch: self.buffer_row_pitch,
            destination_slice_pitch: self.buffer_slice_pitch,
        };
        let command = Command::write_buffer_rect(&buffer, rectangle, host(self.ptr)?)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            self.blocking_write,
            self.event,
        )
    }
}

impl Call for clEnqueueCopyBufferRect {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let (source, destination) = (buffer(self.src_buffer)?, buffer(self.dst_buffer)?);
        let rectangle = Rectangle {
            region: triple(self.region)?,
            source_origin: triple(self.src_origin)?,
            source_row_pitch: self.src_row_pitch,
            source_slice_pitch: self.src_slice_pitch,
            destination_origin: triple(self.dst_origin)?,
            destination_row_pitch: self.dst_row_pitch,
            destination_slice_pitch: self.dst_slice_pitch,
        };
        let command = Command::copy_buffer_rect(&source, &destination, rectangle)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueFillBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let buffer = buffer(self.buffer)?;
        // Checked before the pattern is read: the host program may have less there.
        command::check_pattern_size(self.pattern_size)?;
        let Some(pattern) = self.pattern.bytes(self.pattern_size) else {
            return invalid_value("pattern is NULL");
        };
        let command = Command::fill_buffer(&buffer, pattern, self.offset, self.size)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueMapBuffer {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let queue = queue(self.command_queue)?;
        let buffer = buffer(self.buffer)?;
        let flags = map_flags(self.map_flags)?;
        let (command, pointer) = Command::map_buffer(&buffer, flags, self.offset, self.size)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            self.blocking_map,
            self.event,
        )?;
        Ok(pointer.0.cast())
    }
}

impl Call for clEnqueueUnmapMemObject {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let object = mem_object(self.memobj)?;
        let command = Command::unmap(&object, HostPointer(self.mapped_ptr.cast()))?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueMigrateMemObjects {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        if self.num_mem_objects == 0 || self.mem_objects.is_null() {
            return invalid_value("no memory objects are given");
        }
        let valid = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        if self.flags & !valid != 0 {
            return invalid_value("flags are not valid");
        }
        let handles = self.mem_objects.elements(self.num_mem_objects as usize);
        let objects = handles.map(mem_object).collect::<Result<Vec<_>>>()?;
        let command = Command::migrate(objects);
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueNDRangeKernel {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let dimensions = self.work_dim as usize;
        if !(1..=3).contains(&dimensions) {
            return Err(Error::new(
                Code::InvalidWorkDimension,
                format!("work_dim is {dimensions}"),
            ));
        }
        let sizes = |list: In<usize>| {
            let mut sizes = [0; 3];
            for (size, given) in sizes.iter_mut().zip(list.elements(dimensions)) {
                *size = given;
            }
            (!list.is_null()).then_some(sizes)
        };
        let global_size = sizes(self.global_work_size)
            .ok_or_else(|| Error::new(Code::InvalidGlobalWorkSize, "global_work_size is NULL"))?;
        let global_offset = sizes(self.global_work_offset);
        let local_size = sizes(self.local_work_size);
        let command = Command::nd_range(
            &kernel,
            queue.device(),
            global_offset.as_ref().map(|offset| &offset[..dimensions]),
            &global_size[..dimensions],
            local_size.as_ref().map(|size| &size[..dimensions]),
            false,
        )?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueTask {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let command = Command::nd_range(&kernel, queue.device(), None, &[1], Some(&[1]), true)?;
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

/// The argument block of a native kernel, aligned for anything that may be in it.
struct ArgumentBlock {
    words: Vec<u128>,
    size: usize,
}

impl ArgumentBlock {
    fn new(bytes: &[u8]) -> Self {
        let words = bytes.chunks(size_of::<u128>()).map(|chunk| {
            let mut word = [0; size_of::<u128>()];
            word[..chunk.len()].copy_from_slice(chunk);
            u128::from_ne_bytes(word)
        });
        Self {
            words: words.collect(),
            size: bytes.len(),
        }
    }

    fn set_byte(&mut self, index: usize, byte: u8) {
        let word = &mut self.words[index / size_of::<u128>()];
        let mut bytes = word.to_ne_bytes();
        bytes[index % size_of::<u128>()] = byte;
        *word = u128::from_ne_bytes(bytes);
    }

    fn set_pointer(&mut self, offset: usize, pointer: *mut u8) {
        for (index, byte) in pointer
            .expose_provenance()
            .to_ne_bytes()
            .into_iter()
            .enumerate()
        {
            self.set_byte(offset + index, byte);
        }
    }

    fn pointer(&mut self) -> *mut c_void {
        if self.size == 0 {
            return std::ptr::null_mut();
        }
        self.words.as_mut_ptr().cast()
    }
}

impl clEnqueueNativeKernel {
    /// The block's bytes, and where in it pointers to the buffers go.
    fn arguments(&self) -> Result<(ArgumentBlock, Vec<usize>)> {
        let count = self.num_mem_objects as usize;
        if self.args.is_null() && (self.cb_args > 0 || count > 0) {
            return invalid_value("args is NULL but cb_args or num_mem_objects is not 0");
        }
        if !self.args.is_null() && self.cb_args == 0 {
            return invalid_value("args is not NULL but cb_args is 0");
        }
        if self.mem_list.is_null() != (count == 0) || self.args_mem_loc.is_null() != (count == 0) {
            return invalid_value(
                "num_mem_objects, mem_list and args_mem_loc do not fit each other",
            );
        }
        let offsets: Option<Vec<usize>> = self
            .args_mem_loc
            .elements(count)
            .map(|location| {
                let offset = location.addr().checked_sub(self.args.address())?;
                let end = offset.checked_add(size_of::<cl_mem>())?;
                (end <= self.cb_args).then_some(offset)
            })
            .collect();
        let Some(offsets) = offsets else {
            return invalid_value("a location in args_mem_loc is not inside args");
        };
        let bytes = self.args.bytes(self.cb_args).unwrap_or_default();
        Ok((ArgumentBlock::new(bytes), offsets))
    }
}

impl Call for clEnqueueNativeKernel {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let Some(function) = self.user_func else {
            return invalid_value("user_func is NULL");
        };
        let (mut block, offsets) = self.arguments()?;
        let buffers = handle::objects::<Buffer>(self.num_mem_objects, self.mem_list)?;
        let command = Command::native(
            buffers,
            Box::new(move |pointers: &[HostPointer]| {
                for (offset, pointer) in offsets.into_iter().zip(pointers) {
                    block.set_pointer(offset, pointer.0);
                }
                run_native_kernel(function, block.pointer());
            }),
        );
        submit(
            &queue,
            command,
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueMarkerWithWaitList {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        submit(
            &queue,
            Command::marker(),
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueBarrierWithWaitList {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        submit(
            &queue,
            Command::barrier(),
            (self.num_events_in_wait_list, self.event_wait_list),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueMarker {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        if self.event.is_null() {
            return invalid_value("event is NULL");
        }
        submit(
            &queue,
            Command::marker(),
            (0, In::null()),
            CL_FALSE,
            self.event,
        )
    }
}

impl Call for clEnqueueBarrier {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        queue.enqueue(Command::barrier(), &[])?;
        Ok(())
    }
}

impl Call for clEnqueueWaitForEvents {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = queue(self.command_queue)?;
        let events = event_list(self.num_events, self.event_list)?;
        queue.enqueue(Command::barrier(), &events)?;
        Ok(())
    }
}
