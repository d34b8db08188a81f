package testserver

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Profile selects how closely the server follows PostHog where PostHog differs from its OpenAPI document.
type Profile string

const (
	// Documented is the API as its OpenAPI document describes it. Where the document is silent, the
	// server behaves like PostHog. Documented is the default.
	Documented Profile = service.Documented
	// Hosted is the API as PostHog serves it. It also checks, cleans, computes, and hides the same values as PostHog.
	Hosted Profile = service.Hosted
)

// Values of the default fixtures. The server uses them if it starts without fixtures, and for lists
// that a fixtures document omits.
const (
	// DefaultAPIKey is the API key of the default user. It has the scope *.
	DefaultAPIKey = fixtures.DefaultAPIKey
	// DefaultProjectToken is the token by which apps identify the first project in the fixtures, unless the fixtures
	// set another api_token.
	DefaultProjectToken = fixtures.DefaultProjectToken
	// DefaultProjectID is the ID of the default project.
	DefaultProjectID = fixtures.DefaultProjectID
	// DefaultOrganizationID is the ID of the default organization.
	DefaultOrganizationID = fixtures.DefaultOrganizationID
	// RemovedImportApps removes the import app routes. Pass it to [Server.SetRemoved].
	RemovedImportApps = fixtures.RemovedImportApps
)

// The features of an organization in the hosted profile. A fixtures entry lists them in its key
// features, as names or as objects with a key. Without this key, the organization has the features
// of the newest known version of PostHog. An empty list turns all features off.
const (
	FeatureThrottling        = service.FeatureThrottling
	FeatureFlagScope         = service.FeatureFlagScope
	FeatureListFilters       = service.FeatureListFilters
	FeatureWhiteLabelling    = service.FeatureWhiteLabelling
	FeatureFlagLimit         = service.FeatureFlagLimit
	FeatureFlagApprovals     = service.FeatureFlagApprovals
	FeatureProjectWaitPeriod = service.FeatureProjectWaitPeriod
)

// Object is a JSON object. Its numbers are [json.Number]. Methods that take and return objects change
// the store without a request and without an API key, like a teammate who edits in PostHog. Objects
// have the form of entries in the fixtures document, with every value as it is stored.
type Object = control.Object

// Types that the server's methods accept and return.
type (
	// Exchange is a request to the API and its response, for [Options.Observe].
	Exchange = control.Exchange
	// World describes a world of a server.
	World = control.WorldInfo

	// Request is a journal entry, and Answer is its response.
	Request = record.Request
	Answer  = record.Answer
	// FaultState is an active fault rule with its counters.
	FaultState = faults.State

	// RunReport lists the problems of a test run.
	RunReport         = record.RunReport
	UndocumentedField = record.UndocumentedField
	UnusedFault       = record.UnusedFault
	NeverShown        = record.NeverShown
	SurveyEvent       = record.SurveyEvent
	HidesAll          = record.HidesAll
	DetachedAnswers   = record.DetachedAnswers
	CutQuestion       = record.CutQuestion

	// Event is an event of a survey. EventFilter selects events.
	Event       = control.Event
	EventFilter = control.EventFilter
	// SurveyPerson is a person and whether the survey is offered to them.
	SurveyPerson = sdk.SurveyPerson
	// Visit describes a person who opens an app's page. SurveyOffer is a survey and whether it is shown in a visit.
	Visit       = sdk.Visit
	VisitGroup  = sdk.VisitGroup
	SurveyOffer = sdk.SurveyOffer
)

// Fault is a rule that makes the server misbehave. The first fields select requests. A rule in which all
// of them are empty applies to every request. The other fields are the effects.
//
// Several rules may apply to a request. Their delays add up. Every other effect comes from the first
// rule that sets it.
type Fault struct {
	// Operation is an operationId, such as surveys_create.
	Operation string `json:"operation,omitempty"`
	// Method is an HTTP method, and Path is the exact path of the request.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// From and To select a range of the matching requests, counted from 1 since the rules were set. 0
	// leaves that end of the range open.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`

	// Status is the status of a response that the server sends instead of processing the request, with Headers and
	// Body. A string in Body is sent unchanged, and any other value as JSON. Without Body, the server sends PostHog's
	// error for the status.
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    any               `json:"body,omitempty"`
	// RetryAfter is the value of the Retry-After header: seconds or a date. Without Status, the
	// response has status 429. In a document, seconds may also be a number.
	RetryAfter string `json:"retry_after,omitempty"`
	// DelayMS is a delay before everything else, in milliseconds. If the client disconnects during the delay, the
	// server still processes the request, as PostHog does.
	DelayMS int `json:"delay_ms,omitempty"`
	// Drop closes the connection without a response, "before" or "after" the request is processed.
	Drop string `json:"drop,omitempty"`
	// CutBody closes the connection after this number of bytes of the response body.
	CutBody *int `json:"cut_body,omitempty"`
	// HTML responds with a web page, like a proxy or a login page in front of PostHog. Without Status,
	// the response has status 200.
	HTML bool `json:"html,omitempty"`
	// Throttle responds with status 429 if more of the selected requests arrive than it allows, regardless of their
	// API key. As in PostHog, the response contains the wait time only in the text of the error. Waits are measured
	// by the server's clock.
	Throttle *Throttle `json:"throttle,omitempty"`
	// Edit is a JSON merge patch (RFC 7396) that is applied immediately before the request is processed, as if
	// another user had called [Server.PatchSurvey] or [Server.PatchApp]. It applies to the object with the ID in the
	// path. For a list request, it applies to the newest object. If the object does not exist, the server ignores
	// Edit.
	Edit Object `json:"edit,omitempty"`
	// EventResults are the results of the events in a request to capture v1 (/i/v1/analytics/events): ok, drop,
	// warning, or retry. The last result applies to all remaining events. The server does not store events with the
	// result drop or retry. An SDK resends events with the result retry after a second.
	EventResults []string `json:"event_results,omitempty"`
	// EmptyForNull sends "" instead of null in the text fields of surveys and apps, like a service that
	// stores a missing text as an empty one. It does not apply to dates, IDs, and enumerations, which
	// have no empty value, or to values inside JSON fields.
	EmptyForNull bool `json:"empty_for_null,omitempty"`
	// ReorderKeys sends every object of the response with its keys in reverse order.
	ReorderKeys bool `json:"reorder_keys,omitempty"`
}

// Throttle allows a number of requests in every window of PerSeconds seconds.
type Throttle struct {
	Requests   int `json:"requests"`
	PerSeconds int `json:"per_seconds"`
}

// SetFaults replaces the fault rules. Without rules, the server behaves normally.
func (s *Server) SetFaults(rules ...Fault) error {
	if rules == nil {
		rules = []Fault{}
	}
	document, err := wire.Marshal(map[string]any{"rules": rules})
	if err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return s.ReplaceFaults(document)
}
