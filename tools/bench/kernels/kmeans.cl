#define FEATURES 8
#define CLUSTERS 16

// The nearest centre of each point. The features are stored one after another, each for all points.
kernel void kmeans(global const float *points, constant float *centres, global int *nearest,
                   int count)
{
    int point = get_global_id(0);
    float least = FLT_MAX;
    int best = 0;
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
        float distance = 0.0f;
        for (int feature = 0; feature < FEATURES; feature++) {
            float d = points[feature * count + point] - centres[cluster * FEATURES + feature];
            distance += d * d;
        }
        if (distance < least) {
            least = distance;
            best = cluster;
        }
    }
    nearest[point] = best;
}
