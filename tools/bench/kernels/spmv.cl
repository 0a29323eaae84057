// y = A x for a sparse matrix in compressed rows: the elements of row r and their columns
// are at starts[r] to starts[r + 1]. A work-item per row.
kernel void spmv(global const int *starts, global const int *columns,
                 global const float *elements, global const float *x, global float *y)
{
    int row = get_global_id(0);
    float sum = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += elements[i] * x[columns[i]];
    y[row] = sum;
}
