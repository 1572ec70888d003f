/* label_cycles [thousand steps] - follows the edges of a graph of 512 vertices from four of them at once and writes the
 * number of the start into the label of each vertex on the way. */
#include "start.h"

enum { VERTICES = 512 };

struct graph {
    uint64_t next[VERTICES];  /* one page ... */
    uint64_t label[VERTICES]; /* ... and the labels begin with the next one */
};

static inline uint64_t step(struct graph *graph, uint64_t at, uint64_t label) {
    graph->label[at] = label;
    OPAQUE(graph);
    return graph->next[at];
}

int main(int argc, char **argv) {
    long steps = argument(argc, argv, 1, 2000) * 1000;
    struct graph *graph = (struct graph *)pages(sizeof *graph);
    for (uint64_t v = 0; v < VERTICES; v++)
        graph->next[v] = (v * 5 + 1) % VERTICES; /* one cycle of all vertices */
    uint64_t a = 0, b = 390, c = 378, d = 203;   /* far from each other */
    for (long i = 0; i < steps; i++) {
        a = step(graph, a, 1);
        b = step(graph, b, 2);
        c = step(graph, c, 3);
        d = step(graph, d, 4);
    }
    uint64_t sum = a + b * 3 + c * 5 + d * 7;
    for (int v = 0; v < VERTICES; v++)
        sum += graph->label[v] * (uint64_t)v;
    print_integer(sum);
}
