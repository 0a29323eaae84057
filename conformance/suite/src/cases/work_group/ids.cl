// Each work-item stores the results of the functions for ids. `launch.cl` is in front
// of this.

enum { WORDS = 22 };

kernel void record(global ulong *records, global uint *visits)
{
    const size_t here = place();
    atomic_inc(visits + here);
    global ulong *next = records + WORDS * here;
#define WRITE(axis) \
    *next++ = get_global_id(axis); \
    *next++ = get_local_id(axis); \
    *next++ = get_group_id(axis); \
    *next++ = get_global_size(axis); \
    *next++ = get_local_size(axis); \
    *next++ = get_num_groups(axis); \
    *next++ = get_global_offset(axis);
    WRITE(0)
    WRITE(1)
    WRITE(2)
    *next = get_work_dim();
}

// As above, with dimensions that are unknown to the compiler.
kernel void record_of(global ulong *records, global uint *visits, global const uint *axes)
{
    const size_t here = place();
    atomic_inc(visits + here);
    global ulong *next = records + WORDS * here;
    for (uint i = 0; i < 3; ++i) {
        WRITE(axes[i])
    }
    *next = get_work_dim();
}
