//! Unmodified programs from Debian.

use super::{Client, text};
use crate::platform::{Platform, target};
use anyhow::{Result, bail};
use std::process::Command;

/// The clients.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "clinfo",
        from: "Debian clinfo",
        command: "clinfo",
        right: "no line reports an error, and every device is there with its partition types",
        packages: &[],
        short: true,
        run: |platform| clinfo(platform, &[]),
    },
    Client {
        name: "clinfo --raw",
        from: "Debian clinfo",
        command: "clinfo --raw",
        right: "the same, with the names of the constants",
        packages: &[],
        short: true,
        run: |platform| clinfo(platform, &["--raw"]),
    },
    Client {
        name: "clpeak",
        from: "Debian clpeak",
        command: "clpeak -d 0",
        right: "it measures everything up to its end, with no kernel that fails to build",
        packages: &["clpeak"],
        short: false,
        run: clpeak,
    },
    Client {
        name: "clFFT's client",
        from: "Debian clfft-client",
        command: "clFFT-client -x 1024 -y 16 (and three more)",
        right: "its own check passes: complex and real, single and double, one to three \
                dimensions, radices 2, 3 and 5, in and out of place",
        packages: &["clfft-client"],
        short: true,
        run: clfft,
    },
    Client {
        name: "hashcat",
        from: "Debian hashcat",
        command: "hashcat -m 0 -a 3 --force -D 1,2,3 -d 1 <MD5> ?l?l?l?l?d",
        right: "its self-test passes, and it finds the word that the hash is of",
        packages: &["hashcat"],
        short: false,
        run: hashcat,
    },
];

/// Options of clFFT's client: sizes, precision, layouts (1 complex, 3 half of a Hermitian
/// spectrum, 5 real).
const TRANSFORMS: &[&str] = &[
    "-x 1024 -y 16",
    "-x 1000 --double --inLayout 5 --outLayout 3 -o",
    "-x 64 -y 48 -z 10 -o",
    "-x 2187 -b 20 --inv",
];

fn clfft(platform: &Platform) -> Result<String> {
    for options in TRANSFORMS {
        let mut program = Command::new("clFFT-client");
        program.args(options.split(' '));
        let text = text(platform.point(&mut program))?;
        if !text.contains("Internal Client Test *****PASS*****") {
            bail!("clFFT-client {options}:\n{text}");
        }
    }
    Ok(format!("{} transforms", TRANSFORMS.len()))
}

/// MD5 of `wolf7`.
const HASH: &str = "07c7f7cf2f6d6675d77a7a4f26b20a63";

fn hashcat(platform: &Platform) -> Result<String> {
    // hashcat stores compiled kernels there.
    let folder = target().join("hashcat");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let mut program = Command::new("hashcat");
    program
        .args(["-m", "0", "-a", "3", "--force", "-D", "1,2,3", "-d", "1"])
        .args(["--potfile-disable", "-O", HASH, "?l?l?l?l?d"])
        .env("XDG_DATA_HOME", &folder)
        .env("XDG_CACHE_HOME", &folder);
    let text = text(platform.point(&mut program))?;
    if text.contains("self-test failed") || !text.contains(&format!("{HASH}:wolf7")) {
        bail!("hashcat has not found the word:\n{}", super::tail(&text));
    }
    Ok(String::new())
}

/// A line in which clinfo reports a failed query.
fn reports_an_error(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let correction = line.contains("error correction") || line.contains("error_correction");
    (line.contains("error") && !correction)
        || line.contains("cl_invalid")
        || line.contains("failed")
        || line.contains("<printdevice")
}

fn clinfo(platform: &Platform, arguments: &[&str]) -> Result<String> {
    let text = text(platform.point(Command::new("clinfo").args(arguments)))?;
    let wrong: Vec<&str> = text.lines().filter(|line| reports_an_error(line)).collect();
    if !wrong.is_empty() {
        bail!("clinfo says: {wrong:?}");
    }
    let count = |label: &str| text.lines().filter(|line| line.contains(label)).count();
    let raw = arguments.contains(&"--raw");
    let (device, partition) = if raw {
        ("CL_DEVICE_PROFILE ", "CL_DEVICE_PARTITION_PROPERTIES ")
    } else {
        ("Device Profile ", "Supported partition types ")
    };
    let (devices, partitions) = (count(device), count(partition));
    if devices == 0 || partitions != devices {
        bail!("clinfo shows {devices} devices and {partitions} lines of partition types");
    }
    Ok(format!("{devices} devices"))
}

fn clpeak(platform: &Platform) -> Result<String> {
    let mut program = Command::new("clpeak");
    program.args(["-d", "0"]);
    if matches!(platform, Platform::Checked(_)) {
        // clpeak's sizes for CPUs are less than a tenth of those for accelerators.
        program.env("MOCL3_DEVICE_TYPE", "cpu");
    }
    let text = text(platform.point(&mut program))?;
    print!("{text}");
    // clpeak's last measurement.
    if !text.contains("Kernel launch latency") {
        bail!("clpeak stopped before its end");
    }
    if text.contains("Build Log") || text.contains("failed") {
        bail!("clpeak reports failures");
    }
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::reports_an_error;

    #[test]
    fn errors_are_distinguished_from_error_correction() {
        assert!(reports_an_error(
            "  Max sub-devices  <printDeviceInfo:5: get x : error -30>"
        ));
        assert!(reports_an_error("Extensions CL_INVALID_VALUE"));
        assert!(!reports_an_error("  Error Correction support   No"));
        assert!(!reports_an_error(
            "CL_DEVICE_ERROR_CORRECTION_SUPPORT CL_FALSE"
        ));
    }
}
