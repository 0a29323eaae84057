//! The HTMT paper's prediction comes out, and wrong models are refused.

use super::csv;
use super::evaluation::{Computed, Evaluator, Prediction};
use super::model::Model;

const HTMT: &str = include_str!("../../../../examples/predict/htmt.toml");

fn predict(text: &str) -> Result<Prediction, String> {
    let model: Model = toml::from_str(text).map_err(|error| error.to_string())?;
    let evaluator = Evaluator::new(&model).map_err(|error| error.to_string())?;
    evaluator.predict().map_err(|error| error.to_string())
}

fn value(prediction: &Prediction, name: &str) -> f64 {
    let phases = prediction.phases.iter().map(|phase| &phase.time);
    let mut all = phases
        .chain(&prediction.definitions)
        .chain(&prediction.parameters);
    all.find(|one| one.name == name).expect(name).value
}

fn is_near(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= expected.abs() * 0.005
}

#[test]
fn tables_and_result_of_the_paper_come_out() {
    let prediction = predict(HTMT).unwrap();
    // Table 1, with t = 26, b_c = 125, s = 64.
    let amounts: Vec<f64> = prediction.phases.iter().map(|phase| phase.amount).collect();
    let block = 26.0 * 26.0 * 125.0 * 125.0;
    assert_eq!(
        amounts,
        [2.0 * block * 65.0, block, 15_625.0, 3_906_250.0, 15_625.0]
    );
    // Table 3, and 208,000 x 208,000 in 16.2 s at 1.1 PFLOPS.
    let disagree = |one: &&Computed| one.agrees == Some(false);
    let phases = prediction.phases.iter().map(|phase| &phase.time);
    let wrong: Vec<&Computed> = phases
        .chain(&prediction.definitions)
        .filter(disagree)
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(value(&prediction, "M"), 208_000.0);
    assert!(is_near(prediction.seconds, 16.1), "{}", prediction.seconds);
    assert!(is_near(value(&prediction, "performance"), 1.118));
    assert!(is_near(value(&prediction, "T_6"), 16.17));
    // The printed formulas that do not agree with the paper's own result.
    assert!(is_near(value(&prediction, "T_5_printed"), 17.43));
    assert!(is_near(value(&prediction, "P_5_printed"), 1.033));
    assert!(is_near(value(&prediction, "rest_6"), 0.256));
    assert_eq!(value(&prediction, "b_c_largest"), 124.0);
    assert_eq!(prediction.bound, "SPELL");
    let shares: f64 = prediction.steps.iter().map(|step| step.percent).sum();
    assert!((shares - 100.0).abs() < 1e-9);
    // 18 x 10^15 operations in 16.1 s of 1.365 PFLOPS.
    assert!(is_near(prediction.efficiency_percent.unwrap(), 81.9));
}

#[test]
fn figure_7_has_a_line_for_each_size_and_memory() {
    let model: Model = toml::from_str(HTMT).unwrap();
    let evaluator = Evaluator::new(&model).unwrap();
    let curve = &model.curve[0];
    let lines = evaluator.lines(curve).unwrap();
    let at = |line: usize, x: f64| {
        let points = &lines[line].points;
        points.iter().find(|(at, _)| is_near(*at, x)).unwrap().1
    };
    assert_eq!(lines.len(), 4);
    assert!(is_near(at(0, 15e-12), 1.118), "{}", at(0, 15e-12));
    // With q = 10 transformations in DRAM do not matter.
    assert!(is_near(at(1, 15e-12), 1.339), "{}", at(1, 15e-12));
    assert!(is_near(at(3, 15e-12), at(1, 15e-12)));
    assert!(at(2, 15e-12) < at(0, 15e-12));
    for line in &lines {
        assert!(line.points.is_sorted_by(|one, next| one.1 > next.1));
    }
    let csv = String::from_utf8(csv(curve, &lines).unwrap()).unwrap();
    assert_eq!(csv.lines().count(), 11);
    assert!(csv.starts_with("\"SF_t\",\"q = 1, DRAM 0.97 ns\""), "{csv}");
}

#[test]
fn parameters_change_the_prediction() {
    let model: Model = toml::from_str(HTMT).unwrap();
    let mut evaluator = Evaluator::new(&model).unwrap();
    evaluator.set("q", 10.0).unwrap();
    assert!(is_near(
        value(&evaluator.predict().unwrap(), "performance"),
        1.339
    ));
    // A slow network is the longest of the phases that overlap.
    evaluator.set("CNET", 1e9).unwrap();
    assert_eq!(evaluator.predict().unwrap().bound, "CNET");
    let error = evaluator.set("M_S", 1.0).unwrap_err().to_string();
    assert!(error.contains("there is no parameter `M_S`"), "{error}");
}

const SMALL: &str = r#"
title = "small"
source = "none"
parameter = [{ name = "n", value = 8, note = "" }]
level = [{ name = "memory", unit = "byte", time = "1e-9" }]
phase = [{ name = "load", what = "", level = "memory", amount = "n" }]
step = [{ phases = ["load"], times = "2" }]
definition = [{ name = "half", expression = "T / 2", note = "" }]
"#;

#[test]
fn wrong_models_are_refused() {
    assert!(is_near(predict(SMALL).unwrap().seconds, 16e-9));
    for (from, to, message) in [
        ("amount = \"n\"", "amount = \"m\"", "load: there is no `m`"),
        ("\"T / 2\"", "\"T / half\"", "`half` depends on itself"),
        ("\"T / 2\"", "\"T / 0\"", "`half` is no finite number"),
        (
            "\"T / 2\"",
            "\"T /\"",
            "half: `T /`: a number or name expected",
        ),
        ("name = \"half\"", "name = \"n\"", "`n` is defined twice"),
        ("name = \"half\"", "name = \"T\"", "`T` is defined twice"),
        (
            "level = \"memory\"",
            "level = \"disk\"",
            "load: there is no `disk`",
        ),
        (
            "phases = [\"load\"]",
            "phases = [\"store\"]",
            "step 1: there is no `store`",
        ),
        ("title", "heading", "unknown field `heading`"),
    ] {
        let error = predict(&SMALL.replace(from, to)).unwrap_err();
        assert!(error.contains(message), "{to}: {error}");
    }
}
