//! Tasks: launches of built-in kernels of accelerators. A launch has one work-item, and its sizes are
//! arguments.

use crate::device::{AcceleratorKernel, TaskError};
use crate::error::{Code, Error, Result};
use crate::kernel::built_in_operands::{Array, Operand, Operands};
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::MemoryAccesses;
use crate::time::accelerator_task::AcceleratorTask;
use crate::time::command_work::CommandWork;
use accelerator_functions::{Function, Operand as Value};
use built_in_kernels::{Access, Element};
use host_exec::address_check;
use std::fmt::{self, Display, Formatter};
use task_scheduler::{Descriptor, Settings};

/// A task with everything that its execution needs.
pub(crate) struct PreparedTask {
    function: &'static Function,
    operands: Operands,
    task: AcceleratorTask,
}

impl PreparedTask {
    /// # Errors
    /// `OutOfResources`: the machine cannot execute the task.
    pub(super) fn new(
        kernel: &AcceleratorKernel,
        operands: Operands,
        scheduler: &Settings,
    ) -> Result<Self> {
        let function = kernel.function();
        let size = |name: &str| operands.size(function, name);
        let mut moved = [0, 0];
        for array in operands.arrays() {
            let bytes = array.bytes as u64;
            moved[0] += if array.access == Access::Write {
                0
            } else {
                bytes
            };
            moved[1] += if array.access == Access::Read {
                0
            } else {
                bytes
            };
        }
        let refused = |error: TaskError| {
            Error::new(
                Code::OutOfResources,
                format!("kernel {}: {error}", function.name),
            )
        };
        let cycles = kernel.cycles(&size, moved).map_err(refused)?;
        let descriptor = match scheduler.uses_descriptors() {
            true => kernel.descriptor(&size, moved, scheduler.divides_tasks()),
            false => Ok(Descriptor::default()),
        };
        let descriptor = descriptor.map_err(refused)?;
        Ok(Self {
            function,
            operands,
            task: AcceleratorTask {
                function: kernel.place(),
                first_unit: kernel.first_unit(),
                cycles,
                descriptor,
            },
        })
    }

    /// Its accesses to buffers, with the bytes that it uses of each.
    pub fn accesses(&self) -> MemoryAccesses {
        self.operands.accesses()
    }

    /// Computes the function. As an accelerator, it copies its inputs, and writes its outputs at the end:
    /// the buffers may overlap.
    ///
    /// # Errors
    /// `OutOfResources`: the host program's memory of a buffer cannot be accessed.
    pub fn run(self) -> Result<CommandWork> {
        let operands = &self.operands.0;
        let mut values = operands.iter().map(read).collect::<Result<Vec<Value>>>()?;
        self.function.compute(&mut values);
        for (operand, result) in operands.iter().zip(&values) {
            write(operand, result)?;
        }
        Ok(CommandWork {
            task: Some(self.task),
            ..CommandWork::default()
        })
    }
}

fn read(operand: &Operand) -> Result<Value> {
    let array = match operand {
        Operand::Array(array) => array,
        Operand::Empty => return Ok(Value::Array(Vec::new())),
        Operand::Size(size) => return Ok(Value::Size(*size)),
        Operand::Number(number) => return Ok(Value::Number(*number as f32)),
    };
    let count = array.bytes / array.element.bytes() as usize;
    let mut value = match array.element {
        Element::Double => Value::Doubles(vec![0.0; count]),
        _ => Value::Array(vec![0.0; count]),
    };
    let target = match &mut value {
        Value::Array(array) => array.as_mut_ptr().cast::<u8>(),
        Value::Doubles(array) => array.as_mut_ptr().cast(),
        Value::Size(_) | Value::Number(_) => return Ok(value),
    };
    if array.access != Access::Write {
        let source = array.object.start().0;
        // SAFETY: the buffer has these bytes and is alive; any bits are a number.
        unsafe { copy(&array.object, source, target, array.bytes, true)? };
    }
    Ok(value)
}

fn write(operand: &Operand, result: &Value) -> Result<()> {
    let Operand::Array(Array {
        object,
        bytes,
        access: Access::Write | Access::Update,
        ..
    }) = operand
    else {
        return Ok(());
    };
    let (source, count) = match result {
        Value::Array(array) => (array.as_ptr().cast::<u8>(), size_of_val(array.as_slice())),
        Value::Doubles(array) => (array.as_ptr().cast(), size_of_val(array.as_slice())),
        Value::Size(_) | Value::Number(_) => return Ok(()),
    };
    let count = count.min(*bytes);
    // SAFETY: the buffer has these bytes and is alive; the result is memory of its own.
    unsafe { copy(object, source, object.start().0, count, false)? };
    if let MemObject::Buffer(buffer) = object {
        buffer.mark_defined(0, count);
    }
    Ok(())
}

/// Copies bytes from an object or to it. The host program may have unmapped memory that it gave.
///
/// # Errors
/// `OutOfResources`: it has.
///
/// # Safety
/// The object has these bytes, and the others are valid.
unsafe fn copy(
    object: &MemObject,
    from: *const u8,
    to: *mut u8,
    bytes: usize,
    reads: bool,
) -> Result<()> {
    if object.host_pointer().is_none() {
        // SAFETY: as the caller promises; objects of the platform are mapped.
        unsafe { from.copy_to_nonoverlapping(to, bytes) };
        return Ok(());
    }
    // SAFETY: as the caller promises.
    let copied = unsafe { address_check::copy(from, to, bytes, reads) };
    copied.map_err(|error| Error::new(Code::OutOfResources, error.to_string()))
}

/// The kernel's name.
impl Display for PreparedTask {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`", self.function.name)
    }
}
