//! Findings without a folder that gets them are logged.

use findings::sink::{self, Output};
use findings::{Finding, text};

const LOG: Output = Output {
    finding: |finding| match finding.kind {
        kind if kind.is_of_kernels() => log::warn!("{}", text::paragraph(finding)),
        _ => log::warn!("{}", finding.sentence()),
    },
    error: |reason| log::error!("{reason}"),
};

/// Reports the findings of a launch; returns a sentence for each that is new.
pub fn report(findings: Vec<Finding>) -> Vec<String> {
    sink::report(findings, LOG)
}
