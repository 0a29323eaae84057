//! Tests of `mocl3 report`: the page as a browser renders it.

mod browser;
mod synthetic;

use assert_cmd::Command;
use browser::{attribute, number, tags};
use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use device_sim::units::Cycles;
use recording::Process;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A page and its data.
struct Page {
    folder: TempDir,
    file: PathBuf,
}

impl Page {
    fn new(process: &Process) -> Self {
        Self::compared(process, None)
    }

    /// With a baseline, if there is one.
    fn compared(process: &Process, baseline: Option<&Process>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let recording = |name: &str| folder.path().join(name);
        synthetic::write(process, &recording("recording"));
        let file = folder.path().join("report.html");
        let mut command = Command::new(env!("CARGO_BIN_EXE_mocl3"));
        command.args(["report", "-o"]).arg(&file);
        if let Some(baseline) = baseline {
            synthetic::write(baseline, &recording("baseline"));
            command.arg("--baseline").arg(recording("baseline"));
        }
        command.arg("--recording").arg(recording("recording"));
        command.assert().success();
        Self { folder, file }
    }

    fn drawn(&self, width: u32) -> String {
        browser::drawn(&self.file, width)
    }
}

fn check_roofline(document: &str) -> Vec<&str> {
    let area = tags(document, "id=\"roofline-area\"")[0];
    let (left, top) = (number(area, "x"), number(area, "y"));
    let (right, bottom) = (left + number(area, "width"), top + number(area, "height"));
    let points = tags(document, "data-kernel=");
    for point in &points {
        let (x, y) = (number(point, "data-x"), number(point, "data-y"));
        assert!((left..=right).contains(&x), "{point} is not in {area}");
        assert!((top..=bottom).contains(&y), "{point} is not in {area}");
    }
    for line in tags(document, "class=\"ceiling\"") {
        for (coordinate, range) in [
            ("x1", left..=right),
            ("x2", left..=right),
            ("y1", top..=bottom),
            ("y2", top..=bottom),
        ] {
            let value = number(line, coordinate);
            assert!(
                *range.start() - 0.01 <= value && value <= *range.end() + 0.01,
                "{line}"
            );
        }
    }
    points
}

/// The area of the rectangles `M<x> <y>h<width>v<height>h<-width>z` of a path.
fn area(path: &str) -> f64 {
    let rectangles = attribute(path, "d").split('M').skip(1);
    let of_rectangle = |rectangle: &str| {
        let mut lengths = rectangle.split(['h', 'v']).skip(1);
        let mut length = || lengths.next().unwrap().parse::<f64>().unwrap();
        length() * length()
    };
    rectangles.map(of_rectangle).sum()
}

/// Each array's colours have areas in the proportions of its cycles.
fn check_areas(document: &str, process: &Process) {
    let rows: Vec<&str> = document.split("class=\"array\"").skip(1).collect();
    for (array, row) in rows.into_iter().enumerate() {
        let mut cycles = CyclesByActivity::default();
        for report in process
            .commands
            .iter()
            .filter_map(|command| command.report.as_ref())
        {
            let mut arrays = report.timing.arrays.iter();
            let timing = arrays.find(|timing| timing.array == array as u64).unwrap();
            cycles += timing.cycles;
        }
        cycles[Activity::Idle] = Cycles::ZERO;
        let row = row.split("</g>").next().unwrap();
        let drawn: Vec<(&str, f64)> = tags(row, "class=\"piece ")
            .into_iter()
            .map(|path| (attribute(path, "class"), area(path)))
            .collect();
        let all: f64 = drawn.iter().map(|(_, area)| area).sum();
        for (activity, cycles_of_it) in cycles.iter() {
            let name = serde_json::to_value(activity).unwrap();
            let class = format!("piece {}", name.as_str().unwrap());
            let area = drawn.iter().find(|(drawn, _)| *drawn == class);
            let share = area.map_or(0.0, |(_, area)| area / all);
            let expected = cycles_of_it.0 as f64 / cycles.total().0 as f64;
            assert!(
                (share - expected).abs() < 0.005,
                "array {array}, {class}: {share} of the area, {expected} of the time"
            );
        }
    }
}

#[test]
fn an_ordinary_program() {
    let process = synthetic::example();
    let page = Page::new(&process);
    for width in [1300, 500] {
        let document = page.drawn(width);
        // Compute, DMA wait, launch, idle; and compute, memory, launch, idle.
        assert_eq!(tags(&document, "class=\"share ").len(), 8);
        for row in document.split("class=\"row").skip(1).take(2) {
            let shares: f64 = tags(row.split("</g>").next().unwrap(), "class=\"share ")
                .iter()
                .map(|share| number(share, "data-percent"))
                .sum();
            assert!((shares - 100.0).abs() < 1e-6, "{shares}");
        }
        assert_eq!(tags(&document, "class=\"array\"").len(), 24);
        check_areas(&document, &process);
        assert_eq!(tags(&document, "class=\"command\"").len(), 4);
        assert_eq!(tags(&document, "class=\"transfer\"").len(), 2);
        // The kernel that is shown computes, waits for DMA, is launched and idle in 24 arrays.
        assert!(tags(&document, "class=\"balance ").len() >= 24 * 3);
        assert_eq!(tags(&document, "class=\"line\"").len(), 4);
        assert_eq!(check_roofline(&document).len(), 4);
        let ceilings: BTreeSet<_> = tags(&document, "data-memory=")
            .iter()
            .map(|line| attribute(line, "data-memory"))
            .collect();
        assert_eq!(ceilings, BTreeSet::from(["AM", "DDR", "GSM"]));
        for expected in [
            ">multiply (64×1)<",
            ">add (256)<",
            "bound by compute: ",
            "c[get_global_id(0)] += tile[i] * 2.0;",
            ">./program &lt;1 &amp; 2&gt;<",
        ] {
            assert!(document.contains(expected), "{expected}");
        }
    }
}

#[test]
fn two_hundred_kernels() {
    let process = synthetic::many(200);
    let page = Page::new(&process);
    let document = page.drawn(1300);
    assert_eq!(tags(&document, "class=\"row").len(), 15);
    assert!(document.contains(">all 200 kernels</button>"));
    assert_eq!(tags(&document, "value=").len(), 1 + 200);
    let kernels: BTreeSet<_> = check_roofline(&document)
        .iter()
        .map(|point| attribute(point, "data-kernel"))
        .collect();
    assert_eq!(kernels.len(), 200);
    assert!(document.contains("Arrays are drawn in steps of"));
    check_areas(&document, &process);
}

#[test]
fn a_program_without_kernels_and_one_without_times() {
    let mut process = synthetic::example();
    for command in &mut process.commands {
        command.report = None;
    }
    let document = Page::new(&process).drawn(900);
    assert_eq!(tags(&document, "class=\"share ").len(), 0);
    assert!(document.contains("not timed"));
    process.commands.retain(|command| command.kernel.is_none());
    let document = Page::new(&process).drawn(900);
    assert_eq!(tags(&document, "class=\"transfer\"").len(), 2);
    // Empty sections are omitted.
    let hidden = |tag: &&&str| tag.contains("hidden");
    let sections = tags(&document, "class=\"of-kernels\"");
    assert_eq!(
        (sections.len(), sections.iter().filter(hidden).count()),
        (3, 3)
    );
    assert!(document.contains("<p id=\"no-kernels\">No kernel was launched.</p>"));
    let document = Page::new(&synthetic::example()).drawn(900);
    let sections = tags(&document, "class=\"of-kernels\"");
    assert_eq!(sections.iter().filter(hidden).count(), 0);
}

/// The labels of the timeline's axis.
fn axis(document: &str) -> Vec<&str> {
    let texts = document.split("<text class=\"muted\" x=\"").skip(1);
    texts
        .filter_map(|text| text.split_once('>'))
        .filter(|(attributes, _)| attributes.contains("y=\"12\""))
        .map(|(_, text)| text.split('<').next().unwrap())
        .collect()
}

#[test]
fn moments_on_the_axis_are_distinguishable() {
    let process = synthetic::many(200);
    let page = Page::new(&process);
    for zooms in [0, 4, 8, 12, 16] {
        let document = after_clicks(&page, &vec!["[data-zoom=in]"; zooms]);
        let axis = axis(&document);
        assert!(axis.len() > 2, "{axis:?}");
        let different: BTreeSet<&&str> = axis.iter().collect();
        assert_eq!(different.len(), axis.len(), "{zooms}: {axis:?}");
        // Steps as long as the visible part would not show the arrays' activities.
        assert_eq!(document.contains("trace has all.</p>"), zooms > 6);
    }
}

#[test]
fn queues_and_clusters_have_their_names() {
    let mut process = synthetic::example();
    process.commands[2].device = 1;
    process.commands[4].first_array = 8;
    process.commands[4].arrays = 16;
    let document = Page::new(&process).drawn(1300);
    for name in [
        "queue 1, cluster 0",
        "queue 2, cluster 0, arrays 8 to 23, out of order",
        // The arrays whose balance is shown.
        "cluster 0",
        "cluster 1",
    ] {
        assert!(document.contains(&format!(">{name}</text>")), "{name}");
    }
    // In a narrow window arrays are still distinguishable.
    let document = Page::new(&process).drawn(500);
    let mut names = document.split(">array 7,").skip(1);
    let cut = |rest: &str| rest.split('<').next().is_some_and(|end| end.contains('…'));
    assert!(names.any(cut));
}

/// The page after clicks on the elements of the selectors.
fn after_clicks(page: &Page, selectors: &[&str]) -> String {
    let click = |selector: &&str| {
        let event = "new MouseEvent(\"click\", { bubbles: true })";
        format!("document.querySelector('{selector}').dispatchEvent({event});\n")
    };
    after_script(page, &selectors.iter().map(click).collect::<String>())
}

/// The page after keys, each on the element of a selector, which can have the focus.
fn after_keys(page: &Page, keys: &[(&str, &str)]) -> String {
    let press = |(selector, key): &(&str, &str)| {
        format!(
            "{{ const target = document.querySelector('{selector}');
               target.focus();
               if (document.activeElement !== target) throw new Error('no focus: {selector}');
               target.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }})); }}\n"
        )
    };
    after_script(page, &keys.iter().map(press).collect::<String>())
}

/// The page after a script.
fn after_script(page: &Page, clicks: &str) -> String {
    let text = fs::read_to_string(&page.file).unwrap();
    let script = format!("<script>{clicks}</script></body>");
    let clicked = page.file.with_file_name("clicked.html");
    fs::write(&clicked, text.replace("</body>", &script)).unwrap();
    browser::drawn(&clicked, 1300)
}

#[test]
fn a_person_zooms_and_chooses_a_kernel() {
    let page = Page::new(&synthetic::example());
    let zoom = "[data-zoom=in]";
    let second = "#shares .row:nth-of-type(2)";
    let document = after_clicks(&page, &[zoom, zoom, zoom, zoom, second]);
    // Only the middle sixteenth is shown, which lies within the launches.
    assert_eq!(tags(&document, "class=\"transfer\"").len(), 0);
    let commands = tags(&document, "class=\"command\"").len();
    assert!((1..4).contains(&commands), "{commands}");
    assert!(document.contains("bound by DDR: "), "the other kernel");
    assert!(!document.contains("<p id=\"sentence\">bound by compute"));
    let document = after_clicks(&page, &[zoom, zoom, "[data-zoom=all]"]);
    assert_eq!(tags(&document, "class=\"command\"").len(), 4);
    let process = synthetic::many(200);
    let page = Page::new(&process);
    let document = after_clicks(&page, &["#all-kernels"]);
    assert_eq!(tags(&document, "class=\"row").len(), 200);
}

#[test]
fn two_processes() {
    let folder = tempfile::tempdir().unwrap();
    let (recording, file) = (folder.path().join("two"), folder.path().join("report.html"));
    synthetic::write(&synthetic::example(), &recording);
    synthetic::write(&synthetic::many(3), &recording);
    Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["report", "-o"])
        .arg(&file)
        .arg("--recording")
        .arg(recording)
        .assert()
        .success();
    let document = browser::drawn(&file, 1300);
    assert!(document.contains(">./program &lt;1 &amp; 2&gt;, and 1 process more<"));
    // Their kernels together, and the timeline of the one that took longer.
    assert_eq!(tags(&document, "class=\"row").len(), 2 + 3);
    assert_eq!(tags(&document, "class=\"transfer\"").len(), 2);
    assert_eq!(tags(&document, "value=").len(), 2 + 5);
}

#[test]
fn a_page_needs_no_network() {
    let page = fs::read_to_string(Page::new(&synthetic::example()).file).unwrap();
    for reference in ["src=", "href=", "url(", "@import", "fetch("] {
        assert!(!page.contains(reference), "{reference}");
    }
    // The source contains an element's end tag, which must not end the data's element.
    assert_eq!(page.matches("</script>").count(), 3);
}

#[test]
fn a_person_uses_keys_only() {
    let page = Page::new(&synthetic::example());
    let zoom = ("#timeline", "+");
    let second = ("#shares .row:nth-of-type(2)", "Enter");
    let document = after_keys(&page, &[zoom, zoom, zoom, zoom, second]);
    assert_eq!(tags(&document, "class=\"transfer\"").len(), 0);
    assert!(document.contains("bound by DDR: "), "the other kernel");
    let all = ("#timeline", "0");
    let document = after_keys(&page, &[zoom, zoom, ("#timeline", "ArrowRight"), all]);
    assert_eq!(tags(&document, "class=\"command\"").len(), 4);
    // The arrows move between kernels.
    let document = after_script(
        &page,
        "document.querySelector('#shares .row').focus();
         document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
         document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', bubbles: true }));",
    );
    assert!(document.contains("bound by DDR: "), "the other kernel");
}

#[test]
fn what_kernels_exceed_is_flagged() {
    let document = Page::new(&synthetic::exceeding()).drawn(1300);
    assert!(document.contains(">⚠ multiply (64×1)<"));
    assert_eq!(tags(&document, "class=\"warning\"").len(), 3);
    assert!(document.contains("the stack of 512 bytes is in DDR"));
    let document = Page::new(&synthetic::example()).drawn(1300);
    assert_eq!(tags(&document, "class=\"warning\"").len(), 0);
    assert!(!document.contains(">⚠ "));
}

/// What a list of figures shows under a name.
fn shown_figure<'a>(document: &'a str, name: &str) -> &'a str {
    let (_, rest) = document
        .split_once(&format!("<dt>{name}</dt><dd>"))
        .unwrap_or_else(|| panic!("{name}: no figure"));
    rest.split('<').next().unwrap()
}

/// The page draws the profile that `mocl3 stat` prints: shares, balance, lines and figures.
#[test]
fn the_page_shows_the_numbers_of_stat() {
    let page = Page::new(&synthetic::example());
    let recording = page.file.with_file_name("recording");
    let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["stat", "--json", "--recording"])
        .arg(&recording)
        .output()
        .unwrap();
    let profile: Value = serde_json::from_slice(&output.stdout).unwrap();
    let document = page.drawn(1300);
    let kernels = profile["kernels"].as_array().unwrap();
    let rows = document.split("class=\"row").skip(1);
    for (row, kernel) in rows.zip(kernels) {
        let row = row.split("</g>").next().unwrap();
        let drawn = tags(row, "class=\"share ");
        for (activity, share) in kernel["shares"].as_object().unwrap() {
            let class = format!("share {activity}");
            let piece = drawn
                .iter()
                .find(|piece| attribute(piece, "class") == class);
            let percent = piece.map_or(0.0, |piece| number(piece, "data-percent"));
            assert!(
                (percent - share.as_f64().unwrap()).abs() < 1e-9,
                "{activity}"
            );
        }
    }
    // The first kernel is shown in detail: the heights of the arrays' bars are shares.
    let kernel = &kernels[0];
    let bars = tags(&document, "class=\"balance ");
    let mut drawn = bars.iter();
    for array in kernel["per_array"].as_array().unwrap() {
        let shares = array["shares"].as_object().unwrap();
        for activity in ACTIVITIES {
            let share = shares[activity].as_f64().unwrap();
            if share > 0.0 {
                let bar = drawn.next().unwrap();
                assert_eq!(attribute(bar, "class"), format!("balance {activity}"));
                assert!((number(bar, "height") - share * 1.5).abs() < 0.01, "{bar}");
            }
        }
    }
    assert!(drawn.next().is_none());
    let text = |value: &Value| value.as_u64().unwrap().to_string();
    assert_eq!(shown_figure(&document, "launches"), "4");
    let of_kernel = document.split("id=\"kernel-figures\"").nth(1).unwrap();
    assert_eq!(
        shown_figure(of_kernel, "launches"),
        text(&kernel["launches"])
    );
    for (name, rate) in [
        ("double precision", &kernel["flops"]["double"]),
        ("DDR", &kernel["bandwidth"]["ddr"]),
    ] {
        let percent = format!("({:.1} %)", rate["percent"].as_f64().unwrap());
        let shown = shown_figure(of_kernel, name);
        assert!(shown.ends_with(&percent), "{name}: {shown}, {percent}");
    }
    let lines = kernel["lines"].as_array().unwrap();
    let of_lines: Vec<&str> = document.split("<tr class=\"line\">").skip(1).collect();
    assert_eq!(of_lines.len(), lines.len());
    for (row, line) in of_lines.iter().zip(lines) {
        let place = format!(">{}:{}<", line["file"].as_str().unwrap(), line["line"]);
        let percent = format!(">{:.1} %<", line["percent"].as_f64().unwrap());
        assert!(
            row.contains(&place) && row.contains(&percent),
            "{row}: {line}"
        );
    }
}

/// The activities in the order in which they are drawn.
const ACTIVITIES: [&str; 8] = [
    "compute",
    "scratchpad",
    "memory",
    "dma_wait",
    "lock_wait",
    "barrier",
    "launch",
    "idle",
];

/// Bars are as long as launches take, divided by activity, and agree with `mocl3 compare`.
#[test]
fn a_baseline_is_shown_side_by_side() {
    let page = Page::compared(&synthetic::slower(), Some(&synthetic::example()));
    let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
        .args(["compare", "--json"])
        .args(["baseline", "recording"].map(|name| page.folder.path().join(name)))
        .output()
        .unwrap();
    let comparison: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kernels = comparison["kernels"].as_array().unwrap();
    assert!(!kernels.is_empty());
    for width in [1280, 500] {
        let document = page.drawn(width);
        let parts: Vec<&str> = document
            .split("class=\"compared-kernel\"")
            .skip(1)
            .collect();
        assert_eq!(parts.len(), kernels.len());
        for (part, kernel) in parts.into_iter().zip(kernels) {
            assert!(part.contains(kernel["name"].as_str().unwrap()));
            let times = kernel["launch_ns"].as_array().unwrap();
            let times: Vec<f64> = times.iter().map(|time| time.as_f64().unwrap()).collect();
            let longest = times.iter().copied().fold(1.0, f64::max);
            let bars = part.split("class=\"compared\"").skip(1).take(2);
            for (bar, time) in bars.zip(&times) {
                let bar = bar.split("class=\"time\"").next().unwrap();
                let pieces = tags(bar, "data-ns=");
                let sum: f64 = pieces.iter().map(|piece| number(piece, "data-ns")).sum();
                let width = |piece: &&str| {
                    let style = attribute(piece, "style");
                    let (_, percent) = style.split_once("width:").unwrap();
                    percent
                        .trim()
                        .trim_end_matches(';')
                        .trim_end_matches('%')
                        .parse::<f64>()
                        .unwrap()
                };
                let drawn: f64 = pieces.iter().map(width).sum();
                assert!((sum - time).abs() <= 1.0, "{sum} of {time}");
                assert!((drawn - 100.0 * time / longest).abs() < 0.1, "{drawn} %");
            }
        }
    }
    let without = Page::new(&synthetic::example()).drawn(1280);
    assert!(tags(&without, "class=\"compared-kernel\"").is_empty());
}
