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

#[cfg(test)]
mod tests {
    use super::Codes;

    #[test]
    fn all_wrong_codes_are_reported() {
        let mut codes = Codes::default();
        codes.check("clFlush", "null", -36, -36);
        codes.check("clFinish", "null", 0, -36);
        assert_eq!(
            codes.result().unwrap_err().to_string(),
            "1 of 2 calls returned wrong codes:\n\
             clFinish, null: CL_SUCCESS, expected CL_INVALID_COMMAND_QUEUE"
        );
        assert!(Codes::default().result().is_err());
    }
}
