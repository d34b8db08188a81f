package testserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
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

// profile has everything that differs between the profiles.
type profile struct {
	name Profile
	// neighbours is set when routes besides the documented interface are served.
	neighbours bool
	// forms is set when bodies may be forms, options when OPTIONS is answered.
	forms, options bool
	// errorEvents is set when unhandled errors have an id.
	errorEvents bool
	// failsAtHugeLimit is set when a limit beyond 64 bits is an unhandled error.
	failsAtHugeLimit bool
	// surveyReadKeys are the keys of a survey in list and retrieve answers, surveyWrite
	// in create and update answers, both in the order of the wire.
	surveyReadKeys, surveyWriteKeys []key[*store.Survey]
	// appKeys are the keys of an import app in all answers.
	appKeys []key[*store.App]
	// flagKeys and user are the keys of nested flags and users.
	flagKeys []key[*store.Flag]
	userKeys []key[*store.User]
	// listSurveys answers with a page of surveys, countResponses with their numbers of
	// responses.
	listSurveys    func(*exchange, window)
	countResponses func(*exchange)
	// createSurvey, updateSurvey and deleteSurvey serve the operations that write a survey.
	createSurvey func(*exchange)
	updateSurvey func(*exchange, *store.Survey)
	deleteSurvey func(*exchange, *store.Survey)
	// activity answers with the activity of a survey, nil for that of the project; logs is
	// set when there is an activity log.
	activity func(*exchange, *store.Survey)
	// checkActivity checks a request for the activity of a survey before that is looked up.
	checkActivity func(*exchange) *field.Failure
	logs          bool
	// keyOf is the API key of a request; empty when there is none.
	keyOf func(*exchange) string
	// path is the path of a request for finding its route.
	path func(*exchange) string
	// refuseID answers a request whose id is of another form than that of the route.
	refuseID func(x *exchange, id string) *field.Failure
	// extraColumns are the fields that surveys have in addition to [store.SurveyTable], nil for
	// none.
	extraColumns *field.Table
	// finds reports whether the query of a request includes the survey in its path.
	finds func(*exchange, *store.Survey) (bool, *field.Failure)
	// readJSON checks and compacts the JSON of a request.
	readJSON func([]byte) (json.RawMessage, error)
	// surveyID derives the id of a new survey from one of the source.
	surveyID func(uuid.UUID) uuid.UUID
	// addInternalFlag creates the internal flag of a survey that has none.
	addInternalFlag func(*store.Store, *store.Survey, func() uuid.UUID)
	// isUnreadable reports whether the service fails for every answer with a survey; nil
	// for never.
	isUnreadable func(*store.Survey) bool
	// movesIterations reports whether the job updates the iterations of a survey.
	movesIterations func(*store.Survey) bool
	// beginIteration changes the flags of a survey when the job starts its next iteration;
	// nil for no change.
	beginIteration func(*store.Store, *store.Survey)
	// apps are the import apps that an organization can see, seesApp reports it for one.
	apps    func(*store.Store, *store.Organization) *store.Timeline[*store.App]
	seesApp func(*store.Organization, *store.App) bool
	// createApp, updateApp and deleteApp serve the operations that write an app.
	createApp            func(*exchange)
	updateApp, deleteApp func(*exchange, *store.App)
	// authorize checks whether the caller may make the request.
	authorize func(*exchange, *store.Store, *route, []pathValue) *field.Failure
	// scope is the scope that an API key needs for an operation; empty when no key may call
	// it.
	scope func(api.Operation) string
}

// profileNamed finds a profile; the empty name means [Documented].
func profileNamed(name Profile) (*profile, error) {
	switch name {
	case "", Documented:
		return documented(), nil
	case Hosted:
		return hosted(), nil
	}
	return nil, fmt.Errorf("profile %q does not exist; this server has the profiles %q and %q", name, Documented, Hosted)
}

func documented() *profile {
	text := surveyKeys["conditions"]
	text.append = appendConditionsText
	null := surveyKeys["conditions"]
	null.append = appendNull[*store.Survey]

	var read, write []key[*store.Survey]
	for _, name := range surveyKeyOrder {
		switch name {
		case "targeting_flag_id":
			write = append(write, newKey(name, func(b []byte, a encoding, s *store.Survey) []byte { return appendFlagID(b, a, s.Targeting) }))
		case "targeting_flag_filters", "remove_targeting_flag":
			write = append(write, surveyKeys[name])
		case "conditions":
			read, write = append(read, text), append(write, null)
		default:
			read, write = append(read, surveyKeys[name]), append(write, surveyKeys[name])
		}
	}

	return &profile{
		name:            Documented,
		surveyReadKeys:  read,
		surveyWriteKeys: write,
		appKeys:         appKeys,
		flagKeys:        flagKeys,
		userKeys:        userKeys,
		listSurveys:     (*exchange).listSurveys,
		countResponses:  (*exchange).countResponses,
		createSurvey:    (*exchange).createSurvey,
		updateSurvey:    (*exchange).updateSurvey,
		deleteSurvey:    (*exchange).deleteSurvey,
		activity:        (*exchange).replyNoActivity,
		movesIterations: func(*store.Survey) bool { return true },
		checkActivity:   func(*exchange) *field.Failure { return nil },
		keyOf:           (*exchange).bearer,
		path:            func(x *exchange) string { return x.request.URL.Path },
		refuseID:        func(*exchange, string) *field.Failure { return field.ObjectNotFound() },
		finds:           func(*exchange, *store.Survey) (bool, *field.Failure) { return true, nil },
		readJSON:        rawjson.Compact,
		surveyID:        func(id uuid.UUID) uuid.UUID { return id },
		addInternalFlag: addInternalFlag,
		apps:            ownApps,
		seesApp:         ownsApp,
		createApp:       (*exchange).createApp,
		updateApp:       (*exchange).updateApp,
		deleteApp:       (*exchange).deleteApp,
		authorize:       (*exchange).authorize,
		scope:           documentedScope,
	}
}

// documentedScope is the scope of an operation in the document, or else the one that fits
// its method.
func documentedScope(op api.Operation) string {
	switch {
	case op.Scope != "":
		return op.Scope
	case op.Method == http.MethodGet:
		return "plugin:read"
	}
	return "plugin:write"
}

// isHidden reports whether an extra member of an object is left out of answers: fields of
// the hosted service have their own keys in the hosted profile, and none in the documented
// one. A member that the contract does not know comes from a newer service and is shown.
func isHidden(schema, name string) bool { return slices.Contains(hostedFields[schema], name) }

// hostedFields are the fields that only the hosted service has, by schema, including those
// that no answer shows.
var hostedFields = func() map[string][]string {
	fields := map[string][]string{}
	for _, schema := range []string{"Survey", "SurveyRequest", "FeatureFlag", "User", "PipelineImportApp"} {
		fields[schema] = api.HostedFields(schema)
	}
	fields["Survey"] = append(fields["Survey"], store.SamplingFlagMember, store.ActionsClearedMember, store.UnreadableMember)
	fields["FeatureFlag"] = append(fields["FeatureFlag"], flagOnlyMembers...)
	return fields
}()
