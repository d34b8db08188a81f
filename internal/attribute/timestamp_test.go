package attribute_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

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
