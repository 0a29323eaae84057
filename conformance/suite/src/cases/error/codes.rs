//! The codes that calls return, compared with those expected.

use anyhow::{Result, ensure};
use cl_sys::cl_int;
use opencl3::error_codes::ClError;

/// The codes of many calls: all that are wrong are reported.
#[derive(Default)]
pub struct Codes {
    calls: usize,
    wrong: Vec<String>,
}

impl Codes {
    pub fn check(&mut self, function: &str, condition: &str, code: cl_int, expected: cl_int) {
        self.calls += 1;
        if code != expected {
            let (code, expected) = (ClError(code), ClError(expected));
            self.wrong.push(format!(
                "{function}, {condition}: {code}, expected {expected}"
            ));
        }
    }

    pub fn check_none(&mut self, function: &str, condition: &str, is_null: bool) {
        if !is_null {
            self.wrong
                .push(format!("{function}, {condition}: an object, expected null"));
        }
    }

    pub fn result(self) -> Result<()> {
        ensure!(self.calls > 0, "no calls were made");
        ensure!(
            self.wrong.is_empty(),
            "{} of {} calls returned wrong codes:\n{}",
            self.wrong.len(),
            self.calls,
            self.wrong.join("\n")
        );
        Ok(())
    }
}

/// The function must return this code.
macro_rules! wrong {
    ($codes:ident, $condition:literal, $expected:ident,
     $function:ident ( $($argument:expr),* $(,)? )) => {{
        let code = harness::call::code!($function($($argument),*));
        $codes.check(stringify!($function), $condition, code, $expected);
    }};
}

/// The function, whose last argument `errcode_ret` is added, must return this code and null.
macro_rules! not_made {
    ($codes:ident, $condition:literal, $expected:ident,
     $function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut code = -12345;
        let object = harness::call::code!($function($($argument,)* &raw mut code));
        $codes.check(stringify!($function), $condition, code, $expected);
        $codes.check_none(stringify!($function), $condition, object.is_null());
    }};
}

/// What every query refuses: names that are none, too little room.
macro_rules! wrong_queries {
    ($codes:ident, $valid:expr, $function:ident ( $($argument:expr),* $(,)? )) => {{
        let mut byte = 0u8;
        let to: *mut std::ffi::c_void = (&raw mut byte).cast();
        let none = std::ptr::null_mut();
        let unused = 0xEEEE;
        $crate::cases::error::codes::wrong!($codes, "of an unknown name", CL_INVALID_VALUE,
            $function($($argument,)* unused, 0, none, none.cast()));
        $crate::cases::error::codes::wrong!($codes, "with too little room", CL_INVALID_VALUE,
            $function($($argument,)* $valid, 1, to, none.cast()));
    }};
}

pub(super) use {not_made, wrong, wrong_queries};

#[cfg(test)]
mod tests {
    use super::Codes;

    #[test]
    fn all_wrong_codes_are_reported() {
        let mut codes = Codes::default();
        codes.check("clFlush", "null", -36, -36);
        codes.check("clFinish", "null", 0, -36);
        codes.check_none("clCreateBuffer", "size 0", false);
        assert_eq!(
            codes.result().unwrap_err().to_string(),
            "2 of 2 calls returned wrong codes:\n\
             clFinish, null: CL_SUCCESS, expected CL_INVALID_COMMAND_QUEUE\n\
             clCreateBuffer, size 0: an object, expected null"
        );
        assert!(Codes::default().result().is_err());
    }
}
