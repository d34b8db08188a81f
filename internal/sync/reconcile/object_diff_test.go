package reconcile_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

type object = map[string]any

func survey(project, id, name string, attributes object) source.Object {
	return source.Object{Kind: source.Survey, ParentID: project, ID: id, Name: name, Attributes: attributes}
}

func question(id, kind, text string) any {
	return object{"id": id, "type": kind, "question": text}
}

// Diff finds and counts every combination of missing, extra, and changed objects.
func TestDiff(t *testing.T) {
	t.Parallel()

	a := []source.Object{
		survey("1", "a1", "Same", object{"description": "x"}),
		survey("1", "a2", "Changed", object{"description": "x"}),
		survey("1", "a3", "Missing", nil),
	}
	b := []source.Object{
		survey("2", "b4", "Extra", nil),
		survey("2", "b2", "Changed", object{"description": "y"}),
		survey("2", "b1", "Same", object{"description": "x"}),
	}

	objects, summary := reconcile.Diff(a, b, true)
	assert.Equal(t, reconcile.Summary{Missing: 1, Extra: 1, Changed: 1, Same: 1}, summary)
	assert.Equal(t, []reconcile.Object{
		{Kind: source.Survey, Name: "Changed", IDA: "a2", IDB: "b2", Change: reconcile.Changed, IsCopy: true, Attributes: []reconcile.Attribute{{Path: "description", A: "x", B: "y"}}},
		{Kind: source.Survey, Name: "Extra", IDB: "b4", Change: reconcile.Extra, Attributes: []reconcile.Attribute{}},
		{Kind: source.Survey, Name: "Missing", IDA: "a3", Change: reconcile.Missing, Attributes: []reconcile.Attribute{}},
	}, objects)

	same, summary := reconcile.Diff(a, a, true)
	assert.Empty(t, same)
	assert.Equal(t, reconcile.Summary{Same: 3}, summary)
}

// Import apps may share a name. Equal apps do not count as different, no matter what their IDs are.
func TestMatchOfOneName(t *testing.T) {
	t.Parallel()

	app := func(project, id, description string) source.Object {
		return source.Object{Kind: source.App, ParentID: project, ID: id, Name: "GeoIP", Attributes: object{"name": "GeoIP", "description": description}}
	}
	a := []source.Object{app("1", "1", "x"), app("1", "2", "y"), app("1", "3", "z")}
	b := []source.Object{app("2", "11", "y"), app("2", "12", "other"), app("2", "13", "x")}
	objects, summary := reconcile.Diff(a, b, true)
	assert.Equal(t, reconcile.Summary{Changed: 1, Same: 2}, summary)
	assert.Equal(t, []reconcile.Attribute{{Path: "description", A: "z", B: "other"}}, objects[0].Attributes)
}

// In the same project, Match pairs surveys by ID, so swapped names are two renames.
func TestMatchByID(t *testing.T) {
	t.Parallel()

	a := []source.Object{survey("1", "1", "A", object{"name": "A"}), survey("1", "2", "B", object{"name": "B"})}
	b := []source.Object{survey("1", "1", "B", object{"name": "B"}), survey("1", "2", "A", object{"name": "A"})}
	pairs, missing, extra := reconcile.Match(a, b)
	assert.Len(t, pairs, 2)
	assert.Empty(t, missing)
	assert.Empty(t, extra)
	for _, pair := range pairs {
		assert.Equal(t, pair.A.ID, pair.B.ID)
	}

	for i := range b {
		b[i].ParentID = "2"
	}
	pairs, _, _ = reconcile.Match(a, b)
	for _, pair := range pairs {
		assert.Equal(t, pair.A.Name, pair.B.Name, "surveys of different projects must be matched by name")
	}
}

func TestAttributes(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		a, b source.Object
		want []reconcile.Attribute
	}{
		"nested": {
			survey("1", "", "S", object{"appearance": object{"position": "left", "zIndex": "1"}}),
			survey("2", "", "S", object{"appearance": object{"position": "right", "zIndex": "1", "textColor": "red"}}),
			[]reconcile.Attribute{{Path: "appearance.position", A: "left", B: "right"}, {Path: "appearance.textColor", B: "red"}},
		},
		"filled by the service": {
			survey("1", "", "S", object{"created_at": "2025", "user_access_level": "manager", "status": "draft"}),
			survey("2", "", "S", object{"created_at": "2026", "status": "running"}), nil,
		},
		"addresses of pages": {
			survey("1", "", "S", object{"url": "https://us.posthog.com/project/1/surveys/a", "public_url": "https://us.posthog.com/external_surveys/a"}),
			survey("2", "", "S", object{"url": "https://us.posthog.com/project/2/surveys/b"}), nil,
		},
		"address of an app's source": {
			source.Object{Kind: source.App, Attributes: object{"url": "https://github.com/a/a"}}, source.Object{Kind: source.App, Attributes: object{"url": "https://github.com/a/b"}},
			[]reconcile.Attribute{{Path: "url", A: "https://github.com/a/a", B: "https://github.com/a/b"}},
		},
		"numbers in another spelling": {
			survey("1", "", "S", object{"responses_limit": json.Number("10")}), survey("2", "", "S", object{"responses_limit": json.Number("10.0")}), nil,
		},
		"flags of two projects by key": {
			survey("1", "", "S", object{"linked_flag_id": json.Number("1"), "linked_flag": object{"key": "beta"}}),
			survey("2", "", "S", object{"linked_flag_id": json.Number("9"), "linked_flag": object{"key": "beta"}}), nil,
		},
		"another flag": {
			survey("1", "", "S", object{"linked_flag_id": json.Number("1"), "linked_flag": object{"key": "beta"}}),
			survey("2", "", "S", object{"linked_flag_id": json.Number("1"), "linked_flag": object{"key": "alpha"}}),
			[]reconcile.Attribute{{Path: "linked_flag_id", A: "beta", B: "alpha"}},
		},
		"unknown before apply": {
			source.Object{Kind: source.Survey, Unknown: []string{"start_date"}}, survey("", "", "", object{"start_date": "2026-01-01T00:00:00Z"}), nil,
		},
		"questions": {
			survey("1", "", "S", object{"questions": []any{question("1", "open", "a"), question("2", "open", "b"), question("3", "link", "c")}}),
			survey("2", "", "S", object{"questions": []any{question("8", "open", "b"), question("9", "open", "a"), question("7", "rating", "d")}}),
			[]reconcile.Attribute{
				{Path: "questions[0].position", A: 0, B: 1},
				{Path: "questions[1].position", A: 1, B: 0},
				{Path: "questions[2]", A: question("3", "link", "c")},
				{Path: "questions[2]", B: question("7", "rating", "d")},
			},
		},
		"text edited": {
			survey("1", "", "S", object{"questions": []any{question("1", "open", "a")}}),
			survey("1", "", "S", object{"questions": []any{question("1", "open", "b")}}),
			[]reconcile.Attribute{{Path: "questions[0].question", A: "a", B: "b"}},
		},
	} {
		assert.Equal(t, c.want, reconcile.Attributes(c.a, c.b), name)
	}
}
