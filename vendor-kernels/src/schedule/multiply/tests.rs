//! Multiply-adds are those of the products, and rates those that the GEMM papers published.

use super::by_panels;
use super::kernels::micro_kernel;
use crate::Precision;
use crate::schedule::tests::{machine, rate, report};
use device_sim::array_range::ArrayRange;
use device_sim::machine::CodeStackLayout;
use device_sim::timing::launch_report::Details;

fn gemm(m: u64, n: u64, k: u64) -> Vec<(&'static str, u64)> {
    vec![("m", m), ("n", n), ("k", k), ("beta", 1)]
}

/// 14 + 6 k + 12 cycles; GEMM paper on FT-M7032.
#[test]
fn the_micro_kernel_takes_the_published_cycles() {
    let machine = machine("ft-m7032");
    for steps in [64, 512, 1024] {
        assert_eq!(micro_kernel(&machine, 6, 3, steps), 14 + 6 * steps + 12);
    }
}

#[test]
fn products_have_all_their_multiply_adds() {
    let machine = machine("mt3000");
    for arrays in [1, 3, 8, 24] {
        for [m, n, k] in [
            [1, 1, 1],
            [100, 7, 2000],
            [4000, 50, 600],
            [1000, 1100, 1200],
        ] {
            for name in ["dgemm", "sgemm", "hgemm"] {
                let report = report(&machine, arrays, name, &gemm(m, n, k));
                let flops = report.totals.single_flops + report.totals.double_flops;
                assert_eq!(flops, 2 * m * n * k, "{name} {m} {n} {k} on {arrays}");
            }
        }
    }
    let nothing = report(&machine, 24, "dgemm", &gemm(0, 5, 5));
    assert_eq!(nothing.totals.double_flops, 0);
}

/// A triangle has half of the blocks, and those on the diagonal as a whole.
#[test]
fn triangles_leave_out_blocks() {
    let machine = machine("mt3000");
    let whole = 2 * 4096_u64.pow(3);
    let sizes = [("m", 4096), ("n", 4096), ("k", 4096)];
    for (name, flags) in [
        ("dsyrk", ["upper", "trans"]),
        ("dtrmm", ["upper", "right"]),
        ("dtrsm", ["upper", "transa"]),
    ] {
        for set in 0..4 {
            let mut values = sizes.to_vec();
            values.extend(
                flags
                    .iter()
                    .enumerate()
                    .map(|(bit, flag)| (*flag, set >> bit & 1)),
            );
            let flops = report(&machine, 24, name, &values).totals.double_flops;
            let share = flops as f64 / whole as f64;
            assert!((0.5..0.65).contains(&share), "{name} {values:?}: {share}");
        }
    }
}

/// Published rates of an FT-M7032 in GFLOP/s of an array; GEMM papers, whose sizes are not known.
#[test]
fn rates_are_within_ten_percent_of_the_published_ones() {
    let machine = machine("ft-m7032");
    let check = |arrays: u64, published: f64, values: &[(&str, u64)]| {
        let rate = rate(&machine, arrays, &report(&machine, arrays, "dgemm", values));
        let distance = (rate - published).abs() / published;
        assert!(
            distance <= 0.1,
            "{values:?}: {rate:.1}, published {published}"
        );
    };
    for (k, published) in [(128, 158.0), (256, 163.0), (512, 165.0)] {
        check(1, published, &gemm(4608, 4608, k));
    }
    // By rows, N and T are those of the other factor.
    for (transa, transb, published) in [(0, 0, 158.0), (1, 0, 149.0), (0, 1, 157.0), (1, 1, 148.0)]
    {
        let mut values = gemm(6144, 6144, 6144);
        values.extend([("transa", transa), ("transb", transb)]);
        check(8, published, &values);
    }
    check(8, 158.0, &gemm(8192, 192, 8192));
}

/// Three blocks of C in AM hide what two do not.
#[test]
fn triple_buffering_is_faster_than_double_buffering() {
    let machine = machine("ft-m7032");
    let layout = CodeStackLayout::from(&machine.layout);
    let rate = |buffers| {
        let size = [4608, 4608, 512];
        let schedule = by_panels(&machine, 1, Precision::Double, size, buffers);
        let report = schedule.report(&machine, &layout, ArrayRange::all(1), Details::default());
        rate(&machine, 1, &report)
    };
    let [two, three] = [rate(2), rate(3)];
    assert!(two < three, "{two} {three}");
}

#[test]
fn equal_launches_take_equal_times() {
    let machine = machine("mt3000");
    let time = || report(&machine, 24, "dgemm", &gemm(1000, 900, 800)).timing;
    assert_eq!(time(), time());
}
