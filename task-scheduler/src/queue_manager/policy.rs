//! Policies, which are formulas of a machine file.

use device_sim::machine;
use expression::Expression;

/// What formulas may have of a task.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TaskValues {
    /// In the order of arrival, from 1.
    pub number: u64,
    /// When it arrived.
    pub arrival: u64,
    /// Its priority, 0 by default.
    pub priority: i32,
    /// Its cycles on one accelerator.
    pub cycles: u64,
    /// Its cycles on a general-purpose processor.
    pub routine: u64,
    /// Bytes that it reads and writes.
    pub bytes: u64,
}

/// What formulas may have of the accelerators of a task's function.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StateValues {
    /// The number of accelerators.
    pub units: u64,
    /// Of these, the idle ones.
    pub free: u64,
    /// Other tasks in the queue.
    pub queued: u64,
    /// Cycles until the tasks in the queue and those at work have ended; 0 if an accelerator is idle.
    pub wait: u64,
    /// Cycles until a general-purpose processor is idle.
    pub processor_wait: u64,
    /// Power of all accelerators at work, milliwatts.
    pub power: u64,
    /// Power of an accelerator of the function.
    pub task_power: u64,
    /// The power cap.
    pub power_cap: u64,
}

impl TaskValues {
    fn get(&self, name: &str) -> Option<f64> {
        Some(match name {
            "number" => self.number as f64,
            "arrival" => self.arrival as f64,
            "priority" => f64::from(self.priority),
            "cycles" => self.cycles as f64,
            "routine" => self.routine as f64,
            "bytes" => self.bytes as f64,
            _ => return None,
        })
    }
}

impl StateValues {
    fn get(&self, name: &str) -> Option<f64> {
        let value = match name {
            "units" => self.units,
            "free" => self.free,
            "queued" => self.queued,
            "wait" => self.wait,
            "processor_wait" => self.processor_wait,
            "power" => self.power,
            "task_power" => self.task_power,
            "power_cap" => self.power_cap,
            _ => return None,
        };
        Some(value as f64)
    }
}

/// A formula with a name that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("task_scheduler.queue_manager.policies.{policy}.{key}: {reason}")]
pub struct PolicyError {
    /// The policy.
    pub policy: String,
    /// The formula.
    pub key: String,
    /// What is wrong with it.
    pub reason: String,
}

/// A policy.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Policy {
    order: Expression,
    give_up: Option<Expression>,
    hold: Option<Expression>,
    accelerators: Option<Expression>,
}

impl Policy {
    /// The policy with its formulas.
    ///
    /// # Errors
    /// A name that is none of a task, or for formulas other than the order of its accelerators.
    pub fn new(name: &str, policy: &machine::Policy) -> Result<Self, PolicyError> {
        let parse = |key: &str, formula: &machine::Formula| {
            let error = |reason| PolicyError {
                policy: name.to_owned(),
                key: key.to_owned(),
                reason,
            };
            let expression = Expression::parse(&formula.expression);
            let expression = expression.map_err(|reason| error(reason.to_string()))?;
            let state = (key != "order").then(StateValues::default);
            let checked = evaluate(&expression, &TaskValues::default(), state.as_ref());
            checked.map_err(|unknown| {
                let of = match state {
                    None => "a task",
                    Some(_) => "a task or its accelerators",
                };
                error(format!("`{unknown}` is no number of {of}"))
            })?;
            Ok(expression)
        };
        let optional = |key: &str, formula: &Option<machine::Formula>| {
            let parsed = formula.as_ref().map(|formula| parse(key, formula));
            parsed.transpose()
        };
        Ok(Self {
            order: parse("order", &policy.order)?,
            give_up: optional("give_up", &policy.give_up)?,
            hold: optional("hold", &policy.hold)?,
            accelerators: optional("accelerators", &policy.accelerators)?,
        })
    }

    /// The place of a task in its queue: the lowest is first.
    pub fn order(&self, task: &TaskValues) -> f64 {
        evaluate(&self.order, task, None).unwrap_or_default()
    }

    /// Whether a task is given up.
    pub fn gives_up(&self, task: &TaskValues, state: &StateValues) -> bool {
        is_positive(self.give_up.as_ref(), task, state)
    }

    /// Whether a task stays in its queue.
    pub fn holds(&self, task: &TaskValues, state: &StateValues) -> bool {
        is_positive(self.hold.as_ref(), task, state)
    }

    /// Whether tasks may have several accelerators.
    pub fn divides(&self) -> bool {
        self.accelerators.is_some()
    }

    /// The number of accelerators for a task, at least 1.
    pub fn accelerators(&self, task: &TaskValues, state: &StateValues) -> usize {
        let wanted = self.accelerators.as_ref();
        let wanted = wanted.map(|formula| evaluate(formula, task, Some(state)));
        match wanted {
            // A cast of a number saturates, and NaN is 0.
            Some(Ok(wanted)) => (wanted as usize).max(1),
            _ => 1,
        }
    }
}

fn is_positive(formula: Option<&Expression>, task: &TaskValues, state: &StateValues) -> bool {
    let value = formula.map(|formula| evaluate(formula, task, Some(state)));
    matches!(value, Some(Ok(value)) if value > 0.0)
}

/// # Errors
/// A name that there is not.
fn evaluate(
    formula: &Expression,
    task: &TaskValues,
    state: Option<&StateValues>,
) -> Result<f64, String> {
    formula.evaluate(&mut |name| {
        let of_state = || state.and_then(|state| state.get(name));
        let value = task.get(name).or_else(of_state);
        value.ok_or_else(|| name.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use device_sim::machine::{Formula, Source};

    fn formula(expression: &str) -> Formula {
        Formula {
            expression: expression.to_owned(),
            source: Source::Assumed,
            note: "test".to_owned(),
        }
    }

    fn policy(order: &str, give_up: &str) -> Result<Policy, PolicyError> {
        let policy = machine::Policy {
            order: formula(order),
            give_up: Some(formula(give_up)),
            hold: None,
            accelerators: Some(formula("free / (queued + 1)")),
        };
        Policy::new("mine", &policy)
    }

    #[test]
    fn formulas_have_the_numbers_of_a_task_and_its_accelerators() {
        let policy = policy("cycles - 2 * priority", "wait - routine").unwrap();
        let task = TaskValues {
            cycles: 50,
            priority: 7,
            routine: 400,
            ..TaskValues::default()
        };
        assert_eq!(policy.order(&task), 36.0);
        let state = |wait, free, queued| StateValues {
            wait,
            free,
            queued,
            ..StateValues::default()
        };
        assert!(!policy.gives_up(&task, &state(400, 0, 0)));
        assert!(policy.gives_up(&task, &state(401, 0, 0)));
        assert!(!policy.holds(&task, &state(401, 0, 0)));
        assert_eq!(policy.accelerators(&task, &state(0, 8, 1)), 4);
        assert_eq!(policy.accelerators(&task, &state(0, 1, 2)), 1);
    }

    #[test]
    fn other_names_are_refused() {
        let prefix = "task_scheduler.queue_manager.policies.mine";
        assert_eq!(
            policy("wait", "wait").unwrap_err().to_string(),
            format!("{prefix}.order: `wait` is no number of a task")
        );
        assert_eq!(
            policy("number", "weight").unwrap_err().to_string(),
            format!("{prefix}.give_up: `weight` is no number of a task or its accelerators")
        );
    }
}
