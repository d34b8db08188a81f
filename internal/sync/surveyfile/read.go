// Package surveyfile reads YAML files of surveys that people write, without Terraform. A file has the
// attributes of the provider's resource. It states what a survey should be, and the rest is left as
// it is in PostHog. The checks are those of a plan. The package reads one file and sends no
// requests. Start at Read.
package surveyfile

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"go.yaml.in/yaml/v4"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/yamldoc"
)

// The bounds of a file that people write.
const (
	mostWritten = 10 << 20
	mostAliases = 1000
)

// Read reads the surveys of a YAML file, and tells what may be a typing error. Errors and
// warnings begin with the line.
func Read(ctx context.Context, file string, warn func(text string)) ([]source.Object, error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file") // a pipe would be waited on for ever
	case info.Size() > mostWritten:
		return nil, fmt.Errorf("the file has more than %d MB", mostWritten>>20)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}

	root, err := yamldoc.Parse(text, surveysKey)
	if err != nil {
		return nil, err
	}
	w := written{lines: map[string]int{}, warn: warn}
	return w.objects(ctx, root)
}

// written is a file while it is read.
type written struct {
	// lines are those of values by their paths.
	lines   map[string]int
	aliases int
	warn    func(text string)
}

const surveysKey = "surveys"

// writtenSurvey is the type of a survey: questions have names, and branching leads to them.
func writtenSurvey() types.ObjectType {
	attributes := map[string]attr.Type{}
	for name, a := range surveyschema.Written() {
		attributes[name] = a.GetType()
	}
	attributes["questions"] = types.ListType{ElemType: survey.NamedQuestionType}
	return types.ObjectType{AttrTypes: attributes}
}

// objects are the surveys of the file.
func (w *written) objects(ctx context.Context, root *yaml.Node) ([]source.Object, error) {
	of := types.ObjectType{AttrTypes: map[string]attr.Type{surveysKey: types.ListType{ElemType: writtenSurvey()}}}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("line %d: the file must be a mapping with %s", root.Line, surveysKey)
	}
	value, err := w.value(root, of, "") //nolint:contextcheck // a type that is built into the provider needs no context
	if err != nil {
		return nil, err
	}
	if value, err = attribute.ConvertStrictly(value, of, ""); err != nil {
		return nil, w.wrong("", err.Error())
	}
	document, _ := value.(types.Object)
	list, _ := document.Attributes()[surveysKey].(types.List)
	if list.IsNull() {
		return nil, w.wrong("", "surveys is missing: it must be a list, [] for none")
	}

	var wrong []error
	names := map[string]int{}
	objects := make([]source.Object, 0, len(list.Elements()))
	for i, element := range list.Elements() {
		at := fmt.Sprintf("%s[%d]", surveysKey, i)
		given, _ := element.(types.Object)
		object, err := w.survey(ctx, given, at)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if line, isTaken := names[plainText(object.Name)]; isTaken {
			wrong = append(wrong, w.wrong(at+".name", fmt.Sprintf("%s.name is %q, which is the name of the survey in line %d already", at, object.Name, line)))
		}
		names[plainText(object.Name)] = w.lines[at+".name"]
		objects = append(objects, object)
	}
	return objects, errors.Join(wrong...)
}

func plainText(name string) string { return strings.TrimSpace(name) }

// survey is a survey at a path.
func (w *written) survey(ctx context.Context, given types.Object, at string) (source.Object, error) {
	if given.IsNull() {
		return source.Object{}, w.wrong(at, at+" is empty. It must be a mapping")
	}
	values := attribute.FromStruct(&survey.Fields{})
	maps.Copy(values, given.Attributes())
	if list, ok := values["questions"].(types.List); ok && !list.IsNull() {
		questions, err := survey.ResolveNames(list.Elements())
		if err != nil {
			return source.Object{}, w.wrong(at, at+"."+err.Error())
		}
		values["questions"] = types.ListValueMust(survey.QuestionType, questions)
	} else {
		values["questions"] = types.ListNull(survey.QuestionType)
	}
	var fields survey.Fields
	attribute.ToStruct(&fields, values)

	stated, diags := survey.Stated(fields)
	diags.Append(checkWritten(ctx, fields, values)...)
	var wrong []error
	for _, d := range diags.Errors() {
		wrong = append(wrong, w.wrong(at, at+"."+strings.TrimPrefix(d.Detail(), "Attribute ")))
	}
	var warnings []error
	for _, d := range diags.Warnings() {
		warnings = append(warnings, w.wrong(at, at+"."+d.Detail()))
	}
	for _, f := range findings(fields) {
		located := w.wrong(at, at+"."+f.Text)
		if f.IsError {
			wrong = append(wrong, located)
		} else {
			warnings = append(warnings, located)
		}
	}
	if wrong != nil {
		return source.Object{}, errors.Join(wrong...)
	}
	for _, warning := range warnings {
		w.warn(warning.Error())
	}

	object, err := source.FromSurvey(ctx, stated, "")
	object.SurveyResponse = nil
	object.Stated = &source.Stated{Survey: stated, Status: fields.Status.ValueString()}
	if !fields.Status.IsNull() {
		object.Attributes["status"] = fields.Status.ValueString()
		object.Unknown = slices.DeleteFunc(object.Unknown, func(name string) bool { return name == "status" })
	}
	return object, err
}

// findings are those of the checks of a survey.
func findings(fields survey.Fields) []check.Finding {
	var found check.Findings
	if check.MissingValues(fields.Questions, &found) {
		found = append(found, check.Written(fields)...)
	}
	return found.InYAML()
}

// checkWritten is what the schema of a new survey would refuse.
func checkWritten(ctx context.Context, fields survey.Fields, values map[string]attr.Value) diag.Diagnostics {
	var diags diag.Diagnostics
	for _, name := range []string{"name", "type"} {
		if values[name].IsNull() {
			diags.AddAttributeError(path.Root(name), "Missing value", name+" is missing. Every survey has one")
		}
	}
	if !fields.TargetingFlagID.IsNull() && !fields.TargetingFlagFilters.IsNull() {
		diags.AddError("Conflict", "targeting_flag_id and targeting_flag_filters exclude each other: give one of them")
	}
	allowed := surveyschema.Written()
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if name != "targeting_flag_filters" {
			validate(ctx, name, allowed[name], values[name], &diags)
		}
	}
	return diags
}

// validate applies the validators of an attribute.
func validate(ctx context.Context, name string, a schema.Attribute, value attr.Value, diags *diag.Diagnostics) {
	switch a := a.(type) {
	case schema.StringAttribute:
		text, _ := value.(types.String)
		for _, one := range a.Validators {
			var resp validator.StringResponse
			one.ValidateString(ctx, validator.StringRequest{Path: path.Root(name), ConfigValue: text}, &resp)
			diags.Append(resp.Diagnostics...)
		}
	case schema.Int64Attribute:
		number, _ := value.(types.Int64)
		for _, one := range a.Validators {
			var resp validator.Int64Response
			one.ValidateInt64(ctx, validator.Int64Request{Path: path.Root(name), ConfigValue: number}, &resp)
			diags.Append(resp.Diagnostics...)
		}
	}
}

// wrong is an error about a value, whose path begins the text, with its line: that of the nearest
// value that the file has.
func (w *written) wrong(at, text string) error {
	nearest := at
	for path := range w.lines {
		rest, isPrefix := strings.CutPrefix(text, path)
		if isPrefix && len(path) > len(nearest) && (rest == "" || strings.ContainsAny(rest[:1], " .[:")) {
			nearest = path
		}
	}
	return fmt.Errorf("line %d: %s", max(1, w.lines[nearest]), text)
}

// value converts a node to a value of the framework, and notes the lines of all values in it. Only
// where the type is JSON it matters: that is a text.
func (w *written) value(node *yaml.Node, of attr.Type, at string) (attr.Value, error) {
	node, err := w.enter(node, at)
	if err != nil {
		return nil, err
	}
	if of != nil && of.Equal(jsontypes.NormalizedType{}) && node.ShortTag() != "!!null" {
		value, err := w.plain(node, at)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(value)
		return types.StringValue(string(text)), err
	}

	switch node.Kind { //nolint:exhaustive // an alias was followed, and a document has one node
	case yaml.MappingNode:
		attributes := map[string]attr.Value{}
		err := w.eachKey(node, at, func(key string, node *yaml.Node) error {
			inside, below := typeOf(of, key), strings.TrimPrefix(at+"."+key, ".")
			if _, isMap := of.(types.MapType); isMap {
				inside, below = nil, fmt.Sprintf("%s[%q]", at, key) // where branching leads is a name or a place
			}
			attributes[key], err = w.value(node, inside, below)
			return err
		})
		if err != nil {
			return nil, err
		}
		return types.ObjectValueMust(typesOf(attributes), attributes), nil
	case yaml.SequenceNode:
		elements, kinds := make([]attr.Value, len(node.Content)), make([]attr.Type, len(node.Content))
		for i, element := range node.Content {
			if elements[i], err = w.value(element, typeOf(of, ""), fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return nil, err
			}
			kinds[i] = elements[i].Type(context.Background()) //nolint:contextcheck // a built-in type needs none
		}
		return types.TupleValueMust(kinds, elements), nil
	}

	// Of a number or a boolean only the value is kept, which need not be the text as it is written.
	plain := scalar(node)
	if _, isText := plain.(string); plain != nil && !isText && of != nil && of.Equal(types.StringType) {
		return nil, w.wrong(at, fmt.Sprintf("%s is %s, not a text: write %q in quotes", at, node.Value, node.Value))
	}

	switch value := plain.(type) {
	case nil:
		return types.DynamicNull(), nil
	case bool:
		return types.BoolValue(value), nil
	case json.Number:
		number, _, err := big.ParseFloat(value.String(), 10, 512, big.ToNearestEven)
		return types.NumberValue(number), err
	}
	return types.StringValue(node.Value), nil
}

// typeOf is the type of a key of an object or a map, or of the elements of a list; nil if that is
// not known.
func typeOf(of attr.Type, key string) attr.Type {
	switch of := of.(type) {
	case types.ObjectType:
		return of.AttrTypes[key]
	case attr.TypeWithElementType:
		return of.ElementType()
	}
	return nil
}

func typesOf(values map[string]attr.Value) map[string]attr.Type {
	kinds := map[string]attr.Type{}
	for name, value := range values {
		kinds[name] = value.Type(context.Background())
	}
	return kinds
}

// enter notes the line of a value, and follows an alias.
func (w *written) enter(node *yaml.Node, at string) (*yaml.Node, error) {
	w.lines[at] = node.Line
	if node.Kind != yaml.AliasNode {
		return node, nil
	}
	if w.aliases++; w.aliases > mostAliases {
		return nil, fmt.Errorf("line %d: the file has more than %d aliases, or one that contains itself", node.Line, mostAliases)
	}
	return node.Alias, nil
}

// eachKey visits the keys of a mapping, each of which it may have once.
func (w *written) eachKey(node *yaml.Node, at string, visit func(key string, value *yaml.Node) error) error {
	seen := map[string]bool{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode:
			return fmt.Errorf("line %d: a key must be a text", key.Line)
		case seen[key.Value]:
			return fmt.Errorf("line %d: %s has %q twice", key.Line, cmp.Or(at, "the file"), key.Value)
		}
		seen[key.Value] = true
		if err := visit(key.Value, value); err != nil {
			return err
		}
	}
	return nil
}

// plain converts a node to what encoding/json would decode.
func (w *written) plain(node *yaml.Node, at string) (any, error) {
	node, err := w.enter(node, at)
	if err != nil {
		return nil, err
	}
	switch node.Kind { //nolint:exhaustive // as in value
	case yaml.MappingNode:
		object := map[string]any{}
		err := w.eachKey(node, at, func(key string, value *yaml.Node) error {
			object[key], err = w.plain(value, at+"."+key)
			return err
		})
		return object, err
	case yaml.SequenceNode:
		list := make([]any, len(node.Content))
		for i, element := range node.Content {
			if list[i], err = w.plain(element, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return scalar(node), nil
}

// scalar is nil, a bool, a json.Number or a string, by the rules of YAML 1.2: what the library takes
// for a date is a text, and so is a number that JSON does not have.
func scalar(node *yaml.Node) any {
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(node.Value, "true")
	case "!!int", "!!float":
		number := strings.TrimPrefix(node.Value, "+")
		if trimmed := strings.TrimLeft(number, "0"); trimmed != number && trimmed != "" && trimmed[0] >= '0' && trimmed[0] <= '9' {
			number = trimmed // 010 is ten
		}
		if json.Valid([]byte(number)) {
			return json.Number(number)
		}
	}
	return node.Value
}
