//! Prints the largest errors next to their limits.

use crate::function::{Function, Limit, Style};
use crate::sweep::SweepOutcome;

/// Formats a limit.
fn limit(function: &Function) -> String {
    match function.limits[0] {
        Limit::Exact => "exact".into(),
        Limit::Ulp(limit) => format!("{limit}"),
        Limit::Absolute(_) => "absolute".into(),
        Limit::None => "none".into(),
    }
}

/// Formats an error with two digits, which is enough to compare it with a limit.
fn error(worst: f64) -> String {
    if worst == 0.0 {
        "0".into()
    } else if worst.is_infinite() {
        "wrong".into()
    } else if worst >= 1000.0 {
        format!("{worst:.1e}")
    } else {
        format!("{worst:.2}")
    }
}

/// The line that is printed for a function during the sweep.
pub fn line(function: &Function, outcome: &SweepOutcome) -> String {
    let mut text = format!(
        "{:6} {:28} limit {:8}",
        function.format.name(),
        function.name,
        limit(function)
    );
    for form in &outcome.forms {
        text += &format!(" {:>8}", error(form.worst.error));
    }
    let worst = outcome
        .forms
        .iter()
        .max_by(|a, b| a.worst.error.total_cmp(&b.worst.error));
    if let Some(worst) = worst.filter(|worst| worst.worst.error > 0.0) {
        text += &format!("   at ({})", worst.worst.input);
    }
    if !outcome.holds() {
        text += "   BROKEN";
        for form in &outcome.forms {
            for example in &form.examples {
                text += &format!(
                    "\n       {} ({} broken): {example}",
                    form.form.name, form.broken
                );
            }
        }
    }
    text
}

/// The table of docs/generated/accuracy.md for one type; conversions are counted only.
pub fn table(rows: &[(&Function, &SweepOutcome)]) -> String {
    let mut text = String::from(
        "| function | limit | many work-items | one work-item | unoptimised | vectors | worst at |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let is_conversion = |function: &Function| function.style == Style::Conversion;
    for (function, outcome) in rows.iter().filter(|(function, _)| !is_conversion(function)) {
        let of = |number: usize| outcome.forms.get(number).map(|form| form.worst.error);
        let vectors = outcome.forms.iter().skip(3).map(|form| form.worst.error);
        let vectors = vectors.reduce(f64::max).map_or("-".into(), error);
        let worst = outcome
            .forms
            .iter()
            .max_by(|a, b| a.worst.error.total_cmp(&b.worst.error));
        let input = worst
            .filter(|worst| worst.worst.error > 0.0)
            .map_or("", |worst| &worst.worst.input);
        let shown: Vec<String> = (0..3)
            .map(|number| of(number).map_or("-".into(), error))
            .collect();
        text += &format!(
            "| {} | {} | {} | {} | {} |\n",
            function.name,
            limit(function),
            shown.join(" | "),
            vectors,
            input
        );
    }
    // A conversion is right if it is right in all forms of code.
    let conversions = rows.iter().filter(|(function, _)| is_conversion(function));
    let holds: Vec<bool> = conversions.map(|(_, outcome)| outcome.holds()).collect();
    let right = holds.iter().filter(|holds| **holds).count();
    text += &format!(
        "\nConversions, each with all roundings, saturated and not: {right} pairs of types \
         right, {} wrong.\n",
        holds.len() - right
    );
    text
}
