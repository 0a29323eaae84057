//! The text that `mocl3 stat` prints.

use crate::profile::format::{bytes, count, rate, size, time};
use crate::profile::{
    ACTIVITIES, ClusterUse, HostProfile, KernelProfile, Percentages, Profile, Rate,
};
use mocl3_shared::table::{Cell, Table};
use mocl3_shared::terminal::{STRONG, WARNING, shortened, styled, wrapped};

/// The begin of the lines about the host.
const HOST: &str = "host: ";

/// Maximum number of processes that are named.
const PROGRAMS: usize = 3;

/// The begin of what a kernel exceeds.
const MARK: &str = "  warning:";

/// The indentation of continued sentences, columns.
const INDENT: usize = 4;

/// The text with all tables, at most `width` columns wide where numbers permit it.
pub fn text(profile: &Profile, per_array: bool, width: Option<usize>) -> String {
    let mut text = heading(profile, width);
    if !profile.kernels.is_empty() {
        text += &times(profile, width);
        let timed: Vec<_> = profile
            .kernels
            .iter()
            .filter(|kernel| kernel.cycles > 0)
            .collect();
        if !timed.is_empty() {
            text += &shares(&timed, width);
            text += &rates(&timed, width);
            text += &memories(&timed, width);
        }
        for kernel in &profile.kernels {
            text += &sentence(kernel, width);
        }
        text.push('\n');
    }
    if per_array {
        for kernel in &profile.kernels {
            text += &arrays(kernel, width);
        }
    }
    if !profile.transfers.is_empty() {
        text += &transfers(profile, width);
    }
    text + &host(&profile.host, width)
}

/// The kernel and what bounds it.
fn sentence(kernel: &KernelProfile, width: Option<usize>) -> String {
    let label = match width {
        Some(width) => shortened(&kernel.label(), width / 2),
        None => kernel.label(),
    };
    let text = format!("{label}: {}", kernel.bound.sentence);
    let text = wrapped(&text, width, INDENT);
    // A label is broken only where it is as long as the line.
    let mut text = match text.strip_prefix(&label) {
        Some(rest) => format!("{}{rest}\n", styled(STRONG, &label)),
        None => text + "\n",
    };
    for exceeded in &kernel.exceeded {
        let sentence = wrapped(&format!("{MARK} {}", exceeded.sentence), width, INDENT);
        text += &sentence.replacen(MARK, &styled(WARNING, MARK), 1);
        text.push('\n');
    }
    text
}

fn heading(profile: &Profile, width: Option<usize>) -> String {
    let machine = &profile.machine;
    let launches: u64 = profile.kernels.iter().map(|kernel| kernel.launches).sum();
    let mut programs: Vec<_> = profile
        .programs
        .iter()
        .take(PROGRAMS)
        .map(|words| styled(STRONG, &wrapped(&words.join(" "), width, INDENT)))
        .collect();
    if profile.programs.len() > PROGRAMS {
        let more = (profile.programs.len() - PROGRAMS) as u64;
        programs.push(format!("and {} more", several(more, "process", "es")));
    }
    let clusters = profile.simulated.clusters.iter();
    let clusters: String = clusters
        .map(|cluster| wrapped(&cluster_use(cluster), width, INDENT) + "\n")
        .collect();
    let changes: String = machine
        .identity
        .sentences()
        .iter()
        .map(|sentence| styled(STRONG, &wrapped(sentence, width, INDENT)) + "\n")
        .collect();
    format!(
        "{}\n{}, {}; a cluster has {} arrays of {} lanes\n{changes}\
         {} of {}: {} simulated, {} from end to end\n{clusters}\n",
        programs.join("\n"),
        machine.name,
        rate(machine.clock as f64, "Hz"),
        machine.arrays,
        machine.lanes,
        several(launches, "launch", "es"),
        several(profile.kernels.len() as u64, "kernel", "s"),
        styled(STRONG, &time(profile.kernel_time())),
        styled(STRONG, &time(profile.simulated.elapsed_ns)),
    )
}

fn cluster_use(cluster: &ClusterUse) -> String {
    format!(
        "{}: kernels {} of that time, its arrays' code {}, transfers {}",
        cluster.name,
        percent(cluster.kernels_percent),
        percent(cluster.arrays_percent),
        percent(cluster.transfers_percent),
    )
}

fn several(number: u64, what: &str, plural: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}{plural}"),
    }
}

fn times(profile: &Profile, width: Option<usize>) -> String {
    let all = profile.kernel_time().max(1);
    let mut table = Table::new(&[
        "kernel (local size)",
        "global size",
        "launches",
        "time",
        "of all",
        "a launch",
        "cycles",
        "instructions",
    ]);
    for kernel in &profile.kernels {
        let timed = (kernel.launches - kernel.untimed).max(1);
        table.row(vec![
            kernel.label(),
            kernel
                .global_size
                .as_ref()
                .map_or("various".into(), |global| size(global)),
            kernel.launches.to_string(),
            time(kernel.time_ns),
            percent(kernel.time_ns as f64 * 100.0 / all as f64),
            time(kernel.time_ns / timed),
            count(kernel.cycles),
            count(kernel.instructions),
        ]);
    }
    let mut text = table.text(width);
    let before = text.len();
    for kernel in &profile.kernels {
        for (number, what) in [
            (kernel.failed, "failed"),
            (kernel.untimed, "not timed"),
            (kernel.given_up, "given up"),
        ] {
            if number > 0 {
                let launches = several(kernel.launches, "launch", "es");
                text += &format!("{}: {number} of {launches} {what}\n", kernel.label());
            }
        }
    }
    if text.len() > before {
        text.push('\n');
    }
    text
}

fn activities(first: &[&str]) -> Table {
    let names = ACTIVITIES.iter().map(|(_, _, name)| *name);
    Table::new(&first.iter().copied().chain(names).collect::<Vec<_>>())
}

/// The shares; the largest stands out.
fn share_cells(shares: &Percentages) -> impl Iterator<Item = Cell> {
    let largest = shares.0.into_iter().max();
    (0..ACTIVITIES.len()).map(move |place| {
        let text = percent(shares.percent(place));
        match Some(shares.0[place]) == largest && largest > Some(0) {
            true => Cell::strong(text),
            false => Cell::from(text),
        }
    })
}

fn shares(kernels: &[&KernelProfile], width: Option<usize>) -> String {
    let mut table = activities(&["shares of the arrays' time"]);
    for kernel in kernels {
        let mut cells = vec![Cell::from(kernel.label())];
        cells.extend(share_cells(&kernel.shares));
        table.row(cells);
    }
    table.text(width)
}

fn of_peak(part: &Rate, unit: &str) -> Vec<String> {
    match part.total {
        0 => vec!["-".into(), "-".into()],
        _ => vec![
            rate(part.per_second, unit),
            match part.peak > 0.0 {
                true => percent(part.percent),
                false => "-".into(),
            },
        ],
    }
}

fn rates(kernels: &[&KernelProfile], width: Option<usize>) -> String {
    let mut table = Table::new(&[
        "achieved, of peak",
        "single",
        "",
        "double",
        "",
        "DDR",
        "",
        "SM/AM",
        "",
    ]);
    let mut others = Table::new(&["achieved, of peak", "GSM", "", "HBSM", ""]);
    for kernel in kernels {
        let bandwidth = &kernel.bandwidth;
        let mut cells = vec![kernel.label()];
        for (part, unit) in [
            (&kernel.flops.single, "FLOP/s"),
            (&kernel.flops.double, "FLOP/s"),
            (&bandwidth.ddr, "B/s"),
            (&bandwidth.scratchpad, "B/s"),
        ] {
            cells.extend(of_peak(part, unit));
        }
        table.row(cells);
        let mut cells = vec![kernel.label()];
        cells.extend(of_peak(&bandwidth.gsm, "B/s"));
        cells.extend(of_peak(&bandwidth.hbsm, "B/s"));
        others.row(cells);
    }
    let used =
        |kernel: &&KernelProfile| kernel.bandwidth.gsm.total > 0 || kernel.bandwidth.hbsm.total > 0;
    match kernels.iter().any(used) {
        true => table.text(width) + &others.text(width),
        false => table.text(width),
    }
}

fn memories(kernels: &[&KernelProfile], width: Option<usize>) -> String {
    let mut table = Table::new(&[
        "per launch and group",
        "DMA transfers",
        "DMA bytes",
        "locks",
        "local memory",
        "private memory",
        "stack",
        "code",
        "lanes active",
    ]);
    for kernel in kernels {
        let timed = (kernel.launches - kernel.untimed).max(1);
        table.row(vec![
            kernel.label(),
            count(kernel.dma_transfers / timed),
            bytes(kernel.dma_bytes / timed),
            count(kernel.locks / timed),
            bytes(kernel.local_memory),
            bytes(kernel.private_memory),
            bytes(kernel.stack),
            bytes(kernel.code),
            match (kernel.lanes_active, kernel.lanes) {
                (_, 0) => "none".into(),
                (Some(active), lanes) => format!("{active:.1} of {lanes}"),
                (None, lanes) => format!("- of {lanes}"),
            },
        ]);
    }
    table.text(width)
}

fn arrays(kernel: &KernelProfile, width: Option<usize>) -> String {
    let several = kernel
        .per_array
        .windows(2)
        .any(|two| two[0].device != two[1].device);
    let label = kernel.label();
    let mut table = activities(&[&label, "busy cycles"]);
    for array in &kernel.per_array {
        let name = match several {
            true => format!("cluster {}, array {}", array.device, array.array),
            false => format!("array {}", array.array),
        };
        let mut cells: Vec<Cell> = vec![name.into(), array.busy_cycles.to_string().into()];
        cells.extend(share_cells(&array.shares));
        table.row(cells);
    }
    let text = table.text(width);
    format!(
        "{}\nbalance: the busiest array has {:.2} times the mean's work\n\n",
        text.trim_end(),
        kernel.imbalance
    )
}

fn transfers(profile: &Profile, width: Option<usize>) -> String {
    let mut table = Table::new(&[
        "other commands",
        "commands",
        "failed",
        "bytes",
        "time",
        "rate",
    ]);
    for transfer in &profile.transfers {
        table.row(vec![
            transfer.kind.clone(),
            transfer.commands.to_string(),
            transfer.failed.to_string(),
            bytes(transfer.bytes),
            time(transfer.time_ns),
            match transfer.bytes_per_second > 0.0 {
                true => rate(transfer.bytes_per_second, "B/s"),
                false => "-".into(),
            },
        ]);
    }
    table.text(width)
}

fn host(host: &HostProfile, width: Option<usize>) -> String {
    let mut parts = vec![format!(
        "kernels ran for {} on {} host threads: {} simulated cycles/s, {} instructions/s",
        time(host.kernel_time_ns),
        host.threads,
        count(host.cycles_per_second as u64),
        count(host.instructions_per_second as u64),
    )];
    if let Some(wall) = host.wall_time_ns {
        parts.push(format!("the program took {}", time(wall)));
    }
    if let Some(comparison) = host.comparison {
        parts.push(format!(
            "run again it took {}, and {} without timing, which is {:.2} times as fast",
            time(comparison.timed_wall_time_ns),
            time(comparison.untimed_wall_time_ns),
            comparison.slowdown
        ));
    }
    let width = width.map(|width| width - HOST.len());
    let parts: Vec<String> = parts.iter().map(|part| wrapped(part, width, 0)).collect();
    let lines = parts
        .join("\n")
        .replace('\n', &format!("\n{:1$}", "", HOST.len()));
    format!("{HOST}{lines}\n")
}

fn percent(percent: f64) -> String {
    format!("{percent:.1} %")
}
