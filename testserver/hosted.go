package testserver

import (
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// hosted is the profile [Hosted]. What it does otherwise than the documented one is
// in the files hosted_*.go.
func hosted() *profile {
	p := documented()
	p.name = Hosted

	// Requests and routes.
	p.neighbours = true
	p.forms = true
	p.options = true
	p.errorEvents = true
	p.failsAtHugeLimit = true
	p.keyOf = (*exchange).anyKey
	p.path = (*exchange).projectPath
	p.refuseID = (*exchange).refuseAppID
	p.readJSON = python.ReadJSON
	p.authorize = (*exchange).authorizeHosted
	p.scope = declaredScope

	// Surveys.
	p.surveyReadKeys, p.surveyWriteKeys = hostedSurveyKeys()
	p.extraColumns = store.HostedColumns
	p.surveyID = hostedSurveyID
	p.listSurveys = (*exchange).listHostedSurveys
	p.countResponses = (*exchange).countHostedResponses
	p.createSurvey = (*exchange).createHostedSurvey
	p.updateSurvey = (*exchange).updateHostedSurvey
	p.deleteSurvey = (*exchange).deleteHostedSurvey
	p.finds = (*exchange).findsFiltered
	p.isUnreadable = func(s *store.Survey) bool { return s.Member(store.UnreadableMember) != nil }
	p.movesIterations = func(s *store.Survey) bool { return rawjson.Unquote(s.HostedValue("schedule")) == "recurring" }
	p.beginIteration = beginIteration
	p.addInternalFlag = addHostedInternalFlag

	// The activity log.
	p.logs = true
	p.activity = (*exchange).replyActivity
	p.checkActivity = func(x *exchange) *field.Failure { _, _, f := x.activityWindow(); return f }

	// What is nested in surveys.
	p.flagKeys = hostedFlagKeys
	p.userKeys = hostedUserKeys

	// Import apps.
	p.appKeys = hostedAppKeys
	p.apps = hostedApps
	p.seesApp = seesHostedApp
	p.createApp = (*exchange).createHostedApp
	p.updateApp = (*exchange).updateHostedApp
	p.deleteApp = (*exchange).deleteHostedApp
	return p
}
