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

// Profile contains the differences between the profiles.
type Profile struct {
	Name string
	// reads and writes are the survey fields in responses to reads and writes. request are the survey
	// fields in requests.
	reads, writes []shownField
	request       *wire.Table

	// Neighbours reports whether the server has routes that are not in the OpenAPI document, and serves surveys to
	// SDKs.
	Neighbours bool
	// Checks reports whether the server checks, cleans, and computes survey fields as PostHog does.
	// Otherwise, it stores surveys as clients send them.
	Checks bool
	// Filters reports whether lists have additional filter parameters. Logs reports whether there is an activity log.
	Filters, Logs bool
	// Installs reports whether the server installs apps from their URLs. An organization then sees global
	// apps, and only apps that import data.
	Installs bool
	// IsClosed reports whether the server refuses API keys for operations without a scope, and for methods that a
	// path does not support.
	IsClosed bool
	// Breaks reports whether requests that crash PostHog fail here, too, with an error ID.
	Breaks bool
}

// FindProfile returns the profile with the given name. An empty name selects [Documented].
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

// shownField is a survey field in responses. isElsewhere reports whether the field has no column.
type shownField struct {
	name        string
	isElsewhere bool
}

// scope returns the scope that an API key needs for an operation. It is empty if no key can call the
// operation.
func (p *Profile) scope(op api.Operation) string {
	switch {
	case op.Scope != "" || p.IsClosed:
		return op.Scope
	case op.Method == http.MethodGet:
		return "plugin:read"
	}
	return "plugin:write"
}

// The features of an organization in the hosted profile. A fixtures entry lists them in its key features, as
// names or as objects with a key. Without this key, the organization has the features of the newest known
// version of PostHog. An empty list turns all features off.
const (
	// FeatureThrottling limits the requests of each API key to 480 per minute and 4,800 per hour.
	FeatureThrottling = "api_rate_limits"
	// FeatureFlagScope requires the scope feature_flag:write to create, edit, or delete the targeting flag
	// of a survey.
	FeatureFlagScope = "survey_flag_scope"
	// FeatureListFilters adds the filters created_by and status to the list of surveys. It is on by
	// default.
	FeatureListFilters = "survey_list_filters"
	// FeatureWhiteLabelling allows whiteLabel in the appearance of a survey.
	FeatureWhiteLabelling = "white_labelling"
	// FeatureFlagLimit limits the number of feature flags in each project of the organization. Its object
	// contains the number in limit.
	FeatureFlagLimit = "feature_flag_limit"
	// FeatureFlagApprovals makes edits of feature flags wait for an approval. The flag routes respond with
	// 409 approval_required, and then with 409 change_request_pending.
	FeatureFlagApprovals = "feature_flag_approvals"
	// FeatureProjectWaitPeriod applies the wait period in a project's survey_config to its surveys. It
	// ignores a survey's wait period that is not a number. It is on by default.
	FeatureProjectWaitPeriod = "survey_project_wait_period"
)

// DefaultFeatures returns the features of an organization without the key features: the features of the
// newest known version of PostHog. The documented profile has none.
func (p *Profile) DefaultFeatures() wire.Value {
	if p.Name != Hosted {
		return wire.EmptyArray
	}
	return wire.Of([]string{FeatureListFilters, FeatureProjectWaitPeriod})
}
