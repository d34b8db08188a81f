package testserver

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// serveFeed responds with the surveys that apps of the project show. A token that no project has
// gets none.
func serveFeed(x *exchange) (response, *field.Failure) {
	return x.withObject(rawjson.Pairs{{Name: "surveys", Value: x.feed()}}), nil
}

// feed are the surveys that apps of the project show.
func (x *exchange) feed() json.RawMessage {
	p := x.delivery.project
	if p == nil {
		return json.RawMessage("[]")
	}
	var feed json.RawMessage
	feed, x.delivery.offered = x.encoding().feed(p)
	return feed
}

// feed are the surveys that apps of a project show, in the order in which SDKs choose among them.
func (e encoding) feed(p *store.Project) (feed json.RawMessage, shown []*store.Survey) {
	for _, s := range e.store.SurveysOf(p.ID).Items {
		if isDelivered(s) {
			shown = append(shown, s)
		}
	}
	slices.SortFunc(shown, func(a, b *store.Survey) int {
		return cmp.Or(dateOf(a, "start_date").Compare(dateOf(b, "start_date")),
			dateOf(a, "created_at").Compare(dateOf(b, "created_at")), slices.Compare(a.ID[:], b.ID[:]))
	})

	delivered := make([]json.RawMessage, len(shown))
	for i, s := range shown {
		delivered[i] = deliveredSurvey(e, s).JSON()
	}
	return rawjson.Array(delivered), shown
}

// isDelivered reports whether apps get a survey: one that was launched, even for a date to come,
// and not stopped. External ones have a page of their own.
func isDelivered(s *store.Survey) bool {
	return s.IsRunning() && s.Text(store.SurveyTable, "type") != string(api.ExternalSurvey)
}

func dateOf(s *store.Survey, name string) time.Time {
	at, _ := field.ParseTimestamp(s.Text(store.SurveyTable, name))
	return at
}

// configHeader is that of the remote config; the service lets browsers keep it for a while.
var configHeader = http.Header{"Cache-Control": {"public, max-age=300"}, "Vary": {"Origin, Referer"}}

// scriptHeader is that of the remote config as a script. Unlike requests of the SDK for the
// config, those of a script tag have the same address each time: a browser that kept it would
// not notice for minutes what was applied.
var scriptHeader = http.Header{"Cache-Control": {"no-cache"}, "Vary": {"Origin, Referer"}}

// serveConfig responds with what an SDK has to know before it asks for anything else.
func serveConfig(x *exchange) (response, *field.Failure) {
	if x.delivery.project == nil {
		return *plainText(http.StatusNotFound, "Not Found"), nil
	}
	reply := x.withObject(x.remoteConfig())
	reply.header = configHeader
	return reply, nil
}

// serveConfigScript is the remote config for a script tag.
func serveConfigScript(x *exchange) (response, *field.Failure) {
	if x.delivery.project == nil {
		return *plainText(http.StatusNotFound, "Not Found"), nil
	}
	reply := x.encode(http.StatusOK, func(b []byte) []byte {
		b = append(b, "(function() {\n  window._POSTHOG_REMOTE_CONFIG = window._POSTHOG_REMOTE_CONFIG || {};\n  window._POSTHOG_REMOTE_CONFIG['"...)
		b = append(append(b, x.delivery.sentToken...), "'] = {\n    config: "...)
		b = append(b, x.remoteConfig().JSON()...)
		return append(b, ",\n    siteApps: []\n  }\n})();\n"...)
	})
	reply.contentType, reply.header = []string{"application/javascript"}, scriptHeader
	return reply, nil
}

// remoteConfig switches off all that this server has no part in. Clicks are captured, as in any
// project that has not opted out: an action that shows a survey may be one.
func (x *exchange) remoteConfig() rawjson.Pairs {
	p := x.delivery.project
	surveys := x.feed()
	if p.SurveysOptIn != nil && !*p.SurveysOptIn || string(surveys) == "[]" {
		surveys, x.delivery.offered = rawjson.Boolean(false), nil
	}
	hasFlags := false
	for f := range x.store.Flags.Each() {
		hasFlags = hasFlags || f.Project == p.ID
	}

	no := rawjson.Boolean(false)
	return rawjson.Pairs{
		{Name: "supportedCompression", Value: json.RawMessage(`["gzip","gzip-js"]`)},
		{Name: "hasFeatureFlags", Value: rawjson.Boolean(hasFlags)},
		{Name: "captureDeadClicks", Value: no},
		{Name: "capturePerformance", Value: no},
		{Name: "autocapture_opt_out", Value: no},
		{Name: "autocaptureExceptions", Value: no},
		{Name: "analytics", Value: json.RawMessage(`{"endpoint":"/i/v0/e/"}`)},
		{Name: "elementsChainAsString", Value: rawjson.Boolean(true)},
		{Name: "sessionRecording", Value: no},
		{Name: "heatmaps", Value: no},
		{Name: "surveys", Value: surveys},
		{Name: "defaultIdentifiedOnly", Value: rawjson.Boolean(true)},
	}
}

var (
	// deliveredTexts are the texts of a translated survey that apps get, deliveredAction the keys
	// of an action.
	deliveredTexts  = []string{"name", "thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}
	deliveredAction = []string{"id", "name", "steps"}
)

// deliveredSurvey is a survey as apps get it.
func deliveredSurvey(a encoding, s *store.Survey) rawjson.Pairs {
	shown := rawjson.Pairs{
		{Name: "id", Value: rawjson.Quote(s.ID.String())},
		{Name: "name", Value: s.HostedValue("name")},
		{Name: "type", Value: s.HostedValue("type")},
	}
	for _, flag := range []struct {
		name string
		id   int64
	}{{"linked_flag_key", s.Linked}, {"targeting_flag_key", s.Targeting}, {"internal_targeting_flag_key", s.Internal}} {
		if found := a.store.Flags.Get(flag.id); found != nil {
			shown = append(shown, rawjson.Member{Name: flag.name, Value: found.Values[store.FlagTable.Index["key"]]})
		}
	}

	base := languageCode(rawjson.Unquote(s.HostedValue("base_language")))
	shown = append(shown,
		rawjson.Member{Name: "questions", Value: deliveredQuestions(cleaned(s, "questions", readQuestions), base)},
		rawjson.Member{Name: "conditions", Value: deliveredConditions(a, s)},
		rawjson.Member{Name: "appearance", Value: cleaned(s, "appearance", readAppearance)},
	)
	for _, name := range []string{"start_date", "end_date", "current_iteration", "current_iteration_start_date", "schedule", "enable_partial_responses"} {
		shown = append(shown, rawjson.Member{Name: name, Value: s.HostedValue(name)})
	}

	texts := deliveredLanguages(cleaned(s, "translations", readTranslations), base)
	for i := range texts {
		texts[i].Value = only(texts[i].Value, deliveredTexts)
	}
	if len(texts) > 0 {
		shown = append(shown, rawjson.Member{Name: "translations", Value: texts.JSON()})
	}
	return shown
}

// cleaned is a field with its texts cleaned. What was stored by the hosted service has been
// cleaned already.
func cleaned(s *store.Survey, name string, clean func(json.RawMessage) json.RawMessage) json.RawMessage {
	if value, ok := s.Cleaned[name]; ok {
		return value
	}
	stored := s.HostedValue(name)
	if !mayReadOtherwise(stored) {
		return stored
	}
	return clean(stored)
}

// deliveredQuestions are questions without what only the web interface needs.
func deliveredQuestions(questions json.RawMessage, base string) json.RawMessage {
	if !rawjson.IsArray(questions) {
		return questions
	}
	return rawjson.MapItems(questions, func(item json.RawMessage) json.RawMessage {
		if !rawjson.IsObject(item) {
			return item
		}
		question := rawjson.PairsOf(item).Without("isNpsQuestion")
		if question.Get("translations") != nil {
			texts := deliveredLanguages(question.Get("translations"), base)
			question = question.With("translations", texts.JSON())
		}
		return question.JSON()
	})
}

// deliveredLanguages are translations by languages in the form in which SDKs compare them,
// without what is none: a word, or the language of the survey itself. Of two for one language the
// first counts.
func deliveredLanguages(translations json.RawMessage, base string) rawjson.Pairs {
	if !rawjson.IsObject(translations) {
		return nil
	}
	kept := rawjson.Pairs{}
	taken := map[string]bool{base: true}
	for _, m := range rawjson.PairsOf(translations) {
		code := languageCode(m.Name)
		if taken[code] || slices.Contains(languageWords, code) || !languageForm.MatchString(code) || !rawjson.IsObject(m.Value) {
			continue
		}
		taken[code] = true
		kept = append(kept, rawjson.Member{Name: code, Value: m.Value})
	}
	return kept
}

// deliveredConditions are conditions with the actions of the project, as far as SDKs match them.
func deliveredConditions(a encoding, s *store.Survey) json.RawMessage {
	if rawjson.IsString(s.HostedValue("conditions")) {
		return conditionsOf(s)
	}

	shown := json.RawMessage(appendConditions(nil, a, s))
	actions := rawjson.Lookup(shown, "actions")
	if !rawjson.IsObject(actions) {
		return shown
	}
	values := rawjson.MapItems(rawjson.Lookup(actions, "values"), func(action json.RawMessage) json.RawMessage {
		return only(action, deliveredAction)
	})
	return rawjson.PairsOf(shown).With("actions", rawjson.Pairs{{Name: "values", Value: values}}.JSON()).JSON()
}

// conditionsOf are the conditions of a survey as an object, null for none: the documented
// interface takes them as a text.
func conditionsOf(s *store.Survey) json.RawMessage {
	stored := s.HostedValue("conditions")
	if rawjson.IsString(stored) {
		text, err := rawjson.Compact([]byte(rawjson.Unquote(stored)))
		if err == nil {
			stored = text
		}
	}
	if !rawjson.IsObject(stored) {
		return json.RawMessage("null")
	}
	return stored
}

// only is an object with some of its members.
func only(object json.RawMessage, names []string) json.RawMessage {
	kept := rawjson.Pairs{}
	for _, m := range rawjson.PairsOf(object) {
		if slices.Contains(names, m.Name) {
			kept = append(kept, m)
		}
	}
	return kept.JSON()
}
