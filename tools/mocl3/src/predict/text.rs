//! Prints predictions.

use super::evaluation::{Computed, Line, Prediction};
use super::model::Curve;
use mocl3_shared::table::Table;
use mocl3_shared::terminal::{STRONG, styled, wrapped};

/// Prefixes of units, by their powers of a thousand from the smallest on.
const PREFIXES: [&str; 9] = ["f", "p", "n", "µ", "m", "", "k", "M", "G"];
const LARGE: [&str; 3] = ["T", "P", "E"];

/// The place of no prefix.
const NONE: i32 = 5;

/// The prediction as text, for a terminal with `width` columns.
pub fn text(prediction: &Prediction, width: Option<usize>) -> String {
    let title = styled(STRONG, &prediction.title);
    let mut text = format!("{title} ({})\n\n", prediction.source);
    text += &values("parameter", &prediction.parameters, width);
    text += &phases(prediction, width);
    text += &steps(prediction, width);
    let mut sentence = format!(
        "{}, bound by {}",
        styled(STRONG, &number(prediction.seconds, "s")),
        prediction.bound
    );
    if let (Some(rate), Some(unit)) = (prediction.rate, &prediction.work_unit) {
        sentence += &format!("; {}", styled(STRONG, &number(rate, &format!("{unit}/s"))));
    }
    if let Some(percent) = prediction.efficiency_percent {
        sentence += &format!(", {percent:.1} % of the peak");
    }
    text += &format!("{}\n", wrapped(&sentence, width, 0));
    if !prediction.definitions.is_empty() {
        text += &format!("\n{}", values("value", &prediction.definitions, width));
    }
    text.trim_end().to_owned() + "\n"
}

/// A curve's points.
pub fn curve(curve: &Curve, lines: &[Line], width: Option<usize>) -> String {
    let names = lines.iter().map(|line| line.name.as_str());
    let heading: Vec<&str> = std::iter::once(curve.x.as_str()).chain(names).collect();
    let mut table = Table::new(&heading);
    let count = lines.first().map_or(0, |line| line.points.len());
    for place in 0..count {
        let mut cells = vec![number(lines[0].points[place].0, "")];
        cells.extend(lines.iter().map(|line| number(line.points[place].1, "")));
        table.row(cells);
    }
    let title = format!("{}: {} over {}", curve.name, curve.y, curve.x);
    format!("{title}\n\n{}\n", table.text(width).trim_end())
}

fn values(heading: &str, values: &[Computed], width: Option<usize>) -> String {
    let is_published = values.iter().any(|value| value.published.is_some());
    let mut table = match is_published {
        true => Table::of_words(&[heading, "", "published", "", "meaning"], &[4], 0),
        false => Table::of_words(&[heading, "", "meaning"], &[2], 0),
    };
    for value in values {
        let mut cells = vec![value.name.clone(), number(value.value, &value.unit)];
        if is_published {
            cells.extend(published(value));
        }
        cells.push(value.note.clone());
        table.row(cells);
    }
    table.text(width)
}

/// The published value and whether it agrees.
fn published(value: &Computed) -> [String; 2] {
    let of = value
        .published
        .map(|published| number(published, &value.unit));
    let agrees = match value.agrees {
        None => "",
        Some(true) => "agrees",
        Some(false) => "differs",
    };
    [of.unwrap_or_default(), agrees.to_owned()]
}

fn phases(prediction: &Prediction, width: Option<usize>) -> String {
    let heading = [
        "phase",
        "what",
        "level",
        "amount",
        "",
        "time",
        "published",
        "",
    ];
    let mut table = Table::of_words(&heading, &[1], 0);
    for phase in &prediction.phases {
        let mut cells = vec![
            phase.time.name.clone(),
            phase.time.note.clone(),
            phase.level.clone(),
            phase.amount_expression.clone(),
            number(phase.amount, &phase.amount_unit),
            number(phase.time.value, "s"),
        ];
        cells.extend(published(&phase.time));
        table.row(cells);
    }
    table.text(width)
}

fn steps(prediction: &Prediction, width: Option<usize>) -> String {
    let mut table = Table::of_words(&["step", "times", "time", "of all"], &[0], 0);
    for step in &prediction.steps {
        let name = match step.phases.len() {
            0 | 1 => step.longest.clone(),
            _ => format!(
                "{} (the longest of {})",
                step.longest,
                step.phases.join(", ")
            ),
        };
        table.row(vec![
            name,
            number(step.times, ""),
            number(step.seconds, "s"),
            format!("{:.1} %", step.percent),
        ]);
    }
    table.text(width)
}

/// A number with four significant digits and a prefix of its unit; counts without prefix.
fn number(value: f64, unit: &str) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value} {unit}").trim_end().to_owned();
    }
    if unit.is_empty() {
        let size = value.abs();
        return match size {
            _ if value.fract() == 0.0 && size < 1e6 => format!("{value}"),
            _ if (1e-3..1e6).contains(&size) => significant(value),
            _ => format!("{value:.3e}"),
        };
    }
    let last = (PREFIXES.len() + LARGE.len()) as i32 - 1;
    let power = (value.abs().log10() / 3.0 + 1e-9).floor() as i32;
    let power = power.clamp(-NONE, last - NONE);
    let place = usize::try_from(power + NONE).unwrap_or_default();
    let prefix = PREFIXES.iter().chain(&LARGE).nth(place);
    let scaled = significant(value / 1000_f64.powi(power));
    format!("{scaled} {}{unit}", prefix.copied().unwrap_or_default())
}

/// Four significant digits, without zeros at the end.
fn significant(value: f64) -> String {
    let whole = value.abs().log10().floor() as i32;
    let digits = usize::try_from(3 - whole).unwrap_or_default().min(9);
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_four_digits_and_a_prefix() {
        for (value, unit, text) in [
            (1.332_24, "s", "1.332 s"),
            (11.718_75e-6, "s", "11.72 µs"),
            (15e-12, "s", "15 ps"),
            (1.1e15, "flop/s", "1.1 Pflop/s"),
            (1000.0, "s", "1 ks"),
            (208_000.0, "", "208000"),
            (2.5, "", "2.5"),
            (1.8e16, "", "1.800e16"),
            (0.0, "s", "0 s"),
        ] {
            assert_eq!(number(value, unit), text);
        }
    }
}
