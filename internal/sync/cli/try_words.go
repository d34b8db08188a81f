package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/try"
)

// visitWords say what keeps a survey from one person.
var visitWords = map[doctor.Code]func(doctorWords, doctor.Finding) string{
	doctor.VisitFlagOff: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("feature flag %q is off for this person%s", f.Name, inParentheses(f.Value))
	},
	doctor.VisitOtherVariant: func(_ doctorWords, f doctor.Finding) string {
		if f.Value == "" {
			return fmt.Sprintf("linkedFlagVariant is %q, and this person gets no variant", f.Name)
		}
		return fmt.Sprintf("linkedFlagVariant is %q, and this person gets variant %q", f.Name, f.Value)
	},
	doctor.VisitNotTargeted: func(_ doctorWords, f doctor.Finding) string {
		return "the targeting does not choose this person" + inParentheses(f.Value)
	},
	doctor.VisitSeen: is("this person has answered or dismissed it, or is within its wait period"),
	doctor.VisitOtherURL: func(_ doctorWords, f doctor.Finding) string {
		if f.Value == "" {
			return "the visit has no url, and " + needs(f.Needs.OfURL())[0]
		}
		return fmt.Sprintf("the url is %q, and shown only when %s", f.Value, needs(f.Needs.OfURL())[0])
	},
	doctor.VisitOtherDevice: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("the device is %s, and shown only when %s", f.Value, needs(f.Needs.OfDevice())[0])
	},
	doctor.VisitWaits: func(_ doctorWords, f doctor.Finding) string {
		return "shown only when " + strings.Join(needs(f.Needs), ", and ")
	},
}

// inParentheses is a text after another one; empty stays empty.
func inParentheses(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// tryNote says in what a world differs from the service.
func tryNote(n try.Note) string {
	switch n.Kind {
	case try.StandInFlag:
		return fmt.Sprintf("Feature flag %s of survey %q is known by its id alone: here it is on for everybody.", n.Value, n.Name)
	case try.EmptyCohort:
		return fmt.Sprintf("Who is in cohort %s is not known: here nobody is.", n.Value)
	case try.UnknownValue:
		return fmt.Sprintf("The %s of survey %q is known after an apply alone: here it is not set.", n.Value, n.Name)
	}
	return ""
}

// trySnippet is what an app has to do to show the surveys of a world.
func trySnippet(w *try.World) string {
	return fmt.Sprintf(`posthog.init(%s, {
  api_host: %s,
  opt_out_useragent_filter: true, // for a browser that a test drives
})
`, strconv.Quote(w.Token), strconv.Quote(w.URL))
}
