//! Predicts which kernels of a program are launched next, and in which version, so that their code
//! can be compiled before a launch waits for it.

use crate::kernel::specialisation;
use crate::program::executable::{ArgumentKind, KernelInterface, Specialisation};
use std::collections::{HashMap, HashSet};

/// Limit of outstanding predictions. Twice the number of right predictions, if that is larger.
const MIN_OUTSTANDING: usize = 4;

/// The launches of a program so far. Kernels are identified by their numbers.
#[derive(Default)]
pub struct LaunchPredictor {
    /// Kernels that have objects, in the order of creation.
    created: Vec<usize>,
    /// Kernels that were launched.
    wanted: HashSet<usize>,
    /// Outstanding predictions: kernels that were not launched yet.
    foreseen: HashMap<usize, Specialisation>,
    /// Predictions that were right, and those of another version than the one launched.
    right: usize,
    wrong: usize,
}

impl LaunchPredictor {
    /// Notes that `kernel` has an object.
    pub fn created(&mut self, kernel: usize) {
        if !self.created.contains(&kernel) {
            self.created.push(kernel);
        }
    }

    /// Notes that `kernel` is launched and returns new predictions, most likely first: kernels with
    /// objects, and, once a program uses several, those that follow in its source; with the local
    /// size that they require, or else the one of this launch.
    pub fn wanted(
        &mut self,
        kernels: &[KernelInterface],
        kernel: usize,
        wanted: &Specialisation,
    ) -> Vec<(usize, Specialisation)> {
        if let Some(foreseen) = self.foreseen.remove(&kernel) {
            match foreseen == specialisation::allowed(wanted.clone(), &kernels[kernel]) {
                true => self.right += 1,
                false => self.wrong += 1,
            }
        }
        self.wanted.insert(kernel);
        if self.wrong > self.right {
            return Vec::new();
        }
        let most = MIN_OUTSTANDING.max(2 * self.right);
        let room = most.saturating_sub(self.foreseen.len());
        let mut next: Vec<usize> = self.created.clone();
        if self.wanted.len() > 1 {
            next.extend((kernel + 1..kernels.len()).chain(0..kernel));
        }
        let mut foreseen = Vec::new();
        for number in next {
            if foreseen.len() == room {
                break;
            }
            if self.wanted.contains(&number)
                || self.foreseen.contains_key(&number)
                || !can_be_foreseen(&kernels[number])
            {
                continue;
            }
            let version = Specialisation {
                images: Vec::new(),
                timed: wanted.timed.clone(),
                checked: wanted.checked,
                local_size: kernels[number]
                    .required_work_group_size
                    .or(wanted.local_size),
                ..*wanted
            };
            let version = specialisation::allowed(version, &kernels[number]);
            self.foreseen.insert(number, version.clone());
            foreseen.push((number, version));
        }
        foreseen
    }
}

/// Whether its version depends on nothing but the index space: that of a kernel with images or
/// samplers depends on which they are.
fn can_be_foreseen(kernel: &KernelInterface) -> bool {
    !kernel
        .arguments
        .iter()
        .any(|argument| matches!(argument.kind, ArgumentKind::Image | ArgumentKind::Sampler))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::executable::KernelArgument;

    fn kernels(count: usize) -> Vec<KernelInterface> {
        (0..count)
            .map(|number| KernelInterface {
                name: format!("k{number}"),
                arguments: Vec::new(),
                argument_block_size: 0,
                required_work_group_size: None,
                attributes: String::new(),
            })
            .collect()
    }

    fn of_size(size: u64) -> Specialisation {
        Specialisation {
            local_size: Some([size, 1, 1]),
            small_grid: true,
            ..Specialisation::default()
        }
    }

    fn numbers(foreseen: &[(usize, Specialisation)]) -> Vec<usize> {
        foreseen.iter().map(|(number, _)| *number).collect()
    }

    #[test]
    fn of_a_program_that_uses_one_kernel_no_other_is_foreseen() {
        let mut launch_predictor = LaunchPredictor::default();
        launch_predictor.created(3);
        for size in [64, 64, 128] {
            assert_eq!(launch_predictor.wanted(&kernels(10), 3, &of_size(size)), []);
        }
    }

    #[test]
    fn kernels_with_objects_are_foreseen_first_and_then_those_that_come_next() {
        let kernels = kernels(30);
        let mut launch_predictor = LaunchPredictor::default();
        for number in [5, 2, 20] {
            launch_predictor.created(number);
        }
        let first = launch_predictor.wanted(&kernels, 2, &of_size(64));
        assert_eq!(first, [(5, of_size(64)), (20, of_size(64))]);
        // Two of four have not been wanted yet.
        let second = launch_predictor.wanted(&kernels, 7, &of_size(64));
        assert_eq!(numbers(&second), [8, 9]);
        assert_eq!(launch_predictor.wanted(&kernels, 7, &of_size(64)), []);
        assert_eq!(
            numbers(&launch_predictor.wanted(&kernels, 8, &of_size(64))),
            [10]
        );
    }

    #[test]
    fn the_more_are_right_the_more_are_foreseen_and_each_but_once() {
        let kernels = kernels(40);
        let mut launch_predictor = LaunchPredictor::default();
        let mut all = Vec::new();
        for number in 0..40 {
            all.extend(numbers(&launch_predictor.wanted(
                &kernels,
                number,
                &of_size(64),
            )));
            let right = number.saturating_sub(1);
            assert!(all.len() - right <= MIN_OUTSTANDING.max(2 * right));
        }
        assert_eq!(all, (2..40).collect::<Vec<_>>());
    }

    #[test]
    fn versions_are_those_that_kernels_require_and_images_are_not_known() {
        let mut kernels = kernels(4);
        kernels[1].required_work_group_size = Some([8, 8, 1]);
        kernels[2]
            .arguments
            .push(KernelArgument::of_kind(ArgumentKind::Sampler));
        let mut launch_predictor = LaunchPredictor::default();
        (0..4).for_each(|number| launch_predictor.created(number));
        let foreseen = launch_predictor.wanted(&kernels, 0, &of_size(64));
        assert_eq!(numbers(&foreseen), [1, 3]);
        assert_eq!(foreseen[0].1.local_size, Some([8, 8, 1]));
        assert_eq!(foreseen[1].1, of_size(64));
    }

    #[test]
    fn who_is_wrong_more_often_than_right_says_nothing_more() {
        let kernels = kernels(30);
        let mut launch_predictor = LaunchPredictor::default();
        launch_predictor.wanted(&kernels, 0, &of_size(64));
        assert_ne!(launch_predictor.wanted(&kernels, 1, &of_size(64)), []);
        assert_eq!(launch_predictor.wanted(&kernels, 2, &of_size(32)), []);
        // Right three times.
        for number in 3..5 {
            launch_predictor.wanted(&kernels, number, &of_size(64));
        }
        assert_ne!(launch_predictor.wanted(&kernels, 5, &of_size(64)), []);
    }
}
