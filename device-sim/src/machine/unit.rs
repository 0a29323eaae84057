//! Units of numbers: how values are read and written with them.

use super::error::SettingError;

/// A unit of machine descriptions, what may be written for it, and how many of it that is. The
/// spellings by which values are shown come last, by ascending factor.
struct Unit {
    name: &'static str,
    accepted: &'static [(&'static str, u64)],
    shown: &'static [(&'static str, u64)],
}

const K: u64 = 1_000;
const M: u64 = K * K;
const G: u64 = K * M;
const T: u64 = K * G;
const KI: u64 = 1 << 10;
const MI: u64 = 1 << 20;
const GI: u64 = 1 << 30;
const TI: u64 = 1 << 40;

const UNITS: &[Unit] = &[
    Unit {
        name: "",
        accepted: &[],
        shown: &[("", 1)],
    },
    Unit {
        name: "byte",
        accepted: &[
            ("byte", 1),
            ("bytes", 1),
            ("kB", K),
            ("KB", K),
            ("MB", M),
            ("GB", G),
            ("TB", T),
        ],
        shown: &[("B", 1), ("KiB", KI), ("MiB", MI), ("GiB", GI), ("TiB", TI)],
    },
    Unit {
        name: "byte/s",
        accepted: &[
            ("byte/s", 1),
            ("KB/s", K),
            ("KiB/s", KI),
            ("MiB/s", MI),
            ("GiB/s", GI),
        ],
        shown: &[
            ("B/s", 1),
            ("kB/s", K),
            ("MB/s", M),
            ("GB/s", G),
            ("TB/s", T),
        ],
    },
    Unit {
        name: "Hz",
        accepted: &[],
        shown: &[("Hz", 1), ("kHz", K), ("MHz", M), ("GHz", G), ("THz", T)],
    },
    Unit {
        name: "cycle",
        accepted: &[("cycle", 1)],
        shown: &[("cycles", 1)],
    },
    Unit {
        name: "ns",
        accepted: &[("us", K)],
        shown: &[("ns", 1), ("µs", K), ("ms", M), ("s", G)],
    },
    Unit {
        name: "ps",
        accepted: &[("us", M)],
        shown: &[("ps", 1), ("ns", K), ("µs", M), ("ms", G), ("s", T)],
    },
    Unit {
        name: "byte/cycle",
        accepted: &[("byte/cycle", 1), ("bytes/cycle", 1)],
        shown: &[("B/cycle", 1)],
    },
    Unit {
        name: "bit",
        accepted: &[("bits", 1)],
        shown: &[("bit", 1)],
    },
    Unit {
        name: "operation",
        accepted: &[("operation", 1)],
        shown: &[("operations", 1)],
    },
    Unit {
        name: "mW",
        accepted: &[],
        shown: &[("mW", 1), ("W", K), ("kW", M)],
    },
    Unit {
        name: "pixel",
        accepted: &[("pixel", 1)],
        shown: &[("pixels", 1)],
    },
    Unit {
        name: "%",
        accepted: &[],
        shown: &[("%", 1)],
    },
    Unit {
        name: "1/1000",
        accepted: &[("1/1000", 1), ("%", 10)],
        shown: &[("‰", 1)],
    },
];

/// Digits after the point that are shown at most.
const DIGITS: u32 = 3;

/// A value in `unit`, scaled if that loses nothing: `42.6 GB/s`.
pub(super) fn format(value: u64, unit: &str) -> String {
    let Some(known) = UNITS.iter().find(|one| one.name == unit) else {
        return format!("{value} {unit}");
    };
    let scale = 10_u64.pow(DIGITS);
    let exact = |factor: u64| {
        value >= factor && (u128::from(value) * u128::from(scale)).is_multiple_of(factor.into())
    };
    let scaled = known.shown.iter().rev().find(|(_, factor)| exact(*factor));
    let Some((spelling, factor)) = scaled.or(known.shown.first()) else {
        return value.to_string();
    };
    let thousandths = u128::from(value) * u128::from(scale) / u128::from(*factor);
    let whole = thousandths / u128::from(scale);
    let digits = format!("{:03}", thousandths % u128::from(scale));
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{whole}{point}{digits} {spelling}")
        .trim_end()
        .to_owned()
}

/// The value of a number that is written with its unit, in `unit`; `present` is the value that it
/// replaces.
///
/// # Errors
/// No number, no unit or another one, or no whole number of `unit`.
pub(super) fn parse(text: &str, unit: &str, present: u64) -> Result<u64, SettingError> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_');
    let (number, suffix) = text.split_at(end.unwrap_or(text.len()));
    let suffix = suffix.trim();
    let number = number.replace('_', "");
    let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
    let no_number = || SettingError::NoNumber(text.to_owned());
    if whole.is_empty() {
        return Err(no_number());
    }
    let not_whole = || SettingError::NotWhole(unit.to_owned());
    let digits: u128 = format!("{whole}{fraction}")
        .parse()
        .map_err(|_| no_number())?;
    let factor = factor(suffix, unit, present)?;
    let divisor = u32::try_from(fraction.len())
        .ok()
        .and_then(|power| 10_u128.checked_pow(power))
        .ok_or_else(not_whole)?;
    let product = digits.checked_mul(factor.into()).ok_or_else(not_whole)?;
    if !product.is_multiple_of(divisor) {
        return Err(not_whole());
    }
    // TOML's integers are signed.
    i64::try_from(product / divisor)
        .map(i64::unsigned_abs)
        .map_err(|_| not_whole())
}

/// A size with its unit, such as `4MiB`, in bytes.
///
/// # Errors
/// No number, no unit or another one, or no whole number of bytes.
pub fn parse_bytes(text: &str) -> Result<u64, SettingError> {
    parse(text, "byte", 4 * MI)
}

/// How many of `unit` one of `suffix` is.
fn factor(suffix: &str, unit: &str, present: u64) -> Result<u64, SettingError> {
    let known = UNITS.iter().find(|one| one.name == unit);
    let spellings = known
        .iter()
        .flat_map(|known| known.shown.iter().chain(known.accepted));
    for (spelling, factor) in spellings {
        if *spelling == suffix {
            return Ok(*factor);
        }
    }
    Err(match suffix {
        "" => SettingError::NoUnit {
            unit: unit.to_owned(),
            example: format(present, unit).replace(' ', ""),
        },
        _ => SettingError::OtherUnit {
            found: suffix.to_owned(),
            unit: unit.to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::{MT3000, flatten};
    use super::*;

    #[test]
    fn values_are_read_in_their_unit() {
        for (text, unit, value) in [
            ("85.2GB/s", "byte/s", 85_200_000_000),
            ("85.2 GB/s", "byte/s", 85_200_000_000),
            ("1 GiB/s", "byte/s", 1 << 30),
            ("768KiB", "byte", 786_432),
            ("1.5 kB", "byte", 1500),
            ("260 cycles", "cycle", 260),
            ("1.2GHz", "Hz", 1_200_000_000),
            ("60us", "ns", 60_000),
            ("2ns", "ps", 2_000),
            ("16", "", 16),
            ("1_000", "", 1000),
            ("2.1%", "1/1000", 21),
            ("40%", "%", 40),
        ] {
            assert_eq!(parse(text, unit, 1), Ok(value), "{text}");
        }
    }

    #[test]
    fn other_units_are_refused() {
        for (text, unit, message) in [
            (
                "85.2",
                "byte/s",
                "the number is in byte/s: write the unit, such as 42.6GB/s",
            ),
            (
                "85.2GB",
                "byte/s",
                "`GB` is no unit of this number, which is in byte/s",
            ),
            (
                "24 arrays",
                "",
                "`arrays` is no unit of this number, which is a count",
            ),
            ("2.5", "", "this is no whole number of things"),
            ("0.5ns", "ns", "this is no whole number of ns"),
            ("99999999TB", "byte", "this is no whole number of byte"),
            ("fast", "Hz", "`fast` is no number"),
            ("-1", "", "`-1` is no number"),
            ("1.2.3s", "ns", "`1.2.3s` is no number"),
        ] {
            let error = parse(text, unit, 42_600_000_000).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_read_as_the_same_value() {
        for (name, number) in flatten(MT3000).unwrap() {
            let shown = number.to_string();
            let value = parse(&shown, &number.unit, 1);
            assert_eq!(value, Ok(number.value), "{name}: {shown}");
        }
        assert_eq!(format(42_600_000_000, "byte/s"), "42.6 GB/s");
        assert_eq!(format(786_432, "byte"), "768 KiB");
        assert_eq!(format(13_958_643_712, "byte"), "13 GiB");
        assert_eq!(format(1001, "byte"), "1001 B");
        assert_eq!(format(0, "ns"), "0 ns");
        assert_eq!(format(24, ""), "24");
    }
}
