//! Formats numbers with three digits and a unit.

/// Nanoseconds.
pub fn time(nanoseconds: u64) -> String {
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        _ => scaled(nanoseconds as f64 / 1e3, &["µs", "ms", "s"], 1e3),
    }
}

/// A number of things.
pub fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        _ => scaled(number as f64, &["", "k", "M", "G", "T", "P"], 1e3),
    }
}

/// Bytes.
pub fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        _ => scaled(bytes as f64 / 1024.0, &["KiB", "MiB", "GiB", "TiB"], 1024.0),
    }
}

/// Something per second, e.g. `rate(2.5e9, "B/s")`.
pub fn rate(per_second: f64, unit: &str) -> String {
    let prefixes = ["", "k", "M", "G", "T", "P"];
    let text = scaled(per_second, &prefixes, 1e3);
    match text.contains(' ') {
        true => format!("{text}{unit}"),
        false => format!("{text} {unit}"),
    }
}

/// `64 × 2`.
pub fn size(size: &[u64]) -> String {
    let numbers: Vec<_> = size.iter().map(u64::to_string).collect();
    numbers.join("×")
}

fn scaled(mut number: f64, units: &[&str], step: f64) -> String {
    let mut units = units.iter();
    let mut unit = units.next().copied().unwrap_or_default();
    // What is rounded to four digits gets the next unit.
    for next in units {
        if number < step - 0.5 {
            break;
        }
        number /= step;
        unit = next;
    }
    let digits = match number {
        _ if number == 0.0 => 0,
        _ if number < 9.995 => 2,
        _ if number < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.digits$} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits() {
        assert_eq!(time(0), "0 ns");
        assert_eq!(time(999), "999 ns");
        assert_eq!(time(1_234), "1.23 µs");
        assert_eq!(time(999_499), "999 µs");
        assert_eq!(time(999_500), "1.00 ms");
        assert_eq!(time(99_960_000_000), "100 s");
        assert_eq!(count(9_999), "9999");
        assert_eq!(count(12_345), "12.3 k");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(655_360), "640 KiB");
        assert_eq!(rate(0.0, "FLOP/s"), "0 FLOP/s");
        assert_eq!(rate(2.765e12, "FLOP/s"), "2.77 TFLOP/s");
        assert_eq!(size(&[64, 2, 1]), "64×2×1");
    }
}
