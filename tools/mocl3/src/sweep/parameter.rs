//! What a sweep varies: parameters with lists and ranges of values, and how a program gets them.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// Values of a parameter at most.
const MOST_VALUES: usize = 10_000;

/// How a program gets a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A number or choice of the machine, as `--set` has it.
    Machine,
    /// A macro of the programs' builds: `-DNAME=VALUE`.
    Option,
    /// The local size of a kernel, or of all (`*`): `16x8`.
    Local,
    /// An environment variable.
    Env,
    /// A place `{NAME}` in the program's arguments.
    Arg,
}

/// Kinds by their names.
const KINDS: [(&str, Kind); 5] = [
    ("machine", Kind::Machine),
    ("option", Kind::Option),
    ("local", Kind::Local),
    ("env", Kind::Env),
    ("arg", Kind::Arg),
];

/// Something that is varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// How the program gets it.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Whether the values are a range, whose order means something.
    pub is_range: bool,
}

/// Values of all parameters: by `kind:name`.
pub type Point = BTreeMap<String, String>;

/// Why a parameter is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterError {
    /// It has another form.
    Form,
    /// An unknown kind.
    Kind(String),
    /// A range that does not end, or has another form.
    Range(String),
    /// There are too many values, or none.
    Count,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => write!(
                formatter,
                "a parameter has the form kind:name=values, such as option:TILE=8,16,32"
            ),
            Self::Kind(kind) => write!(
                formatter,
                "`{kind}` is none of machine, option, local, env, arg"
            ),
            Self::Range(range) => write!(
                formatter,
                "`{range}` is no range, such as 1..8, 10..50+10 or 8..64*2, with a unit at its end"
            ),
            Self::Count => write!(formatter, "a parameter has 1 to {MOST_VALUES} values"),
        }
    }
}

impl std::error::Error for ParameterError {}

impl FromStr for Parameter {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, ParameterError> {
        let (kind, rest) = text.split_once(':').ok_or(ParameterError::Form)?;
        let (name, list) = rest.split_once('=').ok_or(ParameterError::Form)?;
        let known = KINDS.iter().find(|(known, _)| *known == kind);
        let &(_, kind) = known.ok_or_else(|| ParameterError::Kind(kind.to_owned()))?;
        let is_range = list.contains("..");
        let values = match is_range {
            true => range(list)?,
            false => list.split(',').map(|one| one.trim().to_owned()).collect(),
        };
        if name.is_empty() || values.is_empty() || values.len() > MOST_VALUES {
            return Err(ParameterError::Count);
        }
        Ok(Self {
            kind,
            name: name.to_owned(),
            values,
            is_range,
        })
    }
}

/// The values of `1..8`, `10..50+10GB/s` or `8..64*2`: whole numbers, the last one included.
fn range(text: &str) -> Result<Vec<String>, ParameterError> {
    let wrong = || ParameterError::Range(text.to_owned());
    let (first, rest) = text.split_once("..").ok_or_else(wrong)?;
    let digits = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len())
    };
    let (last, rest) = rest.split_at(digits(rest));
    let (step, unit) = match rest.chars().next() {
        Some(sign @ ('+' | '*')) => {
            let rest = &rest[1..];
            let (step, unit) = rest.split_at(digits(rest));
            (
                Some((sign, step.parse::<u64>().map_err(|_| wrong())?)),
                unit,
            )
        }
        _ => (None, rest),
    };
    let (mut value, last): (u64, u64) = (
        first.trim().parse().map_err(|_| wrong())?,
        last.parse().map_err(|_| wrong())?,
    );
    let mut values = Vec::new();
    while value <= last {
        values.push(format!("{value}{unit}"));
        let next = match step {
            None => value.checked_add(1),
            Some(('+', step)) => value.checked_add(step),
            Some((_, factor)) => value.checked_mul(factor),
        };
        match next.filter(|next| *next > value) {
            Some(next) if values.len() <= MOST_VALUES => value = next,
            Some(_) => return Err(ParameterError::Count),
            None => return Err(wrong()),
        }
    }
    Ok(values)
}

impl Parameter {
    /// Its name in points: `option:TILE`.
    pub fn key(&self) -> String {
        let kind = KINDS.iter().find(|(_, kind)| *kind == self.kind);
        format!("{}:{}", kind.map_or("", |(name, _)| name), self.name)
    }
}

/// Kind, name and value of each part of a point.
pub fn parts(point: &Point) -> impl Iterator<Item = (Kind, &str, &str)> {
    point.iter().filter_map(|(key, value)| {
        let (kind, name) = key.split_once(':')?;
        let (_, kind) = KINDS.iter().find(|(known, _)| *known == kind)?;
        Some((*kind, name, value.as_str()))
    })
}

/// All combinations, the last parameter fastest; `None` if there are more than `most`.
pub fn combinations(parameters: &[Parameter], most: usize) -> Option<Vec<Point>> {
    let count = parameters
        .iter()
        .try_fold(1_usize, |count, one| count.checked_mul(one.values.len()));
    if count.is_none_or(|count| count > most) {
        return None;
    }
    let mut points = vec![Point::new()];
    for parameter in parameters {
        let with = |point: &Point| {
            let key = parameter.key();
            let values = parameter.values.iter();
            let point = point.clone();
            values
                .map(move |value| {
                    let mut point = point.clone();
                    point.insert(key.clone(), value.clone());
                    point
                })
                .collect::<Vec<Point>>()
        };
        points = points.iter().flat_map(with).collect();
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_have_values() {
        for (text, kind, name, values) in [
            ("option:TILE=8,16", Kind::Option, "TILE", vec!["8", "16"]),
            (
                "local:dgemm=16x8,32x4",
                Kind::Local,
                "dgemm",
                vec!["16x8", "32x4"],
            ),
            ("arg:n=1..3", Kind::Arg, "n", vec!["1", "2", "3"]),
            (
                "machine:memory.ddr.bandwidth=20..40+10GB/s",
                Kind::Machine,
                "memory.ddr.bandwidth",
                vec!["20GB/s", "30GB/s", "40GB/s"],
            ),
            ("env:X=8..64*2", Kind::Env, "X", vec!["8", "16", "32", "64"]),
            ("env:X=", Kind::Env, "X", vec![""]),
        ] {
            let parameter: Parameter = text.parse().unwrap();
            assert_eq!((parameter.kind, parameter.name.as_str()), (kind, name));
            assert_eq!(parameter.values, values, "{text}");
            assert_eq!(parameter.key(), text.split_once('=').unwrap().0);
        }
        for (text, message) in [
            ("TILE=8", "the form kind:name=values"),
            ("macro:TILE=8", "`macro` is none of"),
            ("arg:n=1..8+0", "is no range"),
            ("arg:n=1..8*1", "is no range"),
            ("arg:n=0..8*2", "is no range"),
            ("arg:n=1..x", "is no range"),
            ("arg:n=9..1", "1 to 10000 values"),
            ("arg:n=1..99999999", "1 to 10000 values"),
        ] {
            let error = text.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn combinations_are_all_there_are() {
        let parameters = ["arg:a=1,2", "arg:b=1..3"].map(|text| text.parse().unwrap());
        let points = combinations(&parameters, 6).unwrap();
        assert_eq!(points.len(), 6);
        assert_eq!(points[1]["arg:a"], "1");
        assert_eq!(points[1]["arg:b"], "2");
        assert_eq!(combinations(&parameters, 5), None);
    }
}
