//! Times of kernels that stream arrays are those of DDR.

use crate::find;
use device_sim::array_range::ArrayRange;
use device_sim::machine::{CodeStackLayout, Description, Machine};
use device_sim::timing::launch_report::{Details, LaunchReport};

pub fn machine(name: &str) -> Machine {
    Description::select(name).unwrap().machine().unwrap()
}

pub fn report(machine: &Machine, arrays: u64, name: &str, values: &[(&str, u64)]) -> LaunchReport {
    let values: Vec<(&str, f64)> = values.iter().map(|(name, v)| (*name, *v as f64)).collect();
    let schedule = find(name).unwrap().schedule(machine, arrays, &values);
    let layout = CodeStackLayout::from(&machine.layout);
    let all = ArrayRange::all(machine.clusters.arrays.value);
    schedule.report(machine, &layout, all, Details::default())
}

/// GFLOP/s of an array.
pub fn rate(machine: &Machine, arrays: u64, report: &LaunchReport) -> f64 {
    let flops = (report.totals.single_flops + report.totals.double_flops) as f64;
    let cycles = report.timing.cycles_after_starts().0 as f64;
    flops / (cycles / machine.clusters.clock.value as f64) / 1e9 / arrays as f64
}

/// Bytes by hand, and a time that DDR's bandwidth bounds: with the transfers of the first blocks before the last
/// array begins, and the last ones' latency after.
#[test]
fn streams_move_their_bytes_at_the_rate_of_ddr() {
    let machine = machine("mt3000");
    let n = 8_000_000;
    let vectors = [("n", n), ("incx", 1), ("incy", 1)];
    let matrix = [("m", 4096), ("n", 2048), ("incx", 1), ("incy", 1)];
    let lines = [("nx", 4096), ("ny", 1), ("nz", 1), ("batch", 960)];
    for (name, values, bytes) in [
        ("daxpy", &vectors[..], 24 * n),
        ("sscal", &vectors, 8 * n),
        ("hcopy", &vectors, 4 * n),
        ("vd_sin", &vectors, 16 * n),
        ("vs_pow", &vectors, 12 * n),
        // Each array has both vectors, and stores its part of y, which the first one adds up.
        (
            "dgemv",
            &matrix,
            8 * (4096 * 2048 + 24 * 6144 + 24 * 4096 * 2 + 4096),
        ),
        ("dger", &matrix, 8 * (2 * 4096 * 2048 + 24 * 6144)),
        ("zfft", &lines, 2 * 16 * 4096 * 960),
    ] {
        let report = report(&machine, 24, name, values);
        assert_eq!(report.timing.transferred.0, bytes, "{name}");
        let first = report.timing.arrays.iter().map(|array| array.begin.0).min();
        let last = report.timing.arrays.iter().map(|array| array.end.0).max();
        let found = last.unwrap() - first.unwrap();
        let least = u128::from(bytes) * 1_200_000_000 / 42_600_000_000;
        let (found, least) = (u128::from(found), least);
        assert!(
            (least..2 * least).contains(&found),
            "{name}: {found}, at least {least}"
        );
    }
}

/// A vector with gaps moves whole lines.
#[test]
fn strided_vectors_move_whole_lines() {
    let machine = machine("mt3000");
    let report = report(&machine, 24, "dscal", &[("n", 100_000), ("incx", 8)]);
    assert_eq!(report.timing.transferred.0, 16 * 100_000);
    assert_eq!(report.timing.transferred_lines.0, 2 * 64 * 100_000);
}

/// Vectors that AM cannot hold are gathered from GSM, and larger ones from DDR.
#[test]
fn sparse_products_gather_where_the_vector_is() {
    let machine = machine("mt3000");
    let time = |columns: u64| {
        let values = [
            ("rows", 10_000),
            ("columns", columns),
            ("entries", 1_000_000),
        ];
        let report = report(&machine, 24, "dcsrmv", &values);
        (
            report.timing.cycles_after_starts(),
            report.timing.transferred_on_chip,
        )
    };
    let [(am, _), (gsm, on_chip), (ddr, _)] = [10_000, 500_000, 5_000_000].map(time);
    assert!(am < gsm && gsm < ddr, "{am:?} {gsm:?} {ddr:?}");
    assert!(on_chip.iter().any(|bytes| bytes.0 > 0));
}
