//! The trace of calls: `MOCL3_TRACE_API=1` prints a line for each to standard error, any
//! other value but 0 names the regular file, or the terminal, to whose end the lines go.
//!
//! Functions and their parameters come from `function_table`, the format of types and parameters
//! from `types`, the names of constants from `constants`.

mod constants;
mod decode;
mod memory;
mod types;

use cl_sys::{CL_SUCCESS, cl_int};
use decode::{Argument, Arguments};
use environment::{TRACE_API, files};
use runtime::recording::recorder;
use runtime::time::api_call::ApiCall;
use std::ffi::c_void;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;

/// Whether calls are traced or recorded; `UNKNOWN` until the first call reads the environment.
static STATE: AtomicU8 = AtomicU8::new(UNKNOWN);

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

/// Where lines go; standard error if it is no file.
static DESTINATION: OnceLock<Option<File>> = OnceLock::new();

/// Reads the environment.
#[cold]
fn initialise() -> bool {
    logging::initialise();
    let value = TRACE_API.get().unwrap_or_default();
    let destination = match value.to_str().map(str::trim) {
        Some("" | "0") => Err(()),
        Some("1") => Ok(None),
        _ => match files::append(value.as_ref()) {
            Ok(file) => Ok(Some(file)),
            Err(error) => {
                log::warn!("{TRACE_API}={}: {error}; no trace", value.display());
                Err(())
            }
        },
    };
    if let Ok(destination) = destination {
        DESTINATION.get_or_init(|| destination);
    }
    let on = DESTINATION.get().is_some() || recorder::is_on();
    STATE.store(if on { ON } else { OFF }, Ordering::Release);
    on
}

/// What a function returns.
pub enum Returned {
    /// An error code.
    Status(cl_int),
    /// What was created, or null, and the error code.
    Object(*mut c_void, cl_int),
    /// A pointer alone.
    Address(*mut c_void),
    /// Nothing.
    Nothing,
}

/// The argument as a word.
pub fn word<T: Copy>(argument: &T) -> u64 {
    const { assert!(size_of::<T>() <= size_of::<u64>()) };
    let mut word = 0u64;
    // SAFETY: copies the bytes of a number or a pointer, as many as there are; the
    // assertion says that they fit.
    unsafe {
        std::ptr::copy_nonoverlapping(
            std::ptr::from_ref(argument).cast::<u8>(),
            (&raw mut word).cast(),
            size_of::<T>(),
        );
    }
    word
}

/// A call that is traced or recorded and has not returned yet.
pub struct Line {
    recorded: Option<ApiCall>,
    shown: Option<Shown>,
}

/// A call that is traced.
struct Shown {
    name: &'static str,
    arguments: Vec<Argument>,
    /// What was to be seen of them before the call.
    before: Vec<Option<String>>,
    start: Instant,
}

/// A call begins. `words` gives its arguments, one for each of `parameters`.
#[inline]
pub fn begin<const N: usize>(
    name: &'static str,
    parameters: &[(&'static str, &'static str); N],
    words: impl FnOnce() -> [u64; N],
) -> Option<Box<Line>> {
    if STATE.load(Ordering::Relaxed) == OFF {
        return None;
    }
    begin_line(name, parameters, &words())
}

#[cold]
fn begin_line(
    name: &'static str,
    parameters: &[(&'static str, &'static str)],
    words: &[u64],
) -> Option<Box<Line>> {
    if STATE.load(Ordering::Acquire) == UNKNOWN && !initialise() {
        return None;
    }
    Some(Box::new(Line {
        shown: Shown::new(name, parameters, words),
        recorded: ApiCall::begin(name),
    }))
}

impl Shown {
    /// None if calls are only recorded.
    fn new(
        name: &'static str,
        parameters: &[(&'static str, &'static str)],
        words: &[u64],
    ) -> Option<Self> {
        DESTINATION.get()?;
        let arguments: Vec<_> = parameters
            .iter()
            .zip(words)
            .map(|((name, type_name), word)| Argument {
                name,
                type_name,
                word: *word,
            })
            .collect();
        let all = Arguments(&arguments);
        // The host program must not suffer from an error of the trace.
        let before = catch_unwind(AssertUnwindSafe(|| {
            arguments
                .iter()
                .map(|argument| all.before(argument))
                .collect()
        }))
        .ok()?;
        Some(Self {
            name,
            arguments,
            before,
            start: Instant::now(),
        })
    }
}

/// A call returns; its line is written.
#[inline]
pub fn end(line: Option<Box<Line>>, returned: Returned) {
    if let Some(line) = line {
        end_line(*line, &returned);
    }
}

#[cold]
fn end_line(line: Line, returned: &Returned) {
    if let Some(call) = line.recorded {
        call.end();
    }
    if let Some(shown) = line.shown {
        show(&shown, returned);
    }
}

fn show(line: &Shown, returned: &Returned) {
    let duration = line.start.elapsed();
    // As above.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        let mut text = line.call(returned);
        // SAFETY: has no preconditions.
        let thread = unsafe { libc::gettid() };
        // Integers only: the host program may have made inexact results trap.
        let tenths = (duration.as_nanos() + 50) / 100;
        let (whole, tenth) = (tenths / 10, tenths % 10);
        let _ = writeln!(text, " [thread {thread}, {whole}.{tenth} us]");
        // One piece: lines of several threads do not mix.
        let _ = match DESTINATION.get() {
            Some(Some(file)) => (&*file).write_all(text.as_bytes()),
            _ => std::io::stderr().write_all(text.as_bytes()),
        };
    }));
}

impl Shown {
    /// The call with its arguments and its result.
    fn call(&self, returned: &Returned) -> String {
        let all = Arguments(&self.arguments);
        let failed = match returned {
            Returned::Status(code) | Returned::Object(_, code) => *code != CL_SUCCESS,
            Returned::Address(_) | Returned::Nothing => false,
        };
        let arguments = self.arguments.iter().zip(&self.before);
        let arguments = arguments.map(|(argument, before)| {
            let value = match before {
                Some(before) => before.clone(),
                None if failed => format!("{:#x}", argument.word),
                None => all.after(argument),
            };
            format!("{}: {value}", argument.name)
        });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let result = match returned {
            Returned::Status(code) => format!(" = {}", decode::error_code(*code)),
            Returned::Object(pointer, code) => {
                let code = match *code {
                    CL_SUCCESS => String::new(),
                    code => format!(", {}", decode::error_code(code)),
                };
                format!(" = {}{code}", decode::pointer(word(pointer)))
            }
            Returned::Address(pointer) => format!(" = {}", decode::pointer(word(pointer))),
            Returned::Nothing => String::new(),
        };
        format!("{}({arguments}){result}", self.name)
    }
}
