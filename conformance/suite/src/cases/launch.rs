//! The compact form of cases about work-groups: a kernel that writes one word per work-item, a
//! reference that computes the words of one work-group, and the sizes of the launches.

use crate::compare::equal;
use anyhow::{Context, Result};
use harness::session::{Argument, Local, Session};
use opencl3::kernel::Kernel;
use std::num::Wrapping;

/// Arithmetic of OpenCL's `uint`.
pub type Word = Wrapping<u32>;

/// Local size, number of work-groups and global offset of a launch.
pub type Shape = [[usize; 3]; 3];

/// Number of words behind each work-item's own input word that kernels may read.
pub const WINDOW: usize = 64;

/// Sizes of one work-item, and below, at and above the widths of vectors; odd ones; and two and
/// three dimensions with different sizes, so that swapped dimensions are noticed.
const SHAPES: [Shape; 10] = [
    [[1, 1, 1], [3, 1, 1], [0, 0, 0]],
    [[2, 1, 1], [5, 1, 1], [0, 0, 0]],
    [[7, 1, 1], [4, 1, 1], [3, 0, 0]],
    [[16, 1, 1], [3, 1, 1], [0, 0, 0]],
    [[33, 1, 1], [2, 1, 1], [0, 0, 0]],
    [[100, 1, 1], [1, 1, 1], [0, 0, 0]],
    [[4, 3, 1], [2, 3, 1], [1, 2, 0]],
    [[64, 2, 1], [2, 1, 1], [0, 0, 0]],
    [[3, 5, 2], [3, 2, 2], [0, 4, 1]],
    [[8, 4, 4], [1, 2, 1], [0, 0, 0]],
];

/// OpenCL C functions for the indices of a work-item.
pub const WHERE: &str = include_str!("launch.cl");

/// One kernel called `test`, with the parameters
/// `(global const uint *input, global uint *result, uint count)` and, if `scratch` is not 0,
/// `local uint *scratch`. `launch.cl` is in front of it, and the macro `LARGEST_GROUP` is the
/// number of work-items in the largest work-group.
pub struct Program {
    /// The kernel in OpenCL C.
    pub source: &'static str,
    /// The values of `count`, one launch for each.
    pub counts: &'static [u32],
    /// Elements of the local buffer per work-item.
    pub scratch: usize,
    /// Computes the results of a group's work-items, in the order of their local linear ids.
    pub expected: fn(&Group) -> Vec<Word>,
}

/// A work-group from the view of its reference.
pub struct Group<'a> {
    /// The group's linear id.
    pub number: usize,
    /// Number of work-items.
    pub size: usize,
    /// The kernel's argument.
    pub count: u32,
    /// `get_group_id` in all dimensions.
    pub id: [usize; 3],
    /// `get_local_size` in all dimensions.
    local: [usize; 3],
    /// `get_num_groups` in all dimensions.
    groups: [usize; 3],
    /// Index of each work-item's result.
    places: Vec<usize>,
    input: &'a [u32],
}

impl Group<'_> {
    /// Index of a work-item's result.
    pub fn place(&self, lane: usize) -> usize {
        self.places[lane]
    }

    /// The first two local ids of a work-item.
    pub fn local_id(&self, lane: usize) -> [usize; 2] {
        [lane % self.local[0], lane / self.local[0] % self.local[1]]
    }

    /// `get_global_size(0)`.
    pub fn row(&self) -> usize {
        self.local[0] * self.groups[0]
    }

    /// The word `ahead` of a work-item's own input.
    pub fn input(&self, lane: usize, ahead: usize) -> Word {
        Wrapping(self.input[self.places[lane] + ahead])
    }

    /// The first words of the input, which all work-items can read.
    pub fn common(&self, index: usize) -> Word {
        Wrapping(self.input[index])
    }

    /// The word at the place of a work-item's result before the launch.
    pub fn before(&self, lane: usize) -> Word {
        Wrapping(untouched(self.places[lane]))
    }

    /// Computes the word of each work-item separately.
    pub fn each(&self, word: impl FnMut(usize) -> Word) -> Vec<Word> {
        (0..self.size).map(word).collect()
    }
}

/// An integer of the host as a `uint`.
pub fn word(number: usize) -> Word {
    Wrapping(number as u32)
}

fn untouched(place: usize) -> u32 {
    0xBEEF_0000 + place as u32
}

impl Program {
    /// A program without a local buffer.
    pub const fn new(
        counts: &'static [u32],
        source: &'static str,
        expected: fn(&Group) -> Vec<Word>,
    ) -> Self {
        Self {
            source,
            counts,
            scratch: 0,
            expected,
        }
    }

    /// Launches the kernel with the default shapes and all counts.
    ///
    /// # Errors
    /// As [`Self::run_in`].
    pub fn run(&self, session: &Session) -> Result<()> {
        self.run_in(session, &SHAPES)
    }

    /// The kernel for groups of up to `largest` work-items.
    ///
    /// # Errors
    /// The build fails.
    pub fn kernel(&self, session: &Session, largest: usize) -> Result<Kernel> {
        let source = [WHERE, self.source].concat();
        let program = session.program(&source, &format!("-D LARGEST_GROUP={largest}"))?;
        program.kernel("test")
    }

    /// Builds the kernel once and launches it with these shapes and all counts.
    ///
    /// # Errors
    /// A word is wrong; the error names the launch.
    pub fn run_in(&self, session: &Session, shapes: &[Shape]) -> Result<()> {
        let mut random = session.random();
        let sizes = shapes.iter().map(|[local, ..]| local.iter().product());
        let kernel = self.kernel(session, sizes.max().unwrap_or(1))?;
        for &[local, groups, offset] in shapes {
            let size = local.iter().product::<usize>();
            let global: [usize; 3] = std::array::from_fn(|axis| local[axis] * groups[axis]);
            let items = global.iter().product::<usize>();
            let input = random.words(items + WINDOW);
            let there = session.buffer(&input)?;
            let before: Vec<u32> = (0..items).map(untouched).collect();
            for &count in self.counts {
                let result = session.buffer(&before)?;
                let scratch = Local::<u32>::new(size * self.scratch);
                let mut arguments: Vec<&dyn Argument> = vec![&there, &result, &count];
                if self.scratch > 0 {
                    arguments.push(&scratch);
                }
                let launch = format!(
                    "count {count}, local size {local:?}, groups {groups:?}, offset {offset:?}"
                );
                session
                    .run_from(&kernel, &offset, &global, &local, &arguments)
                    .with_context(|| launch.clone())?;
                let mut expected = before.clone();
                for number in 0..groups.iter().product() {
                    let group = Group {
                        number,
                        size,
                        count,
                        id: group_id(groups, number),
                        local,
                        groups,
                        places: places(local, groups, number),
                        input: &input,
                    };
                    for (lane, word) in (self.expected)(&group).into_iter().enumerate() {
                        expected[group.places[lane]] = word.0;
                    }
                }
                let got = session.read(&result).with_context(|| launch.clone())?;
                equal(&launch, &got, &expected)?;
            }
        }
        Ok(())
    }
}

fn group_id(groups: [usize; 3], number: usize) -> [usize; 3] {
    [
        number % groups[0],
        number / groups[0] % groups[1],
        number / groups[0] / groups[1],
    ]
}

/// The global linear ids of a group's work-items, in the order of their local ones.
fn places(local: [usize; 3], groups: [usize; 3], number: usize) -> Vec<usize> {
    let group = group_id(groups, number);
    let mut places = Vec::new();
    for z in 0..local[2] {
        for y in 0..local[1] {
            for x in 0..local[0] {
                let at: [usize; 3] =
                    std::array::from_fn(|axis| group[axis] * local[axis] + [x, y, z][axis]);
                let wide = local[0] * groups[0];
                places.push((at[2] * local[1] * groups[1] + at[1]) * wide + at[0]);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{SHAPES, places};

    #[test]
    fn groups_share_out_the_index_space() {
        for [local, groups, _] in SHAPES {
            let size = local.iter().product::<usize>();
            let count = groups.iter().product::<usize>();
            let mut all: Vec<usize> = (0..count)
                .flat_map(|number| places(local, groups, number))
                .collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..count * size));
        }
        // The second group follows the first in x; its second row lies one row of the index space
        // further.
        assert_eq!(places([2, 2, 1], [3, 1, 1], 1), [2, 3, 8, 9]);
    }
}
