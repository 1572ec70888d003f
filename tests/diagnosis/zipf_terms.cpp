// zipf_terms [threads] [blocks] - scores of documents for 64 search terms; term k occurs in blocks/k blocks; each
// thread has the same number of terms, in order.
#include "start.h"

typedef int16_t scores __attribute__((vector_size(32)));

constexpr long TERMS = 64, VECTORS = 256;

static long blocks;
static uint64_t results[64][8];

// Adds the weight to the scores of those of the 4096 documents of a block that contain the term.
static void add_weight(scores *score, const scores *contained, scores weight) {
    for (long i = 0; i < VECTORS; i++)
        score[i] += contained[i] & weight;
}

static void search(int thread, int threads) {
    scores *score = static_cast<scores *>(pages(2 * VECTORS * sizeof *score)), *contained = score + VECTORS;
    for (long i = 0; i < VECTORS; i++) {
        score[i] = scores{};
        contained[i] = (i % 3 == 0) ? ~scores{} : scores{};
    }
    for (long term = TERMS * thread / threads; term < TERMS * (thread + 1) / threads; term++)
        for (long block = 0; block < blocks / (term + 1); block++) {
            int16_t weight = int16_t(term + 1);
            add_weight(score, contained, scores{} + weight);
            OPAQUE(score);
        }
    results[thread][0] = uint64_t(uint16_t(score[0][0] + score[33][5]));
}

int main(int argc, char **argv) {
    long threads = argument(argc, argv, 1, 2);
    blocks = argument(argc, argv, 2, 9600);
    in_threads(int(threads), search);
    print_integer(results[0][0] + results[threads - 1][0]);
}
