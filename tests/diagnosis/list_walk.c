/* list_walk [KiB] - follows a list whose nodes, one in a line, lie in pseudo-random order. KiB is a power of two. */
#include "start.h"

struct node {
    struct node *next;
    int64_t value[7];
};

int main(int argc, char **argv) {
    size_t n = (size_t)argument(argc, argv, 1, 32768) * 1024 / sizeof(struct node);
    struct node *nodes = (struct node *)pages(n * sizeof *nodes);
    /* i -> 1664525 i + 1013904223 (mod n) visits all n numbers when n is a power of two. */
    for (size_t i = 0; i < n; i++) {
        nodes[i].next = &nodes[(1664525 * i + 1013904223) & (n - 1)];
        nodes[i].value[0] = (int64_t)i;
    }
    const struct node *node = nodes;
    for (size_t i = 0; i < 3 * n; i++)
        node = node->next;
    print_integer((uint64_t)node->value[0]);
}
