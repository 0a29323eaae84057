// One step: paths that may pass node k.
kernel void floyd_warshall(global int *distances, int n, int k)
{
    int to = get_global_id(0), from = get_global_id(1);
    int direct = distances[from * n + to];
    int through = distances[from * n + k] + distances[k * n + to];
    if (through < direct)
        distances[from * n + to] = through;
}
