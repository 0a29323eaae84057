#define local_barrier() barrier(CLK_LOCAL_MEM_FENCE);
#define SCAN(a, b) a + b
typedef uint scan_type;

// One group of 16 scans one interval, a tile of 16 elements at a time.
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void scan_intervals(
    global const scan_type *input, global scan_type *output, const int count, const int interval,
    global scan_type *restrict totals)
{
    struct wrapped {
        scan_type value;
    };
    local struct wrapped tile[16 + 1];
    const int begin = interval * (int)get_group_id(0);
    const int end = min(begin + interval, count);
    scan_type carry = 0;
    for (int from = begin; from < end; from += 16) {
        const int here = from + (int)get_local_id(0);
        scan_type value = here < end ? input[here] : 0;
        if (get_local_id(0) == 0)
            value = SCAN(carry, value);
        tile[get_local_id(0)].value = value;
        local_barrier();
        for (int distance = 1; distance < 16; distance *= 2) {
            scan_type sum = tile[get_local_id(0)].value;
            if (get_local_id(0) >= distance) {
                const scan_type before = tile[get_local_id(0) - distance].value;
                sum = SCAN(before, sum);
            }
            local_barrier();
            tile[get_local_id(0)].value = sum;
            local_barrier();
        }
        if (here < end)
            output[here] = tile[get_local_id(0)].value;
        carry = tile[15].value;
        local_barrier();
    }
    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = carry;
}
