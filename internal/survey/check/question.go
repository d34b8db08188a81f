package check

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

func checkQuestions(s candidate, findings *Findings) {
	ids := map[string]int{}
	for i, q := range s.Questions.List() {
		p := atQuestion(i)
		if id := q.ID.ValueString(); id != "" {
			if first, ok := ids[id]; ok {
				findings.errorf(p.attribute("id"), duplicateID, "is already the ID of questions[%d]. PostHog stores answers by question ID, so every question needs its own.", first).dedupKey = id
			} else {
				ids[id] = i
			}
		}

		checkText(p, q, findings)
		checkLink(p, q, findings)
		checkTypeAttributes(p, q, findings)
		checkChoices(p, q, findings)
		checkRating(p, q, findings)
		checkAnswerRules(p, q, findings)
		checkExtra(p, q, findings)
	}
}

func checkText(p location, q survey.Question, findings *Findings) {
	if q.Type.IsNull() {
		findings.errorf(p.attribute("type"), missingQuestionType, "must be set. It determines which other attributes apply.")
	}
	switch text := q.Question.ValueString(); {
	case q.Question.IsUnknown():
	case text == "":
		findings.errorf(p.attribute("question"), missingQuestionText, "must be set. Every question needs text.")
	case strings.TrimSpace(text) == "":
		findings.warnf(p.attribute("question"), missingQuestionText, "contains only spaces, so respondents do not see a question.")
	}
}

// checkLink checks the link in a question of any type.
func checkLink(p location, q survey.Question, findings *Findings) {
	link := q.Link.ValueString()
	if !attribute.IsKnown(q.Link) || link == "" {
		return
	}

	p = p.attribute("link")

	// PostHog skips spaces before the scheme, and stores them.
	scheme, rest, _ := strings.Cut(strings.TrimLeft(link, " \t\r\n"), ":")
	switch strings.ToLower(scheme) {
	case "https":
		host, ok := strings.CutPrefix(rest, "//")
		if i := strings.IndexAny(host, "/?#"); i >= 0 {
			host = host[:i]
		}
		switch {
		case ok && strings.Contains(host, "[") && !strings.Contains(host, "]"):
			findings.errorf(p, invalidHost, "is %q. The bracket in its host is not closed.", link)
		case !ok || host == "":
			findings.errorf(p, urlWithoutHost, "is %q. It must contain a host, such as https://example.com/page.", link)
		}
	case "mailto":
		address, _, _ := strings.Cut(rest, "?")
		person, host, ok := strings.Cut(address, "@")
		if !ok || person == "" || host == "" || strings.ContainsAny(address, " \t\n") {
			findings.errorf(p, invalidEmailAddress, "is %q. It must contain an email address, such as mailto:someone@example.com.", link)
		}
	default:
		findings.errorf(p, unsupportedLinkScheme, "is %q. It must start with https:// or mailto:.", link)
	}
}

// checkTypeAttributes warns of attributes that do not apply to the question's type. PostHog keeps them when the type
// changes, so an exported survey may contain them. False, empty text, and empty lists are always allowed, because a
// module that builds all questions from one object sets them.
func checkTypeAttributes(p location, q survey.Question, findings *Findings) {
	kind := api.SurveyQuestionType(q.Type.ValueString())
	if !kind.Valid() {
		return // an unknown type may have any attribute
	}
	values := attribute.FromStruct(&q)
	for _, name := range slices.Sorted(maps.Keys(survey.AttributeTypes)) {
		kinds, value := survey.AttributeTypes[name], values[name]
		if slices.Contains(kinds, kind) || value.IsUnknown() || attribute.IsEmpty(value) {
			continue
		}
		words := make([]string, len(kinds))
		for i, kind := range kinds {
			words[i] = string(kind)
		}
		findings.warnf(p.attribute(name), unusedAttribute,
			"applies only to questions of type %s. This question has the type %s, so the attribute has no effect. Remove it, or change the type.", strings.Join(words, ", "), kind)
	}
}

func checkChoices(p location, q survey.Question, findings *Findings) {
	p = p.attribute("choices")
	positions := map[string]int{}
	for i, element := range q.Choices.Elements() {
		choice, ok := element.(types.String)
		if !ok || !attribute.IsKnown(choice) {
			continue
		}
		text := choice.ValueString()

		first, twice := positions[text]
		switch {
		case strings.TrimSpace(text) == "":
			findings.errorf(p.element(i), blankChoice, "is empty. Every choice needs text.")
		case twice:
			findings.errorf(p.element(i), duplicateChoice, "is %q, which is also choices[%d]. Their answers could not be distinguished.", text, first)
		default:
			positions[text] = i
		}
	}

	if !slices.Contains(survey.AttributeTypes["choices"], api.SurveyQuestionType(q.Type.ValueString())) || q.Choices.IsUnknown() {
		return
	}

	switch len(q.Choices.Elements()) {
	case 0:
		findings.errorf(p, missingChoices, "must be set. Respondents cannot answer a question of type %s without choices.", q.Type.ValueString())
	case 1:
		findings.warnf(p, singleChoice, "has only one element, so respondents do not have a choice.")
	}
}

// scales are the rating scales that SDKs support.
var scales = []int{2, 3, 5, 7, 10}

// checkRating checks a rating's scale, and whether the display supports the scale.
func checkRating(p location, q survey.Question, findings *Findings) {
	if q.Type.ValueString() != string(api.Rating) || q.Scale.IsUnknown() {
		return
	}
	steps := integerScale(q)
	show := q.Display.ValueString()

	switch {
	case q.Scale.IsNull():
		findings.warnf(p.attribute("scale"), missingScale, "is not set. Set it to the number of steps: 2, 3, 5, 7, or 10.")
		return
	case !slices.Contains(scales, steps):
		findings.errorf(p.attribute("scale"), unknownValue.of("scale"), "is %s. Use 2 (thumbs), 3, 5, 7, or 10 (answers from 0 to 10).", q.Scale.ValueBigFloat().Text('g', 10))
		return
	case show == string(api.Emoji) && steps > 5:
		findings.warnf(p.attribute("display"), emojiOnLongScale, `is "emoji", which is designed for scales of 2, 3, and 5, but scale is %d.`, steps)
	case show == string(api.Number) && steps == 2:
		findings.warnf(p.attribute("display"), thumbsAsNumbers, `is "number", but a scale of 2 shows thumbs up and down. Use "emoji".`)
	}

	if q.IsNPSQuestion.ValueBool() && steps != 10 {
		findings.warnf(p.attribute("is_nps_question"), npsScale, "is true, but scale is %d. A Net Promoter Score requires a scale of 10.", steps)
	}
}

// integerScale returns the scale as an integer, or 0 if it is not an integer.
func integerScale(q survey.Question) int {
	if !attribute.IsKnown(q.Scale) {
		return 0
	}
	steps, accuracy := q.Scale.ValueBigFloat().Int64()
	if accuracy != big.Exact || steps != int64(int(steps)) {
		return 0
	}
	return int(steps)
}

// Validation rules for answers to open questions.
const (
	minLength = "min_length"
	maxLength = "max_length"
	email     = "email"
)

// checkAnswerRules checks the rules for the answer to an open question.
func checkAnswerRules(p location, q survey.Question, findings *Findings) {
	p = p.attribute("validation")
	bounds := map[string]types.Int64{}
	for i, element := range q.Validation.Elements() {
		object, ok := element.(types.Object)
		if !ok || !attribute.IsKnown(object) {
			continue
		}
		spot := p.element(i)

		kind, okKind := object.Attributes()["type"].(types.String)
		value, okValue := object.Attributes()["value"].(types.Int64)
		if !okKind || !okValue || kind.IsUnknown() || value.IsUnknown() {
			continue
		}

		switch rule := kind.ValueString(); {
		case kind.IsNull():
			findings.errorf(spot.attribute("type"), missingRuleType, "must be set to %s, %s, or %s.", minLength, maxLength, email)
		case rule == email && !value.IsNull():
			findings.warnf(spot.attribute("value"), unusedValue, "has no effect on the rule email.")
		case rule == email:
		case rule != minLength && rule != maxLength:
			findings.errorf(spot.attribute("type"), unknownValue.of("rule type"), "is %q. Known values: %s, %s, %s.", rule, minLength, maxLength, email)
		case value.ValueInt64() < 1:
			findings.errorf(spot.attribute("value"), invalidLength, "must be 1 or more for the rule %s.", rule)
		default:
			bounds[rule] = value
		}
	}

	lowest, highest := bounds[minLength], bounds[maxLength]
	if attribute.IsKnown(lowest) && attribute.IsKnown(highest) && lowest.ValueInt64() > highest.ValueInt64() {
		findings.errorf(p, crossedLengths, "requires at least %d characters and at most %d.", lowest.ValueInt64(), highest.ValueInt64())
	}
}
