//! A trial: what a program does that uses the platform, through the loader.

use super::findings::Findings;
use super::loader::{self, Loader, PYOPENCL_HOME};
use super::process;
use anyhow::{Context, Result, bail, ensure};
use cl_sys::*;
use environment::PROFILING_TIME;
use libloading::{Library, Symbol};
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, c_void};
use std::path::Path;
use std::process::ExitCode;
use std::ptr::{null, null_mut};
use std::time::Duration;

const NAME: &str = "MOCL3";

/// A kernel takes a second or two on a slow machine.
const TIME: Duration = Duration::from_secs(120);

const CL_DEVICE_TYPE_ALL: cl_device_type = 0xFFFF_FFFF;

/// What the trial tells.
#[derive(Default, Serialize, Deserialize)]
struct Outcome {
    platforms: Vec<String>,
    /// Of our platform: name, and whether it is a CPU, a GPU, an accelerator.
    devices: Vec<(String, String)>,
    /// The library's version.
    version: Option<String>,
    /// Why no kernel could be run.
    failure: Option<String>,
}

/// Has a process of its own try, and tells what came of it.
///
/// # Errors
/// This program cannot be started again.
pub fn examine(loader: &Loader, findings: &mut Findings) -> Result<()> {
    let mut command = super::myself()?;
    command
        .arg("--trial")
        .arg("--loader")
        .arg(&loader.path)
        // Whatever the user wants to see of it.
        .env("MOCL3_LOG", "warn,kernel_compiler::cache=debug");
    if let Some(home) = &loader.pyopencl_home {
        command.env(PYOPENCL_HOME, home);
    }
    let Some(output) = process::output(&mut command, TIME)? else {
        findings.bad(
            format!("using OpenCL did not end within {} s", TIME.as_secs()),
            "try MOCL3_CACHE=0 (a cache on a network's disk may wait for locks) and without the \
             variables above; if that does not help, report it",
        );
        return Ok(());
    };
    let log = String::from_utf8_lossy(&output.stderr);
    let outcome = match serde_json::from_slice::<Outcome>(&output.stdout) {
        Ok(outcome) if output.status.success() => outcome,
        _ => {
            let advice = if log.contains("pthread_create") {
                "no more threads can be made: raise the limit (ulimit -u, or the container's \
                 limit of processes), or set MOCL3_HOST_THREADS=1"
            } else {
                "try without the variables above; other platforms that are loaded with ours may \
                 be the cause. If that does not help, run it in a debugger, and report it"
            };
            let ended = format!("using OpenCL ended with {}:\n{}", output.status, log.trim());
            findings.bad(ended, advice);
            return Ok(());
        }
    };
    for entry in complaints(&log) {
        findings.note(format!("the log says: {entry}"));
    }
    let others: Vec<&str> = outcome
        .platforms
        .iter()
        .map(String::as_str)
        .filter(|name| *name != NAME)
        .collect();
    if !others.is_empty() {
        findings.note(format!(
            "there are other platforms as well ({}); programs may take one of them",
            others.join(", ")
        ));
    }
    if !outcome.platforms.iter().any(|name| name == NAME) {
        findings.bad(
            "the loader does not show the platform to programs",
            "see what the loader says: OCL_ICD_DEBUG=7 (ocl-icd) or OCL_ICD_ENABLE_TRACE=1 \
             (Khronos) before a program",
        );
        return Ok(());
    }
    let ours = outcome.platforms.iter().filter(|name| *name == NAME);
    if ours.count() > 1 {
        findings.note(
            "programs see MOCL3 more than once, and may take an older one: leave one of the .icd \
             files above",
        );
    }
    let own = env!("CARGO_PKG_VERSION");
    if let Some(other) = outcome.version.as_deref().filter(|other| *other != own) {
        findings.note(format!(
            "the library has version {other}, this command {own}: there are two installations"
        ));
    }
    let Some((name, device_type)) = outcome.devices.first() else {
        findings.bad(
            "the platform has no devices",
            "the log above says why: mostly MOCL3_MACHINE or MOCL3_DEVICE_TYPE is wrong",
        );
        return Ok(());
    };
    match outcome.devices.len() {
        1 => findings.good(format!("1 device, \"{name}\"")),
        count => {
            findings.good(format!("{count} devices, such as \"{name}\""));
            findings.note(
                "MOCL3_DEVICES=1 leaves one device, for programs that fail with several and for \
                 shorter builds",
            );
        }
    }
    findings.note(format!(
        "the device type is {device_type}; MOCL3_DEVICE_TYPE=cpu or gpu is for programs that ask \
         for no other"
    ));
    findings.note(event_times());
    match outcome.failure {
        None => findings.good("a kernel was compiled and run, and its result is right"),
        Some(failure) => findings.bad(
            format!("a kernel could not be run: {failure}"),
            "MOCL3_LOG=debug shows more; docs/environment.md explains the variables",
        ),
    }
    cache(&log, findings);
    Ok(())
}

/// Whose time event profiling reports, and how to get the other.
fn event_times() -> &'static str {
    let value = PROFILING_TIME.get().unwrap_or_default();
    if value.to_string_lossy().trim().eq_ignore_ascii_case("host") {
        "event profiling reports the host's time (MOCL3_PROFILING_TIME=host)"
    } else {
        "event profiling reports the simulated machine's time. Programs that time or calibrate \
         themselves by events get the host's with MOCL3_PROFILING_TIME=host, and run faster"
    }
}

/// Warnings and errors of the log, which may have more than a line.
fn complaints(log: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in log.lines() {
        match entries.last_mut() {
            // "[WARN  kernel_compiler::cache] …"
            Some(entry) if !line.starts_with('[') => {
                entry.push('\n');
                entry.push_str(line);
            }
            _ => entries.push(line.to_owned()),
        }
    }
    entries.retain(|entry| entry.contains("WARN") || entry.contains("ERROR"));
    entries
}

/// What the log says of the compile cache.
fn cache(log: &str, findings: &mut Findings) {
    const SAYS: &str = "compile cache: ";
    const CANNOT_KEEP: &str = "compile cache: cannot keep ";
    let reason = log.lines().find_map(|line| {
        let (_, reason) = line.split_once("no compile cache: ")?;
        Some(reason)
    });
    if let Some(reason) = reason {
        findings.note(format!(
            "no compile cache: {reason}; every process compiles anew. MOCL3_CACHE_DIR names \
             another folder"
        ));
    } else if std::env::var_os("MOCL3_CACHE").is_some_and(|value| value == "0") {
        findings.note("no compile cache: MOCL3_CACHE=0");
    } else if let Some((_, reason)) = log.split_once(CANNOT_KEEP) {
        let reason = reason.lines().next().unwrap_or_default();
        findings.note(format!(
            "the compile cache cannot keep {reason}; every process compiles anew. \
             MOCL3_CACHE_DIR names another folder"
        ));
    } else if log.contains(SAYS) {
        findings.good("the compile cache works");
    }
}

/// What the process of its own does.
///
/// # Errors
/// The loader cannot be loaded.
pub fn perform(loader: Option<&Path>) -> Result<ExitCode> {
    let outcome = OpenCl::load(loader)?.outcome();
    println!("{}", serde_json::to_string(&outcome)?);
    Ok(ExitCode::SUCCESS)
}

/// The loader. Loaded, not linked: this program must start where there is none.
struct OpenCl(Library);

/// A function of the loader, with the type that OpenCL's headers give it.
macro_rules! function {
    ($open_cl:expr, $name:ident as $type:ty) => {{
        let name = concat!(stringify!($name), "\0").as_bytes();
        // SAFETY: the type is that of OpenCL's headers.
        let symbol = unsafe { $open_cl.0.get::<$type>(name) };
        symbol?
    }};
}

type Query<H> = unsafe extern "C" fn(H, u32, usize, *mut c_void, *mut usize) -> cl_int;

fn check(code: cl_int, what: &str) -> Result<()> {
    ensure!(code == CL_SUCCESS, "{what} returns {code}");
    Ok(())
}

fn made<T>(call: impl FnOnce(*mut cl_int) -> *mut T, what: &str) -> Result<*mut T> {
    let mut code = 0;
    let object = call(&mut code);
    check(code, what)?;
    Ok(object)
}

impl OpenCl {
    fn load(file: Option<&Path>) -> Result<Self> {
        Ok(Self(loader::load(file).map_err(anyhow::Error::msg)?))
    }

    fn outcome(&self) -> Outcome {
        let mut outcome = Outcome::default();
        if let Err(error) = self.fill(&mut outcome) {
            outcome.failure = Some(format!("{error:#}"));
        }
        outcome
    }

    fn fill(&self, outcome: &mut Outcome) -> Result<()> {
        let mut ours = None;
        for platform in self.platforms()? {
            let name = self.text::<cl_platform_id>(c"clGetPlatformInfo", platform, 0x0902)?;
            if name == NAME {
                // As most programs, the first.
                ours = ours.or(Some(platform));
            }
            outcome.platforms.push(name);
        }
        let platform = ours.context("there is no such platform")?;
        let devices = self.devices(platform)?;
        for device in &devices {
            outcome.devices.push((
                self.text(c"clGetDeviceInfo", *device, CL_DEVICE_NAME)?,
                self.device_type(*device)?,
            ));
        }
        let device = *devices.first().context("there are no devices")?;
        outcome.version = Some(self.text(c"clGetDeviceInfo", device, CL_DRIVER_VERSION)?);
        self.run_kernel(device)
    }

    fn platforms(&self) -> Result<Vec<cl_platform_id>> {
        let get = function!(
            self,
            clGetPlatformIDs as unsafe extern "C" fn(u32, *mut cl_platform_id, *mut u32) -> cl_int
        );
        let mut platforms = vec![null_mut(); 64];
        let mut count = 0;
        // SAFETY: the list has room for 64.
        let code = unsafe { get(64, platforms.as_mut_ptr(), &mut count) };
        // The loader's answer for "none at all".
        if code == -1001 {
            return Ok(Vec::new());
        }
        check(code, "clGetPlatformIDs")?;
        platforms.truncate(count as usize);
        Ok(platforms)
    }

    fn devices(&self, platform: cl_platform_id) -> Result<Vec<cl_device_id>> {
        let get = function!(
            self,
            clGetDeviceIDs
                as unsafe extern "C" fn(
                    cl_platform_id,
                    cl_device_type,
                    u32,
                    *mut cl_device_id,
                    *mut u32,
                ) -> cl_int
        );
        let mut devices = vec![null_mut(); 64];
        let mut count = 0;
        // SAFETY: the list has room for 64.
        let code = unsafe {
            get(
                platform,
                CL_DEVICE_TYPE_ALL,
                64,
                devices.as_mut_ptr(),
                &mut count,
            )
        };
        if code == CL_DEVICE_NOT_FOUND {
            return Ok(Vec::new());
        }
        check(code, "clGetDeviceIDs")?;
        devices.truncate(count as usize);
        Ok(devices)
    }

    fn device_type(&self, device: cl_device_id) -> Result<String> {
        let query = function!(self, clGetDeviceInfo as Query<cl_device_id>);
        let mut bits: cl_device_type = 0;
        let to = (&raw mut bits).cast();
        // SAFETY: the value has the size given.
        let code = unsafe { query(device, CL_DEVICE_TYPE, 8, to, null_mut()) };
        check(code, "clGetDeviceInfo")?;
        let kinds = [
            (CL_DEVICE_TYPE_CPU, "CPU"),
            (CL_DEVICE_TYPE_GPU, "GPU"),
            (CL_DEVICE_TYPE_ACCELERATOR, "ACCELERATOR"),
        ];
        let kind = kinds.iter().find(|(bit, _)| bits & bit != 0);
        Ok(kind.map_or("unknown", |(_, name)| name).to_owned())
    }

    fn text<H: Copy>(&self, function: &CStr, handle: H, query: u32) -> Result<String> {
        // SAFETY: the functions asked for have that type.
        let get: Symbol<Query<H>> = unsafe { self.0.get(function) }?;
        let mut text = [0u8; 1024];
        // SAFETY: there is room for as much as said.
        let code = unsafe {
            get(
                handle,
                query,
                text.len(),
                text.as_mut_ptr().cast(),
                null_mut(),
            )
        };
        check(code, &function.to_string_lossy())?;
        let text = CStr::from_bytes_until_nul(&text)?;
        Ok(text.to_string_lossy().into_owned())
    }

    /// Objects are left to the end of the process, which is near.
    fn run_kernel(&self, device: cl_device_id) -> Result<()> {
        const SOURCE: &CStr = c"kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }";
        const COUNT: usize = 64;
        let numbers: [i32; COUNT] = std::array::from_fn(|index| index as i32);
        let mut results = [0; COUNT];
        let create_context = function!(
            self,
            clCreateContext
                as unsafe extern "C" fn(
                    *const isize,
                    u32,
                    *const cl_device_id,
                    *const c_void,
                    *mut c_void,
                    *mut cl_int,
                ) -> cl_context
        );
        let create_queue = function!(
            self,
            clCreateCommandQueue
                as unsafe extern "C" fn(
                    cl_context,
                    cl_device_id,
                    u64,
                    *mut cl_int,
                ) -> cl_command_queue
        );
        let create_buffer = function!(
            self,
            clCreateBuffer
                as unsafe extern "C" fn(cl_context, u64, usize, *mut c_void, *mut cl_int) -> cl_mem
        );
        let create_program = function!(
            self,
            clCreateProgramWithSource
                as unsafe extern "C" fn(
                    cl_context,
                    u32,
                    *const *const i8,
                    *const usize,
                    *mut cl_int,
                ) -> cl_program
        );
        let build = function!(
            self,
            clBuildProgram
                as unsafe extern "C" fn(
                    cl_program,
                    u32,
                    *const cl_device_id,
                    *const i8,
                    *const c_void,
                    *mut c_void,
                ) -> cl_int
        );
        let create_kernel = function!(
            self,
            clCreateKernel as unsafe extern "C" fn(cl_program, *const i8, *mut cl_int) -> cl_kernel
        );
        let set = function!(
            self,
            clSetKernelArg as unsafe extern "C" fn(cl_kernel, u32, usize, *const c_void) -> cl_int
        );
        let launch = function!(
            self,
            clEnqueueNDRangeKernel
                as unsafe extern "C" fn(
                    cl_command_queue,
                    cl_kernel,
                    u32,
                    *const usize,
                    *const usize,
                    *const usize,
                    u32,
                    *const cl_event,
                    *mut cl_event,
                ) -> cl_int
        );
        let read = function!(
            self,
            clEnqueueReadBuffer
                as unsafe extern "C" fn(
                    cl_command_queue,
                    cl_mem,
                    u32,
                    usize,
                    usize,
                    *mut c_void,
                    u32,
                    *const cl_event,
                    *mut cl_event,
                ) -> cl_int
        );
        let size = size_of_val(&numbers);
        // SAFETY: all pointers are to locals that outlive the calls, which block or copy.
        unsafe {
            let context = made(
                |code| create_context(null(), 1, &device, null(), null_mut(), code),
                "clCreateContext",
            )?;
            let queue = made(
                |code| create_queue(context, device, 0, code),
                "clCreateCommandQueue",
            )?;
            let host = numbers.as_ptr().cast_mut().cast();
            let buffer = made(
                |code| create_buffer(context, CL_MEM_COPY_HOST_PTR, size, host, code),
                "clCreateBuffer",
            )?;
            let text = SOURCE.as_ptr();
            let program = made(
                |code| create_program(context, 1, &text, null(), code),
                "clCreateProgramWithSource",
            )?;
            check(
                build(program, 1, &device, null(), null(), null_mut()),
                "clBuildProgram",
            )?;
            let kernel = made(
                |code| create_kernel(program, c"twice".as_ptr(), code),
                "clCreateKernel",
            )?;
            let argument = (&raw const buffer).cast();
            check(
                set(kernel, 0, size_of::<cl_mem>(), argument),
                "clSetKernelArg",
            )?;
            check(
                launch(
                    queue,
                    kernel,
                    1,
                    null(),
                    &COUNT,
                    null(),
                    0,
                    null(),
                    null_mut(),
                ),
                "clEnqueueNDRangeKernel",
            )?;
            let to = results.as_mut_ptr().cast();
            check(
                read(queue, buffer, CL_TRUE, 0, size, to, 0, null(), null_mut()),
                "clEnqueueReadBuffer",
            )?;
        }
        if results != numbers.map(|number| 2 * number) {
            bail!("its result is wrong");
        }
        Ok(())
    }
}
