#define BLOCK 16

// Scores of the best global alignments of two sequences (Needleman and Wunsch) in blocks of
// BLOCK x BLOCK, by a group of BLOCK along the diagonals of each. Groups take the blocks of one
// diagonal of blocks from `first` on, down to the left; `width` includes the first row and column.
kernel void needleman_wunsch(global int *scores, global const int *similarity, int width,
                             int penalty, int first_x, int first_y)
{
    local int tile[BLOCK + 1][BLOCK + 1], similar[BLOCK][BLOCK];
    int item = get_local_id(0), group = get_group_id(0);
    int corner = (first_y + group) * BLOCK * width + (first_x - group) * BLOCK;
    for (int i = 0; i < BLOCK; i++)
        similar[i][item] = similarity[corner + (i + 1) * width + item + 1];
    if (item == 0)
        tile[0][0] = scores[corner];
    tile[item + 1][0] = scores[corner + (item + 1) * width];
    tile[0][item + 1] = scores[corner + item + 1];
    for (int diagonal = 0; diagonal < 2 * BLOCK - 1; diagonal++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = item + 1, y = diagonal - item + 1;
        if (y >= 1 && y <= BLOCK) {
            int matched = tile[y - 1][x - 1] + similar[y - 1][x - 1];
            int skipped = max(tile[y][x - 1], tile[y - 1][x]) - penalty;
            tile[y][x] = max(matched, skipped);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < BLOCK; i++)
        scores[corner + (i + 1) * width + item + 1] = tile[i + 1][item + 1];
}

#define LONGEST 32

// How many letters must change, be added or be left out to turn each word into the given one
// (Levenshtein): one row of distances in a private array. Words are padded to LONGEST.
kernel void levenshtein(global const uchar *words, global const int *lengths,
                        constant uchar *word, int length, global int *distances)
{
    int item = get_global_id(0);
    global const uchar *own = words + item * LONGEST;
    int row[LONGEST + 1];
    for (int i = 0; i <= length; i++)
        row[i] = i;
    for (int j = 0; j < lengths[item]; j++) {
        int diagonal = row[0];
        row[0] = j + 1;
        uchar letter = own[j];
        for (int i = 0; i < length; i++) {
            int changed = diagonal + (word[i] != letter);
            diagonal = row[i + 1];
            row[i + 1] = min(changed, min(row[i], diagonal) + 1);
        }
    }
    distances[item] = row[length];
}
