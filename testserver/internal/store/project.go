package store

import (
	"math"
	"strconv"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Project is a project of an organization.
type Project struct {
	ID           int64
	Organization uuid.UUID
	Name         string
	// Token is by which apps name the project; it is empty if there is none.
	Token string
	// SurveyConfig are the settings for all surveys of the project, an object, or nil if there is none.
	SurveyConfig wire.Value
	// SurveysOptIn is set when in-app surveys are shown; nil is off.
	SurveysOptIn *bool
	// Settings are the values of ProjectSettings. The map is replaced and never changed.
	Settings wire.Fields
	// GroupTypes are the names of the types of groups, by their index.
	GroupTypes []string
}

// ProjectSettings are settings of a project that have no effect here. The server keeps them as they are sent: a
// client that writes them next to surveys_opt_in expects to read them again.
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

// maxDomain is the length of the longest domain of a project, in characters.
const maxDomain = 200

// waitPeriodMember is the member of survey_config with the wait period, MaxWaitPeriod the longest one, in days.
const (
	waitPeriodMember = "seenSurveyWaitPeriodInDays"
	MaxWaitPeriod    = 365
)

// WaitPeriod returns the number of days after another survey, for all surveys of the project, or 0 if there is none.
func (p *Project) WaitPeriod() int64 {
	return p.SurveyConfig.Get(waitPeriodMember).Integer()
}

// WithWaitPeriod returns the project with another wait period.
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

// IsSurveyConfig reports whether a value is an object, and whether its wait period is a whole number of days
// that PostHog takes, or null.
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
