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

// questionDepth is the nesting depth of a question's attributes in a resource block.
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

// question writes one question, with its branching last.
func question(q *survey.Question, name string, names map[int]string) hclwrite.Tokens {
	var entries []entry
	if name != "" {
		entries = append(entries, entry{"name", quotedTokens(name)})
	}
	var last []entry
	for _, a := range model.OrderedFields(q) {
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

// branching writes the branching of a question with the names of its targets.
func branching(value types.Object, names map[int]string) hclwrite.Tokens {
	var b survey.Branching
	model.ToStruct(&b, value.Attributes())
	var entries []entry
	for _, a := range model.OrderedFields(&b) {
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

// replacePlaces replaces positions with names in the targets of responses.
func replacePlaces(values types.Map, names map[int]string) types.Map {
	targets := maps.Clone(values.Elements())
	for key, value := range targets {
		if name, ok := names[responseTarget(value)]; ok {
			targets[key] = types.StringValue(name)
		}
	}
	return types.MapValueMust(types.StringType, targets)
}

// Special targets that are not positions.
const (
	noPlace       = -1
	unknownTarget = -2
)

// targets returns the positions of all questions to which a survey's branching leads.
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

// indexTarget returns the position in the index of a branching.
func indexTarget(b survey.Branching) int {
	if b.Index.IsNull() || b.Type.ValueString() != string(flow.SpecificQuestion) {
		return noPlace
	}
	return max(noPlace, int(min(b.Index.ValueInt64(), int64(^uint32(0)))))
}

// responseTarget returns the position to which a response leads.
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

// questionNames returns the names of all target questions, by position. It is empty if the survey has no
// such branching, or has targets that the questions function does not support, for example targets from a
// newer PostHog version.
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

// questionName derives a name from the text of a question.
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

// Unique returns the name, and adds a number if the name is taken.
func Unique(name string, isTaken map[string]bool) string {
	candidate := name
	for n := 2; isTaken[candidate]; n++ {
		candidate = fmt.Sprintf("%s_%d", name, n)
	}
	isTaken[candidate] = true
	return candidate
}
