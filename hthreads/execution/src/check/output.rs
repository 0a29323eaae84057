//! Where findings go without a folder: to the standard error.

use findings::sink::{self, Output};
use findings::{Finding, text};

const STANDARD_ERROR: Output = Output {
    finding: |finding| eprintln!("{}", text::paragraph(finding)),
    error: |reason| eprintln!("{reason}"),
};

/// Reports findings.
pub fn report(findings: Vec<Finding>) {
    sink::report(findings, STANDARD_ERROR);
}
