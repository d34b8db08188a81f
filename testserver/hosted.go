package testserver

// hosted is the profile [Hosted]. What it does otherwise than the documented one is
// in the files hosted_*.go.
func hosted() *profile {
	p := documented()
	p.name, p.neighbours, p.forms, p.options, p.errorEvents = Hosted, true, true, true, true
	p.surveyRead, p.surveyWrite = hostedSurveyKeys()
	p.flag, p.user = hostedFlagKeys, hostedUserKeys
	p.listSurveys, p.countResponses = (*exchange).listHostedSurveys, (*exchange).countHostedResponses
	p.deleteSurvey, p.activity, p.logs = (*exchange).deleteHostedSurvey, (*exchange).replyActivity, true
	p.createSurvey, p.updateSurvey = (*exchange).createHostedSurvey, (*exchange).updateHostedSurvey
	p.breaksReading = func(s *survey) bool { return s.member(unreadableMember) != nil }
	p.beginIteration = (*store).beginIteration
	p.surveyID = hostedSurveyID
	p.more, p.addInternalFlag = hostedColumns, (*store).addHostedInternalFlag
	p.admit, p.scope = (*exchange).admitHosted, hostedScope
	p.app, p.apps, p.seesApp = hostedAppKeys, hostedApps, hostedSees
	p.createApp, p.updateApp, p.deleteApp = (*exchange).createHostedApp, (*exchange).updateHostedApp, (*exchange).deleteHostedApp
	return p
}
