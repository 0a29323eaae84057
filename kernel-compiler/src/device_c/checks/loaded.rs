//! What checked code checks, of an image that is loaded.

use super::pass::{CheckTable, VARIABLES};
use crate::failure::BuildFailure;
use crate::jit::loader::Image;
use std::collections::BTreeMap;

/// What checked code checks.
pub struct Checked {
    /// What its numbers mean.
    pub table: CheckTable,
    /// Numbers of variables, by address.
    variables: BTreeMap<usize, usize>,
}

impl Checked {
    /// Finds the variables of an image.
    ///
    /// # Errors
    /// The image has no table of them.
    pub fn load(table: &CheckTable, image: &Image) -> Result<Self, BuildFailure> {
        let start = image.address(VARIABLES)?;
        let start = std::ptr::with_exposed_provenance::<usize>(start as usize);
        // SAFETY: the image has the table, with an address for each variable.
        let addresses = unsafe { std::slice::from_raw_parts(start, table.variables.len()) };
        Ok(Self {
            table: table.clone(),
            variables: addresses.iter().copied().zip(0..).collect(),
        })
    }

    /// The variable that an address is in: its address, and its number.
    pub fn variable(&self, address: usize) -> Option<(usize, usize)> {
        let (start, number) = self.variables.range(..=address).next_back()?;
        let offset = (address - start) as u64;
        (offset < self.table.variables[*number].bytes).then_some((*start, *number))
    }
}
