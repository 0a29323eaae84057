/* Counts letters within C comments by many work-items at once: each finds, for every state the text
 * before may have left, in which state its part ends and how much it counts; then these functions
 * are composed. */
enum state { CODE, SLASH, LINE, BLOCK, STAR, STRING, ESCAPE, STATES };
enum class { OTHER, IS_SLASH, IS_STAR, NEW_LINE, QUOTE, BACKSLASH, CLASSES };

constant uchar next_state[STATES][CLASSES] = {
    [CODE] = {CODE, SLASH, CODE, CODE, STRING, CODE},
    [SLASH] = {CODE, LINE, BLOCK, CODE, STRING, CODE},
    [LINE] = {LINE, LINE, LINE, CODE, LINE, LINE},
    [BLOCK] = {BLOCK, BLOCK, STAR, BLOCK, BLOCK, BLOCK},
    [STAR] = {BLOCK, CODE, STAR, BLOCK, BLOCK, BLOCK},
    [STRING] = {STRING, STRING, STRING, STRING, CODE, ESCAPE},
    [ESCAPE] = {STRING, STRING, STRING, STRING, STRING, STRING},
};

typedef struct {
    uchar end[8];
    ushort count[8];
} effect;

enum class class_of(uchar letter) {
    switch (letter) {
    case '/': return IS_SLASH;
    case '*': return IS_STAR;
    case '\n': return NEW_LINE;
    case '"': return QUOTE;
    case '\\': return BACKSLASH;
    default: return OTHER;
    }
}

effect read_part(global const uchar *part, uint length) {
    effect e;
    for (int start = CODE; start < STATES; start++) {
        uchar now = start;
        e.count[start] = 0;
        for (uint i = 0; i < length; ++i) {
            const uchar letter = part[i];
            if ((now == LINE || now == BLOCK || now == STAR) && letter >= 'a' && letter <= 'z')
                e.count[start]++;
            now = next_state[now][class_of(letter)];
        }
        e.end[start] = now;
    }
    return e;
}

/* The composition: first a, then b. */
effect compose(const effect a, const effect b) {
    effect both;
    for (int start = 0; start < STATES; start++) {
        both.end[start] = b.end[a.end[start]];
        both.count[start] = a.count[start] + b.count[a.end[start]];
    }
    return both;
}

/* One group; results are the count and the state at the end. */
kernel void comments(global const uchar *text, uint each, uint length, global uint *results,
                     local effect *effects) {
    const uint item = get_local_id(0), items = get_local_size(0);
    const uint first = min(item * each, length);
    effects[item] = read_part(text + first, min(each, length - first));
    /* Neighbours are composed in order. */
    for (uint step = 1; step < items; step *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item % (2 * step) == 0 && item + step < items)
            effects[item] = compose(effects[item], effects[item + step]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        results[0] = effects[0].count[CODE];
        results[1] = effects[0].end[CODE];
    }
}

/* A kernel may call another one. */
kernel void comments_of_lines(global const uchar *text, global const uint *starts,
                              global uint *results, local effect *effects) {
    const size_t line = get_group_id(0);
    const uint length = starts[line + 1] - starts[line];
    const uint each = (length + get_local_size(0) - 1) / get_local_size(0);
    comments(text + starts[line], each, length, results + 2 * line, effects);
}
