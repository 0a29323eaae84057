#define SIDE 16

// A layer of a network with SIDE outputs: products in local memory are summed by a tree. Groups
// of SIDE x SIDE take SIDE inputs; the first input and the first row of weights are for the bias.
kernel void forward(global const float *inputs, global const float *weights, global float *sums)
{
    local float input[SIDE], product[SIDE][SIDE];
    int x = get_local_id(0), y = get_local_id(1), group = get_group_id(1);
    int row = group * SIDE + y + 1;
    if (x == 0)
        input[y] = inputs[row];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[y][x] = weights[row * (SIDE + 1) + x + 1] * input[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 2; step <= SIDE; step *= 2) {
        if (y % step == 0)
            product[y][x] += product[y + step / 2][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (y == 0)
        sums[group * SIDE + x] = product[0][x];
}

// Moves the weights along the outputs' errors, with some of the step before.
kernel void adjust(global const float *errors, global const float *inputs, global float *weights,
                   global float *steps, float rate, float momentum)
{
    int x = get_local_id(0), y = get_local_id(1);
    int row = get_group_id(1) * SIDE + y + 1;
    int weight = row * (SIDE + 1) + x + 1;
    float step = rate * errors[x + 1] * inputs[row] + momentum * steps[weight];
    weights[weight] += step;
    steps[weight] = step;
    // The bias.
    if (y == 0 && get_group_id(1) == 0) {
        float own = rate * errors[x + 1] + momentum * steps[x + 1];
        weights[x + 1] += own;
        steps[x + 1] = own;
    }
}

// What is gained by a new centre: the points that are nearer to it than to theirs would move;
// the others could when their centre closed. Coordinates lie one after the other, each for all
// points; the new centre's are copied to local memory.
kernel void gain(global const float *coordinates, global const float *weights,
                 global const float *costs, global const int *centres,
                 global const int *columns, global float *table, global uchar *moved,
                 local float *candidate, int points, int dimensions, int chosen, int width)
{
    int point = get_global_id(0);
    for (int i = get_local_id(0); i < dimensions; i += get_local_size(0))
        candidate[i] = coordinates[i * points + chosen];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (point >= points)
        return;
    float cost = 0.0f;
    for (int i = 0; i < dimensions; i++) {
        float off = coordinates[i * points + point] - candidate[i];
        cost += off * off;
    }
    cost *= weights[point];
    float current = costs[point];
    global float *row = table + point * width;
    if (cost < current) {
        moved[point] = 1;
        row[width - 1] += cost - current;
    } else {
        row[columns[centres[point]]] += current - cost;
    }
}
