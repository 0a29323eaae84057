//! What came of a sweep, as a table and as comma-separated values.

use super::goal::Goal;
use super::store::Outcome;
use crate::comma_separated::csv_writer;
use anyhow::Result;
use mocl3_shared::table::Table;

/// The places of the points that no other point beats in all goals: the best one, or with two goals
/// the Pareto front, by ascending first goal.
pub fn best(outcomes: &[Outcome], goals: &[Goal]) -> Vec<usize> {
    let values = |place: usize| -> Option<Vec<f64>> {
        let of = |goal: &Goal| outcomes[place].goals.get(goal).copied();
        goals.iter().map(of).collect()
    };
    let known: Vec<(usize, Vec<f64>)> = (0..outcomes.len())
        .filter_map(|place| Some((place, values(place)?)))
        .collect();
    let is_beaten = |one: &Vec<f64>| {
        known.iter().any(|(_, other)| {
            let pairs = || other.iter().zip(one);
            pairs().all(|(other, one)| other <= one) && pairs().any(|(other, one)| other < one)
        })
    };
    let mut best: Vec<&(usize, Vec<f64>)> =
        known.iter().filter(|(_, one)| !is_beaten(one)).collect();
    best.sort_by(|(_, one), (_, other)| one[0].total_cmp(&other[0]));
    best.into_iter().map(|(place, _)| *place).collect()
}

/// The names of all parameters of the outcomes.
fn keys(outcomes: &[Outcome]) -> Vec<String> {
    let mut keys: Vec<String> = outcomes
        .iter()
        .flat_map(|outcome| outcome.point.keys().cloned())
        .collect();
    keys.sort();
    keys.dedup();
    keys
}

/// The outcomes, the best first; bad points with their reasons come last.
pub fn table(outcomes: &[Outcome], goals: &[Goal], width: Option<usize>) -> String {
    let keys = keys(outcomes);
    let mut heading: Vec<&str> = keys.iter().map(String::as_str).collect();
    heading.extend(goals.iter().map(|goal| goal.name()));
    heading.push("");
    let mut table = Table::of_words(&heading, &[heading.len() - 1], 0);
    let best = best(outcomes, goals);
    let mut order: Vec<usize> = (0..outcomes.len()).collect();
    let first = |place: usize| outcomes[place].goals.get(&goals[0]).copied();
    order.sort_by(|&one, &other| {
        let value = |place| first(place).unwrap_or(f64::INFINITY);
        value(one).total_cmp(&value(other))
    });
    for place in order {
        let outcome = &outcomes[place];
        let mut cells: Vec<String> = keys
            .iter()
            .map(|key| outcome.point.get(key).cloned().unwrap_or_default())
            .collect();
        cells.extend(goals.iter().map(|goal| {
            let value = outcome.goals.get(goal);
            value.map_or_else(|| "-".into(), |value| goal.shown(*value))
        }));
        cells.push(match &outcome.failure {
            Some(failure) => failure.sentence(),
            None if !best.contains(&place) => String::new(),
            None if goals.len() == 1 => "best".into(),
            None => "on the Pareto front".into(),
        });
        table.row(cells);
    }
    table.text(width).trim_end().to_owned() + "\n"
}

/// The outcomes as comma-separated values, with all goals.
///
/// # Errors
/// The writer's; there are none in memory.
pub fn csv(outcomes: &[Outcome], goals: &[Goal]) -> Result<Vec<u8>> {
    let mut writer = csv_writer();
    let keys = keys(outcomes);
    let names = goals.iter().map(|goal| goal.name());
    let heading = keys.iter().map(String::as_str).chain(names);
    writer.write_record(heading.chain(["failure"]))?;
    for outcome in outcomes {
        let of_key = |key: &String| outcome.point.get(key).cloned().unwrap_or_default();
        let of_goal = |goal: &Goal| {
            let value = outcome.goals.get(goal);
            value.map_or_else(String::new, ToString::to_string)
        };
        let failure = outcome.failure.as_ref().map(|failure| failure.sentence());
        let cells = keys.iter().map(of_key).chain(goals.iter().map(of_goal));
        writer.write_record(cells.chain([failure.unwrap_or_default()]))?;
    }
    Ok(writer.into_inner()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::plot::plot;
    use crate::sweep::store::Failure;

    /// The beginning of the front's line.
    const FRONT: &str = "<polyline fill=\"none\" opacity=\"1\" stroke=\"#CC3333\"";

    fn outcome(name: &str, values: Option<[f64; 2]>) -> Outcome {
        let goals = [Goal::Time, Goal::LocalMemory];
        Outcome {
            point: [("arg:n".to_owned(), name.to_owned())].into(),
            failure: values.is_none().then_some(Failure::Timeout),
            goals: values.map_or_else(Default::default, |values| {
                goals.into_iter().zip(values).collect()
            }),
        }
    }

    #[test]
    fn the_front_has_what_no_other_point_beats() {
        let outcomes = [
            outcome("a", Some([30.0, 1.0])),
            outcome("b", Some([10.0, 3.0])),
            outcome("c", Some([20.0, 3.0])),
            outcome("d", None),
            outcome("e", Some([20.0, 2.0])),
            outcome("f", Some([10.0, 3.0])),
        ];
        let goals = [Goal::Time, Goal::LocalMemory];
        assert_eq!(best(&outcomes, &goals), [1, 5, 4, 0]);
        assert_eq!(best(&outcomes, &goals[..1]), [1, 5]);
        let text = table(&outcomes, &goals, None);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].starts_with("b ") && lines[1].ends_with("on the Pareto front"),
            "{text}"
        );
        assert!(
            lines[6].starts_with("d ") && lines[6].ends_with("took too long"),
            "{text}"
        );
        let csv = String::from_utf8(csv(&outcomes, &goals).unwrap()).unwrap();
        assert!(
            csv.contains("\"arg:n\",\"time\",\"local-memory\",\"failure\"\n\"a\",30,1,\"\"\n"),
            "{csv}"
        );
        let plot = |goals| plot(&outcomes, goals).unwrap();
        let fronts = |svg: &str| svg.matches(FRONT).count();
        assert_eq!(plot(&goals).matches("<circle").count(), 5);
        assert_eq!(fronts(&plot(&goals)), 1);
        assert_eq!(fronts(&plot(&goals[..1])), 0);
    }
}
