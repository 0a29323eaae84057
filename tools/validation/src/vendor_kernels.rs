//! Rates of the vendor's library against those of the GEMM papers, on the machine that these measured, and on
//! the MT-3000. Times are those of the schedules; nothing is computed.

use crate::figure::{Figure, Part, Tolerance, digits};
use anyhow::{Context, Result};
use device_sim::array_range::ArrayRange;
use device_sim::machine::{CodeStackLayout, Description, Machine};
use device_sim::timing::launch_report::Details;
use vendor_kernels::schedule::{self, Schedule};
use vendor_kernels::{Precision, find};

const PAPERS: &str = "GEMM papers; the sizes are ours";

/// Sizes by name.
type Sizes<'a> = &'a [(&'a str, u64)];

/// A machine, and arrays of it.
struct Arrays<'m> {
    machine: &'m Machine,
    count: u64,
}

impl Arrays<'_> {
    /// GFLOP/s of all arrays, without the launch, as the papers' authors measure.
    fn rate(&self, schedule: Schedule) -> f64 {
        let layout = CodeStackLayout::from(&self.machine.layout);
        let all = ArrayRange::all(self.machine.clusters.arrays.value);
        let report = schedule.report(self.machine, &layout, all, Details::default());
        let cycles = report.timing.cycles_after_starts().0 as f64;
        let seconds = cycles / self.machine.clusters.clock.value as f64;
        (report.totals.single_flops + report.totals.double_flops) as f64 / seconds / 1e9
    }

    /// GFLOP/s of all arrays at their peak, in double precision.
    fn peak(&self) -> f64 {
        let array = &self.machine.array;
        let products = array.lanes.value * array.slots.vector_multiply.value;
        let clock = self.machine.clusters.clock.value;
        (2 * products * self.count * clock) as f64 / 1e9
    }

    fn rate_of(&self, name: &str, sizes: Sizes<'_>) -> Result<f64> {
        let kernel = find(name).with_context(|| format!("no kernel {name}"))?;
        let sizes: Vec<(&str, f64)> = sizes.iter().map(|(name, v)| (*name, *v as f64)).collect();
        Ok(self.rate(kernel.schedule(self.machine, self.count, &sizes)))
    }

    /// The same of one array.
    fn rate_each(&self, name: &str, sizes: Sizes<'_>) -> Result<f64> {
        Ok(self.rate_of(name, sizes)? / self.count as f64)
    }
}

fn gemm(m: u64, n: u64, k: u64) -> [(&'static str, u64); 4] {
    [("m", m), ("n", n), ("k", k), ("beta", 1)]
}

/// The published rates, and tables of rates.
///
/// # Errors
/// The machines do not ship.
pub fn part() -> Result<Part> {
    let machine = |name: &str| -> Result<Machine> {
        let description = Description::select(name).map_err(anyhow::Error::msg)?;
        Ok(description.machine()?)
    };
    let (predecessor, machine) = (machine("ft-m7032")?, machine("mt3000")?);
    let mut part = Part::new("Vendor's library");
    part.figures = published(&predecessor, &machine)?;
    part.say(format_args!(
        "`?gemm` and other kernels of the library ([vendor-kernels.md](../vendor-kernels.md)). On the FT-M7032,\n\
         GFLOP/s of an array:\n\n| arrays | N = 4608, K = 512 | N = 4608, K = 4608 |\n| --- | --- | --- |\n"
    ));
    for count in [1, 2, 4, 8] {
        let arrays = Arrays {
            machine: &predecessor,
            count,
        };
        part.say(format_args!(
            "| {count} | {} | {} |\n",
            digits(arrays.rate_each("dgemm", &gemm(4608, 4608, 512))?),
            digits(arrays.rate_each("dgemm", &gemm(4608, 4608, 4608))?),
        ));
    }
    let all = Arrays {
        machine: &machine,
        count: machine.clusters.arrays.value,
    };
    let peak = all.peak();
    part.say(format_args!(
        "\nOn a cluster of the MT-3000, square matrices, GFLOP/s and the share of the peak of {} GFLOP/s in double\n\
         precision:\n\n| kernel | 512 | 1024 | 2048 | 4096 | 8192 |\n| --- | --- | --- | --- | --- | --- |\n",
        digits(peak)
    ));
    for (name, widths) in [
        ("dgemm", 1.0),
        ("sgemm", 2.0),
        ("hgemm", 4.0),
        ("dsymm", 1.0),
        ("dsyrk", 1.0),
        ("dtrmm", 1.0),
    ] {
        let mut row = format!("| `{name}` |");
        for size in [512, 1024, 2048, 4096, 8192] {
            let rate = all.rate_of(name, &gemm(size, size, size))?;
            let share = rate * 100.0 / (peak * widths);
            row += &format!(" {} ({share:.0} %) |", digits(rate));
        }
        part.say(format_args!("{row}\n"));
    }
    Ok(part)
}

fn published(predecessor: &Machine, machine: &Machine) -> Result<Vec<Figure>> {
    let ten = Tolerance::Percent(10.0);
    let figure = |what, published, simulated, unit, tolerance| Figure {
        what,
        published,
        simulated,
        unit,
        tolerance,
        from: PAPERS,
        why: "The schedule has changed.",
    };
    let arrays = |count| Arrays {
        machine: predecessor,
        count,
    };
    let (one, eight) = (arrays(1), arrays(8));
    let mut figures = vec![Figure {
        from: "GEMM papers: 14 + 6 K + 12",
        ..figure(
            "library's micro-kernel, K = 512",
            3098.0,
            schedule::micro_kernel(predecessor, 6, 3, 512) as f64,
            "cycles",
            Tolerance::Percent(0.0),
        )
    }];
    for (what, k, rate) in [
        ("`dgemm` on one array of an FT-M7032, K = 128", 128, 158.0),
        ("the same, K = 256", 256, 163.0),
        ("the same, K = 512", 512, 165.0),
    ] {
        let found = one.rate_each("dgemm", &gemm(4608, 4608, k))?;
        figures.push(figure(what, rate, found, "GFLOP/s", ten));
    }
    let buffered = |buffers| {
        let size = [4608, 4608, 512];
        let schedule = schedule::by_panels(predecessor, 8, Precision::Double, size, buffers);
        eight.rate(schedule) / 8.0
    };
    figures.push(figure(
        "two buffers for C instead of three, 8 arrays",
        157.0,
        buffered(2),
        "GFLOP/s",
        Tolerance::AtMost,
    ));
    let speedup = eight.rate_of("dgemm", &gemm(4608, 4608, 4608))?
        / one.rate_of("dgemm", &gemm(4608, 4608, 4608))?;
    figures.push(figure("speedup by 8 arrays", 8.0, speedup, "times", ten));
    // By rows, the letters are those of the other factor.
    for (what, transa, transb, rate) in [
        ("8 arrays, neither factor transposed", 0, 0, 158.0),
        ("B transposed", 1, 0, 149.0),
        ("A transposed", 0, 1, 157.0),
        ("both transposed", 1, 1, 148.0),
    ] {
        let mut sizes = gemm(6144, 6144, 6144).to_vec();
        sizes.extend([("transa", transa), ("transb", transb)]);
        let found = eight.rate_each("dgemm", &sizes)?;
        figures.push(figure(what, rate, found, "GFLOP/s", ten));
    }
    let found = eight.rate_each("dgemm", &gemm(8192, 192, 8192))?;
    figures.push(figure("192 rows of A", 158.0, found, "GFLOP/s", ten));
    let all = Arrays {
        machine,
        count: machine.clusters.arrays.value,
    };
    let share = all.rate_of("dgemm", &gemm(8192, 8192, 8192))? / all.peak() * 100.0;
    figures.push(Figure {
        from: "Linpack on an MT-3000 prototype; Lu et al. 2022",
        ..figure(
            "`dgemm` on 24 arrays of an MT-3000, share of the peak",
            80.0,
            share,
            "%",
            Tolerance::AtLeast,
        )
    });
    Ok(figures)
}
