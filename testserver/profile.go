package testserver

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Profile is a variant of the interface.
type Profile string

const (
	// Documented is the interface exactly as its document describes it, or like the hosted
	// service where the document says nothing. It is the default.
	Documented Profile = "documented"
	// Hosted is the interface of the hosted service, with everything that it checks,
	// cleans, computes and hides.
	Hosted Profile = "hosted"
)

// profile is what differs between the profiles.
type profile interface {
	// traits are the differences that are no behaviour.
	traits() *traits

	// path is the path of a request for finding its route, with notices about it for the header
	// of the response, nil for none.
	path(x *exchange) (path string, notices http.Header)
	// authorize checks whether the caller may make the request.
	authorize(x *exchange, r *route, values []pathValue) *field.Failure
	// scope is the scope that an API key needs for an operation; empty when no key may call
	// it.
	scope(op api.Operation) string
	// refuseID is the failure of a request whose id is of another form than that of the route.
	refuseID(x *exchange, id string) *field.Failure

	surveyProfile
	appProfile
}

// surveyProfile is what differs in surveys. Handlers return the response, or the failure with
// which they refuse a request.
type surveyProfile interface {
	listSurveys(x *exchange, page window) (response, *field.Failure)
	createSurvey(x *exchange) (response, *field.Failure)
	updateSurvey(x *exchange, before *store.Survey) (response, *field.Failure)
	deleteSurvey(x *exchange, s *store.Survey) (response, *field.Failure)
	// countResponses replies with the numbers of responses of surveys.
	countResponses(x *exchange) (response, *field.Failure)
	// activity replies with the activity of a survey, nil for that of the project;
	// checkActivity checks such a request before the survey is looked up.
	activity(x *exchange, s *store.Survey) (response, *field.Failure)
	checkActivity(x *exchange) *field.Failure

	// finds reports whether the query of a request includes the survey in its path.
	finds(x *exchange, s *store.Survey) (bool, *field.Failure)
	// isUnreadable reports whether the service fails for every response with the survey.
	isUnreadable(s *store.Survey) bool
	// surveyID derives the id of a new survey from one of the source.
	surveyID(id uuid.UUID) uuid.UUID
	// addInternalFlag creates the internal flag of a survey that has none.
	addInternalFlag(st *store.Store, s *store.Survey, ids func() uuid.UUID)
	// movesIterations reports whether the job updates the iterations of a survey.
	movesIterations(s *store.Survey) bool
	// beginIteration changes the flags of a survey when the job starts its next iteration.
	beginIteration(st *store.Store, s *store.Survey)
}

// appProfile is what differs in import apps.
type appProfile interface {
	// apps are the import apps that an organization can see, seesApp reports it for one.
	apps(st *store.Store, o *store.Organization) *store.Timeline[*store.App]
	seesApp(o *store.Organization, a *store.App) bool
	createApp(x *exchange) (response, *field.Failure)
	updateApp(x *exchange, before *store.App) (response, *field.Failure)
	deleteApp(x *exchange, a *store.App) (response, *field.Failure)
}

// traits are what a profile has and what it shows.
type traits struct {
	name Profile
	// neighbours is set when routes besides the documented interface are served.
	neighbours bool
	// delivers is set when surveys are served to SDKs.
	delivers bool
	// errorEvents is set when unhandled errors have an id.
	errorEvents bool
	// failsAtHugeLimit is set when a limit beyond 64 bits is an unhandled error.
	failsAtHugeLimit bool
	// logs is set when there is an activity log.
	logs bool
	// surveyReadKeys are the keys of a survey in responses to list and retrieve,
	// surveyWriteKeys in those to create and update, both in the order of the wire.
	surveyReadKeys, surveyWriteKeys []key[*store.Survey]
	// appKeys are the keys of an import app in all responses.
	appKeys []key[*store.App]
	// flagKeys and userKeys are the keys of nested flags and users.
	flagKeys []key[*store.Flag]
	userKeys []key[*store.User]
	// extraColumns are the fields that surveys have in addition to [store.SurveyTable], nil
	// for none.
	extraColumns *field.Table
}

// profileNamed finds a profile; the empty name means [Documented].
func profileNamed(name Profile) (profile, error) {
	switch name {
	case "", Documented:
		return newDocumentedProfile(), nil
	case Hosted:
		return newHostedProfile(), nil
	}
	return nil, fmt.Errorf("profile %q does not exist; this server has the profiles %q and %q", name, Documented, Hosted)
}

// isHidden reports whether an extra member of an object is left out of responses: fields of
// the hosted service have their own keys in the hosted profile, and none in the documented
// one. A member that the contract does not know comes from a newer service and is shown.
func isHidden(schema, name string) bool { return slices.Contains(hostedFields[schema], name) }

// hostedFields are the fields that only the hosted service has, by schema, including those
// that no response shows.
var hostedFields = func() map[string][]string {
	fields := map[string][]string{}
	for _, schema := range []string{"Survey", "SurveyRequest", "FeatureFlag", "User", "PipelineImportApp"} {
		fields[schema] = api.HostedFields(schema)
	}
	fields["Survey"] = append(fields["Survey"], store.SamplingFlagMember, store.ActionsClearedMember, store.UnreadableMember)
	fields["FeatureFlag"] = append(fields["FeatureFlag"], flagOnlyMembers...)
	return fields
}()
