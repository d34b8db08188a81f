package reconcile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reconcile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// Each guard either allows an action, or refuses it and names the flag that allows it.
func TestGuards(t *testing.T) {
	t.Parallel()
	asked := answered(t, "2", `{"id": "b", "name": "NPS", "type": "popover", "questions": [{"id": "p1", "type": "open", "question": "Why?"}]}`)
	silent := answered(t, "1", `{"id": "a", "name": "NPS", "type": "popover", "questions": []}`)
	none, some, unknown := responses.Number{}, responses.Number{Counted: 3}, responses.Number{Reason: "no scope"}
	key := reconcile.ObjectKey{Kind: source.Survey, ID: "b"}

	for name, c := range map[string]struct {
		desired []source.Object
		options reconcile.Options
		number  responses.Number
		want    string
	}{
		"deleted":                      {options: reconcile.Options{Delete: reconcile.DeleteUnanswered}, number: none},
		"deleted with responses":       {options: reconcile.Options{Delete: reconcile.DeleteUnanswered}, number: some, want: "it has 3 responses, which would be lost. To keep them, use --archive. To delete the survey with them, use --allow-delete=with-responses"},
		"deleted, unknown":             {options: reconcile.Options{Delete: reconcile.DeleteUnanswered}, number: unknown, want: "it may have responses, because they could not be counted: no scope. To keep them, use --archive. To delete the survey anyway, use --allow-delete=with-responses"},
		"deleted with them":            {options: reconcile.Options{Delete: reconcile.DeleteWithResponses}, number: some},
		"cut":                          {desired: []source.Object{silent}, number: none},
		"cut with responses":           {desired: []source.Object{silent}, number: some, want: "it would detach answers. To allow this, use --allow-detached-answers"},
		"cut, unknown":                 {desired: []source.Object{silent}, number: unknown, want: "it may detach answers. To allow this, use --allow-detached-answers"},
		"cut, allowed":                 {desired: []source.Object{silent}, options: reconcile.Options{AllowDetachedAnswers: true}, number: some},
		"managed":                      {options: reconcile.Options{Delete: reconcile.DeleteWithResponses, Managed: map[reconcile.ObjectKey]string{key: "x in ."}}, want: `managed by Terraform as x in .: change its configuration instead, or skip it with --exclude "NPS"`},
		"managed survey, archived too": {options: reconcile.Options{Archive: true, Managed: map[reconcile.ObjectKey]string{key: "x in ."}}, want: `managed by Terraform as x in .: change its configuration instead, or skip it with --exclude "NPS"`},
	} {
		c.options.Responses = func(context.Context, string) responses.Number { return c.number }
		p := plan(t, c.desired, []source.Object{asked}, c.options)
		require.Len(t, p.Actions, 1, name)
		assert.Equal(t, c.want, p.Actions[0].Reason, name)
		assert.Equal(t, c.want != "", p.Actions[0].Outcome == reconcile.Refused, name)
	}
}

// The IDs of two questions that exchange them are refused, because each question would get the other's answers.
func TestMovedIDsAreRefused(t *testing.T) {
	t.Parallel()
	survey := func(first, second string) source.Object {
		return answered(t, "2", fmt.Sprintf(`{"id": "b", "name": "NPS", "type": "popover", "questions": [
			{"id": %q, "type": "open", "question": "Why?"}, {"id": %q, "type": "open", "question": "What?"}]}`, first, second))
	}
	options := reconcile.Options{Responses: func(context.Context, string) responses.Number { return responses.Number{Counted: 3} }}

	p := plan(t, []source.Object{survey("p2", "p1")}, []source.Object{survey("p1", "p2")}, options)
	require.Len(t, p.Actions, 1)
	assert.Equal(t, "it would detach answers. To allow this, use --allow-detached-answers", p.Actions[0].Reason)
	assert.Equal(t, []reconcile.MovedID{
		{Path: "questions[0].id", Text: "Why?", ID: "p2", OwnID: "p1"},
		{Path: "questions[1].id", Text: "What?", ID: "p1", OwnID: "p2"},
	}, p.Actions[0].Moved)
}

// If the number of removals exceeds the limit by one, all removals are refused, but no other actions are.
func TestTooManyRemovals(t *testing.T) {
	t.Parallel()
	var live []source.Object
	for n := range 6 {
		live = append(live, answered(t, "2", fmt.Sprintf(`{"id": "b%d", "name": "Survey %d", "type": "popover"}`, n, n)))
	}
	created := answered(t, "1", `{"id": "a", "name": "New", "type": "popover"}`)
	options := reconcile.Options{Delete: reconcile.DeleteWithResponses}

	p := plan(t, []source.Object{created}, live, options)
	require.Len(t, p.Actions, 7)
	for _, action := range p.Actions {
		if action.Verb == reconcile.Create {
			assert.Equal(t, reconcile.Planned, action.Outcome)
			continue
		}
		assert.Equal(t, "6 objects would be deleted or archived, but the limit is 5. To allow this, use --max-deletes 6", action.Reason)
	}
	for _, action := range plan(t, nil, live[:5], options).Actions {
		assert.Equal(t, reconcile.Planned, action.Outcome)
	}
}

// The plan reports skipped objects: objects that only B has, and objects of another organization.
func TestSkipped(t *testing.T) {
	t.Parallel()
	app := func(organization, owner string) source.Object {
		var wire api.PipelineImportApp
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"id": 7, "name": "Tickets", "organization_id": %q, "is_global": true}`, owner), &wire))
		o, err := source.FromApp(t.Context(), wire, organization)
		require.NoError(t, err)
		return o
	}
	kept := answered(t, "2", `{"id": "b", "name": "Kept", "type": "popover"}`)
	archived := answered(t, "2", `{"id": "c", "name": "Old", "type": "popover", "archived": true}`)

	for _, c := range []struct {
		desired, live []source.Object
		archive       bool
		want          string
	}{
		{live: []source.Object{kept}, want: "only live:b has it"},
		{live: []source.Object{archived}, archive: true, want: "only live:b has it, and it is archived"},
		{live: []source.Object{app("b", "x")}, want: "it belongs to organization x"},
		{desired: []source.Object{app("a", "x")}, want: "in live:a it belongs to organization x"},
	} {
		p := plan(t, c.desired, c.live, reconcile.Options{Archive: c.archive, A: "live:a", B: "live:b"})
		assert.Empty(t, p.Actions, c.want)
		require.Len(t, p.Skipped, 1, c.want)
		assert.Equal(t, c.want, p.Skipped[0].Reason)
	}
}

// Two desired surveys with the same name cause an error.
func TestNameTwice(t *testing.T) {
	t.Parallel()
	one := answered(t, "1", `{"id": "a", "name": "NPS", "type": "popover"}`)
	other := answered(t, "1", `{"id": "b", "name": " NPS ", "type": "popover"}`)
	_, err := reconcile.NewPlan(t.Context(), []source.Object{one, other}, nil, reconcile.Options{A: "live:a"})
	assert.EqualError(t, err, `two surveys of live:a are named "NPS": survey names must be unique`)
}
