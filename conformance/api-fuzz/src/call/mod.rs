//! The state of a running sequence: chooses the arguments of calls, makes the calls, and checks the
//! results.

mod arguments;
mod choices;

use crate::callbacks::Counter;
use crate::functions::{EntryPoint, Functions, MOST_ARGUMENTS};
use crate::memory::Arena;
use crate::model::{Details, Id, Kind, Model, Object};
use anyhow::Result;
use cl_sys::*;
use error_cases::specification;
use harness::random::Random;
use opencl3::error_codes::ClError;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Seek, Write as _};

/// The result of a step: `None` if it made no call or the sequence has failed.
pub type Step = Option<()>;

/// The return type of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Status,
    /// A pointer; `errcode_ret` receives the code.
    Object,
    /// A pointer, without a code.
    Address,
}

/// The result of a call.
#[derive(Clone, Copy, Debug)]
pub struct Done {
    /// Whether the call had its effect.
    pub succeeded: bool,
    pub code: i32,
    /// The pointer returned.
    pub pointer: u64,
}

/// A call whose arguments are being chosen.
#[derive(Default)]
struct Call {
    name: &'static str,
    places: Vec<u64>,
    text: String,
    /// Error codes of the invalid arguments; the call must return one of them.
    faults: Vec<i32>,
    /// Other codes that the call may return.
    may: Vec<i32>,
    /// Whether the call may return anything.
    open: bool,
    /// Whether the call must bypass the loader, which would crash on it.
    direct: bool,
}

/// The numbers of calls and of successful calls of each function.
pub type Tally = BTreeMap<&'static str, (u64, u64)>;

/// The state of a running sequence.
pub struct Run {
    functions: Functions,
    pub platform: u64,
    pub devices: Vec<u64>,
    pub model: Model,
    pub random: Random,
    seed: u64,
    step: u32,
    made: u32,
    /// Number of invalid arguments per 16 arguments, on average.
    wrongness: u32,
    call: Call,
    /// Host memory that is valid during one call.
    momentary: Arena,
    /// Host memory that is freed after all commands have ended.
    pub lasting: Arena,
    /// Host memory that is freed at the end of the sequence.
    pub kept: Arena,
    /// Whether host memory has run out that is freed after all commands have ended.
    pub short_of_memory: bool,
    /// The log of the sequence's calls, which is read after a crash.
    log: Option<File>,
    /// The failure of the sequence.
    pub failure: Option<String>,
    /// Callbacks with the number of calls that each must have at the end.
    pub callbacks: Vec<(Counter, u32, String)>,
    pub tally: Tally,
    /// Markers in queues that were released with pending commands.
    pub left_behind: Vec<u64>,
    /// Queues that received commands although the host has no reference.
    pub to_be_left: Vec<Id>,
    /// Whether a map or unmap command has or may have failed.
    pub doubtful_mappings: bool,
    /// Compute units of each root device.
    pub root_compute_units: u32,
}

/// The function that can return both a program and the code of a failed link.
const LINKS: &str = "clLinkProgram";

/// The error code's name.
pub fn code_name(code: i32) -> String {
    format!("{} ({code})", ClError(code))
}

/// Mixes two numbers to a seed.
fn mix(a: u64, b: u64) -> u64 {
    Random::new(a ^ b.wrapping_mul(0xD6E8_FEB8_6659_FD93)).bits()
}

impl Run {
    /// Prepares sequences on the platform.
    ///
    /// # Errors
    /// The platform or the system lacks a feature.
    pub fn new(
        platform: u64,
        devices: Vec<u64>,
        root_compute_units: u32,
        log: Option<File>,
    ) -> Result<Self> {
        Ok(Self {
            functions: Functions::load(platform as usize as *mut _)?,
            platform,
            devices,
            model: Model::default(),
            random: Random::new(0),
            seed: 0,
            step: 0,
            made: 0,
            wrongness: 0,
            call: Call::default(),
            momentary: Arena::new(64, 8)?,
            lasting: Arena::new(256, 96)?,
            kept: Arena::new(64, 48)?,
            short_of_memory: false,
            log,
            failure: None,
            callbacks: Vec::new(),
            tally: Tally::new(),
            left_behind: Vec::new(),
            to_be_left: Vec::new(),
            doubtful_mappings: false,
            root_compute_units,
        })
    }

    /// Begins the sequence of a seed.
    pub fn start(&mut self, seed: u64) {
        self.seed = seed;
        self.model = Model::default();
        self.callbacks.clear();
        self.left_behind.clear();
        self.to_be_left.clear();
        self.doubtful_mappings = false;
        self.short_of_memory = false;
        self.lasting.clear();
        self.kept.clear();
        if let Some(log) = &mut self.log {
            // If writing fails, only the text of a failure is lost.
            let _ = log.set_len(0).and_then(|()| log.rewind());
        }
    }

    /// Begins a step, which has its own random generator.
    pub fn start_step(&mut self, step: u32) {
        self.step = step;
        self.made = 0;
        self.random = Random::new(mix(self.seed, u64::from(step) + 1));
        self.wrongness = match self.random.below(20) {
            0..14 => 0,
            14..19 => 3,
            _ => 8,
        };
    }

    /// Makes all further arguments of the step valid.
    pub fn be_careful(&mut self) {
        self.wrongness = 0;
    }

    pub fn step(&self) -> u32 {
        self.step
    }

    // Choices.

    // Calls.

    /// Whether the platform has the function.
    pub fn has(&self, name: &str) -> bool {
        self.functions.has(name, EntryPoint::Platform)
    }

    /// Begins a call.
    pub fn begin(&mut self, name: &'static str) {
        self.momentary.clear();
        self.call = Call {
            name,
            places: Vec::with_capacity(MOST_ARGUMENTS),
            direct: !self.functions.has(name, EntryPoint::Loader),
            ..Call::default()
        };
    }

    /// Records that an argument is invalid: the call has to return this code, or that of another
    /// fault.
    ///
    /// # Panics
    /// The specification does not name the code for this function: the model is wrong.
    pub fn fault(&mut self, code: i32) {
        let (function, name) = (self.call.name, ClError(code).to_string());
        // Functions without codes return null.
        let codes = specification::codes(function).unwrap_or_default();
        assert!(
            codes.is_empty() || codes.contains(&&*name),
            "the specification does not name {name} for {function}"
        );
        self.call.faults.push(code);
    }

    /// Adds the fault if `wrong`.
    pub fn fault_if(&mut self, wrong: bool, code: i32) {
        if wrong {
            self.fault(code);
        }
    }

    /// Allows a code although no argument is known to be invalid.
    pub fn may(&mut self, code: i32) {
        self.call.may.push(code);
    }

    /// Allows any result.
    pub fn leave_open(&mut self) {
        self.call.open = true;
    }

    /// Number of faults in the arguments so far.
    pub fn faults(&self) -> usize {
        self.call.faults.len()
    }

    /// Drops the faults that were added after the first `before` ones.
    pub fn forgive(&mut self, before: usize) {
        self.call.faults.truncate(before);
    }

    /// Whether an argument is known to be invalid.
    pub fn is_faulty(&self) -> bool {
        !self.call.faults.is_empty()
    }

    /// Makes the call bypass the loader.
    pub fn go_direct(&mut self) {
        self.call.direct = true;
    }

    /// Makes the call and checks its result. Returns `None` if the result is wrong.
    pub fn make(&mut self, returns: Returns) -> Option<Done> {
        let mut code_at = 0;
        if returns == Returns::Object {
            if self.one_in(12) {
                self.null("errcode_ret");
            } else {
                code_at = self.output("errcode_ret", 4);
            }
        }
        if self.short_of_memory {
            return None;
        }
        let direct = self.call.direct || (self.has(self.call.name) && self.one_in(3));
        let entry_point = if direct {
            EntryPoint::Platform
        } else {
            EntryPoint::Loader
        };
        let mut places = [0; MOST_ARGUMENTS];
        places[..self.call.places.len()].copy_from_slice(&self.call.places);
        let line = format!(
            "{:4} {}{}({})",
            self.step,
            self.call.name,
            if direct { " (past the loader)" } else { "" },
            self.call.text
        );
        self.write_log(&line);
        // SAFETY: the steps pass what the specification lets a host program pass, apart
        // from handles; those that the loader would not survive go past it.
        let value = unsafe { self.functions.call(self.call.name, entry_point, places) };
        let (code, pointer) = match returns {
            Returns::Status => (value as i32, 0),
            Returns::Object if code_at != 0 => (self.half_word_at(code_at) as i32, value),
            _ if value != 0
                && self.call.name == LINKS
                && self.call.faults.contains(&CL_LINK_PROGRAM_FAILURE) =>
            {
                (CL_LINK_PROGRAM_FAILURE, value)
            }
            // The code is unknown; only whether the call succeeded is known.
            _ if value != 0 => (CL_SUCCESS, value),
            _ => {
                let known = self.call.faults.iter().chain(&self.call.may).next();
                (known.copied().unwrap_or(CL_OUT_OF_RESOURCES), 0)
            }
        };
        self.write_log(&format!(
            " = {}\n",
            if code == CL_SUCCESS {
                "CL_SUCCESS".to_owned()
            } else {
                code_name(code)
            }
        ));
        let tally = self.tally.entry(self.call.name).or_default();
        tally.0 += 1;
        tally.1 += u64::from(code == CL_SUCCESS);
        self.judge(&line, returns, code, pointer)
    }

    fn judge(&mut self, line: &str, returns: Returns, code: i32, pointer: u64) -> Option<Done> {
        let Call {
            faults, may, open, ..
        } = &self.call;
        let makes_both = self.call.name == LINKS && code == CL_LINK_PROGRAM_FAILURE;
        let torn =
            returns == Returns::Object && (code == CL_SUCCESS) != (pointer != 0) && !makes_both;
        let right = if *open {
            true
        } else if faults.is_empty() {
            code == CL_SUCCESS || may.contains(&code)
        } else {
            code != CL_SUCCESS && (faults.contains(&code) || may.contains(&code))
        };
        if right && !torn {
            return Some(Done {
                succeeded: code == CL_SUCCESS,
                code,
                pointer,
            });
        }
        let names = |codes: &[i32]| -> Vec<String> {
            let mut codes = codes.to_vec();
            codes.sort_unstable();
            codes.dedup();
            codes.into_iter().map(code_name).collect()
        };
        let text = if torn {
            format!("returned {pointer:#x} together with {}", code_name(code))
        } else if faults.is_empty() {
            format!(
                "nothing is wrong with it, but it returned {}",
                code_name(code)
            )
        } else {
            format!(
                "it returned {}; what is wrong with it demands {}",
                code_name(code),
                names(faults).join(" or ")
            )
        };
        self.fail(format!("{}\n{text}", line.trim()))
    }

    /// Records that the sequence has failed.
    pub fn fail<T>(&mut self, text: impl Into<String>) -> Option<T> {
        self.failure.get_or_insert(text.into());
        None
    }

    /// As `fail`, with the call and its arguments in the text.
    pub fn fail_call<T>(&mut self, text: &str) -> Option<T> {
        let call = format!("{}({})\n{text}", self.call.name, self.call.text);
        self.fail(call)
    }

    fn write_log(&mut self, text: &str) {
        if let Some(log) = &mut self.log {
            // If writing fails, only the text of a failure is lost.
            let _ = log.write_all(text.as_bytes());
        }
    }

    /// Records an object that the platform created, with one reference.
    pub fn created(&mut self, kind: Kind, handle: u64, context: Id, details: Details) -> Id {
        self.made += 1;
        let id = self.step * 32 + self.made % 32;
        self.model.insert(Object {
            id,
            kind,
            handle,
            context,
            references: 1,
            held: false,
            details,
        });
        id
    }
}

/// The initial bytes of memory for results.
pub const UNTOUCHED: u8 = 0xA5;
