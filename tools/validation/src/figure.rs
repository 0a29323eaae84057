//! A published figure and the simulated one.

use std::fmt::Write;

/// The tolerance: the distance that the simulated figure may have from the published one.
#[derive(Clone, Copy)]
pub enum Tolerance {
    /// Percent of the figure.
    Percent(f64),
    /// Percentage points, of figures that are percentages.
    Points(f64),
    /// The published figure is an upper bound, in percent.
    AtMost,
    /// The published figure is a lower bound.
    AtLeast,
}

/// A published figure and its simulated value.
pub struct Figure {
    /// The quantity.
    pub what: &'static str,
    /// The published figure, in `unit`.
    pub published: f64,
    /// The simulated figure, in `unit`.
    pub simulated: f64,
    /// The figures' unit.
    pub unit: &'static str,
    /// The tolerance within which the figure is met.
    pub tolerance: Tolerance,
    /// The source: a paper or a number of the machine file; numbers that are calibrated on it.
    pub from: &'static str,
    /// The reason if the figure is missed; else empty.
    pub why: &'static str,
}

impl Figure {
    /// Whether the simulated figure is within the tolerance.
    pub fn met(&self) -> bool {
        let (published, simulated) = (self.published, self.simulated);
        match self.tolerance {
            Tolerance::Percent(percent) => {
                (simulated - published).abs() <= published * percent / 100.0
            }
            Tolerance::Points(points) => (simulated - published).abs() <= points,
            Tolerance::AtLeast => simulated >= published,
            Tolerance::AtMost => (0.0..=published).contains(&simulated),
        }
    }

    /// The figure's row of the table below [`HEAD`].
    pub fn row(&self) -> String {
        let Self { what, unit, .. } = self;
        let tolerance = match self.tolerance {
            Tolerance::Percent(percent) => format!("± {percent} %"),
            Tolerance::Points(points) => format!("± {points} points"),
            Tolerance::AtMost => "at most".to_owned(),
            Tolerance::AtLeast => "at least".to_owned(),
        };
        format!(
            "| {what} | {} {unit} | {} {unit} | {:.2} | {tolerance} | {} | {} |\n",
            digits(self.published),
            digits(self.simulated),
            self.simulated / self.published,
            if self.met() { "met" } else { "**missed**" },
            self.from,
        )
    }
}

/// The table's head.
pub const HEAD: &str = "\
| figure | published | simulated | ratio | tolerance | | from |
| --- | --- | --- | --- | --- | --- | --- |
";

/// Formats a number with three significant digits, or all digits before the point.
pub fn digits(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// The figures of one subject, with their explanation.
#[derive(Default)]
pub struct Part {
    /// The figures.
    pub figures: Vec<Figure>,
    /// The section's heading, text and tables, in Markdown.
    pub details: String,
}

impl Part {
    /// An empty part with that heading.
    pub fn new(heading: &str) -> Self {
        Self {
            figures: Vec::new(),
            details: format!("\n## {heading}\n\n"),
        }
    }

    /// Appends text to the section.
    pub fn say(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = self.details.write_fmt(text);
    }
}

#[cfg(test)]
mod tests {
    use super::{Figure, Tolerance, digits};

    fn figure(published: f64, simulated: f64, tolerance: Tolerance) -> Figure {
        Figure {
            what: "speed",
            published,
            simulated,
            unit: "m/s",
            tolerance,
            from: "",
            why: "",
        }
    }

    #[test]
    fn figures_are_met_within_their_tolerance_only() {
        let met = |published, simulated, tolerance| figure(published, simulated, tolerance).met();
        assert!(met(100.0, 86.0, Tolerance::Percent(15.0)));
        assert!(!met(100.0, 84.0, Tolerance::Percent(15.0)));
        assert!(!met(100.0, 116.0, Tolerance::Percent(15.0)));
        assert!(met(14.0, 17.0, Tolerance::Points(3.0)));
        assert!(!met(14.0, 10.9, Tolerance::Points(3.0)));
        assert!(met(5.0, 0.0, Tolerance::AtMost) && met(5.0, 5.0, Tolerance::AtMost));
        assert!(met(1.0, 1.0, Tolerance::AtLeast) && !met(1.0, 0.9, Tolerance::AtLeast));
        assert!(!met(5.0, 5.1, Tolerance::AtMost) && !met(5.0, -0.1, Tolerance::AtMost));
        assert!(met(12.0, 13.0, Tolerance::AtLeast) && !met(12.0, 11.9, Tolerance::AtLeast));
    }

    #[test]
    fn rows_tell_which_are_missed() {
        let row = figure(2.8, 1.4, Tolerance::Percent(15.0)).row();
        assert_eq!(
            row,
            "| speed | 2.80 m/s | 1.40 m/s | 0.50 | ± 15 % | **missed** |  |\n"
        );
        assert_eq!(digits(99.96), "100");
        assert_eq!(digits(12.34), "12.3");
    }
}
