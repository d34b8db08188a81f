package survey

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// Question keys, in addition to the attributes, in the function questions' argument and in a YAML file.
const (
	NameKey   = "name"     // the question's name
	TargetKey = "question" // in branching: the next question's name
)

// NamedQuestionType is the type of a question with NameKey and TargetKey.
var NamedQuestionType = func() types.ObjectType {
	branching := maps.Clone(BranchingType.AttrTypes)
	branching[TargetKey] = types.StringType

	question := maps.Clone(QuestionType.AttrTypes)
	question["branching"] = types.ObjectType{AttrTypes: branching}
	question[NameKey] = types.StringType
	return types.ObjectType{AttrTypes: question}
}()

// questionNames contains the positions of the questions that have a name.
type questionNames struct {
	positions map[string]int
	// hasUnknown is set if a name is unknown. A name that is not in positions may then exist.
	hasUnknown bool
}

// NameError is an error in a question's name, or in a reference to a name. Its text starts with its path.
type NameError struct{ Path, text string }

func (e *NameError) Error() string { return e.Path + e.text }

func nameErrorf(path, format string, args ...any) *NameError {
	return &NameError{path, fmt.Sprintf(format, args...)}
}

// NameErrors are all of a survey's name errors.
type NameErrors []*NameError

func (e NameErrors) Error() string {
	lines := make([]string, len(e))
	for i, nameErr := range e {
		lines[i] = nameErr.Error()
	}
	return strings.Join(lines, "\n")
}

// ResolveNames replaces references by name with positions in a list of named questions. The result does not contain
// names. Its error is of type [NameErrors].
func ResolveNames(elements []attr.Value) ([]attr.Value, error) {
	names, wrong := collectNames(elements)
	if wrong != nil {
		return nil, wrong
	}

	resolved := make([]attr.Value, len(elements))
	for i, element := range elements {
		question, err := names.resolve(element, i)
		if err != nil {
			wrong = append(wrong, err...)
		}
		resolved[i] = question
	}
	if wrong != nil {
		return nil, wrong
	}
	return resolved, nil
}

func collectNames(elements []attr.Value) (names questionNames, wrong NameErrors) {
	names.positions = map[string]int{}
	for i, element := range elements {
		object, ok := element.(types.Object)
		if !ok || object.IsNull() {
			wrong = append(wrong, nameErrorf(fmt.Sprintf("questions[%d]", i), " is null. It must be an object"))
			continue
		}

		name, ok := object.Attributes()[NameKey].(types.String)
		switch {
		case object.IsUnknown() || ok && name.IsUnknown():
			names.hasUnknown = true
			continue
		case !ok || name.IsNull():
			continue
		}

		location := fmt.Sprintf("questions[%d].name", i)
		first, isTaken := names.positions[name.ValueString()]
		if err := CheckQuestionName(name.ValueString()); err != nil {
			wrong = append(wrong, nameErrorf(location, ": %v", err))
		} else if isTaken {
			wrong = append(wrong, nameErrorf(location, " is %s, which is the name of questions[%d] already", name, first))
		} else {
			names.positions[name.ValueString()] = i
		}
	}
	return names, wrong
}

// CheckQuestionName returns an error for text that cannot be a question's name in the function questions' argument. A
// name must not be a branching target, or look like one.
func CheckQuestionName(name string) error {
	_, isTarget := ParseTarget(name)
	_, err := strconv.ParseFloat(name, 64)
	isNumber := err == nil && strings.ContainsAny(name, "0123456789") // inf and nan are valid names
	switch {
	case strings.TrimSpace(name) == "":
		return errors.New("a name must not be empty")
	case isTarget || isNumber:
		return fmt.Errorf("%q cannot be a name, because branching reads it as a target. Use a word such as %q", name, "question_"+name)
	}
	return nil
}

// resolve returns a question whose references by name are replaced with positions.
func (n questionNames) resolve(element attr.Value, i int) (attr.Value, NameErrors) {
	object, ok := element.(types.Object)
	if !ok || object.IsUnknown() {
		return types.ObjectUnknown(QuestionType.AttrTypes), nil
	}

	attributes := maps.Clone(object.Attributes())
	delete(attributes, NameKey)
	if branching, ok := attributes["branching"].(types.Object); ok {
		var wrong NameErrors
		if attributes["branching"], wrong = n.resolveBranching(branching, fmt.Sprintf("questions[%d].branching", i)); wrong != nil {
			return nil, wrong
		}
	}
	return types.ObjectValueMust(QuestionType.AttrTypes, attributes), nil
}

func (n questionNames) resolveBranching(branching types.Object, location string) (types.Object, NameErrors) {
	switch {
	case branching.IsUnknown():
		return types.ObjectUnknown(BranchingType.AttrTypes), nil
	case branching.IsNull():
		return types.ObjectNull(BranchingType.AttrTypes), nil
	}

	attributes := maps.Clone(branching.Attributes())
	delete(attributes, TargetKey)
	if target, ok := branching.Attributes()[TargetKey].(types.String); ok && !target.IsNull() {
		index, err := n.resolveTarget(branching, target, location)
		if err != nil {
			return branching, NameErrors{err}
		}
		attributes["index"] = index
	}
	if values, ok := attributes["response_values"].(types.Map); ok && attribute.IsKnown(values) {
		resolved, wrong := n.resolveResponses(values, location+".response_values")
		if wrong != nil {
			return branching, wrong
		}
		attributes["response_values"] = resolved
	}
	return types.ObjectValueMust(BranchingType.AttrTypes, attributes), nil
}

// resolveTarget returns the position of the question that branching.question names.
func (n questionNames) resolveTarget(branching types.Object, target types.String, location string) (types.Int64, *NameError) {
	if index := branching.Attributes()["index"]; !index.IsNull() {
		return types.Int64Null(), nameErrorf(location, " has both question and index. Use one of them")
	}
	way, ok := branching.Attributes()["type"].(types.String)
	if ok && attribute.IsKnown(way) && way.ValueString() != string(flow.SpecificQuestion) {
		return types.Int64Null(), nameErrorf(location+".question", " belongs to branching of type %q, and this is of type %s", flow.SpecificQuestion, way)
	}
	if target.IsUnknown() {
		return types.Int64Unknown(), nil
	}

	position, isFound, err := n.position(target.ValueString(), location+".question")
	switch {
	case err != nil:
		return types.Int64Null(), err
	case !isFound:
		return types.Int64Unknown(), nil
	}
	return types.Int64Value(int64(position)), nil
}

func (n questionNames) resolveResponses(values types.Map, location string) (_ types.Map, wrong NameErrors) {
	resolved := maps.Clone(values.Elements())
	for _, key := range slices.Sorted(maps.Keys(resolved)) {
		target, ok := resolved[key].(types.String)
		if !ok || !attribute.IsKnown(target) {
			continue
		}
		if _, isTarget := ParseTarget(target.ValueString()); isTarget {
			continue
		}

		position, isFound, err := n.position(target.ValueString(), fmt.Sprintf("%s[%q]", location, key))
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case isFound:
			resolved[key] = types.StringValue(strconv.Itoa(position))
		default:
			resolved[key] = types.StringUnknown()
		}
	}
	return types.MapValueMust(types.StringType, resolved), wrong
}

// position finds a question by its name. It returns false if the name may belong to a question whose name is unknown.
func (n questionNames) position(name, location string) (position int, isFound bool, err *NameError) {
	position, isFound = n.positions[name]
	if isFound || n.hasUnknown {
		return position, isFound, nil
	}

	allNames := slices.Sorted(maps.Keys(n.positions))
	if near := attribute.Suggestion(name, allNames); near != "" {
		return 0, false, nameErrorf(location, " is %q, but no question has that name. The nearest name is %q", name, near)
	}
	if len(allNames) == 0 {
		return 0, false, nameErrorf(location, " is %q, but no question has a name. Set name on the target question, or use its position", name)
	}
	return 0, false, nameErrorf(location, " is %q, but no question has that name. Names are %s", name, strings.Join(allNames, ", "))
}

// ParseTarget parses a branching target: "end", or a question's position, such as "0". It returns false for anything
// else, such as a name.
func ParseTarget(word string) (int, bool) {
	if word == "end" {
		return flow.End, true
	}
	position, err := strconv.Atoi(word)
	if err != nil || position < 0 || strconv.Itoa(position) != word {
		return flow.Next, false
	}
	return position, true
}
