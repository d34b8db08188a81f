package environment

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParsePart(t *testing.T) {
	t.Parallel()
	all := []string{"a", "b", "c", "d", "e"}
	for _, test := range []struct {
		text      string
		variables map[string]string
		names     []string
		complaint string
	}{
		{text: "1/1", names: all},
		{text: "1/2", names: []string{"a", "c", "e"}},
		{text: "2/2", names: []string{"b", "d"}},
		{text: "7/7"},
		{text: "auto", variables: map[string]string{"CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "3"}, names: []string{"c"}},
		{text: "auto", variables: map[string]string{"CI_NODE_TOTAL": "1"}, names: all},
		{text: "auto/4", variables: map[string]string{"JOB_COMPLETION_INDEX": "0"}, names: []string{"a", "e"}},

		{text: "0/2", complaint: "use I/N"},
		{text: "3/2", complaint: "use I/N"},
		{text: "2", complaint: "use I/N"},
		{text: "1/2/3", complaint: "use I/N"},
		{text: "one/2", complaint: "use I/N"},
		{text: "auto", complaint: "CI_NODE_INDEX is \"\" and CI_NODE_TOTAL \"\": use I/N"},
		{text: "auto", variables: map[string]string{"CI_NODE_TOTAL": "2"}, complaint: "CI_NODE_INDEX is \"\" and CI_NODE_TOTAL \"2\": use I/N"},
		{text: "auto", variables: map[string]string{"CI_NODE_INDEX": "3", "CI_NODE_TOTAL": "2"}, complaint: `CI_NODE_INDEX is "3" and CI_NODE_TOTAL "2": use I/N`},
		{text: "auto/4", complaint: "JOB_COMPLETION_INDEX is \"\": use I/N"},
		{text: "auto/4", variables: map[string]string{"JOB_COMPLETION_INDEX": "first"}, complaint: `JOB_COMPLETION_INDEX is "first": use I/N`},
		{text: "auto/4", variables: map[string]string{"JOB_COMPLETION_INDEX": "4"}, complaint: `JOB_COMPLETION_INDEX is "4": use I/N`},
		{text: "auto/many", variables: map[string]string{"JOB_COMPLETION_INDEX": "0"}, complaint: "use I/N"},
	} {
		parsed, err := ParsePart(test.text, func(name string) string { return test.variables[name] })
		if test.complaint != "" {
			assert.ErrorContains(t, err, test.complaint, test)
			continue
		}
		assert.NoError(t, err, test)
		assert.Equal(t, test.names, parsed.Of(all), test)
	}
}
