package reconcile

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// filledByService are attributes that nobody writes: they follow from others, or
// differ between any two projects.
var filledByService = map[string]bool{
	"id": true, "project_id": true, "organization_id": true, "organization_name": true, "created_at": true, "created_by": true,
	"user_access_level": true, "feature_flag_keys": true, "internal_targeting_flag": true,
	"linked_flag": true, "targeting_flag": true,
	// The dates say the same.
	"status": true,
	// The service counts iterations and computes their dates and the limits of samples.
	"iteration_start_dates": true, "current_iteration": true, "current_iteration_start_date": true, "response_sampling_daily_limits": true,
	"latest_tag": true, "hog_function_migration_available": true,
}

// flags are the attributes that hold the number of a feature flag, with the attribute
// that holds the flag. Numbers mean nothing in another project, keys do.
var flags = map[string]string{"linked_flag_id": "linked_flag", "targeting_flag_id": "targeting_flag"}

// Attributes are the values in which two objects differ, in the order of their paths.
// An attribute that one side does not know before apply is no difference.
func Attributes(a, b side.Object) []Attribute {
	names := slices.Sorted(maps.Keys(a.Attributes))
	for name := range b.Attributes {
		if _, ok := a.Attributes[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)

	d := differ{sameProject: a.ParentID == b.ParentID}
	for _, name := range names {
		if filledByService[name] || slices.Contains(a.Unknown, name) || slices.Contains(b.Unknown, name) {
			continue
		}
		valueA, valueB := a.Attributes[name], b.Attributes[name]
		switch {
		case flags[name] != "" && !d.sameProject:
			d.values(name, flagKey(a, name), flagKey(b, name))
		case name == "questions":
			d.questions(valueA, valueB)
		default:
			d.values(name, valueA, valueB)
		}
	}
	return d.found
}

// flagKey is the key of the flag that an attribute names by number, the number where
// the flag is not shown.
func flagKey(o side.Object, name string) any {
	if flag, ok := o.Attributes[flags[name]].(map[string]any); ok && flag["key"] != nil {
		return flag["key"]
	}
	return o.Attributes[name]
}

// differ collects the differences of two objects.
type differ struct {
	sameProject bool
	found       []Attribute
}

// values compares two values at a path. Objects are compared key by key; lists whose
// lengths differ are one difference.
func (d *differ) values(path string, a, b any) {
	objectA, okA := a.(map[string]any)
	objectB, okB := b.(map[string]any)
	if okA && okB {
		keys := slices.Collect(maps.Keys(objectA))
		for key := range objectB {
			if _, ok := objectA[key]; !ok {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			d.values(path+"."+key, objectA[key], objectB[key])
		}
		return
	}

	listA, okA := a.([]any)
	listB, okB := b.([]any)
	if okA && okB && len(listA) == len(listB) {
		for i := range listA {
			d.values(path+"["+strconv.Itoa(i)+"]", listA[i], listB[i])
		}
		return
	}

	if !equal(a, b) {
		d.found = append(d.found, Attribute{Path: path, A: a, B: b})
	}
}

// questions compares lists of questions, matched as a plan matches them. Paths have
// the places of A, those of questions that only B has the places of B.
func (d *differ) questions(a, b any) {
	listA, _ := a.([]any)
	listB, _ := b.([]any)
	wanted := keysOf(listA)
	if !d.sameProject {
		// An id of another project means nothing here: a plan would take the question for
		// a new one.
		for i := range wanted {
			wanted[i].ID = ""
		}
	}
	origins := survey.MatchQuestions(keysOf(listB), wanted)

	matched := map[int]bool{}
	for i, origin := range origins {
		path := fmt.Sprintf("questions[%d]", i)
		if origin < 0 {
			d.found = append(d.found, Attribute{Path: path, A: listA[i]})
			continue
		}

		matched[origin] = true
		if origin != i {
			d.found = append(d.found, Attribute{Path: path + ".position", A: i, B: origin})
		}
		d.values(path, withoutID(listA[i]), withoutID(listB[origin]))
	}

	for i := range listB {
		if !matched[i] {
			d.found = append(d.found, Attribute{Path: fmt.Sprintf("questions[%d]", i), B: listB[i]})
		}
	}
}

// withoutID is a question without its id, which matching has used already.
func withoutID(question any) any {
	fields, ok := question.(map[string]any)
	if !ok {
		return question
	}
	fields = maps.Clone(fields)
	delete(fields, "id")
	return fields
}

func keysOf(questions []any) []survey.QuestionKey {
	keys := make([]survey.QuestionKey, len(questions))
	for i, question := range questions {
		fields, _ := question.(map[string]any)
		text := func(name string) string {
			value, _ := fields[name].(string)
			return value
		}
		keys[i] = survey.QuestionKey{ID: text("id"), Type: text("type"), Text: text("question")}
	}
	return keys
}

// equal compares values as encoding/json decodes them; a number equals itself in
// another spelling.
func equal(a, b any) bool {
	numberA, okA := a.(json.Number)
	numberB, okB := b.(json.Number)
	if okA && okB {
		valueA, okA := new(big.Rat).SetString(numberA.String())
		valueB, okB := new(big.Rat).SetString(numberB.String())
		if okA && okB {
			return valueA.Cmp(valueB) == 0
		}
	}

	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(textA) == string(textB)
}
