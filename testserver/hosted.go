package testserver

import (
	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// hostedProfile is the profile [Hosted]. What it does otherwise than the documented one is
// in the files hosted_*.go.
type hostedProfile struct{ shown *traits }

func newHostedProfile() hostedProfile {
	t := &traits{
		name:             Hosted,
		neighbours:       true,
		delivers:         true,
		errorEvents:      true,
		failsAtHugeLimit: true,
		logs:             true,
		appKeys:          hostedAppKeys,
		flagKeys:         hostedFlagKeys,
		userKeys:         hostedUserKeys,
		extraColumns:     store.HostedColumns,
	}
	t.surveyReadKeys, t.surveyWriteKeys = hostedSurveyKeys()
	return hostedProfile{t}
}

func (p hostedProfile) traits() *traits { return p.shown }

// scope is the scope of an operation: the further operations on apps declare none, so they
// are not open to API keys.
func (hostedProfile) scope(op api.Operation) string { return op.Scope }

func (hostedProfile) checkActivity(x *exchange) *field.Failure {
	_, _, f := activityWindow(x.request)
	return f
}

func (hostedProfile) isUnreadable(s *store.Survey) bool {
	return s.Member(store.UnreadableMember) != nil
}

func (hostedProfile) surveyID(id uuid.UUID) uuid.UUID { return hostedSurveyID(id) }

func (hostedProfile) addInternalFlag(st *store.Store, s *store.Survey, ids func() uuid.UUID) {
	addHostedInternalFlag(st, s, ids)
}

func (hostedProfile) movesIterations(s *store.Survey) bool {
	return rawjson.Unquote(s.HostedValue("schedule")) == "recurring"
}

func (hostedProfile) beginIteration(st *store.Store, s *store.Survey) { beginIteration(st, s) }

func (hostedProfile) apps(st *store.Store, o *store.Organization) *store.Timeline[*store.App] {
	return hostedApps(st, o)
}

func (hostedProfile) seesApp(o *store.Organization, a *store.App) bool { return seesHostedApp(o, a) }
