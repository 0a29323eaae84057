//! Kernels and their arguments (OpenCL 1.2, section 5.7).

use crate::abi::entry_point::Call;
use crate::abi::function_table::call::{
    clCreateKernel, clCreateKernelsInProgram, clGetKernelArgInfo, clGetKernelInfo,
    clGetKernelWorkGroupInfo, clReleaseKernel, clRetainKernel, clSetKernelArg,
};
use crate::abi::handle;
use crate::api::info::{Destination, unknown_query};
use crate::api::mem_object::mem_object;
use cl_sys::{
    CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_ACCESS_READ_ONLY,
    CL_KERNEL_ARG_ACCESS_READ_WRITE, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
    CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_LOCAL,
    CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_QUALIFIER, CL_KERNEL_ARG_NAME,
    CL_KERNEL_ARG_TYPE_CONST, CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_TYPE_QUALIFIER,
    CL_KERNEL_ARG_TYPE_RESTRICT, CL_KERNEL_ARG_TYPE_VOLATILE, CL_KERNEL_ATTRIBUTES,
    CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_CONTEXT, CL_KERNEL_FUNCTION_NAME,
    CL_KERNEL_GLOBAL_WORK_SIZE, CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_NUM_ARGS,
    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE, CL_KERNEL_PROGRAM,
    CL_KERNEL_REFERENCE_COUNT, CL_KERNEL_WORK_GROUP_SIZE,
};
use runtime::device::Device;
use runtime::error::{Code, Error, Result};
use runtime::kernel::{
    AccessQualifier, AddressQualifier, ArgumentKind, ArgumentValue, Kernel, KernelArgument,
    TypeQualifiers,
};
use runtime::memory::mem_object::MemObject;
use runtime::program::Program;
use std::ffi::c_void;
use std::sync::Arc;

impl Call for clCreateKernel {
    type Output = Result<*mut c_void>;
    fn call(self) -> Self::Output {
        let program = handle::object::<Program>(self.program)?;
        program.context().check_not_terminated()?;
        let name = self
            .kernel_name
            .text()
            .ok_or_else(|| Error::new(Code::InvalidValue, "kernel_name is NULL"))?;
        // No kernel has a name that is not UTF-8; the runtime says so in the right order.
        let name = String::from_utf8_lossy(name);
        Ok(handle::publish(Kernel::new(&program, &name)?))
    }
}

impl Call for clCreateKernelsInProgram {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let program = handle::object::<Program>(self.program)?;
        program.context().check_not_terminated()?;
        let interfaces = program.kernels()?;
        if !self.kernels.is_null() {
            if (self.num_kernels as usize) < interfaces.len() {
                return Err(Error::new(
                    Code::InvalidValue,
                    format!(
                        "num_kernels is {} but the program has {}",
                        self.num_kernels,
                        interfaces.len()
                    ),
                ));
            }
            let kernels = interfaces
                .iter()
                .map(|interface| Kernel::new(&program, &interface.name))
                .collect::<Result<Vec<_>>>()?;
            self.kernels
                .set_elements(kernels.into_iter().map(handle::publish));
        }
        self.num_kernels_ret.set(interfaces.len() as u32);
        Ok(())
    }
}

impl Call for clRetainKernel {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::retain::<Kernel>(self.kernel)
    }
}

impl Call for clReleaseKernel {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        handle::release::<Kernel>(self.kernel)
    }
}

impl clSetKernelArg {
    /// The handle at `arg_value`, whose size is known to be a handle's; none if NULL.
    fn handle(&self) -> Option<*mut c_void> {
        self.arg_value.cast::<*mut c_void>().elements(1).next()
    }

    /// The value as its kind requires. `read` reads the bytes of a by-value argument. Handles are
    /// read only if `arg_size` is a handle's: the host program may have less memory there.
    fn value<'a>(
        &self,
        argument: &KernelArgument,
        read: &'a dyn Fn() -> &'a [u8],
    ) -> Result<ArgumentValue<'a>> {
        let fail = |code, sentence: &str| {
            let (index, name, kind) = (self.arg_index, &argument.name, argument.kind);
            Err(Error::new(
                code,
                format!("argument {index} ({name}, {kind:?}): {sentence}"),
            ))
        };
        let fits = self.arg_size == argument.size;
        match argument.kind {
            ArgumentKind::LocalPointer => {
                if !self.arg_value.is_null() {
                    return fail(Code::InvalidArgValue, "arg_value must be NULL");
                }
                Ok(ArgumentValue::Local(self.arg_size))
            }
            ArgumentKind::GlobalPointer | ArgumentKind::ConstantPointer => {
                if !fits {
                    return fail(Code::InvalidArgSize, "arg_size is not that of a cl_mem");
                }
                let Some(handle) = self.handle().filter(|handle| !handle.is_null()) else {
                    return Ok(ArgumentValue::Buffer(None));
                };
                match mem_object(handle)? {
                    MemObject::Buffer(buffer) => Ok(ArgumentValue::Buffer(Some(buffer))),
                    MemObject::Image(_) => fail(Code::InvalidMemObject, "the value is an image"),
                }
            }
            ArgumentKind::Value => {
                if self.arg_value.is_null() {
                    return fail(Code::InvalidArgValue, "arg_value is NULL");
                }
                Ok(ArgumentValue::Bytes {
                    size: self.arg_size,
                    read,
                })
            }
            ArgumentKind::Image => {
                if !fits {
                    return fail(Code::InvalidArgSize, "arg_size is not that of a cl_mem");
                }
                let Some(handle) = self.handle() else {
                    return fail(Code::InvalidMemObject, "arg_value is NULL");
                };
                match mem_object(handle)? {
                    MemObject::Image(image) => Ok(ArgumentValue::Image(image)),
                    MemObject::Buffer(_) => fail(Code::InvalidMemObject, "the value is a buffer"),
                }
            }
            ArgumentKind::Sampler => {
                if !fits {
                    return fail(Code::InvalidArgSize, "arg_size is not that of a cl_sampler");
                }
                let Some(handle) = self.handle() else {
                    return fail(Code::InvalidSampler, "arg_value is NULL");
                };
                Ok(ArgumentValue::Sampler(handle::object(handle)?))
            }
        }
    }
}

impl Call for clSetKernelArg {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let index = self.arg_index as usize;
        let read = || self.arg_value.bytes(self.arg_size).unwrap_or_default();
        let value = self.value(kernel.argument(index)?, &read)?;
        kernel.set_argument(index, value)
    }
}

impl Call for clGetKernelInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        let interface = kernel.interface();
        match self.param_name {
            CL_KERNEL_FUNCTION_NAME => destination.write(interface.name.as_str()),
            CL_KERNEL_NUM_ARGS => destination.write(interface.arguments.len() as u32),
            CL_KERNEL_REFERENCE_COUNT => destination.write(handle::reference_count(&kernel)),
            CL_KERNEL_CONTEXT => destination.write(handle::handle_of(kernel.context())),
            CL_KERNEL_PROGRAM => destination.write(handle::handle_of(kernel.program())),
            CL_KERNEL_ATTRIBUTES => destination.write(interface.attributes.as_str()),
            other => unknown_query(other),
        }
    }
}

impl Call for clGetKernelArgInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let argument = kernel.argument(self.arg_index as usize)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_KERNEL_ARG_ADDRESS_QUALIFIER => destination.write(match argument.address {
                AddressQualifier::Global => CL_KERNEL_ARG_ADDRESS_GLOBAL,
                AddressQualifier::Constant => CL_KERNEL_ARG_ADDRESS_CONSTANT,
                AddressQualifier::Local => CL_KERNEL_ARG_ADDRESS_LOCAL,
                AddressQualifier::Private => CL_KERNEL_ARG_ADDRESS_PRIVATE,
            }),
            CL_KERNEL_ARG_ACCESS_QUALIFIER => destination.write(match argument.access {
                AccessQualifier::ReadOnly => CL_KERNEL_ARG_ACCESS_READ_ONLY,
                AccessQualifier::WriteOnly => CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
                AccessQualifier::ReadWrite => CL_KERNEL_ARG_ACCESS_READ_WRITE,
                AccessQualifier::None => CL_KERNEL_ARG_ACCESS_NONE,
            }),
            CL_KERNEL_ARG_TYPE_QUALIFIER => {
                let bits = [
                    (TypeQualifiers::CONST, CL_KERNEL_ARG_TYPE_CONST),
                    (TypeQualifiers::RESTRICT, CL_KERNEL_ARG_TYPE_RESTRICT),
                    (TypeQualifiers::VOLATILE, CL_KERNEL_ARG_TYPE_VOLATILE),
                ];
                let bits = bits
                    .into_iter()
                    .filter(|(qualifier, _)| argument.type_qualifiers.contains(*qualifier));
                // cl_kernel_arg_type_qualifier is a cl_bitfield in CL/cl.h.
                destination.write(bits.fold(0, |all, (_, bit)| all | bit))
            }
            CL_KERNEL_ARG_TYPE_NAME => destination.write(argument.type_name.as_str()),
            CL_KERNEL_ARG_NAME => destination.write(argument.name.as_str()),
            other => unknown_query(other),
        }
    }
}

impl clGetKernelWorkGroupInfo {
    fn device(&self, kernel: &Kernel) -> Result<Arc<Device>> {
        let device = if self.device.is_null() {
            // "If the list of devices associated with kernel is a single device": the
            // program's, whether it is built for all of them or not.
            match kernel.program().devices() {
                [only] => Some(Arc::clone(only)),
                _ => None,
            }
        } else {
            Some(handle::object::<Device>(self.device)?)
        };
        let built_for = |device: &Arc<Device>| kernel.runs_on(device);
        device.filter(built_for).ok_or_else(|| {
            Error::new(
                Code::InvalidDevice,
                "not one of the kernel's devices, or NULL and it has several",
            )
        })
    }
}

impl Call for clGetKernelWorkGroupInfo {
    type Output = Result<()>;
    fn call(self) -> Result<()> {
        let kernel = handle::object::<Kernel>(self.kernel)?;
        let device = self.device(&kernel)?;
        let destination = Destination::new(
            self.param_value_size,
            self.param_value,
            self.param_value_size_ret,
        );
        match self.param_name {
            CL_KERNEL_WORK_GROUP_SIZE => {
                destination.write(kernel.max_work_group_size(&device)? as usize)
            }
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => destination.write(
                kernel
                    .required_work_group_size(&device)?
                    .unwrap_or_default()
                    .map(|size| size as usize),
            ),
            CL_KERNEL_LOCAL_MEM_SIZE => destination.write(kernel.local_memory_size(&device)?),
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
                destination.write(match device.accelerators() {
                    None => device.machine().array.lanes.value as usize,
                    Some(_) => 1,
                })
            }
            CL_KERNEL_PRIVATE_MEM_SIZE => destination.write(kernel.private_memory_size(&device)?),
            // For custom devices and built-in kernels only.
            CL_KERNEL_GLOBAL_WORK_SIZE => match kernel.max_global_size(&device)? {
                Some(size) => destination.write(size.map(|size| size as usize)),
                None => unknown_query(CL_KERNEL_GLOBAL_WORK_SIZE),
            },
            other => unknown_query(other),
        }
    }
}
