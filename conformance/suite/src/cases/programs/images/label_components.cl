/* Connected parts of a picture: labels spread to neighbours and jump to the label of their label
 * until nothing changes. The label of a part is its smallest place. */
constant int2 neighbours[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};

kernel void start(global const uchar *picture, global int *labels) {
    const int place = get_global_id(0);
    labels[place] = picture[place] ? place : -1;
}

kernel void spread(global int *labels, int width, int height, volatile global int *changed) {
    const int x = get_global_id(0), y = get_global_id(1);
    const int place = mad24(y, width, x);
    const int mine = labels[place];
    if (mine < 0)
        return;
    int least = mine;
    for (size_t i = 0; i < sizeof(neighbours) / sizeof(*neighbours); i++) {
        const int2 there = (int2)(x, y) + neighbours[i];
        if (there.x < 0 || there.x >= width || there.y < 0 || there.y >= height)
            continue;
        const int label = labels[mad24(there.y, width, there.x)];
        if (label >= 0)
            least = min(least, label);
    }
    if (least < mine) {
        atomic_min(&labels[mine], least);
        atomic_min(&labels[place], least);
        atomic_xchg(changed, 1);
    }
}

kernel void jump(global int *labels) {
    const int place = get_global_id(0);
    int label = labels[place];
    if (label < 0)
        return;
    while (labels[label] != label)
        label = labels[label];
    labels[place] = label;
}
