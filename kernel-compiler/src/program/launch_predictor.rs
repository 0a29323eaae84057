//! Predicts which kernels of a program are launched next, and in which version, so that their code
//! can be compiled before a launch waits for it.

use crate::program::executable::{
    ArgumentKind, KernelInterface, NormalisedSpecialisation, Specialisation,
};
use std::collections::{HashMap, HashSet};

/// Predictions that may be outstanding; twice the number of right predictions if that is larger.
const MIN_OUTSTANDING: usize = 4;

/// The launches of a program so far. Kernels are identified by their numbers.
#[derive(Default)]
pub struct LaunchPredictor {
    /// Kernels that have objects, in the order of creation.
    created: Vec<usize>,
    /// Whether the program creates objects ahead of launches, so that kernels without one are
    /// unlikely to be launched: at the last launch, or before it, one with an object had not been
    /// launched, and no object has been created since.
    creates_ahead: bool,
    /// Kernels that were launched.
    launched: HashSet<usize>,
    /// Outstanding predictions: kernels that were not launched yet.
    predicted: HashMap<usize, NormalisedSpecialisation>,
    /// Predictions of the version that was launched, and of another version of that kernel.
    right: usize,
    wrong: usize,
}

impl LaunchPredictor {
    /// Records that `kernel` has an object.
    pub fn created(&mut self, kernel: usize) {
        if !self.created.contains(&kernel) {
            self.created.push(kernel);
            self.creates_ahead &= self.launched.is_empty();
        }
    }

    /// Records a launch of `kernel` and returns new predictions, most likely first: kernels with
    /// objects, and, unless the program creates objects ahead, those that follow in its source, of
    /// which the first launch predicts one. Their local size is the required one, or else that of
    /// this launch.
    pub fn launch(
        &mut self,
        kernels: &[KernelInterface],
        kernel: usize,
        launched: &NormalisedSpecialisation,
    ) -> Vec<(usize, NormalisedSpecialisation)> {
        if let Some(predicted) = self.predicted.remove(&kernel) {
            match predicted == *launched {
                true => self.right += 1,
                false => self.wrong += 1,
            }
        }
        self.launched.insert(kernel);
        let not_launched = |number: &usize| !self.launched.contains(number);
        if self.created.iter().any(not_launched) {
            self.creates_ahead = true;
        }
        if self.wrong > self.right {
            return Vec::new();
        }
        let is_new = |number: &usize| {
            not_launched(number)
                && !self.predicted.contains_key(number)
                && is_predictable(&kernels[*number])
        };
        let most_without_object = match self.launched.len() {
            _ if self.creates_ahead => 0,
            // It compiles while the launched one does.
            1 => usize::from(self.predicted.is_empty()),
            _ => kernels.len(),
        };
        let following = (kernel + 1..kernels.len()).chain(0..kernel);
        let without_object = following.filter(|number| !self.created.contains(number));
        let with_object = self.created.iter().copied();
        let next = with_object
            .filter(is_new)
            .chain(without_object.filter(is_new).take(most_without_object));
        let most = MIN_OUTSTANDING.max(2 * self.right);
        let room = most.saturating_sub(self.predicted.len());
        let version = |number: usize| {
            let version = Specialisation {
                images: Vec::new(),
                timed: launched.timed.clone(),
                checks: launched.checks,
                local_size: kernels[number]
                    .required_work_group_size
                    .or(launched.local_size),
                ..**launched
            };
            NormalisedSpecialisation::new(version, &kernels[number])
        };
        let predicted: Vec<_> = next
            .take(room)
            .map(|number| (number, version(number)))
            .collect();
        self.predicted.extend(predicted.iter().cloned());
        predicted
    }
}

/// Whether the kernel's version depends on the index space only. With images or samplers it also
/// depends on their formats and modes.
fn is_predictable(kernel: &KernelInterface) -> bool {
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
                has_barriers: false,
            })
            .collect()
    }

    fn of_size(size: u64) -> NormalisedSpecialisation {
        let wanted = Specialisation {
            local_size: Some([size, 1, 1]),
            small_launch: true,
            ..Specialisation::default()
        };
        NormalisedSpecialisation::new(wanted, &kernels(1)[0])
    }

    fn numbers(predicted: &[(usize, NormalisedSpecialisation)]) -> Vec<usize> {
        predicted.iter().map(|(number, _)| *number).collect()
    }

    #[test]
    fn one_other_kernel_is_predicted_for_a_program_that_uses_one() {
        let mut launch_predictor = LaunchPredictor::default();
        launch_predictor.created(3);
        let first = launch_predictor.launch(&kernels(10), 3, &of_size(64));
        assert_eq!(first, [(4, of_size(64))]);
        for size in [64, 128] {
            assert_eq!(launch_predictor.launch(&kernels(10), 3, &of_size(size)), []);
        }
    }

    #[test]
    fn kernels_with_objects_are_predicted_before_those_that_follow_in_the_source() {
        let kernels = kernels(30);
        let mut launch_predictor = LaunchPredictor::default();
        for number in [5, 2, 20] {
            launch_predictor.created(number);
        }
        let first = launch_predictor.launch(&kernels, 2, &of_size(64));
        assert_eq!(first, [(5, of_size(64)), (20, of_size(64))]);
        launch_predictor.launch(&kernels, 5, &of_size(64));
        launch_predictor.created(25);
        launch_predictor.created(7);
        let second = launch_predictor.launch(&kernels, 20, &of_size(64));
        assert_eq!(second, [(25, of_size(64)), (7, of_size(64))]);
    }

    #[test]
    fn objects_created_ahead_are_all_that_is_predicted_until_one_is_created_later() {
        let kernels = kernels(30);
        let mut launch_predictor = LaunchPredictor::default();
        let launch = |predictor: &mut LaunchPredictor, number| {
            numbers(&predictor.launch(&kernels, number, &of_size(64)))
        };
        launch_predictor.created(2);
        launch_predictor.created(5);
        assert_eq!(launch(&mut launch_predictor, 2), [5]);
        assert!(launch(&mut launch_predictor, 5).is_empty());
        launch_predictor.created(6);
        assert_eq!(launch(&mut launch_predictor, 6), [7, 8, 9, 10]);
    }

    #[test]
    fn right_predictions_raise_the_limit_and_no_kernel_is_predicted_twice() {
        let kernels = kernels(40);
        let mut launch_predictor = LaunchPredictor::default();
        let mut all = Vec::new();
        for number in 0..40 {
            launch_predictor.created(number);
            all.extend(numbers(&launch_predictor.launch(
                &kernels,
                number,
                &of_size(64),
            )));
            assert!(all.len() - number <= MIN_OUTSTANDING.max(2 * number));
        }
        assert_eq!(all, (1..40).collect::<Vec<_>>());
    }

    #[test]
    fn predictions_have_the_required_size_and_omit_kernels_with_images() {
        let mut kernels = kernels(4);
        kernels[1].required_work_group_size = Some([8, 8, 1]);
        kernels[2]
            .arguments
            .push(KernelArgument::of_kind(ArgumentKind::Sampler));
        let mut launch_predictor = LaunchPredictor::default();
        (0..4).for_each(|number| launch_predictor.created(number));
        let predicted = launch_predictor.launch(&kernels, 0, &of_size(64));
        assert_eq!(numbers(&predicted), [1, 3]);
        assert_eq!(predicted[0].1.local_size, Some([8, 8, 1]));
        assert_eq!(predicted[1].1, of_size(64));
    }

    #[test]
    fn no_predictions_while_more_were_wrong_than_right() {
        let kernels = kernels(30);
        let mut launch_predictor = LaunchPredictor::default();
        launch_predictor.launch(&kernels, 0, &of_size(64));
        launch_predictor.launch(&kernels, 1, &of_size(64));
        assert_ne!(launch_predictor.launch(&kernels, 2, &of_size(32)), []);
        assert_eq!(launch_predictor.launch(&kernels, 3, &of_size(32)), []);
        // Right as often as wrong.
        launch_predictor.launch(&kernels, 4, &of_size(64));
        assert_ne!(launch_predictor.launch(&kernels, 5, &of_size(64)), []);
    }
}
