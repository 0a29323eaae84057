//! Commands on buffers, and on memory objects of any kind, put into a queue (OpenCL 1.2,
//! sections 5.2.2 to 5.2.5, 5.4.2 and 5.4.4).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clEnqueueCopyBuffer, clEnqueueCopyBufferRect, clEnqueueFillBuffer, clEnqueueMapBuffer,
    clEnqueueMigrateMemObjects, clEnqueueReadBuffer, clEnqueueReadBufferRect,
    clEnqueueUnmapMemObject, clEnqueueWriteBuffer, clEnqueueWriteBufferRect,
};
use crate::abi::host_memory::In;
use crate::api::errors::invalid_value;
use crate::api::mem_object::{map_flags, mem_object};
use crate::api::submission::{buffer, host, submission, triple};
use cl_sys::{CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, CL_MIGRATE_MEM_OBJECT_HOST};
use runtime::command::{self, Command, Placement, Rectangle};
use runtime::error::Result;
use runtime::memory::host_pointer::HostPointer;
use std::ffi::c_void;

/// One side of a rectangular copy.
fn placement(origin: In<usize>, row_pitch: usize, slice_pitch: usize) -> Result<Placement> {
    Ok(Placement {
        origin: triple(origin)?,
        row_pitch,
        slice_pitch,
    })
}

impl Call for clEnqueueReadBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let buffer = buffer(self.buffer)?;
        let command = Command::read_buffer(&buffer, self.offset, self.size, host(self.ptr)?)?;
        submission.submit_blocking_if(self.blocking_read, command)
    }
}

impl Call for clEnqueueWriteBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let buffer = buffer(self.buffer)?;
        let command = Command::write_buffer(&buffer, self.offset, self.size, host(self.ptr)?)?;
        submission.submit_blocking_if(self.blocking_write, command)
    }
}

impl Call for clEnqueueCopyBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let (source, destination) = (buffer(self.src_buffer)?, buffer(self.dst_buffer)?);
        let command = Command::copy_buffer(
            &source,
            &destination,
            self.src_offset,
            self.dst_offset,
            self.size,
        )?;
        submission.submit(command)
    }
}

impl Call for clEnqueueReadBufferRect {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let buffer = buffer(self.buffer)?;
        let rectangle = Rectangle {
            region: triple(self.region)?,
            source: placement(
                self.buffer_origin,
                self.buffer_row_pitch,
                self.buffer_slice_pitch,
            )?,
            destination: placement(self.host_origin, self.host_row_pitch, self.host_slice_pitch)?,
        };
        let command = Command::read_buffer_rect(&buffer, rectangle, host(self.ptr)?)?;
        submission.submit_blocking_if(self.blocking_read, command)
    }
}

impl Call for clEnqueueWriteBufferRect {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let buffer = buffer(self.buffer)?;
        let rectangle = Rectangle {
            region: triple(self.region)?,
            source: placement(self.host_origin, self.host_row_pitch, self.host_slice_pitch)?,
            destination: placement(
                self.buffer_origin,
                self.buffer_row_pitch,
                self.buffer_slice_pitch,
            )?,
        };
        let command = Command::write_buffer_rect(&buffer, rectangle, host(self.ptr)?)?;
        submission.submit_blocking_if(self.blocking_write, command)
    }
}

impl Call for clEnqueueCopyBufferRect {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let (source, destination) = (buffer(self.src_buffer)?, buffer(self.dst_buffer)?);
        let rectangle = Rectangle {
            region: triple(self.region)?,
            source: placement(self.src_origin, self.src_row_pitch, self.src_slice_pitch)?,
            destination: placement(self.dst_origin, self.dst_row_pitch, self.dst_slice_pitch)?,
        };
        let command = Command::copy_buffer_rect(&source, &destination, rectangle)?;
        submission.submit(command)
    }
}

impl Call for clEnqueueFillBuffer {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let buffer = buffer(self.buffer)?;
        // Checked before the pattern is read: the host program may have less there.
        command::check_pattern_size(self.pattern_size)?;
        let Some(pattern) = self.pattern.bytes(self.pattern_size) else {
            return invalid_value("pattern is NULL");
        };
        let command = Command::fill_buffer(&buffer, pattern, self.offset, self.size)?;
        submission.submit(command)
    }
}

impl Call for clEnqueueMapBuffer {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let submission = submission!(self)?;
        let buffer = buffer(self.buffer)?;
        let flags = map_flags(self.map_flags)?;
        let (command, pointer) = Command::map_buffer(&buffer, flags, self.offset, self.size)?;
        submission.submit_blocking_if(self.blocking_map, command)?;
        Ok(pointer.0.cast())
    }
}

impl Call for clEnqueueUnmapMemObject {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let object = mem_object(self.memobj)?;
        let command = Command::unmap(&object, HostPointer(self.mapped_ptr.cast()));
        submission.submit(command)
    }
}

impl Call for clEnqueueMigrateMemObjects {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        if self.num_mem_objects == 0 || self.mem_objects.is_null() {
            return invalid_value("no memory objects are given");
        }
        let valid = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        if self.flags & !valid != 0 {
            return invalid_value("flags are not valid");
        }
        let handles = self.mem_objects.elements(self.num_mem_objects as usize);
        let objects = handles.map(mem_object).collect::<Result<Vec<_>>>()?;
        let given = |flag| self.flags & flag != 0;
        let command = Command::migrate(
            objects,
            given(CL_MIGRATE_MEM_OBJECT_HOST),
            given(CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED),
        );
        submission.submit(command)
    }
}
