package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Stage is where the SDKs decide about a survey. The stages up to the conditions are named
// as the checks of doctor.
type Stage string

// The stages, in the order of the SDKs.
const (
	StageType       Stage = "type"
	StageTargeting  Stage = "targeting"
	StageWaitPeriod Stage = "wait period"
	StageRepetition Stage = "repetition"
	StageConditions Stage = "conditions"
	StageDisplay    Stage = "display"
	StageQuestions  Stage = "questions"
)

// Stages are all stages, in the order of the SDKs.
func Stages() []Stage {
	return []Stage{
		StageType, StageTargeting, StageWaitPeriod, StageRepetition, StageConditions, StageDisplay, StageQuestions,
	}
}

// Cause is why an SDK does not show a survey, or not as was meant.
type Cause struct {
	Stage Stage
	Finding
}

// Causes are the causes for one survey of a live side, in the order of the SDKs.
func Causes(objects []side.Object, id string, options Options) ([]Cause, error) {
	surveys, err := factsOf(objects, options)
	if err != nil {
		return nil, err
	}

	var causes []Cause
	for _, rule := range Rules() {
		if rule.Stage == "" {
			continue
		}
		for _, survey := range surveys {
			if survey.ID != id {
				continue
			}
			for _, message := range rule.messages(survey, surveys) {
				causes = append(causes, Cause{rule.Stage, rule.finding(survey, message)})
			}
		}
	}

	stages := Stages()
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Compare(slices.Index(stages, a.Stage), slices.Index(stages, b.Stage))
	})
	return causes, nil
}

// isOver reports whether a survey is shown to nobody any more.
func (s surveyFacts) isOver() bool {
	return s.Attributes["status"] == "completed" || s.Attributes["archived"] == true
}

// isKnown reports whether an attribute is known: neither left to the apply, nor missing in a
// response.
func (s surveyFacts) isKnown(attribute string) bool { return !slices.Contains(s.Unknown, attribute) }

// isSet reports whether a condition restricts who sees a survey, or where, or may do so.
func (s surveyFacts) isSet(key string) bool {
	return !restrictsNobody(condition(s, key)) || !s.isKnown("conditions")
}

func appearance(s surveyFacts, key string) any {
	appearance, _ := s.Attributes["appearance"].(map[string]any)
	return appearance[key]
}

// numberOf is a number that may be written as a text; 0 for anything else.
func numberOf(value any) float64 {
	var number float64
	_, _ = fmt.Sscan(jsonvalue.String(value), &number)
	return number
}

// and joins words: a, b and c.
func and(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
