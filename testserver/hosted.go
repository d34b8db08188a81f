package testserver

import (
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// hosted is the profile [Hosted]. What it does otherwise than the documented one is
// in the files hosted_*.go.
func hosted() *profile {
	p := documented()
	p.name, p.neighbours, p.forms, p.options = Hosted, true, true, true
	p.errorEvents, p.breaksAtLimit = true, true
	p.surveyRead, p.surveyWrite = hostedSurveyKeys()
	p.flag, p.user = hostedFlagKeys, hostedUserKeys
	p.listSurveys, p.countResponses = (*exchange).listHostedSurveys, (*exchange).countHostedResponses
	p.deleteSurvey, p.activity, p.logs = (*exchange).deleteHostedSurvey, (*exchange).replyActivity, true
	p.createSurvey, p.updateSurvey = (*exchange).createHostedSurvey, (*exchange).updateHostedSurvey
	p.breaksReading = func(s *survey) bool { return s.member(unreadableMember) != nil }
	p.iterates = func(s *survey) bool { return rawjson.Unquote(s.hostedValue("schedule")) == "recurring" }
	p.beginIteration = (*store).beginIteration
	p.readJSON = readPythonJSON
	p.surveyID = hostedSurveyID
	p.more, p.addInternalFlag = hostedColumns, (*store).addHostedInternalFlag
	p.checkActivity = func(x *exchange) *failure { _, _, f := x.activityWindow(); return f }
	p.path, p.misfitID, p.finds = (*exchange).projectPath, (*exchange).misfitAppID, (*exchange).findsFiltered
	p.admit, p.scope = (*exchange).admitHosted, hostedScope
	p.app, p.apps, p.seesApp = hostedAppKeys, hostedApps, hostedSees
	p.createApp, p.updateApp, p.deleteApp = (*exchange).createHostedApp, (*exchange).updateHostedApp, (*exchange).deleteHostedApp
	return p
}
