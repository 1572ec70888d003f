/* fetched.c - runs of instructions that a core fetches again and again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetched.h"

static void raise_stamp(const struct near *near, uint64_t key, uint64_t stamp) {
    uint64_t *word = near_peek(near, key);
    if (word && *near_stamp(word, near->row) < stamp)
        *near_stamp(word, near->row) = stamp;
}

static void pass_on(struct sim_core *core, const struct fetched_run *run) {
    struct run_lines lines = fetched_lines(core, run->word);
    raise_stamp(&core->itlb, page_of_line(core, lines.first), run->stamp);
    for (uint64_t line = lines.first; line <= lines.last; line++)
        raise_stamp(&core->l1i, line, run->stamp);
}

void fetched_settle(struct sim_core *core) {
    struct fetched *fetched = &core->fetched;
    for (uint32_t i = 0; i < fetched->number; i++) {
        struct fetched_run *run = fetched->known[i].run;
        if (run->stamp != fetched->known[i].stamp) /* it was fetched again */
            pass_on(core, run);
        run->word = 0;
    }
    fetched->number = 0;
    fetched->since = core->stamp;
}

inline int fetched_touch(struct sim_core *core, uint64_t line) {
    uint64_t *of_page = near_peek(&core->itlb, page_of_line(core, line)), *of_line = near_peek(&core->l1i, line);
    if (!of_page || !of_line)
        return 0;
    *near_stamp(of_page, core->itlb.row) = *near_stamp(of_line, core->l1i.row) = core->stamp++;
    return 1;
}

/* The last line has the stamp before core->stamp. The lines get one stamp, so they must be in different sets; and L1I
 * knows a run above the user half by other lines. */
void fetched_keep(struct sim_core *core, uint64_t word) {
    struct fetched *fetched = &core->fetched;
    struct fetched_run *run = fetched_place(core, word);
    struct run_lines lines = fetched_lines(core, word);
    if (lines.last > ADDRESS_MASK >> core->line_shift || lines.last - lines.first > core->l1i.set_mask ||
        page_of_line(core, lines.first) != page_of_line(core, lines.last))
        return;
    if (run->word) /* another run, which the list has at this place */
        pass_on(core, run);
    else
        fetched->known[fetched->number++] = (struct known_run){run, core->stamp - 1};
    *run = (struct fetched_run){.word = word, .stamp = core->stamp - 1};
}
