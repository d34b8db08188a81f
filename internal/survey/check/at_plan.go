// Package check says what the service would refuse of a survey, or take and get wrong, and
// what a plan means for the people who answer it. It makes no requests.
package check

import (
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// candidate is a survey as the checks look at it.
type candidate struct {
	survey.Fields
	// now is the moment of the check; zero skips the checks that need a clock.
	now time.Time
	// stored are the filters of the targeting flag that the survey has by now.
	stored string
}

// Plan says at plan what the service would refuse, or take and get wrong.
//
// The same checks look at the prior state, and what they find there too is left
// out: what the service itself returned is always accepted, so that every existing
// survey can be imported and kept as it is. pairs are the questions of both.
func Plan(config, planned, prior survey.Fields, pairs survey.QuestionPairs, now time.Time, diags *diag.Diagnostics) {
	if !prior.ID.IsNull() && planned.Equal(prior) {
		return // most plans change nothing
	}
	if attribute.IsKnown(planned.ProjectID) && !prior.ProjectID.Equal(planned.ProjectID) {
		// A survey that moves to another project is a new one there.
		prior, pairs = survey.Fields{}, survey.QuestionPairs{}
	}

	if config.BaseLanguage.IsNull() && planned.BaseLanguage.IsUnknown() {
		planned.BaseLanguage = types.StringValue(defaultLanguage) // what the service fills in
	}

	before, after := candidateOf(prior, prior, now), candidateOf(planned, prior, now)

	found := runChecks(after)
	if len(found) > 0 && !prior.ID.IsNull() {
		found = found.without(runChecks(before), pairs.PriorIndex)
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
		refuseRepeated(pairs, prior, diags)
		warnOfOtherQuestions(pairs, prior, diags)
	}
}

func candidateOf(f, prior survey.Fields, now time.Time) candidate {
	return candidate{Fields: f, now: now, stored: survey.StoredFilters(prior)}
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
