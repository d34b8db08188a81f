package survey

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Filters that PostHog normalizes are equal. Filters with a different effect in apps are not.
func TestSameFilters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stored, configured string
		isSame             bool
	}{
		{`{"groups":[],"payloads":{},"super_groups":[],"multivariate":null}`, `{"groups":[]}`, true},
		{`{"groups":[{"rollout_percentage":40}]}`, `{"groups":[{"rollout_percentage":null}]}`, false},
		{`{"groups":[{"properties":[{"operator":"gte"}]}]}`, `{"groups":[{"properties":[{"operator":"min"}]}]}`, true},
		{`{"aggregation_group_type_index":0,"groups":[{"aggregation_group_type_index":0}]}`, `{"aggregation_group_type_index":0,"groups":[{}]}`, true},
		{`{"groups":[{"aggregation_group_type_index":1}]}`, `{"aggregation_group_type_index":0,"groups":[{}]}`, false},
		{`{"payloads":{"true":"{\"a\": [1]}"}}`, `{"payloads":{"true":{"a":[1]}}}`, true},
		{`{"payloads":{"true":"{\"a\":1,\"b\":null}"}}`, `{"payloads":{"true":{"a":1}}}`, false},
		{`{"payloads":{"true":"1"}}`, `{"payloads":{"true":"2"}}`, false},
		{`{"payloads":{"true":"null"}}`, `{"payloads":{"true":null}}`, true},
		{`{"super_groups":[{"rollout_percentage":3}]}`, `{}`, false},
	} {
		assert.Equal(t, c.isSame, SameFilters(c.stored, c.configured), "%s, %s", c.stored, c.configured)
	}
}
