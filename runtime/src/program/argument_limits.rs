//! A device's limits for the number and size of a kernel's arguments
//! (`CL_DEVICE_MAX_PARAMETER_SIZE` and others). The launch of a kernel that exceeds them fails
//! (OpenCL 1.2, 5.8, `CL_OUT_OF_RESOURCES`); the program's other kernels can be launched.

use crate::device::Device;
use crate::error::{Code, Error, Result};
use kernel_compiler::executable::{AccessQualifier, ArgumentKind, KernelArgument, KernelInterface};
use std::fmt::Write;

/// Lines for the build log: the kernels that exceed the limits.
pub(crate) fn warnings(device: &Device, kernels: &[KernelInterface]) -> String {
    let mut lines = String::new();
    for error in kernels
        .iter()
        .filter_map(|kernel| check(device, kernel).err())
    {
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "warning: {}: it cannot be launched", error.sentence);
    }
    lines
}

/// # Errors
/// `OutOfResources`: too many images, samplers or bytes.
pub(crate) fn check(device: &Device, interface: &KernelInterface) -> Result<()> {
    let bytes = device.machine().open_cl.argument_block.value;
    if interface.argument_block_size as u64 > bytes {
        return Err(Error::new(
            Code::OutOfResources,
            format!(
                "kernel {} has {} bytes of arguments; the device allows {bytes}",
                interface.name, interface.argument_block_size
            ),
        ));
    }
    let limits = &device.machine().open_cl.images;
    let count = |wanted: &dyn Fn(&KernelArgument) -> bool| {
        let arguments = interface.arguments.iter();
        arguments.filter(|argument| wanted(argument)).count() as u64
    };
    let written = count(&|argument| {
        argument.kind == ArgumentKind::Image && argument.access == AccessQualifier::WriteOnly
    });
    let images = count(&|argument| argument.kind == ArgumentKind::Image);
    let samplers = count(&|argument| argument.kind == ArgumentKind::Sampler);
    for (what, used, limit) in [
        (
            "images that are read",
            images - written,
            &limits.read_arguments,
        ),
        ("images that are written", written, &limits.write_arguments),
        ("samplers", samplers, &limits.samplers),
    ] {
        if used > limit.value {
            return Err(Error::new(
                Code::OutOfResources,
                format!(
                    "kernel {} has {used} {what} as arguments; the device allows {}",
                    interface.name, limit.value
                ),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::platform::Platform;
    use kernel_compiler::executable::Executable;
    use kernel_compiler::options::{BuildCall, BuildOptions};

    #[test]
    fn builds_warn_about_kernels_that_exceed_the_limits() {
        let source = "typedef struct { char bytes[1 << 20]; } large;
            kernel void fine(global int *x) {}
            kernel void k(global int *x, large y) { *x = y.bytes[7]; }";
        let options = BuildOptions::parse("", BuildCall::Compile).unwrap();
        let unit = kernel_compiler::compile(source, &options, &[]).unwrap();
        let executable = Executable::link(&[&unit]).unwrap();
        let device = &Platform::get().devices()[0];
        let lines = warnings(device, executable.kernels());
        assert_eq!(
            lines,
            "warning: kernel k has 1048584 bytes of arguments; the device allows 1024: it cannot \
             be launched\n"
        );
    }
}
