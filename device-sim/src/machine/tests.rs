use super::*;
use std::path::Path;

#[test]
fn mt3000_has_its_published_shape() {
    let machine = Machine::mt3000();
    assert_eq!(machine.clusters.count.value, 4);
    assert_eq!(machine.clusters.arrays.value, 24);
    assert_eq!(machine.array.lanes.value, 16);
    assert_eq!(machine.memory.am.size.value, 768 << 10);
}

#[test]
fn unknown_keys_are_refused_with_their_line() {
    let text = MT3000.replace("[array]", "[array]\nwheels = 3");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(
        error.contains("wheels") && error.contains("line"),
        "{error}"
    );
}

#[test]
fn impossible_numbers_are_refused_by_name() {
    let text = MT3000.replace("value = 655_360", "value = 1_000_000");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("memory.am.local_memory"), "{error}");
    let text = MT3000.replace(
        "layout]\nstack = { value = 20",
        "layout]\nstack = { value = 30",
    );
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("layout.stack"), "{error}");
    let text = MT3000.replace("line = { value = 64", "line = { value = 96");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("memory.port.line"), "{error}");
    let text = MT3000.replace("array = { value = 2048", "array = { value = 20");
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("open_cl.images.array"), "{error}");
    let text = MT3000.replace(
        "pitch_alignment = { value = 1,",
        "pitch_alignment = { value = 3,",
    );
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("open_cl.images.pitch_alignment"), "{error}");
    let text = MT3000.replace(
        "width_2d = { value = 16384",
        "width_2d = { value = 16777217",
    );
    let error = Machine::parse(&text).unwrap_err().to_string();
    assert!(error.contains("open_cl.images.width_2d"), "{error}");
}

/// The built-in machine with another number.
fn with(name: &str, value: u64) -> Result<Machine, MachineError> {
    let mut description: toml::Table = MT3000.parse().unwrap();
    let mut place = &mut description;
    for key in name.split('.') {
        place = place[key].as_table_mut().unwrap();
    }
    place["value"] = i64::try_from(value).unwrap().into();
    Machine::parse(&toml::to_string(&description).unwrap())
}

#[test]
fn each_number_has_a_largest_value() {
    for (name, number) in flatten(MT3000).unwrap() {
        assert_eq!(with(&name, number.value).unwrap(), Machine::mt3000());
        let error = with(&name, i64::MAX as u64).expect_err(&name).to_string();
        let part = match name.contains("affinity") {
            true => "clusters.affinity",
            false => &name,
        };
        assert!(error.contains(part), "{name}: {error}");
    }
}

#[test]
fn zero_is_a_value_where_it_means_that_there_is_no_such_thing() {
    let all = flatten(MT3000).unwrap();
    let names = all.iter().map(|(name, _)| name.as_str());
    let accepted: Vec<_> = names.filter(|name| with(name, 0).is_ok()).collect();
    let latencies = all.iter().map(|(name, _)| name.as_str());
    let mut expected: Vec<_> = latencies
        .filter(|name| name.starts_with("array.latency.") || name.starts_with("launch.costs."))
        .collect();
    expected.extend([
        "array.access.stack_misses",
        "array.division.double_steps",
        "array.division.half_steps",
        "array.division.seed",
        "array.division.single_steps",
        "clusters.barriers",
        "dma.row",
        "dma.start",
        "host.cache_line",
        "host.enqueue",
        "host.fifo",
        "host.fifo_refill",
        "host.row",
        "host.start",
        "layout.stack",
        "locks.release",
        "locks.take",
        "memory.gsm.size",
        "memory.hbsm.size",
        "memory.l1d.size",
        "network.eager",
    ]);
    expected.sort_unstable();
    assert_eq!(accepted, expected);
}

#[test]
fn affinity_domains_lie_within_each_other() {
    let with = |lines: &str| {
        let number = |line: &str| {
            let (name, value) = line.split_once('=').unwrap();
            format!("{name} = {{ value = {value}, source = \"assumed\", note = \"\" }}\n")
        };
        let (before, rest) = MT3000.split_once("[clusters.affinity]\n").unwrap();
        let (_, after) = rest.split_once("\n[array]").unwrap();
        let domains: String = lines.split_whitespace().map(number).collect();
        let text = format!("{before}[clusters.affinity]\n{domains}\n[array]{after}");
        Machine::parse(&text).map(|machine| machine.clusters.affinity)
    };
    let affinity = with("numa=12 l3_cache=6 l1_cache=2").unwrap();
    let arrays = AffinityDomain::ALL.map(|domain| affinity.arrays(domain));
    assert_eq!(arrays, [Some(12), None, Some(6), None, Some(2)]);
    assert_eq!(with("").unwrap(), Affinity::default());
    with("numa=16 l2_cache=4").unwrap();
    for bad in [
        "numa=0",
        "l1_cache=25",
        "numa=4 l4_cache=8",
        "numa=12 l2_cache=5",
    ] {
        let error = with(bad).unwrap_err().to_string();
        assert!(error.contains("clusters.affinity"), "{bad}: {error}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = Description::read(Path::new("/no/such.toml")).unwrap_err();
    assert!(error.to_string().contains("/no/such.toml"));
}

fn dsp() -> &'static str {
    Shipped::find(Shipped::DSP).unwrap().text
}

#[test]
fn the_dsp_machine_has_the_papers_table_ii() {
    let machine = Description::parse(dsp()).unwrap().machine().unwrap();
    let rows: Vec<_> = (machine.accelerators.iter())
        .map(|row| (row.function.as_str(), row.frame.value, row.cycles.value))
        .collect();
    assert_eq!(
        rows,
        [
            ("real_fir", 40, 921),
            ("complex_fir", 40, 3696),
            ("adaptive_fir", 40, 4384),
            ("iir", 40, 2450),
            ("vector_dot", 40, 53),
            ("vector_add", 40, 131),
            ("vector_max", 40, 55),
            ("fft_256", 256, 18673),
            ("dct_64", 64, 874),
            ("correlation", 40, 753),
        ]
    );
    let clusters = Machine {
        name: Machine::mt3000().name,
        vendor: Machine::mt3000().vendor,
        accelerators: Vec::new(),
        task_scheduler: None,
        ..machine
    };
    assert_eq!(clusters, Machine::mt3000());
}

#[test]
fn errors_of_accelerators_name_the_number() {
    for (from, to, message) in [
        ("\"iir\"", "\"real_fir\"", "two tables [[accelerator]]"),
        (
            "value = 753",
            "value = 0",
            "accelerator.correlation.cycles is 0",
        ),
        (
            "value = 753, unit = \"cycle\"",
            "value = 753, unit = \"ns\"",
            "accelerator.correlation.cycles is in `cycle`, not in `ns`",
        ),
        ("function = \"iir\"", "fun = \"iir\"", "fun"),
        (
            "cycles + lags * (n + 7)",
            "cycles + lags * (n 7)",
            "accelerator.correlation.formula is `cycles + lags * (n 7) - 16 * (frame + 7)`: `)` \
             expected at character 20",
        ),
        ("[task_scheduler.bus]", "[task_scheduler.buses]", "buses"),
        (
            "[task_scheduler.bus]",
            "[task_scheduler.bus]\nlength = 3",
            "length",
        ),
        (
            "window = { value = 32",
            "window = { value = 32, unit = \"byte\"",
            "task_scheduler.dispatch.window is in ``, not in `byte`",
        ),
        (
            "scheduling = \"speculative\"",
            "scheduling = \"fast\"",
            "fast",
        ),
    ] {
        assert!(dsp().contains(from), "{from}");
        let error = Description::parse(&dsp().replace(from, to)).unwrap_err();
        let error = error.to_string();
        assert!(error.contains(message), "{from} -> {to}: {error}");
    }
}

#[test]
fn each_number_of_the_task_scheduler_has_a_largest_value() {
    let description = Description::parse(dsp()).unwrap();
    let numbers = description.entries().unwrap().into_iter();
    let names: Vec<String> = numbers
        .filter(|(_, entry)| matches!(entry, Entry::Number(_)))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("task_scheduler."))
        .collect();
    assert!(names.len() > 20);
    for name in names {
        let mut description: toml::Table = dsp().parse().unwrap();
        let mut place = &mut description;
        for key in name.split('.') {
            place = place[key].as_table_mut().unwrap();
        }
        place["value"] = i64::MAX.into();
        let error = Description::parse(&toml::to_string(&description).unwrap());
        let error = error.expect_err(&name).to_string();
        assert!(error.contains(&name), "{name}: {error}");
    }
}

#[test]
fn a_machine_with_accelerators_is_written_as_it_is_read() {
    let mut description = Description::parse(dsp()).unwrap();
    description.set("task_scheduler.dispatch.window=8").unwrap();
    let machine = description.machine().unwrap();
    let scheduler = machine.task_scheduler.as_ref().unwrap();
    assert_eq!(scheduler.dispatch.window.value, 8);
    let again = Description::parse(&description.text()).unwrap();
    assert_eq!(again.machine().unwrap(), machine);
}

fn set_dsp(settings: &[&str]) -> Description {
    let mut description = Description::parse(dsp()).unwrap();
    for setting in settings {
        description.set(setting).unwrap();
    }
    description
}

#[test]
fn settings_reach_accelerators_by_their_function() {
    let description = set_dsp(&[
        "accelerator.iir.units=4",
        "accelerator.iir.cycles=2000cycles",
        "accelerator.iir.formula.expression=cycles * n / frame",
    ]);
    let machine = description.machine().unwrap();
    let iir = &machine.accelerators[3];
    assert_eq!((iir.units.value, iir.cycles.value), (4, 2000));
    assert_eq!(iir.cycles.source.to_string(), "hypothetical");
    let formula = iir.formula.as_ref().unwrap();
    assert_eq!(formula.expression, "cycles * n / frame");
    assert_eq!(formula.source.to_string(), "hypothetical");
    let sentences: Vec<String> = description.identity().set().map(Change::sentence).collect();
    assert_eq!(
        sentences,
        [
            "accelerator.iir.units is 4, not 1 (assumed)",
            "accelerator.iir.cycles is 2000 cycles, not 2450 cycles (published)",
            "accelerator.iir.formula.expression is cycles * n / frame, not cycles + n * (7 * sections \
             + 5) - frame * (7 * 8 + 5)",
        ]
    );
    let again = Description::parse(&description.text()).unwrap();
    assert_eq!(again.machine().unwrap(), machine);
    let mut description = description;
    let error = description.set("accelerator.sine.units=2").unwrap_err();
    let error = error.to_string();
    assert!(error.contains("no such number"), "{error}");
}

#[test]
fn overlays_change_an_accelerator_of_their_base() {
    let overlay = |function: &str| {
        Description::parse(&format!(
            "base = \"dsp\"\nname = \"M\"\n[accelerator.{function}]\nunits = {{ value = 8, source = \
             \"hypothetical\", note = \"more\" }}\n"
        ))
    };
    let machine = overlay("iir").unwrap().machine().unwrap();
    let units: Vec<u64> = (machine.accelerators.iter())
        .map(|one| one.units.value)
        .collect();
    assert_eq!(units, [1, 1, 1, 8, 1, 1, 1, 1, 1, 1]);
    let error = overlay("sine").unwrap_err().to_string();
    assert!(error.contains("accelerator.sine"), "{error}");
}
