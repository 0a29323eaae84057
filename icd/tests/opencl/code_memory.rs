//! The memory that holds code: what is reported if the machine has too little of it.

use crate::process::compile;
use crate::session::vendors;
use cl_sys::{CL_OUT_OF_RESOURCES, CL_SUCCESS};
use std::path::Path;
use std::process::Command;

/// Code for a machine with 4 bytes of GSM, or with as much as the MT-3000, or in DDR.
#[test]
fn timed_launches_fail_if_their_code_exceeds_its_memory() {
    let program = compile("code_memory");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../device-sim/machines/mt3000.toml");
    let text = std::fs::read_to_string(file).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let machine = folder.path().join("machine.toml");
    for (size, layout, timed) in [
        ("value = 4", "1", CL_OUT_OF_RESOURCES),
        ("value = 0", "1", CL_OUT_OF_RESOURCES),
        ("value = 6_291_456", "1", CL_SUCCESS),
        ("value = 4", "0", CL_SUCCESS),
    ] {
        std::fs::write(&machine, text.replacen("value = 6_291_456", size, 1)).unwrap();
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_MACHINE", &machine)
            .env("HT_CODE_LAYOUT_POS", layout)
            .env("MOCL3_LOG", "debug")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(
            printed,
            format!("{CL_SUCCESS}\n{timed}\n"),
            "{size} {layout}"
        );
        let log = String::from_utf8_lossy(&output.stderr);
        let says =
            log.contains("kernel fill: the code of ") && log.contains("memory that holds it");
        assert_eq!(says, timed == CL_OUT_OF_RESOURCES, "{log}");
    }
}
