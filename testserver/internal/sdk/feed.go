package sdk

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// serveFeed responds with the surveys that apps of the project show. For an unknown token, the list is
// empty.
func serveFeed(x *Call) (wire.Response, *wire.Failure) {
	return respond([]wire.Member{{Name: "surveys", Value: wire.NewArray(x.feed()...)}})
}

// respond returns a response with a JSON object.
func respond(object []wire.Member) (wire.Response, *wire.Failure) {
	return wire.JSONResponse(http.StatusOK, wire.NewObject(object...)), nil
}

// feed returns the surveys that apps of the project show, in the order in which SDKs select one.
func (x *Call) feed() []wire.Value {
	feed := []wire.Value{}
	if x.project == nil {
		return feed
	}
	var surveys []*store.Survey
	for _, s := range x.Store.Surveys(x.project.ID).Items {
		if isDelivered(s) {
			surveys = append(surveys, s)
		}
	}
	slices.SortFunc(surveys, compareInFeed)
	x.Found.Offered, x.Found.Hiding = map[string]string{}, map[string]string{}
	for _, s := range surveys {
		feed = append(feed, wire.NewObject(deliveredSurvey(x.Store, s)...))
		x.Found.Offered[s.ID.String()] = s.Name
		if hidings := shownByConditions(s, deliveredConditions(x.Store, s)).HidesAll(); len(hidings) > 0 {
			x.Found.Hiding[s.ID.String()] = hidings[0].Attribute + "." + hidings[0].String()
		}
	}
	return feed
}

// isDelivered reports whether apps receive a survey. They receive surveys that were launched and not
// stopped, even if the start date is in the future. They don't receive external surveys, which have
// their own page.
func isDelivered(s *store.Survey) bool {
	return s.IsRunning() && s.Text(store.SurveyTable, "type") != string(api.ExternalSurvey)
}

// compareInFeed orders surveys as in the feed.
func compareInFeed(a, b *store.Survey) int {
	return cmp.Or(surveyDate(a, "start_date").Compare(surveyDate(b, "start_date")),
		surveyDate(a, "created_at").Compare(surveyDate(b, "created_at")), slices.Compare(a.ID[:], b.ID[:]))
}

func surveyDate(s *store.Survey, name string) time.Time {
	date, _ := wire.ParseTimestamp(s.Text(store.SurveyTable, name))
	return date
}

// configHeader is the header of the remote config. As in PostHog, browsers may cache the config.
var configHeader = http.Header{"Cache-Control": {"public, max-age=300"}, "Vary": {"Origin, Referer"}}

// scriptHeader is the header of the remote config as a script. A script tag always requests the same URL, unlike the
// SDK's own request. With a cached script, a browser would not see the effect of an apply for minutes.
var scriptHeader = http.Header{"Cache-Control": {"no-cache"}, "Vary": {"Origin, Referer"}}

// serveConfig responds with the remote config, which an SDK requests first.
func serveConfig(x *Call) (wire.Response, *wire.Failure) {
	if x.project == nil {
		return *plainText(http.StatusNotFound, "Not Found"), nil
	}
	reply, f := respond(x.remoteConfig())
	reply.Header = configHeader
	return reply, f
}

// serveConfigScript responds with the remote config for a script tag.
func serveConfigScript(x *Call) (wire.Response, *wire.Failure) {
	if x.project == nil {
		return *plainText(http.StatusNotFound, "Not Found"), nil
	}
	script := fmt.Sprintf("(function() {\n  window._POSTHOG_REMOTE_CONFIG = window._POSTHOG_REMOTE_CONFIG || {};\n"+
		"  window._POSTHOG_REMOTE_CONFIG['%s'] = {\n    config: %s,\n    siteApps: []\n  }\n})();\n", x.SentToken, wire.NewObject(x.remoteConfig()...))
	return wire.Response{Status: http.StatusOK, ContentType: "application/javascript", Header: scriptHeader, Body: []byte(script)}, nil
}

// remoteConfig turns off everything that this server does not implement. Autocapture of clicks is on, as
// in any project that has not opted out, because a click can be an action that shows a survey.
func (x *Call) remoteConfig() []wire.Member {
	p, feed := x.project, x.feed()
	surveys := wire.NewArray(feed...)
	if p.SurveysOptIn != nil && !*p.SurveysOptIn || len(feed) == 0 {
		surveys, x.Found.Offered, x.Found.Hiding = wire.NewBool(false), nil, nil
	}
	hasFlags := false
	for f := range x.Store.Flags.Each() {
		hasFlags = hasFlags || f.Project == p.ID
	}

	no := wire.NewBool(false)
	return []wire.Member{
		{Name: "supportedCompression", Value: wire.NewArray(wire.NewText("gzip"), wire.NewText("gzip-js"))},
		{Name: "hasFeatureFlags", Value: wire.NewBool(hasFlags)},
		{Name: "captureDeadClicks", Value: no},
		{Name: "capturePerformance", Value: no},
		{Name: "autocapture_opt_out", Value: no},
		{Name: "autocaptureExceptions", Value: no},
		{Name: "analytics", Value: wire.NewObject(wire.Member{Name: "endpoint", Value: wire.NewText("/i/v0/e/")})},
		{Name: "elementsChainAsString", Value: wire.NewBool(true)},
		{Name: "sessionRecording", Value: no},
		{Name: "heatmaps", Value: no},
		{Name: "surveys", Value: surveys},
		{Name: "defaultIdentifiedOnly", Value: wire.NewBool(true)},
	}
}

var (
	// deliveredTexts are the texts of a survey translation that apps receive. deliveredAction are the
	// keys of an action that they receive.
	deliveredTexts  = []string{"name", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}
	deliveredAction = []string{"id", "name", "steps"}
)

// deliveredSurvey returns a survey in the form that apps receive.
func deliveredSurvey(st *store.Store, s *store.Survey) []wire.Member {
	members := []wire.Member{
		{Name: "id", Value: wire.NewText(s.ID.String())},
		{Name: "name", Value: s.Value("name")},
		{Name: "type", Value: s.Value("type")},
	}
	for _, flag := range []struct {
		name string
		id   int64
	}{{"linked_flag_key", s.Linked}, {"targeting_flag_key", s.Targeting}, {"internal_targeting_flag_key", s.Internal}} {
		if linked := st.Flags.Get(flag.id); linked != nil {
			members = append(members, wire.Member{Name: flag.name, Value: linked.Value("key")})
		}
	}

	base := service.LanguageCode(s.Value("base_language").Text())
	members = append(members,
		wire.Member{Name: "questions", Value: deliveredQuestions(service.CleanField(s, "questions"), base)},
		wire.Member{Name: "conditions", Value: deliveredConditions(st, s)},
		wire.Member{Name: "appearance", Value: service.CleanField(s, "appearance")},
	)
	for _, name := range []string{"start_date", "end_date", "current_iteration", "current_iteration_start_date", "schedule", "enable_partial_responses"} {
		members = append(members, wire.Member{Name: name, Value: s.Value(name)})
	}

	texts := deliveredLanguages(service.CleanField(s, "translations"), base)
	for i, m := range texts {
		texts[i].Value = service.Only(m.Value, deliveredTexts)
	}
	if len(texts) > 0 {
		members = append(members, wire.Member{Name: "translations", Value: wire.NewObject(texts...)})
	}
	return members
}

// deliveredQuestions returns questions without the members that only PostHog's web app uses.
func deliveredQuestions(questions wire.Value, base string) wire.Value {
	if !questions.IsArray() {
		return questions
	}
	items := questions.Items()
	for i, question := range items {
		if !question.IsObject() {
			continue
		}
		items[i] = question.Without("isNpsQuestion")
		if texts := question.Get("translations"); !texts.IsAbsent() {
			items[i] = items[i].With("translations", wire.NewObject(deliveredLanguages(texts, base)...))
		}
	}
	return wire.NewArray(items...)
}

// deliveredLanguages returns translations by language code, in the form that SDKs compare. It omits invalid
// codes and the survey's own language. If two translations have the same code, it keeps the first.
func deliveredLanguages(translations wire.Value, base string) []wire.Member {
	var result []wire.Member
	usedCodes := map[string]bool{base: true}
	for _, m := range translations.Members() {
		code := service.LanguageCode(m.Name)
		if usedCodes[code] || !service.IsLanguage(code) || !m.IsObject() {
			continue
		}
		usedCodes[code] = true
		result = append(result, wire.Member{Name: code, Value: m.Value})
	}
	return result
}

// deliveredConditions returns the conditions of a survey. It reduces their actions to the keys that SDKs
// use.
func deliveredConditions(st *store.Store, s *store.Survey) wire.Value {
	result := service.WithActions(st, s, service.Conditions(s))
	actions := result.Get("actions")
	if !actions.IsObject() {
		return result
	}
	values := actions.Get("values").Items()
	for i, action := range values {
		values[i] = service.Only(action, deliveredAction)
	}
	return result.With("actions", wire.NewObject(wire.Member{Name: "values", Value: wire.NewArray(values...)}))
}
