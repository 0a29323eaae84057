//! FFmpeg's OpenCL filters, each compared with FFmpeg's filter for the CPU.

use super::{Client, text};
use crate::platform::Platform;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The client.
pub const CLIENTS: &[Client] = &[Client {
    name: "FFmpeg's filters",
    from: "Debian ffmpeg",
    command: "ffmpeg -init_hw_device opencl -filter_complex …sobel_opencl… and 11 others",
    right: "a test film through each *_opencl filter is that of the CPU's filter: equal where \
            nothing is rounded, else with at least 40 dB of signal to noise",
    packages: &["ffmpeg"],
    // Installing its packages alone takes a minute.
    short: false,
    run,
}];

/// A filter with its options, and the minimum signal-to-noise ratio, dB, compared with the CPU's
/// filter, which rounds differently. Infinite: the bytes are equal.
const FILTERS: &[(&str, &str, f64)] = &[
    ("avgblur", "3", 40.0),
    ("boxblur", "2:1", 50.0),
    ("convolution", "0m=1 2 1 2 4 2 1 2 1:0rdiv=1/16", 60.0),
    ("dilation", "", f64::INFINITY),
    ("erosion", "", f64::INFINITY),
    ("nlmeans", "s=3:p=3:r=7", 40.0),
    ("pad", "w=400:h=300:x=10:y=20", f64::INFINITY),
    ("prewitt", "planes=1", 60.0),
    ("roberts", "planes=1", 60.0),
    ("sobel", "planes=1", 60.0),
    ("transpose", "1", f64::INFINITY),
    ("unsharp", "", 45.0),
];

fn run(platform: &Platform) -> Result<String> {
    for (filter, options, least) in FILTERS {
        let options = if options.is_empty() {
            String::new()
        } else {
            format!("={options}")
        };
        let graph = format!(
            "format=yuv420p,split[a][b];\
             [a]hwupload,{filter}_opencl{options},hwdownload,format=yuv420p[x];\
             [b]{filter}{options}[y];[x][y]psnr=stats_file=-"
        );
        let mut ffmpeg = Command::new("ffmpeg");
        ffmpeg
            .args(["-nostdin", "-hide_banner", "-v", "error"])
            .args(["-init_hw_device", "opencl=ocl:0.0", "-filter_hw_device"])
            .args(["ocl", "-f", "lavfi", "-i", "testsrc2=s=320x240:d=1:r=10"])
            .args(["-filter_complex", &graph, "-f", "null", "-"]);
        let text = text(platform.point(&mut ffmpeg))?;
        let ratios = ratios(&text).context("ffmpeg prints no ratio")?;
        let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        if ratios.len() != 10 || worst < *least {
            bail!("{filter}: {} frames, at least {worst} dB", ratios.len());
        }
    }
    Ok(format!("{} filters", FILTERS.len()))
}

/// The `psnr_avg` of each frame.
fn ratios(text: &str) -> Option<Vec<f64>> {
    text.split_whitespace()
        .filter_map(|word| word.strip_prefix("psnr_avg:"))
        .map(|ratio| ratio.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::ratios;

    #[test]
    fn ratios_of_frames_are_read() {
        let text =
            "n:1 mse_avg:1.3 psnr_avg:46.87 psnr_y:45\nn:2 mse_avg:0.0 psnr_avg:inf psnr_y:inf\n";
        assert_eq!(ratios(text), Some(vec![46.87, f64::INFINITY]));
        assert_eq!(ratios("psnr_avg:nothing"), None);
    }
}
