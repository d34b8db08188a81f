package attribute_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
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
