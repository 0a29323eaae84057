//! Buffers in host memory next to inaccessible pages. If the platform uses that memory in place, a
//! read or write outside the buffer ends the process.

use anyhow::{Result, ensure};
use bytemuck::Pod;
use harness::session::{Argument, Session};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, ClMem as _};
use opencl3::types::CL_BLOCKING;
use std::ptr::null_mut;

/// The side of the buffer that the inaccessible page is adjacent to.
#[derive(Clone, Copy, Debug)]
pub enum Guard {
    /// Before its first element.
    Before,
    /// After its last element.
    After,
}

/// A buffer over elements in host memory.
pub struct Guarded<T> {
    // Released before the memory that it lies in is.
    buffer: Option<Buffer<T>>,
    elements: usize,
    pages: *mut libc::c_void,
    bytes: usize,
}

impl<T: Pod> Guarded<T> {
    /// A buffer with a copy of these elements; at least one.
    ///
    /// # Errors
    /// The system has no memory, or `clCreateBuffer` fails.
    pub fn new(session: &Session, elements: &[T], guard: Guard) -> Result<Self> {
        let contents: &[u8] = bytemuck::cast_slice(elements);
        // SAFETY: the call takes no pointers.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let inner = contents.len().next_multiple_of(page);
        let bytes = inner + 2 * page;
        let (none, both) = (libc::PROT_NONE, libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: new pages wherever the system likes.
        let pages = unsafe { libc::mmap(null_mut(), bytes, none, flags, -1, 0) };
        ensure!(
            pages != libc::MAP_FAILED,
            "mmap: {}",
            std::io::Error::last_os_error()
        );
        let mut guarded = Self {
            buffer: None,
            elements: elements.len(),
            pages,
            bytes,
        };
        // SAFETY: between the first page and the last; contents fit, and nothing else is
        // there. The memory outlives the buffer.
        unsafe {
            let first = pages.byte_add(page);
            ensure!(libc::mprotect(first, inner, both) == 0, "mprotect failed");
            let start = match guard {
                Guard::Before => first,
                Guard::After => first.byte_add(inner - contents.len()),
            };
            std::ptr::copy_nonoverlapping(contents.as_ptr(), start.cast(), contents.len());
            let flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
            let buffer = Buffer::create(&session.context, flags, elements.len(), start)?;
            guarded.buffer = Some(buffer);
        }
        Ok(guarded)
    }

    /// All elements, after all earlier commands of the session's queue.
    ///
    /// # Errors
    /// `clEnqueueReadBuffer` or an earlier command fails.
    pub fn read(&self, session: &Session) -> Result<Vec<T>> {
        let mut elements = vec![T::zeroed(); self.elements];
        if let Some(buffer) = &self.buffer {
            // SAFETY: the vector has room, every value is a T, and the call blocks.
            unsafe {
                session
                    .queue
                    .enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut elements, &[])
            }?;
        }
        Ok(elements)
    }
}

impl<T> Argument for Guarded<T> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        let handle = self.buffer.as_ref().map_or(null_mut(), Buffer::get);
        // SAFETY: the handle is copied during the call.
        Ok(unsafe { kernel.set_arg(index, &handle) }?)
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        self.buffer = None;
        // SAFETY: these are this object's pages, and what used them has ended: reading
        // waited for it.
        unsafe { libc::munmap(self.pages, self.bytes) };
    }
}
