//! What came of a sweep, as a table, as comma-separated values, and as a plot.

use super::goal::Goal;
use super::store::Outcome;
use mocl3_shared::table::Table;
use std::fmt::Write;

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
pub fn csv(outcomes: &[Outcome], goals: &[Goal]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let keys = keys(outcomes);
    let mut words: Vec<String> = keys.iter().map(|key| quoted(key)).collect();
    words.extend(goals.iter().map(|goal| quoted(goal.name())));
    words.push(quoted("failure"));
    let mut text = words.join(",") + "\n";
    for outcome in outcomes {
        let value = |key: &String| quoted(outcome.point.get(key).map_or("", String::as_str));
        let mut words: Vec<String> = keys.iter().map(value).collect();
        words.extend(goals.iter().map(|goal| {
            let value = outcome.goals.get(goal);
            value.map_or_else(String::new, ToString::to_string)
        }));
        let failure = outcome.failure.as_ref().map(|failure| failure.sentence());
        words.push(quoted(&failure.unwrap_or_default()));
        text += &(words.join(",") + "\n");
    }
    text
}

/// Sizes of plots, pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const MARGIN: f64 = 70.0;

/// A plot in SVG: with two goals one over the other, and the Pareto front; with one goal its value
/// over the points in their order.
pub fn plot(outcomes: &[Outcome], goals: &[Goal]) -> String {
    let value = |place: usize, goal: &Goal| outcomes[place].goals.get(goal).copied();
    let y_goal = goals.get(1).or(goals.first());
    let points: Vec<(usize, f64, f64)> = (0..outcomes.len())
        .filter_map(|place| {
            let x = match goals.len() {
                0 | 1 => place as f64,
                _ => value(place, &goals[0])?,
            };
            Some((place, x, value(place, y_goal?)?))
        })
        .collect();
    let best = best(outcomes, goals);
    let range = |of: fn(&(usize, f64, f64)) -> f64| {
        let all = points.iter().map(of);
        let (least, most) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), one| {
            (least.min(one), most.max(one))
        });
        (least, if most > least { most } else { least + 1.0 })
    };
    let (x, y) = (range(|point| point.1), range(|point| point.2));
    let at = |point: &(usize, f64, f64)| {
        let part = |value: f64, (least, most): (f64, f64)| (value - least) / (most - least);
        (
            MARGIN + part(point.1, x) * (WIDTH - 2.0 * MARGIN),
            HEIGHT - MARGIN - part(point.2, y) * (HEIGHT - 2.0 * MARGIN),
        )
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let front: Vec<String> = best
        .iter()
        .filter_map(|place| points.iter().find(|point| point.0 == *place))
        .map(|point| {
            let (x, y) = at(point);
            format!("{x:.1},{y:.1}")
        })
        .collect();
    if goals.len() > 1 {
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#c33\"/>",
            front.join(" ")
        );
    }
    for point in &points {
        let outcome = &outcomes[point.0];
        let (x, y) = at(point);
        let colour = if best.contains(&point.0) {
            "#c33"
        } else {
            "#357"
        };
        let title: Vec<String> = outcome
            .point
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let _ = writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"><title>{}</title></circle>",
            escaped(&title.join(", "))
        );
    }
    axes(&mut text, goals, x, y);
    text + "</svg>\n"
}

/// The names and ends of both axes.
fn axes(text: &mut String, goals: &[Goal], x: (f64, f64), y: (f64, f64)) {
    let (bottom, right) = (HEIGHT - MARGIN, WIDTH - MARGIN);
    let _ = writeln!(
        text,
        "<path d=\"M{MARGIN},{MARGIN}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>"
    );
    let mut label = |x: f64, y: f64, anchor: &str, words: &str| {
        let _ = writeln!(
            text,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
            escaped(words)
        );
    };
    let Some(y_goal) = goals.get(1).or(goals.first()) else {
        return;
    };
    label(MARGIN, MARGIN - 25.0, "middle", y_goal.name());
    label(MARGIN - 6.0, MARGIN, "end", &y_goal.shown(y.1));
    label(MARGIN - 6.0, bottom, "end", &y_goal.shown(y.0));
    let low = bottom + 20.0;
    if goals.len() > 1 {
        label(WIDTH / 2.0, bottom + 45.0, "middle", goals[0].name());
        label(MARGIN, low, "middle", &goals[0].shown(x.0));
        label(right, low, "middle", &goals[0].shown(x.1));
    } else {
        label(
            WIDTH / 2.0,
            bottom + 45.0,
            "middle",
            "points in their order",
        );
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::store::Failure;

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
        let csv = csv(&outcomes, &goals);
        assert!(
            csv.contains("\"arg:n\",\"time\",\"local-memory\",\"failure\"\n\"a\",30,1,\"\"\n"),
            "{csv}"
        );
        let plot = plot(&outcomes, &goals);
        assert_eq!(plot.matches("<circle").count(), 5);
        assert_eq!(plot.matches("polyline").count(), 1);
        assert!(!self::plot(&outcomes, &goals[..1]).contains("polyline"));
    }
}
