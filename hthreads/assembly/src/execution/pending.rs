//! Results that are not written yet.

use super::conflict::Conflicts;
use super::destination::{Destination, VectorDestination};
use super::environment::Fault;
use super::registers::{Registers, Vector};

/// Cycles that results may be pending, a power of two.
const SLOTS: usize = 16;

#[derive(Clone, Debug, Default)]
struct Slot {
    words: Vec<(Destination, u64)>,
    vectors: Vec<(VectorDestination, u16, Vector)>,
}

/// Results by the cycle in which they are written.
#[derive(Clone, Debug)]
pub struct Pending {
    slots: [Slot; SLOTS],
    /// The cycle.
    pub now: u64,
    left: usize,
}

impl Pending {
    /// Nothing is pending.
    pub fn new() -> Self {
        Self {
            slots: std::array::from_fn(|_| Slot::default()),
            now: 0,
            left: 0,
        }
    }

    #[inline]
    fn slot(&mut self, latency: u8) -> &mut Slot {
        self.left += 1;
        let at = self.now + u64::from(latency.max(1));
        &mut self.slots[at as usize % SLOTS]
    }

    /// A word is written after cycles.
    #[inline]
    pub fn word(&mut self, latency: u8, to: Destination, value: u64) {
        self.slot(latency).words.push((to, value));
    }

    /// Lanes of a mask are written after cycles.
    #[inline]
    pub fn vector(&mut self, latency: u8, to: VectorDestination, mask: u16, value: &Vector) {
        self.slot(latency).vectors.push((to, mask, *value));
    }

    /// The next cycle begins.
    ///
    /// # Errors
    /// Two instructions write a register.
    #[inline]
    pub fn advance(&mut self, registers: &mut Registers) -> Result<(), Fault> {
        self.now += 1;
        let slot = &mut self.slots[self.now as usize % SLOTS];
        let (words, vectors) = (slot.words.len(), slot.vectors.len());
        if words + vectors == 0 {
            return Ok(());
        }
        self.left -= words + vectors;
        if words + vectors > 1 {
            let mut conflicts = Conflicts::default();
            for (to, _) in &slot.words {
                conflicts.word(*to)?;
            }
            for (to, mask, _) in &slot.vectors {
                conflicts.vector(*to, *mask)?;
            }
        }
        for &(to, value) in &slot.words {
            match to {
                Destination::Scalar(number) => registers.scalar[usize::from(number & 63)] = value,
                Destination::Address(place) => registers.address[usize::from(place & 31)] = value,
                Destination::Control(number) => registers.control[usize::from(number)] = value,
                Destination::Exchange(number) => {
                    registers.exchange[usize::from(number & 15)] = value
                }
            }
        }
        slot.words.clear();
        for (to, mask, value) in &slot.vectors {
            let place = match *to {
                VectorDestination::Vector(number) => {
                    &mut registers.vector[usize::from(number & 63)].0
                }
                VectorDestination::Control(number) => {
                    &mut registers.vector_control[usize::from(number)].0
                }
                VectorDestination::Exchange => &mut registers.exchange,
            };
            if *mask == 0xffff {
                *place = value.0;
                continue;
            }
            for lane in (0..16).filter(|lane| mask >> lane & 1 != 0) {
                place[lane] = value.0[lane];
            }
        }
        slot.vectors.clear();
        Ok(())
    }

    /// Lets all that is pending be written.
    ///
    /// # Errors
    /// Two instructions write a register in one cycle.
    pub fn drain(&mut self, registers: &mut Registers) -> Result<(), Fault> {
        while self.left > 0 {
            self.advance(registers)?;
        }
        Ok(())
    }
}
