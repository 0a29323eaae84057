//! Findings as text for people.

use crate::{Finding, Place};
use std::fmt::Write as _;

/// A finding as a paragraph without a final newline.
pub fn paragraph(finding: &Finding) -> String {
    let mut text = format!("{}: {}", finding.kind, finding.message);
    let mut line = |line: String| {
        text.push_str("\n  ");
        text.push_str(&line);
    };
    if !finding.kernel.is_empty() {
        line(place(finding));
    }
    if let Some(at) = &finding.place {
        source_line(at, &mut line);
    }
    if let Some(item) = finding.work_item {
        let id = |id: [u64; 3]| format!("({},{},{})", id[0], id[1], id[2]);
        let (global, local, group) = (id(item.global), id(item.local), id(item.group));
        line(format!(
            "work-item: global {global}, local {local}, group {group}"
        ));
    }
    if let Some((other, at)) = finding
        .other
        .as_ref()
        .and_then(|other| Some((other, other.place.as_ref()?)))
        && finding.place.as_ref() != Some(at)
    {
        line(format!("the {}: {}", other.noun(), position(at)));
        source_line(at, &mut line);
    }
    text
}

/// A line of the source, and the column.
fn source_line(at: &Place, line: &mut impl FnMut(String)) {
    if at.text.is_empty() {
        return;
    }
    let number = at.line.to_string();
    line(format!("  {number} | {}", at.text));
    if at.column > 0 {
        let before = at.text.chars().take(at.column as usize - 1);
        let margin: String = before.map(|c| if c == '\t' { c } else { ' ' }).collect();
        line(format!("  {:width$} | {margin}^", "", width = number.len()));
    }
}

fn position(at: &Place) -> String {
    match at.column {
        0 => format!("{}:{}", at.file, at.line),
        column => format!("{}:{}:{column}", at.file, at.line),
    }
}

/// The kernel, the function and the place in the source.
fn place(finding: &Finding) -> String {
    let mut place = format!("kernel `{}`", finding.kernel);
    if !finding.kind.is_of_kernels() {
        return place;
    }
    if !finding.function.is_empty() && finding.function != finding.kernel {
        let _ = write!(place, ", function `{}`", finding.function);
    }
    match &finding.place {
        Some(at) => {
            let _ = write!(place, ", {}", position(at));
        }
        None => place.push_str(", the line is not known"),
    }
    place
}

/// A line with the numbers of findings and of their occurrences.
pub fn summary(findings: &[Finding]) -> String {
    let occurrences: u64 = findings.iter().map(|finding| finding.count).sum();
    match findings.len() {
        0 => "no findings".to_owned(),
        1 => format!("1 finding, {}", times(occurrences)),
        number => format!("{number} findings, {} in all", times(occurrences)),
    }
}

/// A number of occurrences in words.
pub fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::example;
    use crate::{Kind, OtherAccess};

    #[test]
    fn a_paragraph_has_place_and_work_item() {
        assert_eq!(
            paragraph(&example()),
            "out-of-bounds: write of 4 bytes, 8 bytes after the end of argument `out`\n  \
             kernel `k`, function `put`, program.cl:3:8\n    3 |   out[i] = 1;\n      |        ^\n  \
             work-item: global (18,0,0), local (2,0,0), group (1,0,0)"
        );
        assert_eq!(summary(&[example()]), "1 finding, 2 times");
    }

    #[test]
    fn the_access_of_a_conflict_has_a_place() {
        let mut finding = example();
        let before = paragraph(&finding);
        finding.other = Some(OtherAccess {
            is_copy: false,
            writes: false,
            function: String::new(),
            place: Some(Place {
                line: 12,
                column: 0,
                ..finding.place.clone().expect("the example has a place")
            }),
            local: None,
            group: None,
        });
        let after = "\n  the read: program.cl:12\n    12 |   out[i] = 1;";
        assert_eq!(paragraph(&finding), before + after);
    }

    #[test]
    fn a_finding_of_a_call_has_no_place() {
        let mut finding = Finding {
            kind: Kind::ApiError,
            message: "clSetKernelArg returned CL_INVALID_ARG_INDEX: no argument 3".into(),
            function: "clSetKernelArg".into(),
            place: None,
            work_item: None,
            ..example()
        };
        let message = format!("api-error: {}", finding.message);
        assert_eq!(paragraph(&finding), format!("{message}\n  kernel `k`"));
        finding.kernel.clear();
        assert_eq!(paragraph(&finding), message);
    }
}
