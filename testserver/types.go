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

// Profile is a variant of the interface.
type Profile string

const (
	// Documented is the API exactly as its OpenAPI document describes it, and like PostHog where the
	// document is silent. It is the default.
	Documented Profile = service.Documented
	// Hosted is PostHog's API, with everything that it checks,
	// cleans, computes and hides.
	Hosted Profile = service.Hosted
)

// What the default fixtures have, for a server without fixtures, and for lists that a fixtures
// document lacks.
const (
	// DefaultAPIKey is a key with scope * of the default user.
	DefaultAPIKey = fixtures.DefaultAPIKey
	// DefaultProjectToken is by which apps name the first project of the fixtures, unless they
	// give it another api_token.
	DefaultProjectToken = fixtures.DefaultProjectToken
	// DefaultProjectID is the project in the default organization.
	DefaultProjectID = fixtures.DefaultProjectID
	// DefaultOrganizationID is the organization.
	DefaultOrganizationID = fixtures.DefaultOrganizationID
	// RemovedImportApps names the import apps among what [Server.SetRemoved] removes.
	RemovedImportApps = fixtures.RemovedImportApps
)

// The features of an organization in the hosted profile, for the key features of its fixtures entry:
// names, or objects with a key. If the entry doesn't have that key, the organization has the features
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

// Object is a JSON object, whose numbers are [json.Number]. The methods that take and
// return objects change the store without a request and without a key, like other people in
// the web interface. Objects have the form of entries in the fixtures document, with every
// value as it is stored.
type Object = control.Object

// What methods of a server take and return.
type (
	// Exchange is a request to the API with the response that it gets, for [Options.Observe].
	Exchange = control.Exchange
	// World describes a world of a server.
	World = control.WorldInfo

	// Request is an entry of the journal, Answer the response in it.
	Request = record.Request
	Answer  = record.Answer
	// FaultState is an active rule with its counters.
	FaultState = faults.State

	// RunReport are the problems of a test run.
	RunReport         = record.RunReport
	UndocumentedField = record.UndocumentedField
	UnusedFault       = record.UnusedFault
	NeverShown        = record.NeverShown
	SurveyEvent       = record.SurveyEvent
	HidesAll          = record.HidesAll
	DetachedAnswers   = record.DetachedAnswers
	CutQuestion       = record.CutQuestion

	// Event is an event of a survey, and EventFilter selects some.
	Event       = control.Event
	EventFilter = control.EventFilter
	// SurveyPerson says whether a survey is offered to someone.
	SurveyPerson = sdk.SurveyPerson
	// Visit is someone who opens a page of an app, and SurveyOffer whether a survey is shown then.
	Visit       = sdk.Visit
	VisitGroup  = sdk.VisitGroup
	SurveyOffer = sdk.SurveyOffer
)

// Fault is a rule by which the server misbehaves. The first fields select requests, all of
// them if they are empty; the others are the effects.
//
// Several rules may apply to a request: their delays add up, and each other effect comes
// from the first rule that has it.
type Fault struct {
	// Operation is an operationId, for example surveys_create.
	Operation string `json:"operation,omitempty"`
	// Method is an HTTP method, Path the exact path of the request.
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// From and To select a range of the matching requests, counted from 1 since the rules
	// were set; 0 leaves that side open.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`

	// Status is the response instead of the work, with Headers and Body: a string is sent as
	// it is, anything else as JSON. Without Body PostHog's error for the status is
	// sent.
	Status  int               `json:"status,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    any               `json:"body,omitempty"`
	// RetryAfter is sent as the Retry-After header, seconds or a date, with Status
	// or else with 429. In a document, seconds may also be a number.
	RetryAfter string `json:"retry_after,omitempty"`
	// DelayMS is a delay before everything else, in milliseconds. If the client has gone by
	// then, the work is still done, like by a service that does not notice.
	DelayMS int `json:"delay_ms,omitempty"`
	// Drop closes the connection without a response, "before" or "after" the work is
	// done.
	Drop string `json:"drop,omitempty"`
	// CutBody closes the connection after that many bytes of the response's body.
	CutBody *int `json:"cut_body,omitempty"`
	// HTML responds with a web page, like a proxy or a login page in between; with Status,
	// or else with 200.
	HTML bool `json:"html,omitempty"`
	// Throttle responds with 429 if more of the selected requests arrive than it allows, whatever
	// their API key. As in PostHog, only the text of the error contains the wait time. The wait is
	// measured by the server's clock.
	Throttle *Throttle `json:"throttle,omitempty"`
	// Edit is a JSON merge patch (RFC 7396) that is applied right before the work, as if
	// someone else had made it with [Server.PatchSurvey] or [Server.PatchApp]: to the
	// object with the ID in the path, or to the newest one when the request lists objects.
	// Requests without an existing object are served without it.
	Edit Object `json:"edit,omitempty"`
	// EventResults are the results of the events of a request to capture v1 (/i/v1/analytics/events):
	// ok, drop, warning, or retry. The last result applies to all further events. The server does not
	// store an event with drop or retry. An SDK sends events with retry again after a second.
	EventResults []string `json:"event_results,omitempty"`
	// EmptyForNull sends "" for null, like a service that stores a missing text as an empty
	// one: in the text fields of surveys and apps, but not in dates, IDs and enumerations,
	// which have no empty value, and not inside of JSON.
	EmptyForNull bool `json:"empty_for_null,omitempty"`
	// ReorderKeys sends every object of the response with its keys in reverse order.
	ReorderKeys bool `json:"reorder_keys,omitempty"`
}

// Throttle allows a number of requests in any window of a number of seconds.
type Throttle struct {
	Requests   int `json:"requests"`
	PerSeconds int `json:"per_seconds"`
}

// SetFaults replaces the rules; without any the server behaves normally.
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
