// Decompositions of square matrices in place, row after row, without pivoting.

// Gaussian elimination below row t: the factors of the rows, then the rows.
kernel void factors(global float *factors, global const float *a, int n, int t)
{
    int i = get_global_id(0);
    if (i < n - 1 - t)
        factors[(i + t + 1) * n + t] = a[(i + t + 1) * n + t] / a[t * n + t];
}

kernel void eliminate(global const float *factors, global float *a, global float *b, int n, int t)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (y >= n - 1 - t || x >= n - t)
        return;
    int row = y + t + 1, column = x + t;
    a[row * n + column] -= factors[row * n + t] * a[t * n + column];
    if (x == 0)
        b[row] -= factors[row * n + t] * b[t];
}

// The column k of q and the row k of r, and the columns behind without their parts along q.
kernel void norm(global const float *a, global float *r, int n, int k)
{
    if (get_global_id(0) == 0) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += a[i * n + k] * a[i * n + k];
        r[k * n + k] = sqrt(sum);
    }
}

kernel void normalise(global const float *a, global const float *r, global float *q, int n, int k)
{
    int i = get_global_id(0);
    if (i < n)
        q[i * n + k] = a[i * n + k] / r[k * n + k];
}

kernel void project(global float *a, global float *r, global const float *q, int n, int k)
{
    int j = get_global_id(0);
    if (j > k && j < n) {
        float along = 0.0f;
        for (int i = 0; i < n; i++)
            along += q[i * n + k] * a[i * n + j];
        r[k * n + j] = along;
        for (int i = 0; i < n; i++)
            a[i * n + j] -= q[i * n + k] * along;
    }
}

// An LU decomposition by blocks of BLOCK x BLOCK; `start` is the row of the block on the diagonal.
#define BLOCK 16

// One group of BLOCK.
kernel void lu_diagonal(global float *a, int n, int start)
{
    local float block[BLOCK][BLOCK];
    int item = get_local_id(0);
    global float *corner = a + start * n + start;
    for (int i = 0; i < BLOCK; i++)
        block[i][item] = corner[i * n + item];
    for (int i = 0; i < BLOCK - 1; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item > i) {
            for (int k = 0; k < i; k++)
                block[item][i] -= block[item][k] * block[k][i];
            block[item][i] /= block[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item > i)
            for (int k = 0; k <= i; k++)
                block[i + 1][item] -= block[i + 1][k] * block[k][item];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i < BLOCK; i++)
        corner[i * n + item] = block[i][item];
}

// A group of 2 BLOCK for each block to the right of the diagonal and the one below the diagonal at
// the same distance: half the work-items take one of them.
kernel void lu_perimeter(global float *a, int n, int start)
{
    local float diagonal[BLOCK][BLOCK], right[BLOCK][BLOCK], below[BLOCK][BLOCK];
    int item = get_local_id(0), lane = item % BLOCK;
    int distance = (get_group_id(0) + 1) * BLOCK;
    global float *corner = a + start * n + start;
    global float *corner_right = corner + distance, *corner_below = corner + distance * n;
    if (item < BLOCK) {
        for (int i = 0; i < BLOCK; i++) {
            diagonal[i][lane] = corner[i * n + lane];
            right[i][lane] = corner_right[i * n + lane];
        }
    } else {
        for (int i = 0; i < BLOCK; i++)
            below[i][lane] = corner_below[i * n + lane];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < BLOCK) {
        for (int i = 1; i < BLOCK; i++)
            for (int k = 0; k < i; k++)
                right[i][lane] -= diagonal[i][k] * right[k][lane];
    } else {
        for (int i = 0; i < BLOCK; i++) {
            for (int k = 0; k < i; k++)
                below[lane][i] -= below[lane][k] * diagonal[k][i];
            below[lane][i] /= diagonal[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < BLOCK; i++)
        if (item < BLOCK)
            corner_right[i * n + lane] = right[i][lane];
        else
            corner_below[i * n + lane] = below[i][lane];
}

// A group of BLOCK x BLOCK for each block that is neither in that row nor in that column.
kernel void lu_inner(global float *a, int n, int start)
{
    local float left[BLOCK][BLOCK], above[BLOCK][BLOCK];
    int x = get_local_id(0), y = get_local_id(1);
    int row = start + (get_group_id(1) + 1) * BLOCK + y;
    int column = start + (get_group_id(0) + 1) * BLOCK + x;
    left[y][x] = a[row * n + start + x];
    above[y][x] = a[(start + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; k < BLOCK; k++)
        sum += left[y][k] * above[k][x];
    a[row * n + column] -= sum;
}
