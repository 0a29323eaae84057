//! Kernels put into a queue (OpenCL 1.2, section 5.8).

use crate::abi::callback::run_native_kernel;
use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clEnqueueNDRangeKernel, clEnqueueNativeKernel, clEnqueueTask,
    clGetKernelSuggestedLocalWorkSizeKHR,
};
use crate::abi::handle;
use crate::abi::host_memory::In;
use crate::api::errors::invalid_value;
use crate::api::submission::submission;
use cl_sys::cl_mem;
use runtime::command::Command;
use runtime::error::{Code, Error, Result};
use runtime::kernel::Kernel;
use runtime::memory::buffer::Buffer;
use runtime::memory::host_pointer::HostPointer;
use runtime::queue::CommandQueue;
use std::ffi::c_void;
use std::sync::Arc;

/// `work_dim` of an index space.
fn work_dimensions(work_dim: u32) -> Result<usize> {
    if (1..=3).contains(&work_dim) {
        return Ok(work_dim as usize);
    }
    Err(Error::new(
        Code::InvalidWorkDimension,
        format!("work_dim is {work_dim}"),
    ))
}

/// Up to three sizes or offsets of an index space.
struct Sizes {
    sizes: [usize; 3],
    dimensions: usize,
}

impl std::ops::Deref for Sizes {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.sizes[..self.dimensions]
    }
}

/// Sizes or offsets of an index space; none if null.
fn sizes(list: In<usize>, dimensions: usize) -> Option<Sizes> {
    let mut sizes = [0; 3];
    for (size, given) in sizes.iter_mut().zip(list.elements(dimensions)) {
        *size = given;
    }
    (!list.is_null()).then_some(Sizes { sizes, dimensions })
}

/// `global_work_size` of an index space.
fn global_work_size(list: In<usize>, dimensions: usize) -> Result<Sizes> {
    sizes(list, dimensions)
        .ok_or_else(|| Error::new(Code::InvalidGlobalWorkSize, "global_work_size is NULL"))
}

impl Call for clEnqueueNDRangeKernel {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let dimensions = work_dimensions(self.work_dim)?;
        let command = Command::nd_range(
            &kernel,
            submission.queue().launch_target(),
            sizes(self.global_work_offset, dimensions).as_deref(),
            &global_work_size(self.global_work_size, dimensions)?,
            sizes(self.local_work_size, dimensions).as_deref(),
            false,
        )?;
        submission.submit(command)
    }
}

impl Call for clGetKernelSuggestedLocalWorkSizeKHR {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let queue = handle::object::<CommandQueue>(self.command_queue)?;
        let kernel = handle::object::<Kernel>(self.kernel)?;
        if self.suggested_local_work_size.is_null() {
            let sentence = "suggested_local_work_size is NULL";
            return Err(Error::new(Code::InvalidValue, sentence));
        }
        let dimensions = work_dimensions(self.work_dim)?;
        let suggested = kernel.suggested_local_size(
            queue.launch_target(),
            sizes(self.global_work_offset, dimensions).as_deref(),
            &global_work_size(self.global_work_size, dimensions)?,
        )?;
        let sizes = suggested.into_iter().take(dimensions);
        self.suggested_local_work_size
            .set_elements(sizes.map(|size| size as usize));
        Ok(())
    }
}

impl Call for clEnqueueTask {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let submission = submission!(self)?;
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let command = Command::nd_range(
            &kernel,
            submission.queue().launch_target(),
            None,
            &[1],
            Some(&[1]),
            true,
        )?;
        submission.submit(command)
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
        let submission = submission!(self)?;
        let Some(function) = self.user_func else {
            return invalid_value("user_func is NULL");
        };
        let (mut block, offsets) = self.arguments()?;
        let buffers = self
            .mem_list
            .elements(self.num_mem_objects as usize)
            .map(|handle| {
                (!handle.is_null())
                    .then(|| handle::object(handle))
                    .transpose()
            })
            .collect::<Result<Vec<Option<Arc<Buffer>>>>>()?;
        let command = Command::native(
            buffers,
            Box::new(move |pointers: &[HostPointer]| {
                for (offset, pointer) in offsets.into_iter().zip(pointers) {
                    block.set_pointer(offset, pointer.0);
                }
                run_native_kernel(function, block.pointer())
            }),
        );
        submission.submit(command)
    }
}
