package fastpath

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

func packed(t testing.TB, v any) []byte {
	t.Helper()
	data, err := msgpack.Marshal(v)
	require.NoError(t, err)
	return data
}

func TestObject(t *testing.T) {
	t.Parallel()

	o, err := splitMap(packed(t, map[string]any{"id": 7, "name": "NPS"}))
	require.NoError(t, err)
	assert.Equal(t, "NPS", o.String("name"))
	assert.Equal(t, int64(7), o.Int64("id"))
	assert.Equal(t, "", o.String("id"), "a number must not be read as a string")
	assert.Equal(t, int64(0), o.Int64("name"))
	assert.True(t, o.has("id"))
	assert.False(t, o.has("other"))

	some, err := o.encodeOnly("id")
	require.NoError(t, err)
	assert.Equal(t, packed(t, map[string]any{"id": 7}), some)
	_, err = o.encodeOnly("other")
	assert.Error(t, err)

	for _, data := range [][]byte{nil, packed(t, nil), packed(t, "text"), packed(t, []int{1})} {
		_, err := splitMap(data)
		assert.Error(t, err, "%q", data)
	}
}

// Any input is either split or refused, and the parts are parts of the input.
func FuzzObject(f *testing.F) {
	f.Add(packed(f, map[string]any{"questions": []any{map[string]any{"type": "open"}, nil}, "archived": true}))
	f.Add(packed(f, map[string]any{"a": map[string]any{"b": 1.5}}))
	f.Add([]byte{0xdf, 0xff, 0xff, 0xff, 0xff, 0xa1})
	f.Add([]byte("\x81\xa1a\xdb\xdb\xdb\xa4op")) // a string with a declared length of 3.7 GB
	f.Fuzz(func(t *testing.T, data []byte) {
		fields, err := splitMap(data)
		if err != nil {
			return
		}

		for _, f := range fields {
			assert.True(t, bytes.Contains(data, f.name) && bytes.Contains(data, f.value))
		}

		one, two := sha256.New(), sha256.New()
		require.Equal(t, writeDigest(one, data), writeDigest(two, bytes.Clone(data)))
		assert.Equal(t, one.Sum(nil), two.Sum(nil))
		assert.True(t, sameMap(data, data) || hasTwice(fields))
	})
}

// hasTwice reports whether two keys are equal, which never happens in a Terraform map.
func hasTwice(fields Object) bool {
	seen := map[string]bool{}
	for _, f := range fields {
		if seen[string(f.name)] {
			return true
		}
		seen[string(f.name)] = true
	}
	return false
}

// The framework writes the keys of a map in any order.
func TestOrderOfKeys(t *testing.T) {
	t.Parallel()

	one := []byte{0x82, 0xa1, 'a', 1, 0xa1, 'b', 2}
	other := []byte{0x82, 0xa1, 'b', 2, 0xa1, 'a', 1}
	different := []byte{0x82, 0xa1, 'b', 1, 0xa1, 'a', 2}

	hashed := func(data []byte) []byte {
		h := sha256.New()
		require.NoError(t, writeDigest(h, data))
		return h.Sum(nil)
	}

	assert.Equal(t, hashed(one), hashed(other))
	assert.NotEqual(t, hashed(one), hashed(different))
	assert.True(t, sameMap(one, other))
	assert.False(t, sameMap(one, different))
}

// If a state comes with the identity of another object, the framework handles the call.
func TestIdentity(t *testing.T) {
	t.Parallel()

	resource := &servedResource{Resource: Resource{Parent: framework.Project}}
	state, err := splitMap(packed(t, map[string]any{"id": "a", "name": "NPS", "project_id": "1"}))
	require.NoError(t, err)

	own, isSame := resource.identity(state, nil)
	assert.True(t, isSame)

	for _, c := range []struct {
		given  *tfprotov6.DynamicValue
		isSame bool
	}{
		{own.IdentityData, true},
		{nil, false},
		{&tfprotov6.DynamicValue{MsgPack: packed(t, nil)}, false},
		{&tfprotov6.DynamicValue{MsgPack: packed(t, map[string]any{"id": nil, "project_id": nil})}, false},
		{&tfprotov6.DynamicValue{MsgPack: packed(t, map[string]any{"id": "a", "project_id": "2"})}, false},
	} {
		_, isSame := resource.identity(state, &tfprotov6.ResourceIdentityData{IdentityData: c.given})
		assert.Equal(t, c.isSame, isSame, "%v", c.given)
	}
}
