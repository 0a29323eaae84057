//! The platform under test: one kernel per function and form of code.

use crate::format::Format;
use crate::function::{Function, WIDTH};
use crate::types::Type;
use anyhow::{Context as _, Result, anyhow};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::Device;
use opencl3::kernel::{ExecuteKernel, Kernel};
use opencl3::memory::{Buffer, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY};
use opencl3::program::Program;
use opencl3::types::{CL_BLOCKING, cl_uchar};
use std::ptr::null_mut;

/// A form of code: how the kernel around a function is written, built and launched. Compilers
/// generate different code for each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    /// The form's name in the report.
    pub name: &'static str,
    /// Build options.
    pub options: &'static str,
    /// Components of OpenCL C's vectors; 1 for scalars.
    pub width: usize,
    /// Work-items per work-group.
    pub group: usize,
}

/// Scalars in work-groups of many work-items, which compilers vectorise; in work-groups of one; in
/// unoptimised code; and OpenCL C's vector types.
pub const FORMS: &[Form] = &[
    Form {
        name: "many work-items",
        options: "",
        width: 1,
        group: 64,
    },
    Form {
        name: "one work-item",
        options: "",
        width: 1,
        group: 1,
    },
    Form {
        name: "unoptimised",
        options: "-cl-opt-disable",
        width: 1,
        group: 64,
    },
    Form {
        name: "vectors of 4",
        options: "",
        width: 4,
        group: 64,
    },
    Form {
        name: "vectors of 16",
        options: "",
        width: 16,
        group: 64,
    },
    Form {
        name: "vectors of 2",
        options: "",
        width: 2,
        group: 1,
    },
    Form {
        name: "vectors of 3",
        options: "",
        width: 3,
        group: 1,
    },
    Form {
        name: "vectors of 8",
        options: "",
        width: 8,
        group: 1,
    },
];

/// The forms of a quick run: vectorised scalars, and vector types.
pub static QUICK_FORMS: [Form; 2] = [FORMS[0], FORMS[3]];

/// A device with a context.
pub struct Platform {
    device: Device,
    context: Context,
    extensions: String,
}

impl Platform {
    /// Creates a context for a device.
    ///
    /// # Errors
    /// The platform's error.
    pub fn new(device: Device) -> Result<Self> {
        let context = Context::from_device(&device)?;
        let extensions = device.extensions()?;
        Ok(Self {
            device,
            context,
            extensions,
        })
    }

    /// Whether the device has all types of a function.
    pub fn has_types_of(&self, function: &Function) -> bool {
        let mut types = function.arguments.iter().chain(&function.results);
        types.all(|kind| self.has(*kind))
    }

    fn has(&self, kind: Type) -> bool {
        match kind {
            Type::Floating(Format::Half) => self.extensions.contains("cl_khr_fp16"),
            Type::Floating(Format::Double) => self.extensions.contains("cl_khr_fp64"),
            _ => true,
        }
    }

    /// Runs a function: for each result, the bit patterns for all inputs.
    ///
    /// # Errors
    /// The kernel cannot be built or run.
    pub fn run(
        &self,
        function: &Function,
        form: &Form,
        options: &str,
        inputs: &[Vec<u64>],
    ) -> Result<Vec<Vec<u64>>> {
        let options = format!("{} {} {options}", form.options, function.options);
        let source = source(function, form.width);
        let program = Program::create_and_build_from_source(&self.context, &source, &options)
            .map_err(|log| anyhow!("{source}\n{log}"))?;
        let kernel = Kernel::create(&program, "sweep")?;
        // SAFETY: a queue of this context's device, without properties.
        let queue = unsafe { CommandQueue::create(&self.context, self.device.id(), 0)? };
        let granule = form.width * form.group;
        let padded = inputs.len().next_multiple_of(granule);
        let mut buffers = Vec::new();
        for (index, kind) in function.arguments.iter().enumerate() {
            let bytes: Vec<cl_uchar> = inputs
                .iter()
                .chain(std::iter::repeat(&inputs[0]))
                .take(padded)
                .flat_map(|input| input[index].to_le_bytes().into_iter().take(kind.bytes()))
                .collect();
            let mut buffer = self.buffer(bytes.len(), CL_MEM_READ_ONLY)?;
            // SAFETY: the buffer has the size of the bytes; the call blocks.
            unsafe { queue.enqueue_write_buffer(&mut buffer, CL_BLOCKING, 0, &bytes, &[])? };
            buffers.push(buffer);
        }
        for kind in &function.results {
            buffers.push(self.buffer(padded * kind.bytes(), CL_MEM_WRITE_ONLY)?);
        }
        let mut launch = ExecuteKernel::new(&kernel);
        for buffer in &buffers {
            // SAFETY: the kernel's arguments are these buffers, in this order.
            unsafe { launch.set_arg(buffer) };
        }
        launch
            .set_global_work_size(padded / form.width)
            .set_local_work_size(form.group);
        // SAFETY: each work-item stays within the buffers, which are long enough.
        unsafe { launch.enqueue_nd_range(&queue)? };
        queue.finish().context("the kernel failed")?;
        let mut results = Vec::new();
        for (kind, buffer) in function
            .results
            .iter()
            .zip(&buffers[function.arguments.len()..])
        {
            let mut bytes = vec![0; padded * kind.bytes()];
            // SAFETY: as for writing.
            unsafe { queue.enqueue_read_buffer(buffer, CL_BLOCKING, 0, &mut bytes, &[])? };
            let pattern = |bytes: &[u8]| {
                let mut whole = [0; 8];
                whole[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(whole)
            };
            results.push(
                bytes
                    .chunks_exact(kind.bytes())
                    .take(inputs.len())
                    .map(pattern)
                    .collect(),
            );
        }
        Ok(results)
    }

    fn buffer(&self, bytes: usize, flags: u64) -> Result<Buffer<cl_uchar>> {
        // SAFETY: no host memory is given.
        Ok(unsafe { Buffer::create(&self.context, flags, bytes, null_mut()) }?)
    }
}

/// The kernel's source for vectors of that width.
pub fn source(function: &Function, width: usize) -> String {
    let types = || function.arguments.iter().chain(&function.results);
    let mut text = String::new();
    for (format, extension) in [
        (Format::Half, "cl_khr_fp16"),
        (Format::Double, "cl_khr_fp64"),
    ] {
        if types().any(|kind| *kind == Type::Floating(format)) {
            text += &format!("#pragma OPENCL EXTENSION {extension} : enable\n");
        }
    }
    let suffix = if width == 1 {
        String::new()
    } else {
        width.to_string()
    };
    let mut parameters = Vec::new();
    let (mut loads, mut stores) = (String::new(), String::new());
    for (index, kind) in function.arguments.iter().enumerate() {
        let name = kind.name();
        parameters.push(format!("global const {name} *a{index}"));
        loads += &if width == 1 {
            format!("  {name} x{index} = a{index}[i];\n")
        } else {
            format!("  {name}{suffix} x{index} = vload{suffix}(i, a{index});\n")
        };
    }
    for (index, kind) in function.results.iter().enumerate() {
        let name = kind.name();
        parameters.push(format!("global {name} *b{index}"));
        loads += &format!("  {name}{suffix} r{index};\n");
        stores += &if width == 1 {
            format!("  b{index}[i] = r{index};\n")
        } else {
            format!("  vstore{suffix}(r{index}, i, b{index});\n")
        };
    }
    text + &format!(
        "kernel void sweep({}) {{\n  size_t i = get_global_id(0);\n{loads}  {}\n{stores}}}\n",
        parameters.join(", "),
        function.body.replace(WIDTH, &suffix)
    )
}
