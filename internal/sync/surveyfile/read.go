// Package surveyfile reads YAML survey files for use without Terraform. A file uses the attributes of the
// provider's resource, and PostHog keeps the values of attributes that the file omits. The package runs the
// same checks as a plan. It reads one file, and sends no requests. Start reading at [Read].
package surveyfile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/inputfile"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/yamldoc"
)

// mostBytes limits the size of a file.
const mostBytes = 10 << 20

const surveysKey = "surveys"

// Read reads the surveys in a YAML file, and passes possible typos to warn. Errors and warnings start with
// the file and the line.
func Read(ctx context.Context, file string, warn func(text string)) ([]source.Object, error) {
	text, err := inputfile.ReadRegular(file, mostBytes)
	if err != nil {
		return nil, err
	}
	root, err := yamldoc.Parse(text, surveysKey)
	if root == nil {
		return nil, yamldoc.In(file, err)
	}

	r := reader{converter{lines: map[string]int{}}, nil}
	objects := r.document(ctx, root)
	if mistakes, ok := errors.AsType[yamldoc.Errors](err); ok {
		r.errors = append(r.errors, mistakes...)
	}
	if err := r.errors.ErrorOrNil(); err != nil {
		return nil, yamldoc.In(file, err)
	}
	for _, warning := range r.warnings {
		warn(fmt.Sprintf("%s: %s", file, warning))
	}
	return objects, nil
}

// reader reads the surveys in a document.
type reader struct {
	converter
	warnings yamldoc.Errors
}

// document returns the surveys in the document, without surveys that have errors.
func (r *reader) document(ctx context.Context, root *yamldoc.Node) []source.Object {
	var list *yamldoc.Node
	for _, member := range root.Members {
		switch {
		case member.Key == surveysKey:
			list = member.Value
		case !yamldoc.IsShared(member.Key):
			r.failf(member.Line, "%v", attribute.UnsupportedKey(member.Key, types.ObjectType{AttrTypes: map[string]attr.Type{surveysKey: nil}}, ""))
		}
	}
	switch {
	case list == nil && len(r.errors) > 0: // the key is misspelled in the file
		return nil
	case list == nil || list.Kind == yamldoc.Scalar && list.Value == nil:
		r.failf(root.Line, "surveys is missing. Add a list, or [] for no surveys")
		return nil
	case list.Kind != yamldoc.List:
		r.failf(list.Line, "surveys must be a list")
		return nil
	}

	names := map[string]int{}
	objects := make([]source.Object, 0, len(list.Elements))
	for i, element := range list.Elements {
		at := fmt.Sprintf("%s[%d]", surveysKey, i)
		object, ok := r.survey(ctx, element, at)
		if !ok {
			continue
		}
		name := strings.TrimSpace(object.Name)
		if line, isTaken := names[name]; isTaken {
			r.failAt(at+".name", "%s.name is %q, but the survey in line %d already has this name", at, object.Name, line)
		}
		names[name] = r.lineOf(at + ".name")
		objects = append(objects, object)
	}
	return objects
}

// survey returns the survey at a path. ok is false if the survey has errors.
func (r *reader) survey(ctx context.Context, node *yamldoc.Node, at string) (object source.Object, ok bool) {
	before := len(r.errors)
	given, _ := r.value(node, writtenSurvey(), at).(types.Object)
	if given.IsNull() && len(r.errors) == before {
		r.failf(node.Line, "%s is empty. It must be a mapping", at)
	}
	if len(r.errors) > before {
		return object, false
	}
	fields, values := r.fields(given, at)
	if len(r.errors) > before {
		return object, false
	}

	stated, diags := survey.FromConfiguration(fields)
	diags.Append(checkSchema(ctx, fields, values)...)
	r.report(diags, at)
	for _, f := range findings(fields) {
		located := yamldoc.Errorf(r.lineOf(at+"."+f.Path), "%s.%s", at, f.Text)
		if f.IsError {
			r.errors = append(r.errors, located)
		} else {
			r.warnings = append(r.warnings, located)
		}
	}
	if len(r.errors) > before {
		return object, false
	}

	object, err := source.FromSurvey(ctx, stated, "")
	if err != nil {
		r.failf(node.Line, "%s: %v", at, err)
		return object, false
	}
	object.SurveyResponse = nil
	object.Stated = &source.Stated{Survey: stated, Status: fields.Status.ValueString()}
	if !fields.Status.IsNull() {
		object.Attributes["status"] = fields.Status.ValueString()
		object.Unknown = slices.DeleteFunc(object.Unknown, func(name string) bool { return name == "status" })
	}
	return object, true
}

// fields returns a survey with positions instead of question names, and the survey's attributes by name.
func (r *reader) fields(given types.Object, at string) (fields survey.Fields, values map[string]attr.Value) {
	values = attribute.FromStruct(&survey.Fields{})
	maps.Copy(values, given.Attributes())
	list, _ := values["questions"].(types.List)
	values["questions"] = types.ListNull(survey.QuestionType)
	if !list.IsNull() {
		questions, err := survey.ResolveNames(list.Elements())
		if err != nil {
			r.failNames(err, at)
			return fields, values
		}
		values["questions"] = types.ListValueMust(survey.QuestionType, questions)
	}
	attribute.ToStruct(&fields, values)
	return fields, values
}

// failNames reports invalid question names in the survey at a path.
func (r *reader) failNames(err error, at string) {
	var all survey.NameErrors
	if !errors.As(err, &all) {
		r.failAt(at, "%s.%v", at, err)
	}
	for _, one := range all {
		r.failAt(at+"."+one.Path, "%s.%v", at, one)
	}
}

// report adds the diagnostics of the survey at a path to the errors.
func (r *reader) report(diags diag.Diagnostics, at string) {
	for _, d := range diags {
		where := at
		if located, ok := d.(diag.DiagnosticWithPath); ok {
			where += "." + located.Path().String()
		}
		one := yamldoc.Errorf(r.lineOf(where), "%s.%s", at, strings.TrimPrefix(d.Detail(), "Attribute "))
		if d.Severity() == diag.SeverityError {
			r.errors = append(r.errors, one)
		} else {
			r.warnings = append(r.warnings, one)
		}
	}
}

// writtenSurvey returns the type of a survey in a file. In a file, questions have names, and branching refers
// to these names.
func writtenSurvey() types.ObjectType {
	attributes := map[string]attr.Type{}
	for name, a := range surveyschema.HandWrittenAttributes() {
		attributes[name] = a.GetType()
	}
	attributes["questions"] = types.ListType{ElemType: survey.NamedQuestionType}
	return types.ObjectType{AttrTypes: attributes}
}
