package pull_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/held"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
)

// logged is an entry of a feed, of fields that one request changed.
func logged(at string, fields map[string][2]any) object {
	changes := []any{}
	for name, values := range fields {
		changes = append(changes, object{"field": name, "before": values[0], "after": values[1]})
	}
	return object{"activity": "updated", "created_at": at, "detail": object{"changes": changes}}
}

// recalled is what is behind, and what is edited, of a survey with a feed, newest entry
// first: the versions after the feed was read.
func recalled(t *testing.T, applied, code, live object, feed ...object) (hcledit.Versions, bool) {
	t.Helper()
	return recalledSince(t, "", applied, code, live, feed...)
}

// recalledSince is recalled for a survey of which the private state knows when it was last
// written.
func recalledSince(t *testing.T, written string, applied, code, live object, feed ...object) (hcledit.Versions, bool) {
	t.Helper()
	body, err := json.Marshal(object{"results": append([]object{}, feed...)})
	require.NoError(t, err)
	requests, err := activity.Requests(body)
	require.NoError(t, err)

	one := &tfjson.ResourceChange{Address: address, Mode: tfjson.ManagedResourceMode, Type: "posthog_survey", Name: "s", ProviderName: "ours",
		Change: &tfjson.Change{Actions: update, Before: live, After: code}}
	drift := *one
	drift.Change = &tfjson.Change{Before: applied, After: live}
	plan := &tfjson.Plan{ResourceChanges: []*tfjson.ResourceChange{one}, ResourceDrift: []*tfjson.ResourceChange{&drift}}
	private := map[string]map[string][]byte{address: {held.WrittenKey: []byte(strconv.Quote(written))}}
	resources, err := pull.Resources(t.Context(), plan, private, func(string) bool { return true })
	require.NoError(t, err)

	learned := resources[0].RecallLogged(t.Context(), requests)
	return resources[0].Versions, learned
}

const (
	january  = "2026-01-01T00:00:00Z"
	february = "2026-02-01T00:00:00Z"
	march    = "2026-03-01T00:00:00Z"
)

func TestStatusOfTheFeedIsBehind(t *testing.T) {
	t.Parallel()
	applied, live := object{"status": "draft"}, object{"status": "completed", "start_date": january, "end_date": february}
	launch := logged(january, map[string][2]any{"start_date": {nil, january}, "name": {"a", "b"}})
	stop := logged(february, map[string][2]any{"end_date": {nil, february}, "name": {"b", "c"}})
	both := logged(february, map[string][2]any{"start_date": {nil, january}, "end_date": {nil, february}})
	for name, c := range map[string]struct {
		feed []object
		want any
	}{
		"launched, then stopped":   {[]object{stop, launch}, "running"},
		"both at once":             {[]object{both}, "draft"},
		"a feed without the past":  {[]object{stop}, "draft"},
		"a feed without its start": {[]object{launch}, "draft"},
		"no feed":                  {nil, "draft"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			versions, _ := recalled(t, applied, object{"status": "running"}, live, c.feed...)
			was, _ := versions.Applied.(object)
			assert.Equal(t, c.want, was["status"])
		})
	}
}

// Code that goes back to what was applied earlier is an edit of the code.
func TestWhatIsOlderThanTheApplyIsNoPast(t *testing.T) {
	t.Parallel()
	versions, learned := recalled(t, object{"name": "second"}, object{"name": "first"}, object{"name": "third"},
		logged(february, map[string][2]any{"name": {"second", "third"}}), logged(january, map[string][2]any{"name": {"first", "second"}}))
	was, _ := versions.Applied.(object)
	assert.Equal(t, "second", was["name"])
	assert.True(t, learned, "what it was before the edit is no news, and noted")
}

// A value that is no list of questions, or no JSON of this kind, is not known.
func TestUnreadableFeedChangesNothing(t *testing.T) {
	t.Parallel()
	for _, value := range []any{nil, "text", 1, []any{"text"}, object{"a": 1}, strings.Repeat("[", 3)} {
		versions, learned := recalled(t, object{"name": "a", "questions": []any{}}, object{"name": "b"}, object{"name": "c"},
			logged(january, map[string][2]any{"name": {value, value}, "questions": {value, value}, "start_date": {value, value}}))
		was, _ := versions.Applied.(object)
		assert.Equal(t, "a", was["name"])
		assert.False(t, learned)
	}
}

// A value that the service has had since the last write is no edit of the code, also where
// the one that was applied came back. When that write is not known, or is the last change
// itself, the code may have been edited.
func TestValueThatCameBack(t *testing.T) {
	t.Parallel()
	for name, values := range map[string][2]object{
		"a name": {{"name": "first"}, {"name": "second"}},
		"JSON":   {{"appearance": `{"position":"left"}`}, {"appearance": `{"position":"right"}`}},
	} {
		first, second := values[0], values[1]
		var feed []object
		for key := range first {
			there, back := map[string][2]any{key: {first[key], second[key]}}, map[string][2]any{key: {second[key], first[key]}}
			feed = []object{logged(march, back), logged(february, there)}
		}

		for written, wantsEdit := range map[string]bool{january: true, "2026-02-15T00:00:00Z": true, "2026-02-28T23:59:55Z": false, march: false, "": false, "then": false} {
			t.Run(name+" written "+written, func(t *testing.T) {
				t.Parallel()
				versions, _ := recalledSince(t, written, first, second, first, feed...)
				assert.Equal(t, wantsEdit, assert.ObjectsAreEqual(versions.Code, versions.Applied), "%v", versions)
			})
		}
	}
}
