/* host_utf8.c - which bytes are UTF-8, and what replaces others in plain texts and words. SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include "test.h"

#include "validate/host/plain.h"
#include "validate/host/plain_json.h"
#include "validate/host/utf8.h"

/* Compares with jansson's decoder: all sequences of up to three bytes, and sequences of four. */
TEST(lengths_are_those_of_another_decoder) {
    for (unsigned bytes = 1; bytes < 1 << 24; bytes += bytes < 1 << 16 ? 1 : 251) {
        char text[] = {(char)(bytes & 0xff), (char)(bytes >> 8 & 0xff), (char)(bytes >> 16 & 0xff), '\0'};
        json_t *other = json_string(text);
        if ((utf8_wrong_line(text) == 0) != (other != NULL))
            fail_msg("%06x", bytes);
        json_decref(other);
    }
    static const char *const right[] = {"\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "\xef\xbf\xbf", "\xed\x9f\xbf"};
    static const char *const wrong[] = {"\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80",
                                        "\xf0\x90\x80",     "\xc1\xbf",         "\x80"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_true(utf8_length(right[i]) >= 3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(utf8_length(wrong[i]), 0);
}

TEST(the_line_is_that_of_the_first_wrong_byte) {
    assert_int_equal(utf8_wrong_line(""), 0);
    assert_int_equal(utf8_wrong_line("a\n\xc3\xa9\n"), 0);
    assert_int_equal(utf8_wrong_line("\xe9"), 1);
    assert_int_equal(utf8_wrong_line("a\nb\n\xe9\n\xe9"), 3);
}

static void must_become(const char *given, const char *wanted) {
    char text[64];
    snprintf(text, sizeof text, "%s", given);
    plain_text(text, 0);
    assert_string_equal(text, wanted);
    assert_true(plain_is(text, 0));
}

TEST(a_byte_that_is_no_text_is_no_command_of_a_terminal) {
    must_become("\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9");
    must_become("\x9b"
                "31mred",
                "?31mred");
    must_become("r\xe9s", "r?s");
    must_become("\xc2\x9b\xe2\x80\xae", "?????");
    must_become("\xe2\x80", "??"); /* truncated */
}

TEST(a_word_keeps_all_that_it_was) {
    json_t *word = plain_word("r\xe9s\n\xc3\xa9");
    assert_string_equal(json_string_value(word), "r\\xE9s\n\xc3\xa9");
    json_decref(word);
}
