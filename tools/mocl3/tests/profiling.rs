//! `mocl3 stat`, `trace` and `report` on a program that runs: the demo, through the loader.

mod browser;
mod library;

use assert_cmd::Command;
use browser::tags;
use library::write_icd;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The demo, compiled, and where the loader finds the library that cargo built last.
struct Demo {
    folder: TempDir,
}

impl Demo {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .nth(2)
            .unwrap();
        let demo = root.join("examples/dgemm");
        Command::new("cc")
            .args(["-O1", "-D_GNU_SOURCE", "-o"])
            .arg(folder.path().join("dgemm"))
            .arg(demo.join("dgemm.c"))
            .args(["-lOpenCL", "-lm"])
            .assert()
            .success();
        fs::copy(demo.join("dgemm.cl"), folder.path().join("dgemm.cl")).unwrap();
        let vendors = folder.path().join("vendors");
        fs::create_dir(&vendors).unwrap();
        write_icd(&vendors);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn mocl3(&self, arguments: &[&str]) -> Vec<u8> {
        let output = Command::new(env!("CARGO_BIN_EXE_mocl3"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("OCL_ICD_VENDORS", self.path("vendors"))
            .output()
            .unwrap();
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
        output.stdout
    }
}

/// The part of a profile that depends on the simulated machine, not on the host.
fn simulated(json: &[u8]) -> Value {
    let mut profile: Value = serde_json::from_slice(json).unwrap();
    for kernel in profile["kernels"].as_array_mut().unwrap() {
        kernel.as_object_mut().unwrap().remove("host_time_ns");
    }
    profile.as_object_mut().unwrap().remove("host");
    profile
}

#[test]
fn the_demo_is_recorded_and_shown() {
    let demo = Demo::new();
    let run = ["--", "./dgemm", "96"];
    let report = ["report", "-o", "report.html", "--recording", "recorded"];
    demo.mocl3(&[&report[..], &run[..]].concat());
    let json = demo.mocl3(&["stat", "--json", "--recording", "recorded"]);
    let profile = simulated(&json);
    let kernel = &profile["kernels"][0];
    let name = kernel["name"].as_str().unwrap();
    let shares = kernel["shares"].as_object().unwrap().values();
    let sum: f64 = shares.map(|share| share.as_f64().unwrap()).sum();
    assert!((sum - 100.0).abs() < 1e-9, "{kernel}");
    assert_eq!(kernel["untimed"], 0, "{kernel}");
    // 2 n^3 operations for each product, and more for partial blocks.
    let flops = kernel["flops"]["double"]["total"].as_u64().unwrap();
    let least = 2 * 96_u64.pow(3) * kernel["launches"].as_u64().unwrap();
    assert!(flops >= least, "{flops} of {least}");
    assert!(kernel["dma_transfers"].as_u64().unwrap() > 0, "{kernel}");
    assert!(kernel["local_memory"].as_u64().unwrap() > 0, "{kernel}");
    let line = &kernel["lines"][0];
    let source = fs::read_to_string(demo.path("dgemm.cl")).unwrap();
    let text = source
        .lines()
        .nth(line["line"].as_u64().unwrap() as usize - 1);
    assert_eq!(line["text"].as_str(), text);
    // Without the timeline the cycles are exactly the same.
    let again = demo.mocl3(&[&["stat", "--json"][..], &run[..]].concat());
    assert_eq!(simulated(&again), profile);

    demo.mocl3(&["trace", "-o", "trace.json", "--recording", "recorded"]);
    let trace: Value = serde_json::from_slice(&fs::read(demo.path("trace.json")).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let named = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert!(named(name) > 0);
    assert!(named("DMA wait") > 0);
    assert!(named("clEnqueueNDRangeKernel") > 0);
    assert!(named("WRITE_BUFFER") + named("READ_BUFFER") > 0);

    let document = browser::drawn(&demo.path("report.html"), 1300);
    assert!(document.contains(&format!(">{name} (")));
    assert!(!tags(&document, "class=\"array\"").is_empty());
    assert!(!tags(&document, "class=\"share ").is_empty());
    assert!(!tags(&document, "data-kernel=").is_empty());
    assert!(!tags(&document, "class=\"line\"").is_empty());
}
