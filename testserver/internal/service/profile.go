package service

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The names of the profiles.
const (
	Documented = "documented"
	Hosted     = "hosted"
)

// Profile is what the profiles differ in.
type Profile struct {
	Name string
	// reads are the fields of a survey in responses to reads, and writes the fields in responses to
	// writes. request are the fields of requests.
	reads, writes []shownField
	request       *wire.Table

	// Neighbours is set when the server has routes that the documented interface lacks, and serves surveys to SDKs.
	Neighbours bool
	// Checks is set when surveys are checked, cleaned and computed as PostHog does; otherwise
	// they are stored as they are sent.
	Checks bool
	// Filters is set when lists are filtered by further parameters, Logs when there is an activity
	// log.
	Filters, Logs bool
	// Installs is set when apps are installed from their address, and an organization sees those
	// that import data, and global ones.
	Installs bool
	// IsClosed is set when operations that declare no scope, and methods that a path lacks, are
	// closed to API keys.
	IsClosed bool
	// Breaks is set if requests that crash PostHog fail here as well, with an error ID.
	Breaks bool
}

// FindProfile finds a profile; the empty name means [Documented].
func FindProfile(name string) (*Profile, error) {
	p := &Profile{Name: Documented}
	switch name {
	case "", Documented:
	case Hosted:
		p = &Profile{
			Name: Hosted, Neighbours: true, Checks: true, Filters: true, Logs: true, Installs: true, IsClosed: true, Breaks: true,
		}
	default:
		return nil, fmt.Errorf("profile %q does not exist; this server has the profiles %q and %q", name, Documented, Hosted)
	}
	marks := func(f store.SurveyField) string {
		if p.Name == Hosted {
			return f.Hosted
		}
		return f.Documented
	}
	p.request = store.SurveyColumns(func(f store.SurveyField) bool { return strings.Contains(marks(f), "q") })
	for _, f := range store.SurveyFields {
		field := shownField{f.Name, f.IsElsewhere}
		if strings.Contains(marks(f), "r") {
			p.reads = append(p.reads, field)
		}
		if strings.Contains(marks(f), "w") {
			p.writes = append(p.writes, field)
		}
	}
	return p, nil
}

// shownField is a field of a survey in responses. isElsewhere is set if no column stores it.
type shownField struct {
	name        string
	isElsewhere bool
}

// scope returns the scope that an API key needs for an operation; empty when no key may call it.
func (p *Profile) scope(op api.Operation) string {
	switch {
	case op.Scope != "" || p.IsClosed:
		return op.Scope
	case op.Method == http.MethodGet:
		return "plugin:read"
	}
	return "plugin:write"
}

// The features of an organization in the hosted profile, for the key features of its fixtures entry:
// names, or objects with a key. If the entry doesn't have that key, the organization has the features
// of the newest known version of PostHog. An empty list turns all features off.
const (
	// FeatureThrottling limits the requests of every API key: 480 in a minute and 4,800 in an hour.
	FeatureThrottling = "api_rate_limits"
	// FeatureFlagScope requires the scope feature_flag:write to create, edit or delete the
	// targeting flag of a survey.
	FeatureFlagScope = "survey_flag_scope"
	// FeatureListFilters adds the filters created_by and status to the list of surveys. It is
	// on unless features says otherwise.
	FeatureListFilters = "survey_list_filters"
	// FeatureWhiteLabelling allows whiteLabel in the appearance of a survey.
	FeatureWhiteLabelling = "white_labelling"
	// FeatureFlagLimit limits the feature flags of each project of the organization; it
	// is an object whose limit is the number.
	FeatureFlagLimit = "feature_flag_limit"
	// FeatureFlagApprovals makes edits of feature flags wait for an approval: the routes of
	// flags respond with 409 approval_required, then change_request_pending.
	FeatureFlagApprovals = "feature_flag_approvals"
	// FeatureProjectWaitPeriod applies the wait period in the survey_config of a project to its
	// surveys. A survey's wait period that is not a number is ignored. The feature is on unless the
	// key features omits it.
	FeatureProjectWaitPeriod = "survey_project_wait_period"
)

// DefaultFeatures returns the features of an organization whose fixtures entry names none: those
// of the newest known version of PostHog. The documented profile has none.
func (p *Profile) DefaultFeatures() wire.Value {
	if p.Name != Hosted {
		return wire.EmptyArray
	}
	return wire.Of([]string{FeatureListFilters, FeatureProjectWaitPeriod})
}
