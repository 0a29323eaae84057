//! Plots of sweeps.

use super::goal::Goal;
use super::store::Outcome;
use super::table::best;
use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

/// Pixels.
const SIZE: (u32, u32) = (760, 480);

/// The best points.
const BEST: RGBColor = RGBColor(0xcc, 0x33, 0x33);

/// All others.
const OTHER: RGBColor = RGBColor(0x33, 0x55, 0x77);

/// The part of a range that is free at its ends.
const SPACE: f64 = 0.05;

/// From a point to its label, pixels.
const LABEL: (i32, i32) = (6, -16);

/// What is drawn of an outcome.
struct Point {
    /// Its place among the outcomes.
    place: usize,
    at: (f64, f64),
}

/// A plot in SVG: with two goals one over the other, and the Pareto front; with one goal its value
/// over the points in their order. The best points have their parameters' values next to them.
///
/// # Errors
/// The library cannot draw it.
pub fn plot(outcomes: &[Outcome], goals: &[Goal]) -> Result<String> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    draw(&area, outcomes, goals)?;
    area.present()?;
    drop(area);
    Ok(svg)
}

fn draw(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    outcomes: &[Outcome],
    goals: &[Goal],
) -> Result<()> {
    let (x_goal, y_goal) = match goals {
        [x, y, ..] => (Some(x), y),
        [y] => (None, y),
        [] => return Ok(()),
    };
    let points = points(outcomes, x_goal, y_goal);
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .margin(20)
        .x_label_area_size(50)
        .y_label_area_size(90)
        .build_cartesian_2d(
            range(points.iter().map(|point| point.at.0)),
            range(points.iter().map(|point| point.at.1)),
        )?;
    let shown = |goal: Option<&Goal>, value: f64| match goal {
        Some(goal) => goal.shown(value),
        None => format!("{value:.0}"),
    };
    chart
        .configure_mesh()
        .x_desc(x_goal.map_or("points in their order", |goal| goal.name()))
        .y_desc(y_goal.name())
        .x_label_formatter(&|x| shown(x_goal, *x))
        .y_label_formatter(&|y| shown(Some(y_goal), *y))
        .x_labels(8)
        .y_labels(6)
        .light_line_style(TRANSPARENT)
        .draw()?;
    let best = best(outcomes, goals);
    let of_place = |place: &usize| points.iter().find(|point| point.place == *place);
    let front: Vec<&Point> = best.iter().filter_map(of_place).collect();
    if x_goal.is_some() {
        let line = front.iter().map(|point| point.at);
        chart.draw_series(LineSeries::new(line, BEST))?;
    }
    chart.draw_series(points.iter().map(|point| {
        let colour = match best.contains(&point.place) {
            true => BEST,
            false => OTHER,
        };
        Circle::new(point.at, 4, colour.filled())
    }))?;
    let mut labelled = front;
    labelled.dedup_by_key(|point| point.at);
    chart.draw_series(labelled.iter().map(|point| {
        let values: Vec<&str> = (outcomes[point.place].point.values())
            .map(String::as_str)
            .collect();
        let text = Text::new(values.join(", "), LABEL, ("sans-serif", 12));
        EmptyElement::at(point.at) + text
    }))?;
    Ok(())
}

/// The points with values for the goals.
fn points(outcomes: &[Outcome], x_goal: Option<&Goal>, y_goal: &Goal) -> Vec<Point> {
    let point = |(place, outcome): (usize, &Outcome)| {
        let value = |goal| outcome.goals.get(goal).copied();
        let x = match x_goal {
            Some(goal) => value(goal)?,
            None => place as f64,
        };
        let at = (x, value(y_goal)?);
        Some(Point { place, at })
    };
    outcomes.iter().enumerate().filter_map(point).collect()
}

/// A range that contains values, with space around.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), one| {
        (least.min(one), most.max(one))
    });
    if least > most {
        return 0.0..1.0;
    }
    let space = match most > least {
        true => SPACE * (most - least),
        false => 1.0,
    };
    least - space..most + space
}
