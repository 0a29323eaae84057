// At how many places a text has a pattern: a loop over its letters that most leave at once.
kernel void find(global const uchar *text, constant uchar *pattern, int length,
                 global int *places, global int *count)
{
    int start = get_global_id(0);
    int i = 0;
    while (i < length && text[start + i] == pattern[i])
        i++;
    if (i == length)
        places[atomic_inc(count)] = start;
}

#define NEAREST 8

// The nearest points to each query: sorted lists in private arrays.
kernel void nearest(global const float4 *queries, global const float4 *points, int count,
                    global float *distances, global int *indices)
{
    int query = get_global_id(0);
    float4 at = queries[query];
    float best[NEAREST];
    int which[NEAREST];
    for (int i = 0; i < NEAREST; i++) {
        best[i] = FLT_MAX;
        which[i] = -1;
    }
    for (int point = 0; point < count; point++) {
        float4 d = points[point] - at;
        float distance = dot(d, d);
        if (distance >= best[NEAREST - 1])
            continue;
        int place = NEAREST - 1;
        while (place > 0 && best[place - 1] > distance) {
            best[place] = best[place - 1];
            which[place] = which[place - 1];
            place--;
        }
        best[place] = distance;
        which[place] = point;
    }
    for (int i = 0; i < NEAREST; i++) {
        distances[query * NEAREST + i] = best[i];
        indices[query * NEAREST + i] = which[i];
    }
}
