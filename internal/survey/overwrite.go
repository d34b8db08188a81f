package survey

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// An update replaces questions, appearance, conditions, translations, content and targeting
// filters as a whole, so it would overwrite edits that were made in the web interface
// between plan and apply. Before such an update the survey is read, and compared with the
// prior state as in a refresh.

// refuseOverwrite reads the survey if the request replaces a whole value, and adds an error
// if that value has changed since the plan. It returns the survey, nil if it was not read,
// and whether the update may be sent.
func (r *Resource) refuseOverwrite(
	ctx context.Context, request api.SurveyRequest, planned, prior Fields, private attribute.PrivateState, diags *diag.Diagnostics,
) (*api.Survey, bool) {
	if !replacesWhole(request) {
		return nil, true
	}
	live, err := r.surveys(prior).Retrieve(ctx, prior.ID.ValueString())
	if err != nil {
		diags.Append(refusal("update", prior, err))
		return nil, false
	}

	prior.Questions = withAppliedIDs(prior.Questions, loadHistory(ctx, private, diags).newest(), diags)
	stored, err := FromAPI(ctx, live, prior, &attribute.Answer{Memory: attribute.LoadMemory(ctx, private, diags)})
	if err != nil {
		diags.Append(attempt("read", prior).Diagnostic(err, attributePaths))
		return nil, false
	}
	if request.Questions.IsSpecified() && refuseUnknownIDs(prior, stored, diags) {
		return nil, false
	}
	edits, fields := unseenEdits(request, planned, prior, stored, diags)
	if len(edits) == 0 {
		return &live, !diags.HasError()
	}
	diags.Append(attempt("update", prior).Overwrite(edits, r.lastEdit(ctx, prior, fields)))
	return nil, false
}

// refuseUnknownIDs adds an error, and returns true, if the state lacks ids of questions
// that the service has: the update would give those questions new ids.
func refuseUnknownIDs(prior, stored Fields, diags *diag.Diagnostics) bool {
	before, _ := decodeQuestions(prior.Questions, diags)
	now, _ := decodeQuestions(stored.Questions, diags)
	if !lackIDs(before) || len(now) == 0 || lackIDs(now) {
		return false
	}

	diags.AddAttributeError(path.Root("questions"), attempt("update", prior).Title(),
		"The state comes from provider "+officialSource+" and has no ids of questions, because nothing was read from the service since. "+
			"An update of the questions would give them new ids and detach the responses so far. Nothing was written. "+
			"Plan again without -refresh=false: a refresh reads the ids.")
	return true
}

// replacesWhole reports whether a request has a value that replaces the stored one as a
// whole.
func replacesWhole(r api.SurveyRequest) bool {
	return r.Questions.IsSpecified() || r.Appearance.IsSpecified() || r.Conditions.IsSpecified() ||
		r.Translations.IsSpecified() || r.FormContent.IsSpecified() || replacesTargeting(r)
}

func replacesTargeting(r api.SurveyRequest) bool {
	return r.TargetingFlagFilters.IsSpecified() || r.RemoveTargetingFlag.IsSpecified()
}

// unseenEdits lists, one a line, the edits of values that a request replaces, and returns
// the attributes. An edit to the planned value is not overwritten.
func unseenEdits(request api.SurveyRequest, planned, prior, stored Fields, diags *diag.Diagnostics) (edits, fields []string) {
	add := func(name string, lines []string) {
		if len(lines) > 0 {
			edits, fields = append(edits, lines...), append(fields, name)
		}
	}

	for _, one := range []struct {
		name                   string
		isSent                 bool
		planned, prior, stored jsontypes.Normalized
		same                   attribute.Equivalent
	}{
		{"appearance", request.Appearance.IsSpecified(), planned.Appearance, prior.Appearance, stored.Appearance, sameJSONMarkup},
		{"conditions", request.Conditions.IsSpecified(), planned.Conditions, prior.Conditions, stored.Conditions, sameConditions},
		{"translations", request.Translations.IsSpecified(), planned.Translations, prior.Translations, stored.Translations, sameJSONMarkup},
		{"form_content", request.FormContent.IsSpecified(), planned.FormContent, prior.FormContent, stored.FormContent, attribute.EquivalentJSON},
		{"targeting_flag_filters", replacesTargeting(request), planned.TargetingFlagFilters, prior.TargetingFlagFilters, stored.TargetingFlagFilters, attribute.EquivalentJSON},
	} {
		before, now := one.prior.ValueString(), one.stored.ValueString()
		same := func(other string) bool { return one.same(now, other) || attribute.EquivalentJSON(now, other) }
		if one.isSent && !same(before) && !same(one.planned.ValueString()) {
			add(one.name, attribute.JSONEdits(one.name, before, now))
		}
	}

	if replacesTargeting(request) && !stored.TargetingFlagID.Equal(prior.TargetingFlagID) && !stored.TargetingFlagID.Equal(planned.TargetingFlagID) {
		add("targeting_flag_id", []string{attribute.ValueEdit("targeting_flag_id", prior.TargetingFlagID, stored.TargetingFlagID)})
	}

	if request.Questions.IsSpecified() && !stored.Questions.Equal(prior.Questions) && !stored.Questions.Equal(planned.Questions) {
		before, _ := decodeQuestions(prior.Questions, diags)
		now, _ := decodeQuestions(stored.Questions, diags)
		add("questions", questionEdits(before, now))
	}
	return edits, fields
}

// questionEdits lists the edits of a list of questions, one a line.
func questionEdits(before, now []Question) []string {
	var edits []string
	kept := make([]int, 0, len(now)) // the earlier places of those that are still there

	for i, q := range now {
		j := sameID(before, now, i)
		if j < 0 {
			edits = append(edits, fmt.Sprintf("questions[%d] was inserted: %s", i, excerpt(q.Question)))
			continue
		}
		kept = append(kept, j)
		edits = append(edits, editsOf(fmt.Sprintf("questions[%d]", i), before[j], q)...)
	}

	for j, q := range before {
		if !slices.Contains(kept, j) {
			edits = append(edits, fmt.Sprintf("questions[%d] was removed: %s", j, excerpt(q.Question)))
		}
	}

	if !slices.IsSorted(kept) {
		edits = append(edits, "questions were reordered")
	}
	return edits
}

// editsOf lists the edits of a question, one a line.
func editsOf(path string, before, now Question) []string {
	var edits []string
	old, current := attribute.FromStruct(&before), attribute.FromStruct(&now)
	for _, name := range sortedNames(current) {
		was, is := old[name], current[name]
		switch {
		case is.Equal(was):
		case name == "question":
			edits = append(edits, fmt.Sprintf("%s was reworded: %s -> %s", path, excerpt(before.Question), excerpt(now.Question)))
		default:
			edits = append(edits, attribute.ValueEdit(path+"."+name, was, is))
		}
	}
	return edits
}

func sortedNames(attributes map[string]attr.Value) []string {
	names := make([]string, 0, len(attributes))
	for name := range attributes {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// activityPage is a page of the activity log of a survey, newest entries first.
type activityPage struct {
	Results []struct {
		User struct {
			FirstName string `json:"first_name"`
			Email     string `json:"email"`
		} `json:"user"`
		CreatedAt time.Time `json:"created_at"`
		Detail    struct {
			Changes []struct {
				Field string `json:"field"`
			} `json:"changes"`
		} `json:"detail"`
	} `json:"results"`
}

const (
	// activityTime bounds the request for the activity log that an error waits for.
	activityTime = 10 * time.Second
	// activityEntries is the number of its entries that are searched, newest first.
	activityEntries = 20
)

// lastEdit says who last changed one of the fields, and when; "" if the activity log does
// not have it or the key may not read it.
func (r *Resource) lastEdit(ctx context.Context, f Fields, fields []string) string {
	ctx, cancel := context.WithTimeout(ctx, activityTime)
	defer cancel()
	raw, err := r.surveys(f).Activity(ctx, f.ID.ValueString(), activityEntries)
	var page activityPage
	if err != nil || json.Unmarshal(raw, &page) != nil {
		return ""
	}

	for _, entry := range page.Results {
		for _, change := range entry.Detail.Changes {
			who := entry.User.Email
			if who == "" {
				who = entry.User.FirstName
			}
			if slices.Contains(fields, change.Field) && who != "" {
				return fmt.Sprintf("The last change of %s was made by %s at %s.\n", change.Field, who, entry.CreatedAt.UTC().Format(time.RFC3339))
			}
		}
	}
	return ""
}
