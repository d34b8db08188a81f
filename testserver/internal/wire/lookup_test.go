package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ raw, want string }{
		{`{"id":1}`, `1`},
		{`{"a":{"id":2},"id":[3]}`, `[3]`},
		{`{"id":1,"id":2}`, `2`},
		{`{"\u0069d":4}`, `4`},
		{`{"ID":5}`, ``},
		{`{}`, ``},
		{`[1]`, ``},
		{`"id"`, ``},
		{``, ``},
	} {
		assert.Equal(t, row.want, string(wire.Lookup(json.RawMessage(row.raw), "id")), row.raw)
	}
}
