/* host_conceal.c - paths that are shortened, and texts that are not paths. SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "validate/host/conceal.h"

TEST(folders_of_users_are_gone) {
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"/home/ann/likwid/bin/likwid-perfctr -C 0", "~/likwid/bin/likwid-perfctr -C 0"},
        {"\"/home/ann\"", "\"~\""},
        {"/home/anna/x:/home/ann", ".../x:~"},
        {"/home/bob, (/scratch/bob/run/out.csv)", "..., (.../out.csv)"},
        {"--out=/u/home/bob/r.json", "--out=.../r.json"},
        {"file:///home/bob/x", "file:.../x"},
        {"/dev/cpu/0/msr /usr/bin/x /var/run/likwid.lock", "/dev/cpu/0/msr /usr/bin/x /var/run/likwid.lock"},
        {"MBytes/s 1/2 (a)/(b) haswellEP/A a / b ../c ~/d /a // ///",
         "MBytes/s 1/2 (a)/(b) haswellEP/A a / b ../c ~/d /a // ///"},
        {"no\\n/home/ann/x\\n/scratch/bob/y", "no\\n~/x\\n.../y"}, /* lines of JSON */
        {"-I/home/ann/i -L/s/bob/l", "-I~/i -L.../l"},
        {"/", "/"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        strcpy(text, cases[i].text);
        conceal_paths(text, "/home/ann");
        assert_string_equal(text, cases[i].expected);
        conceal_paths(text, "/home/ann"); /* again changes nothing */
        assert_string_equal(text, cases[i].expected);
    }
    char text[] = "/home/ann/x";
    conceal_paths(text, NULL);
    assert_string_equal(text, ".../x");
}
