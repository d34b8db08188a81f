package snapshot

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A test server dump contains every key of a fixtures document. Parse refuses unknown keys, so this test fails if
// only the server knows a key.
func TestReadTakesEveryKeyOfFixtures(t *testing.T) {
	t.Parallel()

	server := testserver.Start(t)
	server.CreateSurvey(testserver.Object{"name": "NPS", "type": "popover"})

	contents, err := Parse([]byte(server.Dump()))
	require.NoError(t, err)
	assert.Len(t, contents.Surveys, 1)
	assert.True(t, contents.HasApps, "the default fixtures have an organization")
}

// Otherwise, a misspelled list would count as empty.
func TestReadRefusesUnknownKeys(t *testing.T) {
	t.Parallel()

	_, err := Parse([]byte(`{"survey": []}`))
	assert.EqualError(t, err, `the file is not a snapshot: line 1: the key "survey" is not supported. Remove it, or correct its spelling`)
}
