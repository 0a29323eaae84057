//! The smoke test's OpenCL program: finds the platform through the loader, and runs a kernel.

use crate::open_cl::{NAME, OpenCl};
use anyhow::{Context, Result, ensure};
use cl_sys::*;
use serde::{Deserialize, Serialize};

/// The result of the smoke test, which one process passes to the other as JSON.
#[derive(Default, Serialize, Deserialize)]
pub struct ProbeOutcome {
    /// Names of all platforms.
    pub platforms: Vec<String>,
    /// Names and types (`CPU`, `GPU`, `ACCELERATOR`) of our platform's devices.
    pub devices: Vec<(String, String)>,
    /// The library's version.
    pub version: Option<String>,
    /// Why no kernel could be run.
    pub failure: Option<String>,
}

/// Finds the platform and its devices, and runs a kernel on the first.
pub fn outcome(open_cl: &OpenCl) -> ProbeOutcome {
    let mut outcome = ProbeOutcome::default();
    if let Err(error) = fill(open_cl, &mut outcome) {
        outcome.failure = Some(format!("{error:#}"));
    }
    outcome
}

fn fill(open_cl: &OpenCl, outcome: &mut ProbeOutcome) -> Result<()> {
    let mut ours = None;
    for platform in open_cl.platforms()? {
        let name = open_cl.platform_name(platform)?;
        if name == NAME {
            // Most programs use the first device, too.
            ours = ours.or(Some(platform));
        }
        outcome.platforms.push(name);
    }
    let platform = ours.context("there is no such platform")?;
    let devices = open_cl.devices(platform)?;
    for device in &devices {
        outcome.devices.push((
            open_cl.text(c"clGetDeviceInfo", *device, CL_DEVICE_NAME)?,
            device_type(open_cl, *device)?,
        ));
    }
    let device = *devices.first().context("there are no devices")?;
    outcome.version = Some(open_cl.text(c"clGetDeviceInfo", device, CL_DRIVER_VERSION)?);
    run_kernel(open_cl, device)
}

fn device_type(open_cl: &OpenCl, device: cl_device_id) -> Result<String> {
    let bits = open_cl.bits(c"clGetDeviceInfo", device, CL_DEVICE_TYPE)?;
    let kinds = [
        (CL_DEVICE_TYPE_CPU, "CPU"),
        (CL_DEVICE_TYPE_GPU, "GPU"),
        (CL_DEVICE_TYPE_ACCELERATOR, "ACCELERATOR"),
    ];
    let kind = kinds.iter().find(|(bit, _)| bits & bit != 0);
    Ok(kind.map_or("unknown", |(_, name)| name).to_owned())
}

/// Doubles numbers on the device.
fn run_kernel(open_cl: &OpenCl, device: cl_device_id) -> Result<()> {
    const SOURCE: &str = "kernel void twice(global int *x)\n{\n    x[get_global_id(0)] *= 2;\n}\n";
    const COUNT: i32 = 64;
    let bytes = |factor: i32| -> Vec<u8> {
        let numbers = (0..COUNT).map(|number| factor * number);
        numbers.flat_map(i32::to_ne_bytes).collect()
    };
    let context = open_cl.context(device)?;
    let queue = open_cl.queue(context, device)?;
    let buffer = open_cl.buffer(context, &bytes(1))?;
    let program = open_cl.program(context, device, SOURCE, "")?;
    let kernel = open_cl.kernel(program, "twice")?;
    open_cl.set_buffer(kernel, 0, buffer)?;
    open_cl.launch(queue, kernel, &[COUNT as usize], None)?;
    let mut results = vec![0; COUNT as usize * 4];
    open_cl.read(queue, buffer, &mut results)?;
    ensure!(results == bytes(2), "its result is wrong");
    Ok(())
}
