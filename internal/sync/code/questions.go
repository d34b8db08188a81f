package code

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	model "github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// questionDepth is the depth of an attribute of a question in a resource block.
const questionDepth = topLevel + 2

// questions writes the list of questions.
func questions(list []survey.Question, o Options) hclwrite.Tokens {
	if len(list) == 0 {
		return hclwrite.TokensForTuple(nil)
	}
	names := map[int]string{}
	if !o.BranchingByPlace {
		names = questionNames(list)
	}

	elements := make([]hclwrite.Tokens, len(list))
	for i := range list {
		elements[i] = question(&list[i], names[i], names)
	}
	if len(names) == 0 {
		return listTokens(elements)
	}
	return callTokens("provider::posthog::questions", listTokens(elements))
}

// question writes one question, its branching last.
func question(q *survey.Question, name string, names map[int]string) hclwrite.Tokens {
	var entries []entry
	if name != "" {
		entries = append(entries, entry{"name", quotedTokens(name)})
	}
	var last []entry
	for _, a := range model.Ordered(q) {
		switch {
		case a.Value.IsNull():
		case a.Name == "branching":
			last = append(last, entry{a.Name, branching(q.Branching, names)})
		default:
			entries = append(entries, entry{a.Name, Literal(plainValue(a.Value), questionDepth, nil)})
		}
	}
	return objectTokens(append(entries, last...))
}

// branching writes the branching of a question, with the names of its targets.
func branching(value types.Object, names map[int]string) hclwrite.Tokens {
	var b survey.Branching
	model.ToStruct(&b, value.Attributes())
	var entries []entry
	for _, a := range model.Ordered(&b) {
		if a.Value.IsNull() {
			continue
		}
		e := entry{a.Name, Literal(plainValue(a.Value), questionDepth, nil)}
		switch a.Name {
		case "index":
			if name, ok := names[indexTarget(b)]; ok {
				e = entry{"question", quotedTokens(name)}
			}
		case "response_values":
			e.tokens = Literal(plainValue(replacePlaces(b.ResponseValues, names)), questionDepth, nil)
		}
		entries = append(entries, e)
	}
	return objectTokens(entries)
}

// replacePlaces puts names for the places among the targets of responses.
func replacePlaces(values types.Map, names map[int]string) types.Map {
	targets := maps.Clone(values.Elements())
	for key, value := range targets {
		if name, ok := names[responseTarget(value)]; ok {
			targets[key] = types.StringValue(name)
		}
	}
	return types.MapValueMust(types.StringType, targets)
}

// Targets that are no place.
const (
	noPlace       = -1
	unknownTarget = -2
)

// targets are the places that a survey's branching leads to.
func targets(list []survey.Question) []int {
	var places []int
	for _, q := range list {
		if q.Branching.IsNull() {
			continue
		}
		var b survey.Branching
		model.ToStruct(&b, q.Branching.Attributes())
		places = append(places, indexTarget(b))
		for _, value := range b.ResponseValues.Elements() {
			places = append(places, responseTarget(value))
		}
	}
	return places
}

// indexTarget is the place that an index leads to.
func indexTarget(b survey.Branching) int {
	if b.Index.IsNull() || b.Type.ValueString() != string(flow.SpecificQuestion) {
		return noPlace
	}
	return max(noPlace, int(min(b.Index.ValueInt64(), int64(^uint32(0)))))
}

// responseTarget is the place that a response leads to.
func responseTarget(target attr.Value) int {
	text, ok := target.(types.String)
	if !ok || text.IsNull() {
		return unknownTarget
	}
	place, err := strconv.Atoi(text.ValueString())
	switch {
	case text.ValueString() == "end":
		return noPlace
	case err != nil || place < 0 || strconv.Itoa(place) != text.ValueString():
		return unknownTarget
	}
	return place
}

// questionNames are the names of the questions that branching leads to, by place. It
// is empty for a survey without such branching, and for one that has targets which
// the function questions does not know, such as those of a newer service.
func questionNames(list []survey.Question) map[int]string {
	names := map[int]string{}
	for _, place := range targets(list) {
		if place == unknownTarget {
			return nil
		}
		if place >= 0 && place < len(list) {
			names[place] = ""
		}
	}

	isTaken := map[string]bool{}
	for place := range list {
		if _, isTarget := names[place]; isTarget {
			names[place] = QuestionName(list[place].Question.ValueString(), place, isTaken)
		}
	}
	return names
}

// questionName is a name made of the text of a question.
func questionName(text string, place int) string {
	name := Word(text, "question")
	if name == "question" {
		return fmt.Sprintf("question_%d", place+1)
	}
	if survey.CheckQuestionName(name) != nil {
		return "question_" + name
	}
	return name
}

// Unique returns the name, with a number if it is taken.
func Unique(name string, isTaken map[string]bool) string {
	candidate := name
	for n := 2; isTaken[candidate]; n++ {
		candidate = fmt.Sprintf("%s_%d", name, n)
	}
	isTaken[candidate] = true
	return candidate
}
