package testserver

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// listOperations are the operations that return several objects.
var listOperations = []string{"surveys_list", "pipeline_import_apps_list"}

// edit is a change that a fault makes right before the work on a request, with the store locked
// for writing and the caller authorized.
type edit func(x *exchange, values []pathValue) *field.Failure

// readEdit reads the merge patch of a rule; nil when there is none. A rule for an operation
// without an object to edit would have no effect, and is refused.
func readEdit(o *strictjson.Object) edit {
	patch := o.Fields["edit"]
	operation := o.Text("operation", "")
	switch {
	case patch == nil:
		return nil
	case patch[0] != '{':
		o.Fail("edit", "must be an object, a JSON merge patch, is %s", rawjson.Kind(patch))
	case len(rawjson.Members(patch)) == 0:
		o.Fail("edit", "is empty: it would change nothing")
	case operation != "" && !slices.Contains(listOperations, operation) && !namesObject(operation):
		o.Fail("edit", "%s names no object: an edit is made to the object with the id in the path, or to the newest of %s",
			operation, strings.Join(listOperations, " and "))
	}
	return func(x *exchange, values []pathValue) *field.Failure { return x.mergeInto(values, patch) }
}

// namesObject reports whether the path of an operation has the id of an object.
func namesObject(operation string) bool {
	op, ok := operationNamed(operation)
	return ok && strings.Contains(op.Path, "{id}")
}

// mergeInto merges a patch into the object that a request names or lists first, if there is one. A
// patch that does not fit its object fails the request: a rule without an effect would prove
// nothing.
func (x *exchange) mergeInto(values []pathValue, patch json.RawMessage) *field.Failure {
	if x.endpoint == nil {
		return nil
	}
	var err error
	switch {
	case x.project != nil:
		if found := surveyToEdit(x, values); found != nil {
			_, err = x.contents.patchSurvey(found.ID.String(), patch)
		}
	default:
		if found := appToEdit(x, values); found != nil {
			_, err = x.contents.patchApp(found.ID, patch)
		}
	}
	if err != nil {
		return field.BadRequest("invalid_input", "faults: edit: "+err.Error())
	}
	return nil
}

// surveyToEdit is the survey that a request names or lists first; nil for none.
func surveyToEdit(x *exchange, values []pathValue) *store.Survey {
	if x.endpoint.ID == "surveys_list" {
		return newest(x.store.SurveysOf(x.project.ID))
	}
	found, _ := x.survey(idIn(values))
	return found
}

// appToEdit is the app that a request names or lists first; nil for none.
func appToEdit(x *exchange, values []pathValue) *store.App {
	if x.endpoint.ID == "pipeline_import_apps_list" {
		return newest(x.profile.apps(x.store, x.organization))
	}
	id, err := strconv.ParseInt(idIn(values), 10, 64)
	if err != nil {
		return nil
	}
	found, _ := x.app(id)
	return found
}

// newest is the newest object in a timeline; the zero T if it is empty.
func newest[T store.Sortable](t *store.Timeline[T]) T {
	var none T
	if t == nil || len(t.Items) == 0 {
		return none
	}
	return t.Items[len(t.Items)-1]
}

// idIn is the id in a path; empty if it has none.
func idIn(values []pathValue) string {
	for _, v := range values {
		if v.name == "id" {
			return v.value
		}
	}
	return ""
}
