//! Tasks: launches of built-in kernels. A launch has one work-item, and its sizes are arguments.

use crate::device::{BuiltInKernel, TaskError};
use crate::error::{Code, Error, Result};
use crate::kernel::arguments::CapturedArguments;
use crate::kernel::kernel::Kernel;
use crate::kernel::launch::LaunchTarget;
use crate::kernel::work_group_size::{self, LaunchSizes};
use crate::memory::mem_object::MemObject;
use crate::memory::memory_access::{MemoryAccess, MemoryAccesses};
use crate::memory::residency::{AccessKind, AccessedRange};
use crate::recording::command_record::RecordedLaunch;
use crate::recording::recorder;
use crate::time::accelerator_task::AcceleratorTask;
use crate::time::command_work::CommandWork;
use accelerator_functions::{Access, ArgumentKind, Function, Operand, Precision};
use host_exec::address_check;
use kernel_compiler::executable::KernelInterface;
use std::fmt::{self, Display, Formatter};
use task_scheduler::{Descriptor, Settings};

/// A task with everything that its execution needs.
pub(crate) struct PreparedTask {
    function: &'static Function,
    operands: Vec<TaskOperand>,
    task: AcceleratorTask,
}

/// The value of an argument.
enum TaskOperand {
    /// The first bytes of a buffer.
    Array {
        object: MemObject,
        bytes: usize,
        access: Access,
        precision: Precision,
    },
    Value(Operand),
}

impl Kernel {
    /// A launch of a built-in kernel with the arguments as they are set now; none of a compiled kernel.
    ///
    /// # Errors
    /// The errors of `clEnqueueNDRangeKernel` for kernel, arguments and sizes.
    pub(crate) fn task(
        &self,
        target: LaunchTarget<'_>,
        sizes: LaunchSizes<'_>,
    ) -> Result<Option<PreparedTask>> {
        let variant = self.variant_for(target)?;
        let Some(kernel) = variant.built_in() else {
            return Ok(None);
        };
        let captured = self.arguments.capture(variant.interface())?;
        work_group_size::check_task(target.device, sizes)?;
        // Built-in kernels have programs for custom devices only.
        let Some(accelerators) = target.device.accelerators() else {
            return Ok(None);
        };
        let scheduler = accelerators.scheduler();
        PreparedTask::new(kernel, variant.interface(), captured, scheduler).map(Some)
    }

    /// The record of a task; none if the process is not recorded.
    pub(crate) fn record_task(&self) -> Option<Box<RecordedLaunch>> {
        recorder::is_on().then(|| {
            Box::new(RecordedLaunch {
                kernel: self.interface().name.as_str().into(),
                program: self.program().recorded_number(&[]),
                global_size: [1].as_slice().into(),
                local_size: [1].as_slice().into(),
            })
        })
    }
}

impl PreparedTask {
    /// # Errors
    /// `InvalidKernelArgs`: a buffer is missing or too small. `OutOfResources`: the machine cannot execute
    /// the task.
    fn new(
        kernel: &BuiltInKernel,
        interface: &KernelInterface,
        captured: CapturedArguments,
        scheduler: &Settings,
    ) -> Result<Self> {
        let function = kernel.function();
        let value = |place: usize| captured.block.word(interface.arguments[place].offset);
        let size = |name: &str| {
            let mut arguments = function.arguments.iter();
            arguments
                .position(|argument| argument.name == name)
                .map(value)
        };
        // Those of pointers that are not null.
        let mut objects = captured.accesses.iter().map(|access| &access.object);
        let mut operands = Vec::new();
        let mut moved = [0, 0];
        for (place, argument) in function.arguments.iter().enumerate() {
            operands.push(match argument.kind {
                ArgumentKind::Array {
                    access, precision, ..
                } => {
                    let bytes = argument.bytes(&size);
                    let object = match captured.block.pointer(interface.arguments[place].offset) {
                        0 => None,
                        _ => objects.next(),
                    };
                    let has = object.map_or(0, MemObject::size);
                    let Some(object) = object.filter(|_| bytes <= has as u64) else {
                        return Err(Error::new(
                            Code::InvalidKernelArgs,
                            format!(
                                "argument {place} (`{}`) of `{}` has {bytes} bytes with these \
                                 sizes; the buffer has {has}",
                                argument.name, function.name
                            ),
                        ));
                    };
                    moved[0] += if access == Access::Write { 0 } else { bytes };
                    moved[1] += if access == Access::Read { 0 } else { bytes };
                    TaskOperand::Array {
                        object: object.clone(),
                        bytes: bytes as usize,
                        access,
                        precision,
                    }
                }
                ArgumentKind::Size { .. } => TaskOperand::Value(Operand::Size(value(place))),
                ArgumentKind::Number => {
                    TaskOperand::Value(Operand::Number(f32::from_bits(value(place))))
                }
            });
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
        let accesses = self.operands.iter().filter_map(|operand| match operand {
            TaskOperand::Array {
                object,
                bytes,
                access,
                ..
            } => {
                let start = object.range().start;
                Some(MemoryAccess {
                    object: object.clone(),
                    accessed: AccessedRange::whole(start..start + bytes),
                    kind: match access {
                        Access::Read => AccessKind::Read,
                        Access::Write => AccessKind::Overwrite,
                        Access::Update => AccessKind::Update,
                    },
                })
            }
            TaskOperand::Value(_) => None,
        });
        accesses.collect()
    }

    /// Computes the function. As an accelerator, it copies its inputs, and writes its outputs at the end:
    /// the buffers may overlap.
    ///
    /// # Errors
    /// `OutOfResources`: the host program's memory of a buffer cannot be accessed.
    pub fn run(self) -> Result<CommandWork> {
        let operands = self.operands.iter().map(TaskOperand::read);
        let mut operands = operands.collect::<Result<Vec<Operand>>>()?;
        self.function.compute(&mut operands);
        for (operand, result) in self.operands.iter().zip(&operands) {
            operand.write(result)?;
        }
        Ok(CommandWork {
            task: Some(self.task),
            ..CommandWork::default()
        })
    }
}

impl TaskOperand {
    fn read(&self) -> Result<Operand> {
        match self {
            Self::Value(operand) => Ok(operand.clone()),
            Self::Array {
                object,
                bytes,
                access,
                precision,
            } => {
                let count = bytes / precision.bytes() as usize;
                let mut operand = match precision {
                    Precision::Single => Operand::Array(vec![0.0; count]),
                    Precision::Double => Operand::Doubles(vec![0.0; count]),
                };
                let target = match &mut operand {
                    Operand::Array(array) => array.as_mut_ptr().cast::<u8>(),
                    Operand::Doubles(array) => array.as_mut_ptr().cast(),
                    Operand::Size(_) | Operand::Number(_) => return Ok(operand),
                };
                if *access != Access::Write {
                    let source = object.start().0;
                    // SAFETY: the buffer has these bytes and is alive; any bits are a number.
                    unsafe { copy(object, source, target, *bytes, true)? };
                }
                Ok(operand)
            }
        }
    }

    fn write(&self, result: &Operand) -> Result<()> {
        let Self::Array {
            object,
            bytes,
            access: Access::Write | Access::Update,
            ..
        } = self
        else {
            return Ok(());
        };
        let (source, count) = match result {
            Operand::Array(array) => (array.as_ptr().cast::<u8>(), size_of_val(array.as_slice())),
            Operand::Doubles(array) => (array.as_ptr().cast(), size_of_val(array.as_slice())),
            Operand::Size(_) | Operand::Number(_) => return Ok(()),
        };
        let count = count.min(*bytes);
        // SAFETY: the buffer has these bytes and is alive; the result is memory of its own.
        unsafe { copy(object, source, object.start().0, count, false)? };
        if let MemObject::Buffer(buffer) = object {
            buffer.mark_defined(0, count);
        }
        Ok(())
    }
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
