//! Prints advice.

use super::finding::{Advice, Finding};
use crate::limits::Reached;
use crate::profile::format::time;
use mocl3_shared::table::Table;
use mocl3_shared::terminal::{STRONG, styled, wrapped};

/// Continuation lines are indented, columns.
const INDENT: usize = 4;

/// The advice as text, for a terminal with `width` columns.
pub fn text(advice: &Advice, width: Option<usize>) -> String {
    let mut text = String::new();
    for words in &advice.programs {
        text += &format!("{}\n", words.join(" "));
    }
    text += &format!(
        "{}; {} simulated in kernels\n",
        advice.machine,
        time(advice.kernels_ns)
    );
    for sentence in advice.identity.sentences() {
        text += &format!("{}\n", wrapped(&sentence, width, INDENT));
    }
    for (number, one) in (1..).zip(&advice.findings) {
        text += &format!("\n{}", finding(number, one, width));
    }
    if advice.findings.is_empty() {
        text += "\nno change that was estimated saves time\n";
    } else {
        let sentence = "Each estimate is of that change alone.";
        text += &format!("\n{}\n", wrapped(sentence, width, 0));
    }
    if !advice.reached.is_empty() {
        text += &format!("\n{}", reached(&advice.reached).text(width));
    }
    for (label, bound) in &advice.without_finding {
        let sentence = format!("no finding: {label}: {bound}");
        text += &format!("{}\n", wrapped(&sentence, width, INDENT));
    }
    text
}

/// The kernels' parts of what micro-benchmarks reach.
fn reached(kernels: &[Reached]) -> Table {
    let mut table = Table::new(&[
        "of the measured limit",
        "single",
        "double",
        "DDR",
        "local memory",
    ]);
    for kernel in kernels {
        let parts = [kernel.single, kernel.double, kernel.ddr, kernel.scratchpad];
        let percent = |part: f64| match part < 1.0 {
            true => "< 1 %".to_owned(),
            false => format!("{part:.0} %"),
        };
        let parts = parts.map(|part| part.map_or_else(|| "–".to_owned(), percent));
        table.row([vec![kernel.label.clone()], parts.to_vec()].concat());
    }
    table
}

fn finding(number: usize, finding: &Finding, width: Option<usize>) -> String {
    let heading = format!("{number}. {}: {}", finding.label, finding.title);
    let after = finding.time_ns - finding.saved_ns;
    let gain = format!(
        "    {} → {} (−{:.0} %, {:.2} times as fast)",
        time(finding.time_ns),
        time(after),
        finding.saved_percent,
        finding.time_ns as f64 / after.max(1) as f64
    );
    let mut lines = vec![
        styled(STRONG, &wrapped(&heading, width, INDENT)),
        gain,
        wrapped(&format!("    {}", finding.evidence), width, INDENT),
    ];
    for line in &finding.lines {
        let text = line.text.as_deref().unwrap_or_default().trim();
        let line = format!(
            "    {}:{} {:.0} %  {text}",
            line.file, line.line, line.percent
        );
        lines.push(wrapped(&line, width, 2 * INDENT));
    }
    lines.push(wrapped(&format!("    {}", finding.remedy), width, INDENT));
    lines.join("\n") + "\n"
}
