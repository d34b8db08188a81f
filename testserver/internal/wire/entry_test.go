package wire_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

func TestObjectReadsWhatIsRight(t *testing.T) {
	t.Parallel()

	raw := wiretest.Decode(t, `{"id":"7","name":"a","on":true,"tags":["b"],"ids":[1,"2"]}`)
	o := wire.ReadEntry("items[0]", raw, []string{"id", "name", "on", "tags", "ids", "n"})
	o.Require("id", "name")

	assert.Equal(t, int64(7), o.ID("id"))
	assert.Equal(t, "a", o.Text("name", ""))
	assert.True(t, o.Boolean("on", false))
	assert.Equal(t, []string{"b"}, o.Texts("tags"))
	assert.Equal(t, []int64{1, 2}, o.IDs("ids"))
	assert.Equal(t, int64(5), o.Integer("n", 5), "the fallback")
	require.NoError(t, o.Err)
}

func TestObjectNamesThePathOfTheFirstError(t *testing.T) {
	t.Parallel()

	for raw, want := range map[string]string{
		`[]`:                         `items[0]: must be an object, is an array`,
		`{"nam":"a"}`:                `items[0].nam: unknown key, did you mean "name"?`,
		`{"else":1}`:                 `items[0].else: unknown key; there are name, tags`,
		`{"tags":["a"]}`:             `items[0]: needs the key "name"`,
		`{"name":1}`:                 `items[0].name: must be a string, is a number`,
		`{"name":"a","tags":[null]}`: `items[0].tags[0]: must be a string, is null`,
	} {
		o := wire.ReadEntry("items[0]", wiretest.Decode(t, raw), []string{"name", "tags"})
		o.Require("name")
		o.Text("name", "")
		o.Texts("tags")
		require.EqualError(t, o.Err, want, raw)
	}
}
