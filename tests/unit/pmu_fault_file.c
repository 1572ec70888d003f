/* pmu_fault_file.c - lines of a fault file, and the errors for invalid lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "pmu_fixture.h"
#include "vnode/pmu/fault_file.h"

static const char *parse(const struct fixture *f, const char *text, struct fault_list *list) {
    static char error[512];
    return faults_parse(text, "faults.txt", &f->table, &f->node.config, list, NULL, error, sizeof error);
}

PMU_TEST(every_kind) {
    static struct fault_list list;
    assert_null(parse(f,
                      "# a comment\n"
                      "\n"
                      "  L1D_REPLACEMENT\tscale 0.6   # another\n"
                      "PMC0 add 100\n"
                      "FIXC1 spike 2.5 0.01\n"
                      "BBOX1C3 jitter 1e-3\n"
                      "MBOX7C0 stuck 0x10\n"
                      "CBOX1C2 swap LLC_VICTIMS_M\n"
                      "OFFCORE_RESPONSE_1_OPTIONS wrap 32\n"
                      "CAS_COUNT_RD wrap 32 5\n"
                      "MBOX0FIX deny\r\n"
                      "MBOX3 nodevice\n"
                      "MBOX2 mirror MBOX0\n"
                      "S1 mirror S0\n"
                      "CBOX1 unfiltered\n"
                      "S0 add 0xffffffff\n"
                      "CBOX1C2 alias LLC_VICTIMS_M\n"
                      "* seed 42",
                      &list));
    assert_int_equal(list.count, 15);
    assert_int_equal(list.seed, 42);
    assert_int_equal(list.fault[0].target, FAULT_EVENT);
    assert_string_equal(list.fault[0].event.unit, "PMC");
    assert_int_equal(list.fault[0].event.code, 0x51);
    assert_true(list.fault[0].factor == 0.6);
    assert_int_equal(list.fault[1].number, 100);
    assert_int_equal(list.fault[1].counter.kind, NAME_PMC);
    assert_int_equal(list.fault[2].counter.kind, NAME_FIXED);
    assert_true(list.fault[2].factor == 2.5 && list.fault[2].probability == 0.01);
    assert_int_equal(list.fault[3].counter.instance, 1);
    assert_int_equal(list.fault[3].counter.index, 3);
    assert_int_equal(list.fault[4].number, 16);
    assert_string_equal(f->table.event[list.fault[5].other].name, "LLC_VICTIMS_M");
    assert_int_equal(list.fault[6].event.code, 0xbb);
    assert_int_equal(list.fault[6].number, 32);
    assert_int_equal(list.fault[7].before, 5);
    assert_int_equal(list.fault[8].kind, FAULT_DENY);
    assert_int_equal(list.fault[9].kind, FAULT_NO_DEVICE);
    assert_int_equal(list.fault[9].counter.instance, 3);
    assert_int_equal(list.fault[10].target, FAULT_BOX);
    assert_int_equal(list.fault[10].counter.instance, 2);
    assert_int_equal(list.fault[10].other, 0);
    assert_int_equal(list.fault[11].target, FAULT_SOCKET);
    assert_int_equal(list.fault[11].socket, 1);
    assert_int_equal(list.fault[11].other, 0);
    assert_string_equal(f->table.box[list.fault[12].counter.kind].unit, "CBOX");
    assert_int_equal(list.fault[13].socket, 0);
    assert_int_equal(list.fault[14].kind, FAULT_SWAP);
    assert_int_equal(list.fault[14].other, list.fault[5].other);
}

PMU_TEST(nothing_is_no_fault) {
    static struct fault_list list;
    assert_null(parse(f, "", &list));
    assert_int_equal(list.count, 0);
    assert_null(parse(f, "# only this\n\n", &list));
    assert_int_equal(list.count, 0);
}

/* Every event counts another event of its unit, and no two count the same. */
PMU_TEST(shuffle) {
    static struct fault_list list, same, other;
    const struct pmu_table *table = &f->table;
    int is_counted[TABLE_EVENTS] = {0};
    assert_null(parse(f, "* shuffle 3\n", &list));
    assert_in_range(list.count, table->events / 2, table->events);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct table_event *event = &table->event[list.fault[i].other];
        assert_int_equal(list.fault[i].kind, FAULT_SWAP);
        assert_string_equal(list.fault[i].event.unit, event->unit);
        assert_string_not_equal(event->unit, UNIT_FIXED);
        assert_false(event->by_filter || event->cycles || event->merges);
        assert_false(event->code == list.fault[i].event.code && event->umask == list.fault[i].event.umask);
        assert_int_equal(is_counted[list.fault[i].other]++, 0);
    }
    assert_null(parse(f, "* shuffle 3\n", &same));
    assert_memory_equal(&list, &same, sizeof list);
    assert_null(parse(f, "* shuffle 4\n", &other));
    assert_memory_not_equal(&list, &other, sizeof list);
}

/* Each line alone is an error, reported with its position. */
PMU_TEST(bad_lines) {
    static const struct {
        const char *line, *message;
    } bad[] = {
        {"NO_SUCH_EVENT scale 2", "'NO_SUCH_EVENT' is no event or counter"},
        {"NO_SUCH_EVENT alias L1D_REPLACEMENT", "'NO_SUCH_EVENT' is no event or counter that alias can be of"},
        {"PMC8 scale 2", "'PMC8' is no event or counter"},
        {"MBOX8C0 scale 2", "'MBOX8C0' is no event or counter"},
        {"CBOX2C0 deny", "'CBOX2C0' is no counter of this node"},
        {"L1D_REPLACEMENT deny", "'L1D_REPLACEMENT' is no counter of this node"},
        {"MBOX0C0 nodevice", "'MBOX0C0' is no box"},
        {"PMC0 nodevice", "'PMC0' is no box"},
        {"MBOX8 nodevice", "'MBOX8' is no box"},
        {"PMC0", "'PMC0' without a kind of fault"},
        {"PMC0 shrink 2", "'shrink' is no kind of fault"},
        {"PMC0 scale", "scale takes 1 values, not 0"},
        {"PMC0 scale 1 2", "scale takes 1 values, not 2"},
        {"PMC0 scale 1 2 3", "one word too many"},
        {"PMC0 deny 1", "deny takes 0 values, not 1"},
        {"PMC0 scale two", "'two' is no factor"},
        {"PMC0 scale -1", "'-1' is no factor"},
        {"PMC0 scale nan", "'nan' is no factor"},
        {"PMC0 scale inf", "'inf' is no factor"},
        {"PMC0 scale 2x", "'2x' is no factor"},
        {"PMC0 spike 2 1.5", "'1.5' is no probability"},
        {"PMC0 add -1", "'-1' is no number that fits"},
        {"PMC0 add 1.5", "'1.5' is no number that fits"},
        {"PMC0 stuck 281474976710656", "is no number that fits"},
        {"PMC0 wrap 0", "'0' is no number that fits"},
        {"PMC0 wrap 49", "'49' is no number that fits"},
        {"PMC0 mirror PMC1", "'PMC0' is no box or socket"},
        {"S2 mirror S0", "'S2' is no box or socket"},
        {"MBOX0 mirror CBOX0", "'CBOX0' is not of the same kind as 'MBOX0'"},
        {"MBOX0 mirror S0", "'S0' is not of the same kind as 'MBOX0'"},
        {"S0 mirror S2", "'S2' is not of the same kind as 'S0'"},
        {"S1 swap CAS_COUNT_RD", "a socket counts in several units"},
        {"S1 deny", "'S1' is no counter of this node"},
        {"PMC0 unfiltered 1", "unfiltered takes 0 values, not 1"},
        {"MBOX0 sibling", "'MBOX0' counts no hardware thread"},
        {"S0 sibling", "'S0' counts no hardware thread"},
        {"PMC0 sibling", "no core of this node has two hardware threads"},
        {"PMC0 wrap 8 257", "'257' is no number that fits"},
        {"PMC0 swap NO_SUCH_EVENT", "'NO_SUCH_EVENT' is no event"},
        {"PMC0 swap CAS_COUNT_RD", "'CAS_COUNT_RD' is counted in another unit"},
        {"CAS_COUNT_RD swap LLC_VICTIMS_M", "'LLC_VICTIMS_M' is counted in another unit"},
        {"* seed", "'*' is followed by seed or shuffle and a number"},
        {"* sow 1", "'*' is followed by seed or shuffle and a number"},
        {"* seed x", "'x' is no number that fits"},
        {"* shuffle", "'*' is followed by seed or shuffle and a number"},
        {"* shuffle x", "'x' is no number that fits"},
    };
    static struct fault_list list;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[256];
        snprintf(text, sizeof text, "PMC0 scale 2\n\n%s\nPMC1 scale 3\n", bad[i].line);
        const char *error = parse(f, text, &list);
        assert_non_null(error);
        assert_ptr_equal(strstr(error, "faults.txt:3: "), error);
        assert_non_null(strstr(error, bad[i].message));
        assert_non_null(strstr(error, "; "));
        assert_null(strchr(error, '\n'));
    }
}

PMU_TEST(limits) {
    static struct fault_list list;
    char text[FAULTS_MAX * 16 + 64] = "";
    for (int i = 0; i <= FAULTS_MAX; i++)
        strcat(text, "PMC0 scale 1\n");
    const char *error = parse(f, text, &list);
    assert_non_null(error);
    assert_non_null(strstr(error, "more than"));
    memset(text, 'x', 600);
    text[600] = '\0';
    error = parse(f, text, &list);
    assert_non_null(error);
    assert_non_null(strstr(error, "faults.txt:1: longer than"));
}
