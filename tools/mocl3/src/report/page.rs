//! Composes the page: a template, its style and scripts, and the data that they draw.

use super::timeline::Timeline;
use crate::compare::Comparison;
use crate::profile::{ACTIVITIES, Profile};
use anyhow::Result;
use serde_json::{Value, json};

/// Maximum number of source lines per kernel.
const LINES: usize = 25;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The scripts in order, in one function: a script uses the definitions of those before it.
const SCRIPTS: [&str; 9] = [
    include_str!("page/format.js"),
    include_str!("page/draw.js"),
    include_str!("page/timeline.js"),
    include_str!("page/ranks.js"),
    include_str!("page/shares.js"),
    include_str!("page/roofline.js"),
    include_str!("page/kernel.js"),
    include_str!("page/compare.js"),
    include_str!("page/page.js"),
];

/// The page's text, with a comparison of the profile with an earlier one if there is one.
///
/// # Errors
/// The data cannot be written as JSON.
pub fn html(
    profile: &Profile,
    timelines: &[Timeline],
    comparison: Option<&Comparison>,
) -> Result<String> {
    let sentences = profile.machine.identity.sentences();
    let mut profile = serde_json::to_value(profile)?;
    if let Some(kernels) = profile["kernels"].as_array_mut() {
        for lines in kernels
            .iter_mut()
            .filter_map(|kernel| kernel["lines"].as_array_mut())
        {
            lines.truncate(LINES);
        }
    }
    let activities: Vec<Value> = ACTIVITIES
        .iter()
        .map(|(_, key, name)| json!({ "key": key, "name": name }))
        .collect();
    let before = comparison.map(|comparison| comparison.recordings[0].identity.sentences());
    let data = json!({
        "comparison": comparison,
        "comparison_sentences": before.unwrap_or_default(),
        "machine_sentences": sentences,
        "profile": profile,
        "timelines": timelines,
        "activities": activities,
    });
    let mut page = String::new();
    for part in TEMPLATE.split_inclusive("-->") {
        let Some((before, name)) = part.split_once("<!--") else {
            page += part;
            continue;
        };
        page += before;
        match name.trim_end_matches("-->").trim() {
            "style" => page += STYLE,
            "data" => page += &for_script(&data.to_string()),
            "scripts" => SCRIPTS.iter().for_each(|script| page += script),
            _ => {}
        }
    }
    Ok(page)
}

/// JSON in a page must not end its element.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
