package offer

import (
	"fmt"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/evaluation"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// ReasonsFor are why a survey is not offered to a person; none when it is. What holds for
// everybody is not among them.
func (s *Survey) ReasonsFor(project *evaluation.Project, person *evaluation.Person, now time.Time) []string {
	var reasons []string
	say := func(reason string) {
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}

	if s.Linked != nil {
		r := project.Evaluate(s.Linked, person, now)
		say(wordsOfFlag("linked flag", project, s.Linked, person, r))
		say(s.missesVariant(r))
	}
	if s.Targeting != nil {
		r := project.Evaluate(s.Targeting, person, now)
		say(wordsOfFlag(targetingCheck, project, s.Targeting, person, r))
	}
	if s.Internal != nil && !s.comesAgain() {
		say(s.wordsOfInternal(project, person, project.Evaluate(s.Internal, person, now)))
	}
	return reasons
}

// missesVariant says that the linked flag is on with another variant than the one asked for.
func (s *Survey) missesVariant(r evaluation.Result) string {
	want := rawjson.Unquote(rawjson.Lookup(s.Conditions, "linkedFlagVariant"))
	switch {
	case want == "" || want == "any" || !r.Enabled:
		return ""
	case r.Variant == nil:
		return fmt.Sprintf("linked flag: linkedFlagVariant is %q, and this person gets no variant", want)
	case *r.Variant != want:
		return fmt.Sprintf("linked flag: linkedFlagVariant is %q, and this person gets variant %q", want, *r.Variant)
	}
	return ""
}

// wordsOfInternal says why the flag is off by which the service asks nobody twice.
func (s *Survey) wordsOfInternal(project *evaluation.Project, person *evaluation.Person, r evaluation.Result) string {
	why := strings.Join(wordsOfConditions(project, s.Internal, person, r), "; ")
	for _, property := range []string{"$survey_dismissed/" + s.asked(), "$survey_responded/" + s.asked()} {
		if person.Properties[property] != nil {
			why = property + " is set"
		}
	}
	switch {
	case r.Enabled, !s.isRunning() && r.Reason.Code == evaluation.Disabled:
		return ""
	case r.Reason.Code == evaluation.Disabled:
		return fmt.Sprintf("internal flag: feature flag %q, which the service keeps, is off although the survey runs: stop and launch it again", s.Internal.Key)
	}
	return "internal flag: this person has answered or dismissed it, or is within its wait period (" + why + ")"
}
