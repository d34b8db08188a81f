package store

import (
	"math"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Project is a project in PostHog.
type Project struct {
	ID           int64
	Organization uuid.UUID
	Name         string
	// Token is the token by which apps identify the project. It is empty if there is none.
	Token string
	// SurveyConfig is an object with the survey settings of the project. It is absent if there are none.
	SurveyConfig wire.Value
	// SurveysOptIn reports whether in-app surveys are shown. nil means false.
	SurveysOptIn *bool
	// Settings are the values of ProjectSettings. The map is replaced and never changed.
	Settings wire.Fields
	// GroupTypes are the group type names, by index.
	GroupTypes []string
}

// ProjectSettings describes project settings that have no effect in the test server. The server stores them because a
// client that writes them together with surveys_opt_in expects to read them back.
var ProjectSettings = wire.NewTable(
	wire.Column{Name: "anonymize_ips", Kind: wire.Boolean, NotNull: true},
	wire.Column{Name: "app_urls", Kind: wire.Texts, Max: maxDomain},
	wire.Column{Name: "autocapture_exceptions_opt_in", Kind: wire.Boolean},
	wire.Column{Name: "autocapture_web_vitals_opt_in", Kind: wire.Boolean},
	wire.Column{Name: "capture_performance_opt_in", Kind: wire.Boolean},
	wire.Column{Name: "cookieless_server_hash_mode", Kind: wire.Integer, Max: math.MaxInt16},
	wire.Column{Name: "heatmaps_opt_in", Kind: wire.Boolean},
	wire.Column{Name: "recording_domains", Kind: wire.Texts, Max: maxDomain},
	wire.Column{Name: "session_recording_opt_in", Kind: wire.Boolean, NotNull: true},
)

// maxDomain is the maximum length of a project's domain, in characters.
const maxDomain = 200

// waitPeriodMember is the member of survey_config that contains the wait period. MaxWaitPeriod is its maximum,
// in days.
const (
	waitPeriodMember = "seenSurveyWaitPeriodInDays"
	MaxWaitPeriod    = 365
)

// WaitPeriod returns the number of days after a survey in which a person sees no other survey of the project.
// It returns 0 if there is no wait period.
func (p *Project) WaitPeriod() int64 {
	return p.SurveyConfig.Get(waitPeriodMember).Integer()
}

// WithWaitPeriod returns a copy of the project with a different wait period.
func (p *Project) WithWaitPeriod(days int64) *Project {
	updated := *p
	config := p.SurveyConfig.Without(waitPeriodMember)
	if days > 0 {
		config = config.With(waitPeriodMember, wire.Of(days))
	}
	updated.SurveyConfig = wire.Value{}
	if !config.Is("{}") {
		updated.SurveyConfig = config
	}
	return &updated
}

// IsSurveyConfig reports whether a value is an object, and whether its wait period is a valid number of days
// or null.
func IsSurveyConfig(config wire.Value) (isObject, isValid bool) {
	if !config.IsObject() {
		return false, false
	}
	days := config.Get(waitPeriodMember)
	if days.IsNull() {
		return true, true
	}
	n, err := strconv.ParseInt(days.Spelling(), 10, 64)
	return true, err == nil && n >= 0 && n <= MaxWaitPeriod
}
