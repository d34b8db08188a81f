// Package check says what the service would refuse of a survey, or take and get wrong, and
// what a plan means for the people who answer it. It makes no requests.
package check

import (
	"reflect"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// candidate is a survey as the checks look at it.
type candidate struct {
	survey.Fields
	// questionList is empty while the questions are not known.
	questionList   []survey.Question
	questionsKnown bool
	// now is the moment of the check; zero skips the checks that need a clock.
	now time.Time
	// stored are the filters of the targeting flag that the survey has by now.
	stored string
}

// Plan says at plan what the service would refuse, or take and get wrong.
//
// The same checks look at the prior state, and what they find there too is left
// out: what the service itself returned is always accepted, so that every existing
// survey can be imported and kept as it is.
func Plan(config, planned, prior survey.Fields, past survey.QuestionHistory, now time.Time, diags *diag.Diagnostics) {
	if !prior.ID.IsNull() && reflect.DeepEqual(planned, prior) {
		return // most plans change nothing
	}
	if attribute.IsKnown(planned.ProjectID) && !prior.ProjectID.Equal(planned.ProjectID) {
		// A survey that moves to another project is a new one there.
		prior, past = survey.Fields{}, survey.QuestionHistory{}
	}

	if config.BaseLanguage.IsNull() && planned.BaseLanguage.IsUnknown() {
		planned.BaseLanguage = types.StringValue(defaultLanguage) // what the service fills in
	}

	before, after := candidateOf(prior, prior, now), candidateOf(planned, prior, now)
	pairs := matchCandidates(config, before, after, past)

	found := runChecks(after)
	if len(found) > 0 && !prior.ID.IsNull() {
		found = found.without(runChecks(before), pairs.priorIndex)
	}

	checkEnumerations(before, after, &found)
	checkRecurrence(planned, prior, &found)
	checkNewLimit(after, prior, &found)
	checkRemovedFlag(planned, prior, &found)

	found.Report(planned.Name, diags)
	warnOfPaidStyling(after, before, diags)
	warnOfNothingToAsk(after, prior, diags)

	if !prior.ID.IsNull() {
		warnOfMoves(pairs, prior.Name, diags)
		warnOfLostAnswers(pairs, prior, diags)
		warnOfOtherQuestions(pairs, prior, diags)
	}
}

func candidateOf(f, prior survey.Fields, now time.Time) candidate {
	s := candidate{Fields: f, now: now, stored: survey.StoredFilters(prior)}
	var unreadable diag.Diagnostics // while something is unknown there is nothing to say
	if list, ok := survey.DecodeQuestions(f.Questions, &unreadable); ok {
		s.questionList, s.questionsKnown = list, true
	}
	return s
}

// runChecks runs every check that looks at one survey alone.
func runChecks(s candidate) Findings {
	var found Findings
	for _, one := range []func(candidate, *Findings){
		checkName, checkNumbers, checkDates, checkIterationStarts, checkIterations, checkSampling,
		checkLinkedFlag, checkTargeting,
		checkQuestions, checkBranching,
		checkConditions, checkAppearance, checkLanguages,
		checkShuffle, checkExternal,
	} {
		one(s, &found)
	}
	return found
}
