//! `clLinkProgram`.

use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use crate::program::build_state::DeviceBuild;
use crate::program::product::Product;
use crate::program::program::{BuildNotify, Program};
use crate::program::source_lines;
use kernel_compiler::executable::Executable;
use kernel_compiler::options::{BuildCall, BuildOptions};
use kernel_compiler::{BuildInput, Unit};
use std::sync::Arc;

impl Program {
    /// `clLinkProgram`: creates the program; `Linking::run` links it.
    ///
    /// # Errors
    /// The errors of `clLinkProgram` for links that cannot begin.
    pub fn link(
        context: &Arc<Context>,
        devices: &[Arc<Device>],
        options: &str,
        programs: &[Arc<Program>],
    ) -> Result<Linking> {
        let (all, is_given) = match devices {
            [] => (context.devices(), false),
            given => (given, true),
        };
        let programmable = all.iter().filter(|device| device.is_programmable());
        let devices: Vec<Arc<Device>> = programmable.cloned().collect();
        if devices.is_empty() || (is_given && devices.len() < all.len()) {
            return Err(Error::new(
                Code::LinkerNotAvailable,
                "a custom device has no linker",
            ));
        }
        let devices = devices.as_slice();
        let program = Self::new(context, None, Self::without_products(devices));
        for input in programs {
            input.check_same_context(context)?;
        }
        let parsed = BuildOptions::parse(options, BuildCall::Link)
            .map_err(|sentence| Error::new(Code::InvalidLinkerOptions, sentence))?;
        let inputs = link_inputs(devices, programs)?;
        let linking = Linking {
            program,
            inputs,
            options: parsed,
        };
        for input in &linking.inputs {
            let built_of = input.build_input(linking.options.creates_library());
            let program = &linking.program;
            program.begin(&input.indices, options, built_of.map(Arc::new).as_ref())?;
        }
        Ok(linking)
    }
}

/// The units to link for some devices.
pub(super) struct LinkInput {
    /// Indices of the devices in the new program.
    indices: Vec<usize>,
    units: Vec<Unit>,
    /// What each unit was built of, if all are known.
    built_of: Option<Vec<Arc<BuildInput>>>,
}

impl LinkInput {
    /// What the link makes something of.
    fn build_input(&self, creates_library: bool) -> Option<BuildInput> {
        let units = self.built_of.as_deref()?;
        Some(match creates_library {
            true => BuildInput::of_library(units),
            false => BuildInput::of_executable(units),
        })
    }
}

/// A link that has not been done yet.
pub struct Linking {
    program: Arc<Program>,
    pub(super) inputs: Vec<LinkInput>,
    options: BuildOptions,
}

impl Linking {
    /// The new program. Its build status is `InProgress` until it is linked.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn indices(&self) -> Vec<usize> {
        let indices = self.inputs.iter().flat_map(|input| &input.indices);
        indices.copied().collect()
    }

    /// Links the program. With `notify` it links in the background, and failures appear only in
    /// status and log.
    ///
    /// # Errors
    /// `LinkProgramFailure`.
    pub fn run(self, notify: Option<BuildNotify>) -> Result<()> {
        let indices = self.indices();
        let Self {
            program,
            inputs,
            options,
        } = self;
        let linked = Arc::clone(&program);
        let work = move || {
            let mut succeeded = true;
            for input in inputs {
                let built_of = input.build_input(false);
                let units: Vec<&Unit> = input.units.iter().collect();
                let outcome = if options.creates_library() {
                    let library = kernel_compiler::link_library(&units);
                    library.map(|made| (Product::Library(made), String::new()))
                } else {
                    Executable::link(&units).map(|made| {
                        let made = source_lines::added(made, built_of.as_ref());
                        let log = if options.emits_remarks() {
                            made.remarks()
                        } else {
                            String::new()
                        };
                        (Product::Executable(made), log)
                    })
                };
                succeeded &= linked.end(&input.indices, outcome);
            }
            succeeded
        };
        program.run(indices, work, notify, Code::LinkProgramFailure)
    }
}

/// The units to link, and for which devices. Devices without units are left out, and devices with
/// the same units share a link.
fn link_inputs(devices: &[Arc<Device>], programs: &[Arc<Program>]) -> Result<Vec<LinkInput>> {
    let mut inputs: Vec<LinkInput> = Vec::new();
    for (index, device) in devices.iter().enumerate() {
        let in_progress =
            |program: &Arc<Program>| program.with_build(device, false, DeviceBuild::in_progress);
        if programs.iter().any(in_progress) {
            return Err(Error::new(
                Code::InvalidOperation,
                "one of the programs is still being compiled",
            ));
        }
        let unit = |program: &Arc<Program>| {
            program.with_build(device, None, |build| {
                Some((build.held().unit()?.clone(), build.input.clone()))
            })
        };
        let (units, built_of): (Vec<Unit>, Vec<_>) = programs.iter().filter_map(unit).unzip();
        if units.len() == programs.len() {
            let bitcode = |units: &[Unit]| -> Vec<_> {
                units.iter().map(|unit| Arc::clone(&unit.bitcode)).collect()
            };
            let same = inputs
                .iter_mut()
                .find(|input| bitcode(&input.units) == bitcode(&units));
            match same {
                Some(input) => input.indices.push(index),
                None => inputs.push(LinkInput {
                    indices: vec![index],
                    units,
                    built_of: built_of.into_iter().collect(),
                }),
            }
        } else if !units.is_empty() {
            return Err(Error::new(
                Code::InvalidOperation,
                "some but not all programs are compiled for a device",
            ));
        }
    }
    if inputs.is_empty() {
        return Err(Error::new(
            Code::InvalidOperation,
            "the programs are compiled for no device",
        ));
    }
    Ok(inputs)
}
