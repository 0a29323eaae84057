// Covariances and correlations of the columns of a matrix with n rows and m columns.

kernel void mean(global const float *data, global float *means, int n, int m)
{
    int j = get_global_id(0);
    if (j < m) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += data[i * m + j];
        means[j] = sum / n;
    }
}

kernel void centre(global float *data, global const float *means, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < m)
        data[i * m + j] -= means[j];
}

// A work-item computes a row to the right of the diagonal, and the column below it.
kernel void covariance(global const float *data, global float *matrix, int n, int m)
{
    int row = get_global_id(0);
    if (row >= m)
        return;
    for (int column = row; column < m; column++) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++)
            sum += data[i * m + row] * data[i * m + column];
        sum /= n - 1.0f;
        matrix[row * m + column] = sum;
        matrix[column * m + row] = sum;
    }
}

kernel void deviation(global const float *data, global const float *means,
                      global float *deviations, float least, int n, int m)
{
    int j = get_global_id(0);
    if (j < m) {
        float sum = 0.0f;
        for (int i = 0; i < n; i++) {
            float off = data[i * m + j] - means[j];
            sum += off * off;
        }
        float deviation = sqrt(sum / n);
        deviations[j] = deviation <= least ? 1.0f : deviation;
    }
}

kernel void standardise(global float *data, global const float *means,
                        global const float *deviations, int n, int m)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < m)
        data[i * m + j] = (data[i * m + j] - means[j]) / (sqrt((float)n) * deviations[j]);
}

// A work-item for each element.
kernel void correlation(global const float *data, global float *matrix, int n, int m)
{
    int column = get_global_id(0), row = get_global_id(1);
    if (row >= m || column >= m)
        return;
    float sum = row == column ? 1.0f : 0.0f;
    if (row != column)
        for (int i = 0; i < n; i++)
            sum += data[i * m + row] * data[i * m + column];
    matrix[row * m + column] = sum;
}
