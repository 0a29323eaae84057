//! Kernel arguments.

use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use opencl3::kernel::Kernel;

/// A kernel argument: a buffer, local memory, an image or a sampler, or a value with the layout of
/// the kernel's parameter.
pub trait Argument {
    /// Passes it as the argument `index` of the kernel.
    ///
    /// # Errors
    /// `clSetKernelArg`'s.
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()>;
}

impl<T: Pod> Argument for T {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the value is copied during the call.
        Ok(unsafe { kernel.set_arg(index, self) }?)
    }
}

/// `count` elements of `T` in local memory, as a kernel argument.
pub struct Local<T> {
    count: usize,
    element: std::marker::PhantomData<T>,
}

impl<T> Local<T> {
    /// `count` elements.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            element: std::marker::PhantomData,
        }
    }
}

impl<T> Argument for Local<T> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: a size alone is passed.
        Ok(unsafe { kernel.set_arg_local_buffer(index, self.count * size_of::<T>()) }?)
    }
}

/// OpenCL's `float2`, aligned as in kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(8))]
pub struct Float2(pub [f32; 2]);

/// OpenCL's `float4`, aligned as in kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Float4(pub [f32; 4]);
