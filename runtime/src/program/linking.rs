//! `clLinkProgram`.

use super::product::Product;
use super::program::{BuildNotify, DeviceBuild, Program};
use crate::context::Context;
use crate::device::Device;
use crate::error::{Code, Error, Result};
use kernel_compiler::Unit;
use kernel_compiler::executable::Executable;
use kernel_compiler::options::{BuildCall, BuildOptions};
use std::sync::Arc;

impl Program {
    /// `clLinkProgram`: the new program, which is still to be linked.
    ///
    /// # Errors
    /// All that `clLinkProgram` lists of links that cannot begin.
    pub fn link(
        context: &Arc<Context>,
        devices: &[Arc<Device>],
        options: &str,
        programs: &[Arc<Program>],
    ) -> Result<Linking> {
        let devices = if devices.is_empty() {
            context.devices()
        } else {
            devices
        };
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
        linking.program.begin(&linking.places(), options)?;
        Ok(linking)
    }
}

/// What is to be linked for some devices.
pub(super) struct LinkInput {
    /// The devices, by their places in the new program.
    places: Vec<usize>,
    units: Vec<Unit>,
}

/// A program that is to be linked.
pub struct Linking {
    program: Arc<Program>,
    pub(super) inputs: Vec<LinkInput>,
    options: BuildOptions,
}

impl Linking {
    /// The program. Its build status is `InProgress` until it is linked.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn places(&self) -> Vec<usize> {
        let places = self.inputs.iter().flat_map(|input| &input.places);
        places.copied().collect()
    }

    /// Links it. With `notify` linking goes on in the background and failures show in
    /// status and log only.
    ///
    /// # Errors
    /// `LinkProgramFailure`.
    pub fn run(self, notify: Option<BuildNotify>) -> Result<()> {
        let places = self.places();
        let Self {
            program,
            inputs,
            options,
        } = self;
        let linked = Arc::clone(&program);
        let work = move || {
            let mut succeeded = true;
            for LinkInput { places, units } in inputs {
                let units: Vec<&Unit> = units.iter().collect();
                let outcome = if options.creates_library() {
                    let library = kernel_compiler::link_library(&units);
                    library.map(|made| (Product::Library(made), String::new()))
                } else {
                    Executable::link(&units).map(|made| {
                        let log = if options.asks_for_remarks() {
                            made.remarks()
                        } else {
                            String::new()
                        };
                        (Product::Executable(made), log)
                    })
                };
                succeeded &= linked.end(&places, outcome);
            }
            succeeded
        };
        program.run(places, work, notify, Code::LinkProgramFailure)
    }
}

/// The units to be linked, and for which devices. Devices for which no program has any
/// are left out; those with the same units have one link.
fn link_inputs(devices: &[Arc<Device>], programs: &[Arc<Program>]) -> Result<Vec<LinkInput>> {
    let mut inputs: Vec<LinkInput> = Vec::new();
    for (place, device) in devices.iter().enumerate() {
        let in_progress =
            |program: &Arc<Program>| program.with_build(device, false, DeviceBuild::in_progress);
        if programs.iter().any(in_progress) {
            return Err(Error::new(
                Code::InvalidOperation,
                "one of the programs is still being compiled",
            ));
        }
        let unit = |program: &Arc<Program>| {
            program.with_build(device, None, |build| build.held().unit().cloned())
        };
        let units: Vec<Unit> = programs.iter().filter_map(unit).collect();
        if units.len() == programs.len() {
            let bitcode = |units: &[Unit]| -> Vec<_> {
                units.iter().map(|unit| Arc::clone(&unit.bitcode)).collect()
            };
            let same = inputs
                .iter_mut()
                .find(|input| bitcode(&input.units) == bitcode(&units));
            match same {
                Some(input) => input.places.push(place),
                None => inputs.push(LinkInput {
                    places: vec![place],
                    units,
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
