//! Times of launches under changes, as `mocl3 advise` shows them: following the advice saves what it says.

use crate::tree::{TREE, build_texts};
use device_sim::timing::what_if::Change;
use recording::Command;

/// Each kernel adds up an array by parts. `single` loads a part and then computes on it, `twofold` loads the
/// next part meanwhile; `direct` adds up numbers in DDR, `staged` in SM, to which transfers move them. In
/// `uneven` half of the threads do nothing, `even` divides the same work among all.
const KERNELS: &str = "#include <compiler/m3000.h>
#include \"hthread_device.h\"

enum { VECTORS = 512, PARTS = 24, BYTES = VECTORS * sizeof(lvector double) };

static lvector double sum_of(const lvector double *part, lvector double sum)
{
    for (int repeated = 0; repeated < 4; repeated++)
        for (int i = 0; i < VECTORS; i++)
            sum = sum + part[i] * part[i];
    return sum;
}

static void store(double *to, lvector double sum)
{
    lvector double *result = vector_malloc(sizeof(lvector double));
    *result = sum;
    vector_store(result, to + 16 * get_thread_id(), sizeof(lvector double));
    vector_free(result);
}

__global__ void single(double *from, double *to)
{
    lvector double *part = vector_malloc(BYTES);
    lvector double sum = (lvector double)vec_svbcast(0.0);
    for (int i = 0; i < PARTS; i++) {
        vector_load(from + i * (BYTES / 8), part, BYTES);
        sum = sum_of(part, sum);
    }
    store(to, sum);
    vector_free(part);
}

__global__ void twofold(double *from, double *to)
{
    lvector double *parts = vector_malloc(2 * BYTES);
    lvector double sum = (lvector double)vec_svbcast(0.0);
    unsigned int load = vector_load_async(from, parts, BYTES);
    for (int i = 0; i < PARTS; i++) {
        dma_wait(load);
        if (i + 1 < PARTS)
            load = vector_load_async(from + (i + 1) * (BYTES / 8), parts + (i + 1) % 2 * VECTORS, BYTES);
        sum = sum_of(parts + i % 2 * VECTORS, sum);
    }
    store(to, sum);
    vector_free(parts);
}

static void compute(int parts, double *to)
{
    lvector double *part = vector_malloc(BYTES);
    lvector double sum = (lvector double)vec_svbcast(0.0);
    for (int i = 0; i < VECTORS; i++)
        part[i] = sum;
    for (int i = 0; i < parts; i++)
        sum = sum_of(part, sum);
    store(to, sum);
    vector_free(part);
}

__global__ void uneven(double *from, double *to)
{
    compute(get_thread_id() % 2 ? 2 * PARTS : 0, to);
}

__global__ void even(double *from, double *to)
{
    compute(PARTS, to);
}

__global__ void direct(double *from, double *to)
{
    double sum = 0;
    for (int i = 0; i < PARTS * VECTORS; i++)
        sum = sum + from[i];
    to[get_thread_id()] = sum;
}

__global__ void staged(double *from, double *to)
{
    enum { COUNT = 2048, COUNTS = PARTS * VECTORS / COUNT };
    double *parts = scalar_malloc(2 * COUNT * 8);
    double sum = 0;
    unsigned int load = scalar_load_async(from, parts, COUNT * 8);
    for (int i = 0; i < COUNTS; i++) {
        dma_wait(load);
        if (i + 1 < COUNTS)
            load = scalar_load_async(from + (i + 1) * COUNT, parts + (i + 1) % 2 * COUNT, COUNT * 8);
        double *part = parts + i % 2 * COUNT;
        for (int j = 0; j < COUNT; j++)
            sum = sum + part[j];
    }
    to[get_thread_id()] = sum;
    scalar_free(parts);
}
";

const PROGRAM: &str = "#include \"hthread_host.h\"
#include <stdio.h>

int main(void)
{
    static const char *const kernels[] = {\"single\", \"twofold\", \"uneven\", \"even\", \"direct\", \"staged\"};
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    double *from = hthread_malloc(0, 24 * 512 * 128, HT_MEM_RO);
    double *to = hthread_malloc(0, 24 * 128, HT_MEM_RW);
    for (int i = 0; i < 24 * 512 * 16; i++)
        from[i] = i % 5;
    uint64_t arguments[] = {(uint64_t)from, (uint64_t)to};
    for (int i = 0; i < 6; i++) {
        int group = hthread_group_create(0, 4, (char *)kernels[i], 0, 2, arguments);
        hthread_group_wait(group);
        hthread_group_destroy(group);
    }
    hthread_dev_close(0);
    return 0;
}
";

fn launches() -> Vec<Command> {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    build_texts(here, KERNELS, PROGRAM, "-O2");
    TREE.succeed(
        "MOCL3_RECORD=recording MOCL3_RECORD_ALTERNATIVES=1 ./program",
        here,
    );
    let processes = recording::read_folder(&here.join("recording")).unwrap();
    let [process] = &processes[..] else {
        panic!("{} processes", processes.len());
    };
    assert!(process.header.alternatives);
    process.commands.clone()
}

#[test]
fn following_advice_saves_what_it_says() {
    let launches = launches();
    let [single, twofold, uneven, even, direct, staged] = &launches[..] else {
        panic!("{} launches", launches.len());
    };
    let end = |launch: &Command| launch.report.as_ref().unwrap().timing.end.0 as f64;
    let predicted = |launch: &Command, change: Change| {
        let report = launch.report.as_ref().unwrap();
        let mut all = report.alternatives.iter();
        let found = all.find(|one| one.change == change).unwrap();
        found.end.0 as f64
    };
    for (before, change, after) in [
        (single, Change::DoubleBuffered, twofold),
        (uneven, Change::Balanced, even),
        (direct, Change::Dma, staged),
    ] {
        let (before, predicted, after) = (end(before), predicted(before, change), end(after));
        assert!(after < 0.9 * before, "{change:?}: {before} {after}");
        let ratio = predicted / after;
        assert!(
            (0.95..=1.05).contains(&ratio),
            "{change:?}: {before} {predicted} {after}"
        );
    }
    let already = &twofold.report.as_ref().unwrap().alternatives;
    let rest = already
        .iter()
        .filter(|one| one.change == Change::DoubleBuffered);
    assert!(
        rest.map(|one| one.end.0 as f64)
            .all(|rest| rest > 0.95 * end(twofold))
    );
}
