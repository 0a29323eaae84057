//! A kernel's code on each device of its program.

use crate::device::{BuiltInKernel, Device};
use crate::error::{Code, Error, Result};
use crate::program::{KernelCode, not_built};
use kernel_compiler::executable::{Executable, KernelInterface};
use std::sync::Arc;

/// A kernel's code on one device.
pub(super) struct Variant {
    pub device: Arc<Device>,
    code: KernelCode,
    /// Index among the kernels of the code.
    pub number: usize,
}

impl Variant {
    /// The kernel's interface, and its code on the devices that have it.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`, `InvalidKernelName`, `InvalidKernelDefinition`.
    pub fn all(
        name: &str,
        codes: Vec<(Arc<Device>, KernelCode)>,
    ) -> Result<(KernelInterface, Vec<Self>)> {
        if codes.is_empty() {
            return Err(not_built());
        }
        let mut variants = Vec::new();
        let mut interface: Option<KernelInterface> = None;
        for (device, code) in codes {
            let kernels = code.kernels();
            let Some(number) = kernels.iter().position(|kernel| kernel.name == name) else {
                continue;
            };
            match &interface {
                Some(known) if known.arguments != kernels[number].arguments => {
                    return Err(Error::new(
                        Code::InvalidKernelDefinition,
                        format!("kernel {name} has different arguments on the devices"),
                    ));
                }
                Some(_) => {}
                None => interface = Some(kernels[number].clone()),
            }
            variants.push(Self {
                device,
                code,
                number,
            });
        }
        let interface = interface.ok_or_else(|| {
            Error::new(
                Code::InvalidKernelName,
                format!("the program has no kernel `{name}`"),
            )
        })?;
        for variant in &variants {
            if let KernelCode::Compiled(executable) = &variant.code {
                executable.created(variant.number);
            }
        }
        Ok((interface, variants))
    }

    pub fn interface(&self) -> &KernelInterface {
        &self.code.kernels()[self.number]
    }

    /// The built-in kernel; none if it is compiled.
    pub fn built_in(&self) -> Option<BuiltInKernel<'_>> {
        match &self.code {
            KernelCode::Compiled(_) => None,
            KernelCode::BuiltIn(kernels) => kernels.kernel(self.number),
        }
    }

    /// The program that it is compiled in.
    ///
    /// # Errors
    /// `InvalidProgramExecutable`: it is a built-in kernel.
    pub fn executable(&self) -> Result<&Arc<Executable>> {
        match &self.code {
            KernelCode::Compiled(executable) => Ok(executable),
            KernelCode::BuiltIn(_) => Err(Error::new(
                Code::InvalidProgramExecutable,
                "a built-in kernel has no code",
            )),
        }
    }
}
