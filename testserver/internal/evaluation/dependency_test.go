package evaluation

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func dependingOn(key, value string) string {
	return `{"groups":[{"properties":[{"key":"` + key + `","type":"flag","operator":"flag_evaluates_to","value":` + value + `}]}]}`
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	flags := []*Flag{
		newFlag(t, 1, "on", `{"groups":[{}]}`),
		newFlag(t, 2, "off", `{"groups":[{"rollout_percentage":0}]}`),
		newFlag(t, 3, "red", `{"groups":[{}],"multivariate":{"variants":[{"key":"red","rollout_percentage":100}]}}`),
		NewFlag(Definition{ID: 4, Key: "disabled"}),
		newFlag(t, 5, "chain", dependingOn("3", `"red"`)),
	}
	for _, c := range []struct {
		key, value string
		want       bool
	}{
		{"1", "true", true}, {"1", "false", false}, {"1", `"true"`, false},
		{"2", "true", false}, {"2", "false", true},
		{"3", "true", true}, {"3", `"red"`, true}, {"3", `"Red"`, false}, {"3", "false", false}, {"3", `["red"]`, false},
		{"4", "true", false}, {"4", "false", true},
		{"5", "true", true}, {"5", "null", false},
	} {
		p := projectOf(append(flags, newFlag(t, 9, "asks", dependingOn(c.key, c.value)))...)
		require.Equal(t, c.want, p.Evaluate(p.Flags[9], somebody(t, `{}`), testTime).Enabled, "%+v", c)
	}
}

// A flag that asks for one that is gone, or for itself by any way, is off, and so is who
// asks for it.
func TestMissingDependencies(t *testing.T) {
	t.Parallel()
	gone := NewFlag(Definition{ID: 3, Key: "gone", Active: true, Deleted: true})
	p := projectOf(gone,
		newFlag(t, 1, "asks-for-nothing", dependingOn("404", "false")),
		newFlag(t, 2, "asks-for-gone", dependingOn("3", "false")),
		newFlag(t, 4, "asks-for-itself", dependingOn("4", "false")),
		newFlag(t, 5, "circle", dependingOn("6", "false")),
		newFlag(t, 6, "circle-too", dependingOn("5", "false")),
		newFlag(t, 7, "asks-for-circle", dependingOn("5", "false")),
	)
	for id, flag := range p.Flags {
		if id != gone.ID {
			require.Equal(t, "off missing_dependency", said(p.Evaluate(flag, somebody(t, `{}`), testTime)), flag.Key)
		}
	}

	wrong := newFlag(t, 8, "wrong", `{"groups":[{"properties":[{"key":"x","type":"flag","operator":"exact","value":true}]}]}`)
	require.Contains(t, evaluate(wrong, somebody(t, `{}`)).Conditions[0].Undecided, "there is no flag x")
}

// A gate asks for flags, too: a circle through one ends.
func TestCircleThroughAGate(t *testing.T) {
	t.Parallel()
	gate := `{"super_groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true},{"key":"email","value":["a"]}]}]}`
	p := projectOf(newFlag(t, 1, "gated", gate))
	require.False(t, p.Evaluate(p.Flags[1], somebody(t, `{"email":"a"}`), testTime).Enabled)
}

// Flags that all ask for two others take no longer than one each.
func TestManyDependencies(t *testing.T) {
	t.Parallel()
	p := projectOf(newFlag(t, 0, "first", `{"groups":[{}]}`), newFlag(t, 1, "second", `{"groups":[{}]}`))
	for id := int64(2); id < 200; id++ {
		p.Flags[id] = newFlag(t, id, fmt.Sprint("flag", id), fmt.Sprintf(`{"groups":[{"properties":[
			{"key":"%d","type":"flag","operator":"flag_evaluates_to","value":true},
			{"key":"%d","type":"flag","operator":"flag_evaluates_to","value":true}]}]}`, id-1, id-2))
	}
	require.True(t, p.Evaluate(p.Flags[199], somebody(t, `{}`), testTime).Enabled)
}
