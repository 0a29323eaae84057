/* A hash table with open addressing: work-items count words by compare-and-exchange. */
#define EMPTY 0u

typedef struct {
    uint key;
    uint count;
} slot;

uint hash(uint key) {
    key ^= key >> 16;
    key *= 0x7feb352du;
    key ^= key >> 15;
    key *= 0x846ca68bu;
    return key ^ key >> 16;
}

kernel void insert(global const uint *keys, global slot *slots, volatile global uint *lost) {
    const uint key = keys[get_global_id(0)];
    uint place = hash(key) % SLOTS;
    for (uint tries = 0; tries < SLOTS; tries++) {
        const uint found = atomic_cmpxchg(&slots[place].key, EMPTY, key);
        if (found == EMPTY || found == key) {
            atomic_inc(&slots[place].count);
            return;
        }
        if (++place == SLOTS)
            place = 0;
    }
    atomic_inc(lost);
}

kernel void look_up(global const uint *keys, global const slot *slots, global uint *counts) {
    const uint key = keys[get_global_id(0)];
    uint place = hash(key) % SLOTS, count = 0;
    while (slots[place].key != EMPTY) {
        if (slots[place].key == key) {
            count = slots[place].count;
            break;
        }
        place = (place + 1) % SLOTS;
    }
    counts[get_global_id(0)] = count;
}
