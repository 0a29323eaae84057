//! Registers that are written twice in one cycle.

use super::destination::{Destination, VectorDestination};
use super::environment::Fault;

/// What has been written in a cycle.
#[derive(Default)]
pub struct Conflicts {
    scalar: u64,
    address: u32,
    /// By vector register: the lanes. There are few writes in a cycle.
    vectors: [(u8, u16); 16],
    count: usize,
}

impl Conflicts {
    /// A word is written.
    #[inline]
    pub fn word(&mut self, to: Destination) -> Result<(), Fault> {
        match to {
            Destination::Scalar(number) => {
                let bit = 1 << (number & 63);
                if self.scalar & bit != 0 {
                    return Err(Fault::ScalarConflict);
                }
                self.scalar |= bit;
            }
            Destination::Address(place) => {
                let bit = 1 << (place & 31);
                if self.address & bit != 0 {
                    return Err(Fault::AddressConflict);
                }
                self.address |= bit;
            }
            Destination::Control(_) | Destination::Exchange(_) => {}
        }
        Ok(())
    }

    /// Lanes are written.
    #[inline]
    pub fn vector(&mut self, to: VectorDestination, mask: u16) -> Result<(), Fault> {
        let VectorDestination::Vector(number) = to else {
            return Ok(());
        };
        for (known, lanes) in &mut self.vectors[..self.count] {
            if *known == number {
                if *lanes & mask != 0 {
                    return Err(Fault::VectorConflict);
                }
                *lanes |= mask;
                return Ok(());
            }
        }
        if let Some(place) = self.vectors.get_mut(self.count) {
            *place = (number, mask);
            self.count += 1;
        }
        Ok(())
    }
}
