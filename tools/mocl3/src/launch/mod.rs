//! `mocl3 launch`: launches a kernel of a file without a host program. Under the other commands, it shows
//! where the kernel's time goes, what would make it faster, or what it takes without executing it.

mod element;

use crate::open_cl::OpenCl;
use anyhow::{Context, Result, anyhow, bail};
use cl_sys::*;
use device_sim::machine::parse_bytes;
use element::Element;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 launch saxpy.cl --global 1048576 --argument a=2 --argument x=4MiB:index --argument y=4MiB --print y
  mocl3 stat -- mocl3 launch dgemm.cl --global 256x128 --local 16x8 ...
  mocl3 predict -- mocl3 launch dgemm.cl --global 256x128 --local 16x8 ...
  mocl3 check -- mocl3 launch kernel.cl --global 64 ...";

/// Maximum size of the source, bytes.
const LARGEST_FILE: u64 = 16 << 20;

/// Components that are printed at most.
const PRINTED: usize = 16;

/// Seed of the contents of buffers.
const SEED: u64 = 1;

/// Arguments of `mocl3 launch`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file, in OpenCL C.
    file: PathBuf,
    /// The kernel; not needed if the file has one.
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Work-items in each dimension, such as 1024 or 256x128.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    global: Size,
    /// Work-items of a work-group; the platform chooses without it.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    local: Option<Size>,
    /// An argument: `n=5`, `v=1,2,3,4` of a vector, `x=4MiB` of a buffer or local memory; buffers contain
    /// zeros, with `x=4MiB:index` each component its number, with `x=4MiB:random` numbers from 0 to 1, or
    /// up to 99 of integers. May be repeated.
    #[arg(short, long = "argument", value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// Build options, as of clBuildProgram.
    #[arg(
        long,
        value_name = "OPTIONS",
        default_value = "",
        allow_hyphen_values = true
    )]
    options: String,
    /// Launch it this often.
    #[arg(long, value_name = "COUNT", default_value_t = 1)]
    times: u32,
    /// Print the begin of this buffer afterwards. May be repeated.
    #[arg(long = "print", value_name = "NAME")]
    printed: Vec<String>,
}

/// Numbers of work-items, by dimension.
#[derive(Clone, Debug)]
struct Size(Vec<usize>);

fn size(text: &str) -> Result<Size, String> {
    let numbers = text
        .split(['x', 'X', '×'])
        .map(|number| number.trim().parse());
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>().map_err(|_| FORM)?;
    match (1..=3).contains(&numbers.len()) && !numbers.contains(&0) {
        true => Ok(Size(numbers)),
        false => Err(FORM.to_owned()),
    }
}

const FORM: &str = "a size is one to three positive numbers, such as 1024 or 256x128";

/// What the address space of an argument says of its value.
#[derive(Clone, Copy)]
enum Space {
    Buffer,
    Local,
    Value,
}

/// A buffer that may be printed.
struct Buffer {
    handle: cl_mem,
    element: Element,
    size: usize,
}

/// Launches the kernel.
///
/// # Errors
/// There is no platform, the file does not compile, or arguments or sizes do not fit the kernel.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let path = arguments.file.display();
    let source = environment::files::read_text(&arguments.file, LARGEST_FILE)
        .with_context(|| format!("cannot read {path}"))?;
    let open_cl = OpenCl::load(None)?;
    let platform = open_cl.our_platform()?;
    let device = *open_cl
        .devices(platform)?
        .first()
        .context("there are no devices")?;
    let context = open_cl.context(device)?;
    let queue = open_cl.queue(context, device)?;
    let options = format!("-cl-kernel-arg-info {}", arguments.options);
    let program = open_cl
        .program(context, device, &source, &options)
        .with_context(|| path.to_string())?;
    let names = open_cl.text(c"clGetProgramInfo", program, CL_PROGRAM_KERNEL_NAMES)?;
    let name = chosen(&names, arguments.kernel.as_deref())?;
    let kernel = open_cl.kernel(program, name)?;
    let buffers = set_arguments(&open_cl, context, kernel, &arguments.arguments)
        .with_context(|| format!("kernel `{name}`"))?;
    for printed in &arguments.printed {
        if !buffers.contains_key(printed) {
            bail!("kernel `{name}` has no buffer `{printed}`");
        }
    }
    let local = arguments.local.as_ref().map(|size| &size.0[..]);
    for _ in 0..arguments.times {
        open_cl.launch(queue, kernel, &arguments.global.0, local)?;
    }
    open_cl.finish(queue)?;
    let mut output = io::stdout().lock();
    for printed in &arguments.printed {
        let buffer = &buffers[printed];
        let mut contents = vec![0; buffer.size.min(PRINTED * buffer.element.bytes())];
        open_cl.read(queue, buffer.handle, &mut contents)?;
        let mut texts = buffer.element.texts(&contents);
        let is_cut = texts.len() > PRINTED || contents.len() < buffer.size;
        texts.truncate(PRINTED);
        let more = if is_cut { " …" } else { "" };
        writeln!(output, "{printed}: {}{more}", texts.join(" "))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The kernel's name: that which the user gives, or the only one.
fn chosen<'n>(names: &'n str, wanted: Option<&str>) -> Result<&'n str> {
    let names: Vec<&str> = names.split(';').filter(|name| !name.is_empty()).collect();
    let list = names.join(", ");
    match (wanted, &names[..]) {
        (_, []) => bail!("the file has no kernel"),
        (None, [only]) => Ok(only),
        (None, _) => bail!("choose one of the file's kernels by --kernel: {list}"),
        (Some(wanted), names) => names
            .iter()
            .find(|name| **name == wanted)
            .copied()
            .ok_or_else(|| anyhow!("the file has no kernel `{wanted}`, but {list}")),
    }
}

/// Sets the kernel's arguments to values of the form `name=value`; its buffers, by name.
fn set_arguments(
    open_cl: &OpenCl,
    context: cl_context,
    kernel: cl_kernel,
    texts: &[String],
) -> Result<BTreeMap<String, Buffer>> {
    let mut values = BTreeMap::new();
    for text in texts {
        let (name, value) = text
            .split_once('=')
            .with_context(|| format!("{text}: an argument has the form name=value"))?;
        if values.insert(name.trim(), value.trim()).is_some() {
            bail!("argument `{name}` has two values");
        }
    }
    let mut buffers = BTreeMap::new();
    let mut missing = Vec::new();
    for index in 0..open_cl.number(c"clGetKernelInfo", kernel, CL_KERNEL_NUM_ARGS)? {
        let name = open_cl.argument_text(kernel, index, CL_KERNEL_ARG_NAME)?;
        let type_name = open_cl.argument_text(kernel, index, CL_KERNEL_ARG_TYPE_NAME)?;
        let Some(value) = values.remove(name.as_str()) else {
            missing.push(format!("`{name}` ({type_name})"));
            continue;
        };
        let about = || format!("argument `{name}` ({type_name})");
        let element = Element::of_name(type_name.trim_end_matches('*'));
        let element = element
            .with_context(|| format!("{} has a type that mocl3 launch cannot pass", about()))?;
        match space(open_cl.argument_space(kernel, index)?) {
            Space::Buffer => {
                let contents = contents(element, value).with_context(about)?;
                let handle = open_cl.buffer(context, &contents)?;
                open_cl.set_buffer(kernel, index, handle)?;
                let buffer = Buffer {
                    handle,
                    element,
                    size: contents.len(),
                };
                buffers.insert(name, buffer);
            }
            Space::Local => {
                let size = parse_bytes(value).with_context(about)?;
                open_cl.set_local(kernel, index, usize::try_from(size)?)?;
            }
            Space::Value => {
                let value = element.value(value).with_context(about)?;
                open_cl.set_value(kernel, index, &value)?;
            }
        }
    }
    if !missing.is_empty() {
        bail!(
            "no value for {}: give --argument name=value",
            missing.join(", ")
        );
    }
    if let Some(name) = values.keys().next() {
        bail!("it has no argument `{name}`");
    }
    Ok(buffers)
}

fn space(qualifier: u32) -> Space {
    match qualifier {
        CL_KERNEL_ARG_ADDRESS_GLOBAL | CL_KERNEL_ARG_ADDRESS_CONSTANT => Space::Buffer,
        CL_KERNEL_ARG_ADDRESS_LOCAL => Space::Local,
        _ => Space::Value,
    }
}

/// The contents of a buffer: `4MiB`, or with a filling, `4MiB:random`.
fn contents(element: Element, text: &str) -> Result<Vec<u8>> {
    let (size, filling) = text.split_once(':').unwrap_or((text, "zero"));
    let size = usize::try_from(parse_bytes(size)?)?;
    if size == 0 {
        bail!("a buffer has at least one byte");
    }
    let mut random = fastrand::Rng::with_seed(SEED);
    Ok(match filling.trim() {
        "zero" => vec![0; size],
        "index" => element.filled(size, |component| component as f64),
        "random" if element.is_float() => element.filled(size, |_| random.f64()),
        "random" => element.filled(size, |_| 100.0 * random.f64()),
        other => bail!("`{other}` is no filling: zero, index and random are"),
    })
}
