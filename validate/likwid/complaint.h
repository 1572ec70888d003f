/* complaint.h - what LIKWID printed about why it could not count, and what helps. */
#ifndef ASSAY_COMPLAINT_H
#define ASSAY_COMPLAINT_H

struct complaint {
    const char *line; /* in the messages; not ended by a zero */
    int length;       /* 0 if LIKWID printed nothing */
    const char *remedy;
};

/* The line of `messages` (stderr of a LIKWID program) about a known obstacle, else the first that is an error, else the
 * last. */
struct complaint complaint_find(const char *messages);

/* The first error in `messages` that affects counts, from its `word` on, or NULL. `word`: start of an error, "ERROR..."
 */
const char *complaint_error(const char *messages, const char *word);

/* Whether a message of LIKWID is about a box that the node lacks: errno of a missing device. */
int complaint_is_absent_box(const char *message);

/* What to do if a user may not touch the registers through LIKWID's access daemon. */
#define COMPLAINT_RIGHTS                                                                                               \
    "chown root and chmod u+s LIKWID's access daemon (as root, on a file system without nosuid), or run as root"

#endif
