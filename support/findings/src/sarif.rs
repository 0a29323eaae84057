//! Findings as SARIF 2.1.0, which editors and code hosts read.

use crate::{Finding, Kind, Place};
use serde_json::{Value, json};

/// The document.
pub fn document(findings: &[Finding]) -> Value {
    let rules: Vec<Value> = Kind::ALL
        .iter()
        .map(|kind| json!({"id": kind.name(), "shortDescription": {"text": kind.meaning()}}))
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "mocl3 check", "rules": rules}},
            "results": findings.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

fn message(finding: &Finding) -> String {
    match finding.kernel.as_str() {
        "" => finding.message.clone(),
        kernel => format!("{} (kernel {kernel})", finding.message),
    }
}

fn result(finding: &Finding) -> Value {
    let mut result = json!({
        "ruleId": finding.kind.name(),
        "level": "error",
        "message": {"text": message(finding)},
        "occurrenceCount": finding.count,
    });
    if let Some(place) = &finding.place {
        result["locations"] = json!([location(place)]);
    }
    if let Some(other) = &finding.other
        && let Some(place) = &other.place
    {
        let mut related = location(place);
        related["message"] = json!({"text": format!("the conflicting {}", other.noun())});
        result["relatedLocations"] = json!([related]);
    }
    result
}

fn location(place: &Place) -> Value {
    let mut region = json!({"startLine": place.line});
    if place.column > 0 {
        region["startColumn"] = json!(place.column);
    }
    if !place.text.is_empty() {
        region["snippet"] = json!({"text": place.text});
    }
    json!({
        "physicalLocation": {
            "artifactLocation": {"uri": place.file},
            "region": region,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OtherAccess;
    use crate::tests::example;

    #[test]
    fn a_result_names_rule_and_place() {
        let document = document(&[example()]);
        let result = &document["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "out-of-bounds");
        assert_eq!(result["occurrenceCount"], 2);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "program.cl");
        assert_eq!(place["region"]["startLine"], 3);
        assert_eq!(place["region"]["startColumn"], 8);
    }

    #[test]
    fn a_conflict_has_a_related_place() {
        let mut finding = example();
        finding.other = Some(OtherAccess {
            is_copy: false,
            writes: true,
            function: String::new(),
            place: finding
                .place
                .clone()
                .map(|place| Place { line: 7, ..place }),
            local: Some([1, 0, 0]),
            group: None,
        });
        let document = document(&[finding]);
        let related = &document["runs"][0]["results"][0]["relatedLocations"][0];
        assert_eq!(related["message"]["text"], "the conflicting write");
        assert_eq!(related["physicalLocation"]["region"]["startLine"], 7);
    }
}
