package cli

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
)

// doctorWords words what doctor finds, with the settings that a reader can change.
type doctorWords struct {
	// program is the version of this program.
	program  string
	settings environment.Set
	source   *live
}

// of says what was found and, when it is not ok, what to do.
func (w doctorWords) of(f doctor.Finding) string {
	for _, words := range []map[doctor.Code]func(doctorWords, doctor.Finding) string{serviceWords, plannerWords, surveyWords, visitWords} {
		if word := words[f.Code]; word != nil {
			return word(w, f)
		}
	}
	return ""
}

// environment says which environment was checked.
func (w doctorWords) environment() string {
	from := "the environment variables"
	if w.settings.Path != "" {
		from = w.settings.Path
	}
	return fmt.Sprintf("%q of %s: %s", w.source.Name, from, w.source.BaseURL)
}

var serviceWords = map[doctor.Code]func(doctorWords, doctor.Finding) string{
	doctor.Unreachable: func(_ doctorWords, f doctor.Finding) string { return f.Err.Error() },
	doctor.Reachable:   func(w doctorWords, _ doctor.Finding) string { return w.source.BaseURL + " answers" },
	doctor.KeyRefused: func(w doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("%s; create a new personal API key and put it into %s", detail(f.Err), w.source.APIKeyVariable)
	},
	doctor.KeyAccepted: func(w doctorWords, _ doctor.Finding) string {
		return "the service accepts the key of " + w.source.APIKeyVariable
	},
	doctor.ClockUnknown: is("the service does not send its time"),
	doctor.ClockDiffers: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("this machine's clock is %s away from the service's: set it, since status and schedules write dates", f.Duration)
	},
	doctor.ClockAgrees: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("within %s of the service's", f.Duration)
	},

	doctor.ParentReadable: func(_ doctorWords, f doctor.Finding) string { return f.Value + " can be read" },
	doctor.ParentForbidden: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("%s cannot be read: %s", f.Value, detail(f.Err))
	},
	doctor.ParentUnknown: doctorWords.parentUnknown,
	doctor.PagesSmaller: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("the service returns pages of %d objects instead of %d, so lists take more requests", f.Count, f.Limit)
	},
	doctor.PagesFull: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("pages hold up to %d objects", f.Limit)
	},

	doctor.ScopeMissing: func(_ doctorWords, f doctor.Finding) string {
		return detail(f.Err) + "; add the scope to the key, or use one that has it"
	},
	doctor.ScopeHeld:    is("the key has it"),
	doctor.ScopeUnknown: func(_ doctorWords, f doctor.Finding) string { return fmt.Sprintf("unknown: %v", f.Err) },
	doctor.ScopeAdvised: func(_ doctorWords, f doctor.Finding) string {
		return detail(f.Err) + "; it is needed for telling that a survey has no responses, pulling one edit after another, and naming who made an edit (pull --by, refused writes)"
	},
	doctor.AppsRemoved: is("the service has removed them: they are left out by all verbs, and their scopes are not needed. What to do: " + diagnose.RemovedGuide),

	doctor.Throttled: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("the service asked %s to wait: other programs use the same key, or requests_per_minute "+
			"(POSTHOG_REQUESTS_PER_MINUTE) should be set", count(f.Count, "time"))
	},
	doctor.NotThrottled: func(w doctorWords, _ doctor.Finding) string {
		pace := "the service sets the pace"
		if w.source.RequestsPerMinute > 0 {
			pace = fmt.Sprintf("at most %d requests a minute are made", w.source.RequestsPerMinute)
		}
		return "none seen; " + pace
	},
}

// parentUnknown words a project or organization that cannot be read.
func (w doctorWords) parentUnknown(f doctor.Finding) string {
	if before, found := strings.CutSuffix(strings.TrimRight(w.source.BaseURL, "/"), "/api"); found {
		return fmt.Sprintf("%s cannot be read: %s; base_url ends in /api, which the paths of the service begin with: set it to %s", f.Value, detail(f.Err), before)
	}

	setting := map[string]string{"project": "POSTHOG_PROJECT_ID", "organization": "POSTHOG_ORGANIZATION_ID"}[f.Check]
	if w.settings.Path != "" {
		setting = fmt.Sprintf("%s of environment %q in %s", strings.ToLower(strings.TrimPrefix(setting, "POSTHOG_")), w.source.Name, w.settings.Path)
	}
	return fmt.Sprintf("%s cannot be read: %s; check its id (%s) and what the key is limited to", f.Value, detail(f.Err), setting)
}

var plannerWords = map[doctor.Code]func(doctorWords, doctor.Finding) string{
	doctor.PlannerMissing: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("%v: export --verify, pull and diff need it", f.Err)
	},
	doctor.PlannerUnusable: func(_ doctorWords, f doctor.Finding) string { return f.Err.Error() },
	doctor.PlannerTooOld: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("%s is %s: the provider needs %s or later", f.Name, f.Value, f.Oldest)
	},
	doctor.PlannerFits: func(_ doctorWords, f doctor.Finding) string { return fmt.Sprintf("%s is %s", f.Name, f.Value) },

	doctor.ProviderInstalled: func(w doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("%s is installed here; posthog-sync %s plans with its own", f.Value, w.program)
	},
	doctor.ProviderNotNeeded: func(_ doctorWords, f doctor.Finding) string {
		return "not needed: there is no configuration in " + f.Name
	},
	doctor.ProviderMissing: func(_ doctorWords, f doctor.Finding) string {
		return fmt.Sprintf("not installed here: run %s init before you plan yourself; posthog-sync plans with its own", f.Name)
	},
}

// is words a code that has no data.
func is(text string) func(doctorWords, doctor.Finding) string {
	return func(doctorWords, doctor.Finding) string { return text }
}

// detail is the status and the detail of an error response, or the error as it is.
func detail(err error) string {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Detail != "" {
		return fmt.Sprintf("%d %s: %s", refused.Status, http.StatusText(refused.Status), strings.TrimSuffix(refused.Detail, "."))
	}
	return err.Error()
}
