#define WORDS 19
#define MIDDLE 9
#define UPPER 0xfffffffeu
#define LOWER 0x1u

// Random numbers of a Mersenne twister for each work-item, with a state of 19 words and its own
// parameters: the matrix, and masks of the tempering.
kernel void mersenne(global const uint4 *parameters, global uint *numbers, int count)
{
    int item = get_global_id(0), items = get_global_size(0);
    uint4 own = parameters[item];
    uint state[WORDS];
    state[0] = own.w;
    for (int i = 1; i < WORDS; i++)
        state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
    int now = 0;
    for (int n = 0; n < count; n++) {
        int next = now + 1 < WORDS ? now + 1 : 0;
        int middle = now + MIDDLE < WORDS ? now + MIDDLE : now + MIDDLE - WORDS;
        uint x = (state[now] & UPPER) | (state[next] & LOWER);
        x = state[middle] ^ (x >> 1) ^ (x & 1 ? own.x : 0);
        state[now] = x;
        now = next;
        x ^= x >> 12;
        x ^= (x << 7) & own.y;
        x ^= (x << 15) & own.z;
        x ^= x >> 18;
        numbers[n * items + item] = x;
    }
}
