package testserver

import (
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/control"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

// Profile is a variant of the interface.
type Profile string

const (
	// Documented is the interface exactly as its document describes it, or like the hosted
	// service where the document says nothing. It is the default.
	Documented Profile = service.Documented
	// Hosted is the interface of the hosted service, with everything that it checks,
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

// The features of a hosted organization, for the key features of its fixtures entry: names,
// or objects with a key. An entry without that key has those of the newest known version of
// the service, an empty list none.
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

	// Request is an entry of the journal, Answer the response in it, and JournalChanges what has
	// changed since a revision.
	Request        = record.Request
	Answer         = record.Answer
	JournalChanges = record.JournalChanges
	// FaultState is an active rule with its counters.
	FaultState = faults.State

	// RunReport are the problems of a test run.
	RunReport         = record.RunReport
	UndocumentedField = record.UndocumentedField
	UnusedFault       = record.UnusedFault
	NeverShown        = record.NeverShown
	CutAnswers        = record.CutAnswers
	CutQuestion       = record.CutQuestion

	// Event is an event of a survey, and EventFilter selects some.
	Event       = control.Event
	EventFilter = control.EventFilter
	// SurveyPerson says whether a survey is offered to somebody.
	SurveyPerson = sdk.SurveyPerson
	// Visit is somebody who opens a page of an app, and SurveyOffer whether a survey is shown then.
	Visit       = sdk.Visit
	VisitGroup  = sdk.VisitGroup
	SurveyOffer = sdk.SurveyOffer
)
