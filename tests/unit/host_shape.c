/* host_shape.c - the JSON Schema checker: each keyword, and unknown keywords.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "test.h"

#include "validate/record/shape.h"

/* `complaint` NULL: the value must satisfy the schema. */
static void check(const char *schema, const char *value, const char *complaint) {
    struct error error = {""};
    json_t *s = json_loads(schema, 0, NULL), *v = json_loads(value, JSON_DECODE_ANY, NULL);
    assert_non_null(s);
    assert_non_null(v);
    int status = shape_check(s, v, "f", &error);
    if (complaint == NULL) {
        assert_string_equal(error.text, "");
        assert_int_equal(status, 0);
    } else {
        assert_int_equal(status, -1);
        if (strstr(error.text, complaint) == NULL)
            fail_msg("%s", error.text);
    }
    json_decref(s);
    json_decref(v);
}

TEST(types) {
    check("{\"type\": \"integer\"}", "3", NULL);
    check("{\"type\": \"integer\"}", "3.0", NULL);
    check("{\"type\": \"integer\"}", "3.5", "f: the whole must be integer, not a number");
    check("{\"type\": \"integer\"}", "9007199254740992.0", NULL);
    check("{\"type\": \"integer\"}", "9007199254740994.0", "must be integer, not so large a number");
    check("{\"type\": \"integer\"}", "1e308", "must be integer, not so large a number");
    check("{\"type\": \"integer\"}", "9223372036854775807", NULL);
    check("{\"type\": \"number\"}", "-1e308", "must be number, not so large a number");
    check("{\"type\": \"number\"}", "1e100", NULL);
    check("{\"type\": \"number\"}", "3", NULL);
    check("{\"type\": \"boolean\"}", "false", NULL);
    check("{\"type\": \"boolean\"}", "0", "must be boolean");
    check("{\"type\": [\"string\", \"null\"]}", "null", NULL);
    check("{\"type\": [\"string\", \"null\"]}", "[]", "must be string or null, not an array");
}

TEST(values) {
    check("{\"const\": 1}", "1.0", NULL);
    check("{\"const\": 1}", "true", "another value");
    check("{\"enum\": [\"a\", null]}", "null", NULL);
    check("{\"enum\": [\"a\", \"b\", null]}", "\"c\"", "must be a, b or null, not c");
    check("{\"minimum\": 0}", "-0.5", "must be 0 or more, not -0.5");
    check("{\"minimum\": 0}", "\"text\"", NULL);
}

TEST(alternatives) {
    static const char schema[] = "{\"oneOf\": [{\"$ref\": \"#/$defs/a\"}, {\"$ref\": \"#/$defs/b\"}], \"$defs\": {"
                                 "\"head\": {\"required\": [\"node\"]},"
                                 "\"a\": {\"$ref\": \"#/$defs/head\", \"properties\": {\"kind\": {\"const\": \"a\"}, "
                                 "\"n\": {\"type\": \"null\"}}},"
                                 "\"b\": {\"properties\": {\"kind\": {\"const\": \"b\"}}, \"required\": [\"m\"]}}}";
    check(schema, "{\"kind\": \"a\", \"node\": 1, \"n\": null}", NULL);
    check(schema, "{\"kind\": \"a\", \"n\": null}", "f: node is missing");
    check(schema, "{\"kind\": \"a\", \"node\": 1, \"n\": 2}", "f: n must be null, not a whole number");
    check(schema, "{\"kind\": \"b\"}", "f: m is missing");
    check(schema, "{\"kind\": \"c\"}", "f: kind is none that this program knows");
    check(schema, "{}", "f: kind is none that this program knows");
}

TEST(members) {
    check("{\"required\": [\"a\"]}", "{}", "f: a is missing");
    check("{\"required\": [\"a\"]}", "[]", NULL);
    check("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"c\": 1}", NULL);
    check("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1, \"b\": 1}", NULL);
    check("{\"dependentRequired\": {\"a\": [\"b\"]}}", "{\"a\": 1}", "f: b is missing");
    check("{\"properties\": {\"a\": {\"type\": \"null\"}}}", "{\"a\": 1, \"b\": 1}", "f: a must be null");
    check("{\"properties\": {\"a\": {}}, \"additionalProperties\": {\"type\": \"null\"}}", "{\"a\": 1, \"b\": 1}",
          "f: b must be null");
    check("{\"items\": {\"properties\": {\"a\": {\"items\": {\"type\": \"null\"}}}}}", "[{}, {\"a\": [null, 1]}]",
          "f: [1].a[1] must be null");
    check("{\"minItems\": 2, \"maxItems\": 2}", "[1]", "at least 2 elements, not 1");
    check("{\"minItems\": 2, \"maxItems\": 2}", "[1, 1, 1]", "at most 2 elements, not 3");
    check("{\"minItems\": 2, \"maxItems\": 2}", "[1, 1]", NULL);
}

TEST(references) {
    check("{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"type\": \"null\"}}}", "1", "must be null");
    check("{\"$ref\": \"#/$defs/b\", \"$defs\": {\"a\": {}}}", "1", "leads nowhere");
    check("{\"$ref\": \"other.json\"}", "1", "leads nowhere");
    /* nested deeper than any record */
    char deep[400] = "";
    for (int i = 0; i < 100; i++)
        strcat(deep, "[");
    for (int i = 0; i < 100; i++)
        strcat(deep, "]");
    check("{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"items\": {\"$ref\": \"#/$defs/a\"}}}}", deep,
          "nested too deeply");
}

TEST(unknown_keywords_are_refused) {
    check("{\"pattern\": \"x\"}", "\"y\"", "keyword pattern is not known");
    check("{\"title\": \"t\", \"description\": \"d\"}", "1", NULL);
}
