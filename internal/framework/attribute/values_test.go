package attribute_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

func TestJSONEdits(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"same":           {`{"a":1,"b":[1,2]}`, `{"b":[1,2.0],"a":1}`, nil},
		"changed":        {`{"a":{"b":"x"},"c":1}`, `{"a":{"b":"y"},"c":1}`, []string{`p.a.b: "x" -> "y"`}},
		"added":          {`{}`, `{"a":null,"b":true}`, []string{`p.b: (not set) -> true`}},
		"null is no key": {`{"a":null}`, `{"b":null}`, nil},
		"removed":        {`{"a":[1]}`, `{}`, []string{`p.a: [1] -> (not set)`}},
		"in a list":      {`{"a":[1,{"b":2}]}`, `{"a":[1,{"b":3}]}`, []string{`p.a[1].b: 2 -> 3`}},
		"longer list":    {`[1]`, `[1,2]`, []string{`p: [1] -> [1,2]`}},
		"set":            {``, `{"a":1}`, []string{`p: (not set) -> {"a":1}`}},
		"cleared":        {`{"a":1}`, ``, []string{`p: {"a":1} -> (not set)`}},
		"no JSON":        {`x`, `{}`, []string{`p: x -> {}`}},
		"long":           {`"` + strings.Repeat("a", 100) + `"`, `1`, []string{`p: "` + strings.Repeat("a", 59) + `... -> 1`}},
	} {
		assert.Equal(t, c.want, attribute.JSONEdits("p", c.before, c.after), name)
	}
}

func TestSameTimestamp(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"2026-01-01T10:00:00Z", "2026-01-01T12:00:00+02:00", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00:00.000Z", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00Z", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00:00", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00", true},
		{"2026-01-01T10:00:00.1234567Z", "2026-01-01T10:00:00.123456Z", true},
		{"2026-01-01T10:00:00Z", "2026-01-01T10:00:01Z", false},
		{"tomorrow", "tomorrow", true},
		{"2026-01-01", "2026-01-01T00:00:00Z", false},
	} {
		assert.Equal(t, c.same, attribute.SameTimestamp(c.a, c.b), "%s ~ %s", c.a, c.b)
	}
}
