//! Division of a number into parts that differ by at most 1.

/// A number that is divided into parts; the parts are taken one at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct EvenSplit {
    quotient: u64,
    remainder: u64,
    /// Remainders accumulated so far, modulo the number of parts.
    carry: u64,
}

impl EvenSplit {
    /// Divides `value` into `parts`, which is not 0.
    pub fn new(value: u64, parts: u64) -> Self {
        let (quotient, remainder) = match parts {
            1 => (value, 0),
            _ => (value / parts, value % parts),
        };
        Self {
            quotient,
            remainder,
            carry: 0,
        }
    }

    /// The next part; `parts` is the number given to `new`.
    pub fn next(&mut self, parts: u64) -> u64 {
        self.carry += self.remainder;
        if self.carry < parts {
            return self.quotient;
        }
        self.carry -= parts;
        self.quotient + 1
    }
}

#[cfg(test)]
mod tests {
    use super::EvenSplit;

    #[test]
    fn parts_are_the_whole_and_alike() {
        for (value, parts) in [
            (0, 1),
            (7, 1),
            (7, 7),
            (7, 3),
            (3, 7),
            (1 << 60, 1000),
            (99, 100),
        ] {
            let mut cut = EvenSplit::new(value, parts);
            let all: Vec<u64> = (0..parts).map(|_| cut.next(parts)).collect();
            assert_eq!(all.iter().sum::<u64>(), value, "{value} in {parts}");
            let (least, most) = (all.iter().min().unwrap(), all.iter().max().unwrap());
            assert!(most - least <= 1, "{value} in {parts}");
        }
    }
}
