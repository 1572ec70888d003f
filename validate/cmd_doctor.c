/* cmd_doctor.c - `assay doctor`. SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>

#include "commands.h"
#include "doctor.h"

int command_doctor(const struct paths *paths, int argc, char **argv) {
    static const char *const words[] = {[FINDING_OK] = "ok", [FINDING_NOTE] = "note", [FINDING_BLOCKS] = "blocks"};
    if (argc > 1)
        return command_fail("doctor", "takes no arguments");
    (void)argv;
    struct finding findings[FINDINGS_MAX];
    size_t count = doctor_examine(paths, findings);
    for (size_t i = 0; i < count; i++) {
        printf("%-7s %-16s %s", words[findings[i].state], findings[i].subject, findings[i].text);
        printf("%s%s\n", findings[i].remedy[0] != '\0' ? "; remedy: " : "", findings[i].remedy);
    }
    if (doctor_first_block(findings, count) == NULL)
        puts("This machine can be validated: assay validate");
    else
        puts("This machine cannot be validated natively; assay validate --node virtual runs on the virtual node.");
    return EXIT_DONE;
}
