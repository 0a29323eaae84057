//! Audio compression: algorithm 1 of the HTS paper.

use super::builder::{Benchmark, Builder};

/// The numbers of bands.
const BANDS: [u16; 3] = [8, 16, 32];

/// Audio compression in the time domain, where the branch is not taken, and in the frequency domain.
pub fn all() -> Vec<Benchmark> {
    let mut benchmarks = Vec::new();
    for bands in BANDS {
        for (domain, is_taken) in [("time", false), ("frequency", true)] {
            benchmarks.push(Benchmark {
                name: format!("audio compression, {bands} bands, {domain} domain"),
                source: source(bands, is_taken),
            });
        }
    }
    benchmarks
}

/// Correlates, then filters each band three times, or transforms it, takes three dot products with the
/// result, and transforms back.
fn source(bands: u16, is_taken: bool) -> String {
    const AUDIO: u16 = 1;
    const COUNTER: u8 = 4;
    let mut builder = Builder::default();
    let correlation = 2;
    builder.line(format_args!(
        "correlation {AUDIO:x} 1 {correlation:x} 1 0 0 0 0"
    ));
    builder.line(format_args!("mov 1 0 3 0 0 0 0 0"));
    builder.line(format_args!("mov {AUDIO:x} 0 1 0 0 0 0 0"));
    // A region of each band and intermediate result; the dot products' are consecutive.
    for (register, first) in [(5, 0x100), (6, 0x200), (7, 0x300), (8, 0x400)] {
        builder.line(format_args!("mov {first:x} 0 {register:x} 0 0 0 0 0"));
    }
    builder.line(format_args!("mov 3 0 2 0 0 0 0 0"));
    let time = [
        format!("lbeg {bands:x} {COUNTER:x} 0 0 0 0 0 0"),
        format!("add 5 {COUNTER:x} b 0 0 0 0 0"),
        format!("add 6 {COUNTER:x} c 0 0 0 0 0"),
        format!("add 7 {COUNTER:x} d 0 0 0 0 0"),
        "real_fir 1 3 b 3 0 0 1 0".to_owned(),
        "real_fir b 3 c 3 0 0 1 0".to_owned(),
        "real_fir c 3 d 3 0 0 1 0".to_owned(),
        format!("lend 0 {COUNTER:x} 0 0 0 0 0 0"),
    ];
    let frequency = [
        format!("lbeg {bands:x} {COUNTER:x} 0 0 0 0 0 0"),
        format!("add 5 {COUNTER:x} b 0 0 0 0 0"),
        // Three consecutive regions of a band, from register 12 on.
        format!("mul {COUNTER:x} 2 c 0 0 0 0 0"),
        "add 6 c c 0 0 0 0 0".to_owned(),
        "add c 3 d 0 0 0 0 0".to_owned(),
        "add d 3 e 0 0 0 0 0".to_owned(),
        format!("add 8 {COUNTER:x} f 0 0 0 0 0"),
        "fft_256 1 3 b 3 0 0 1 0".to_owned(),
        "vector_dot b 3 c 3 0 0 1 0".to_owned(),
        "vector_dot b 3 d 3 0 0 1 0".to_owned(),
        "vector_dot b 3 e 3 0 0 1 0".to_owned(),
        "fft_256 c 2 f 3 0 0 1 0".to_owned(),
        format!("lend 0 {COUNTER:x} 0 0 0 0 0 0"),
    ];
    builder.branch(correlation, true, is_taken, time.len() as u16 + 1);
    for line in &time {
        builder.line(format_args!("{line}"));
    }
    let past = frequency.len() + 1;
    builder.line(format_args!("jump 0 0 {past:x} 0 0 0 0 0"));
    for line in &frequency {
        builder.line(format_args!("{line}"));
    }
    builder.finish()
}
