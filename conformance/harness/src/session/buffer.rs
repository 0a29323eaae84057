//! Buffers, and the commands that transfer their contents.

use super::Session;
use super::argument::Argument;
use anyhow::{Context as _, Result};
use bytemuck::Pod;
use opencl3::command_queue::CommandQueue;
use opencl3::event::Event;
use opencl3::kernel::Kernel;
use opencl3::memory::{
    CL_MAP_READ, CL_MAP_WRITE, CL_MEM_COPY_HOST_PTR, CL_MEM_READ_WRITE, ClMem as _,
};
use opencl3::types::{CL_BLOCKING, cl_event};
use std::ptr::null_mut;

/// A buffer of `T`, read and written by kernels.
pub struct Buffer<T> {
    memory: opencl3::memory::Buffer<T>,
    elements: usize,
}

impl<T> Buffer<T> {
    /// The handle, for calls that this module lacks. It is valid while `self` exists.
    pub fn handle(&self) -> opencl3::types::cl_mem {
        self.memory.get()
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.elements
    }

    /// A sub-buffer of `elements` elements from `first` on.
    ///
    /// # Errors
    /// `clCreateSubBuffer`'s.
    pub fn part(&self, first: usize, elements: usize) -> Result<Self> {
        // SAFETY: the region is read during the call.
        let memory = unsafe {
            self.memory
                .create_sub_buffer(CL_MEM_READ_WRITE, first, elements)
        }
        .context("clCreateSubBuffer")?;
        Ok(Self { memory, elements })
    }

    /// Always false: OpenCL has no empty buffers.
    pub fn is_empty(&self) -> bool {
        self.elements == 0
    }
}

impl<T> Argument for Buffer<T> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the handle is copied during the call.
        Ok(unsafe { kernel.set_arg(index, &self.memory.get()) }?)
    }
}

impl Session {
    /// A buffer with a copy of these elements.
    ///
    /// # Errors
    /// `clCreateBuffer`'s.
    pub fn buffer<T: Pod>(&self, elements: &[T]) -> Result<Buffer<T>> {
        let flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
        let start = elements.as_ptr().cast_mut().cast();
        // SAFETY: the elements are copied during the call.
        let memory = unsafe {
            opencl3::memory::Buffer::create(&self.context, flags, elements.len(), start)
        }?;
        Ok(Buffer {
            memory,
            elements: elements.len(),
        })
    }

    /// A buffer of `elements` zeros.
    ///
    /// # Errors
    /// `clCreateBuffer`'s.
    pub fn zeros<T: Pod>(&self, elements: usize) -> Result<Buffer<T>> {
        self.buffer(&vec![T::zeroed(); elements])
    }

    /// An uninitialised buffer of `elements` elements.
    ///
    /// # Errors
    /// `clCreateBuffer`'s.
    pub fn unset<T: Pod>(&self, elements: usize) -> Result<Buffer<T>> {
        // SAFETY: no host memory is passed.
        let memory = unsafe {
            opencl3::memory::Buffer::create(&self.context, CL_MEM_READ_WRITE, elements, null_mut())
        }?;
        Ok(Buffer { memory, elements })
    }

    /// All elements of a buffer, after all earlier commands of the queue.
    ///
    /// # Errors
    /// `clEnqueueReadBuffer`'s, and those of commands before it.
    pub fn read<T: Pod>(&self, buffer: &Buffer<T>) -> Result<Vec<T>> {
        let mut elements = vec![T::zeroed(); buffer.elements];
        // SAFETY: the vector has room, every value is a T, and the call blocks.
        unsafe {
            self.queue
                .enqueue_read_buffer(&buffer.memory, CL_BLOCKING, 0, &mut elements, &[])
        }?;
        Ok(elements)
    }

    /// Overwrites the first elements of a buffer.
    ///
    /// # Errors
    /// `clEnqueueWriteBuffer`'s.
    pub fn write<T: Pod>(&self, buffer: &mut Buffer<T>, elements: &[T]) -> Result<()> {
        // SAFETY: the call blocks.
        unsafe {
            self.queue
                .enqueue_write_buffer(&mut buffer.memory, CL_BLOCKING, 0, elements, &[])
        }?;
        Ok(())
    }

    /// Copies elements between buffers, on any queue of the context, after `events`.
    ///
    /// # Errors
    /// `clEnqueueCopyBuffer`'s.
    pub fn copy<T>(
        &self,
        queue: &CommandQueue,
        (from, first): (&Buffer<T>, usize),
        (to, place): (&mut Buffer<T>, usize),
        elements: usize,
        events: &[cl_event],
    ) -> Result<Event> {
        let [first, place, bytes] = [first, place, elements].map(|n| n * size_of::<T>());
        // SAFETY: the events are read during the call.
        Ok(unsafe {
            queue.enqueue_copy_buffer(&from.memory, &mut to.memory, first, place, bytes, events)
        }?)
    }

    /// Maps a whole buffer, lets `change` modify its elements and unmaps it. Blocks until the unmap
    /// command has completed.
    ///
    /// # Errors
    /// `clEnqueueMapBuffer`'s and `clEnqueueUnmapMemObject`'s.
    pub fn map<T: Pod>(
        &self,
        queue: &CommandQueue,
        buffer: &Buffer<T>,
        change: impl FnOnce(&mut [T]),
    ) -> Result<()> {
        let bytes = buffer.elements * size_of::<T>();
        let mut start = null_mut();
        let flags = CL_MAP_READ | CL_MAP_WRITE;
        // SAFETY: the region is the whole buffer, every value is a T, mapped memory is
        // aligned for every type (section 5.2.1), and nothing else uses it until it is
        // unmapped.
        unsafe {
            queue
                .enqueue_map_buffer(
                    &buffer.memory,
                    CL_BLOCKING,
                    flags,
                    0,
                    bytes,
                    &mut start,
                    &[],
                )
                .context("clEnqueueMapBuffer")?;
            change(std::slice::from_raw_parts_mut(
                start.cast(),
                buffer.elements,
            ));
            queue
                .enqueue_unmap_mem_object(buffer.memory.get(), start, &[])
                .context("clEnqueueUnmapMemObject")?
                .wait()?;
        }
        Ok(())
    }
}
