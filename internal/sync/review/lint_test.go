package review_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

func linted(t *testing.T, name string, attributes object) source.Object {
	t.Helper()
	return source.Object{Kind: source.Survey, ID: name, Name: name, Attributes: attributes}
}

// messages returns one rule's findings.
func messages(t *testing.T, rule string, surveys ...source.Object) []string {
	t.Helper()

	var disabled []string
	for _, other := range review.Rules() {
		if other.Name != rule {
			disabled = append(disabled, other.Name)
		}
	}
	findings, err := review.Lint(surveys, review.Options{Disabled: disabled, SDKs: map[audience.SDK]string{audience.IOS: "3.78.9"}})
	require.NoError(t, err)
	var found []string
	for _, finding := range findings {
		assert.Equal(t, rule, finding.Rule)
		found = append(found, finding.Survey+": "+finding.Message)
	}
	return found
}

// TestLintNamesWhatAnSDKNeverShows checks that the finding first lists the SDKs that never show a survey, and omits
// settings that these SDKs would ignore.
func TestLintNamesWhatAnSDKNeverShows(t *testing.T) {
	t.Parallel()
	onAPage := object{"type": "popover", "conditions": object{"url": "/pricing", "urlMatchType": "exact", "actions": object{"values": []any{object{"id": 1}}}}}
	options := review.Options{SDKs: map[audience.SDK]string{audience.Web: "1.81.0", audience.ReactNative: "4.10.3", audience.IOS: "3.67.1", audience.Android: "3.40.0"}}
	findings, err := review.Lint([]source.Object{linted(t, "S", onAPage)}, options)
	require.NoError(t, err)
	var found []string
	for _, finding := range findings {
		if finding.Rule == "sdk-too-old" {
			found = append(found, finding.Message)
		}
	}
	assert.Equal(t, []string{
		"posthog-ios 3.67.1 never shows it, because it has conditions.url",
		"posthog-android 3.40.0 never shows it, because it has conditions.url",
		"posthog-js 1.81.0 ignores conditions.urlMatchType, which 1.82.0 and later support",
		"posthog-js 1.81.0 ignores conditions.actions, which 1.301.0 and later support",
	}, found)
}

func TestRulesHaveNamesInOrder(t *testing.T) {
	t.Parallel()

	var names []string
	for _, rule := range review.Rules() {
		names = append(names, rule.Name)
		assert.NotEmpty(t, rule.Description, rule.Name)
	}
	assert.Equal(t, slices.Sorted(slices.Values(names)), names)
}

func TestLintFlow(t *testing.T) {
	t.Parallel()

	to := func(index int) object { return object{"type": "specific_question", "index": index} }
	s := linted(t, "S", object{"questions": []any{
		object{"type": "open", "question": "a", "branching": to(0)}, object{"type": "open", "question": "b"},
	}})
	assert.Equal(t, []string{`S: no answer leads to questions[1] "b"`}, messages(t, "unreachable-question", s))
	assert.Equal(t, []string{"S: questions[0] can repeat, and no answer leads out of the loop"}, messages(t, "endless-loop", s))
	assert.Empty(t, messages(t, "loop", s))

	s = linted(t, "S", object{"questions": []any{
		object{"type": "single_choice", "question": "a", "choices": []any{"x", "y"}, "branching": object{"type": "response_based", "response_values": object{"0": "0", "1": "end"}}},
	}})
	assert.Equal(t, []string{"S: questions[0] can repeat: if a question is answered again, only the last answer is kept"}, messages(t, "loop", s))
	assert.Empty(t, messages(t, "endless-loop", s))
}

func TestLintUnbounded(t *testing.T) {
	t.Parallel()

	running := linted(t, "S", object{"status": "running", "type": "popover"})
	assert.Len(t, messages(t, "unbounded", running), 1)
	for _, conditions := range []object{{}, {"url": "", "actions": nil, "events": object{"values": []any{}, "repeatedActivation": false}}, {"seenSurveyWaitPeriodInDays": 7}} {
		assert.Len(t, messages(t, "unbounded", linted(t, "S", object{"status": "running", "type": "popover", "conditions": conditions})), 1, "%v", conditions)
	}
	for _, bounded := range []object{
		{"status": "draft"}, {"archived": true}, {"responses_limit": 5}, {"iteration_count": 4}, {"response_sampling_limit": 10},
		{"targeting_flag_id": 1}, {"end_date": "2030-01-01T00:00:00Z"}, {"conditions": object{"url": "/x"}},
		{"type": "widget"}, {"type": "external_survey"}, {"type": "api"},
	} {
		survey := linted(t, "S", object{"status": "running", "type": "popover"})
		maps.Copy(survey.Attributes, bounded)
		assert.Empty(t, messages(t, "unbounded", survey), "%v", bounded)
	}
}

func TestLintOverlappingSurveys(t *testing.T) {
	t.Parallel()

	on := func(name, kind string, conditions any) source.Object {
		return linted(t, name, object{"status": "running", "type": kind, "conditions": conditions})
	}
	everywhere := on("A", "popover", nil)
	assert.Len(t, messages(t, "overlapping-surveys", everywhere, on("B", "popover", nil)), 1)
	assert.Len(t, messages(t, "overlapping-surveys", on("A", "popover", object{"url": "https://x/pricing", "urlMatchType": "exact"}), on("B", "popover", object{"url": "/pricing"})), 1)
	// A cluster of similar findings is reported as one finding.
	assert.Equal(t, []string{
		`A: it may appear on the same page as "B", "C", "D" and 2 more, and none of these surveys sets conditions.seenSurveyWaitPeriodInDays`,
	}, messages(t, "overlapping-surveys", everywhere, on("B", "popover", nil), on("C", "popover", nil), on("D", "popover", nil), on("E", "popover", nil), on("F", "popover", nil)))
	page := func(path string) object { return object{"url": "https://x/" + path, "urlMatchType": "exact"} }
	assert.Equal(t, []string{
		`C: it may appear on the same page as "A", "B", and none of these surveys sets conditions.seenSurveyWaitPeriodInDays`,
	}, messages(t, "overlapping-surveys", on("A", "popover", page("a")), on("B", "popover", page("b")), on("C", "popover", nil)))
	for _, other := range []source.Object{
		on("B", "widget", nil), on("B", "popover", object{"seenSurveyWaitPeriodInDays": 7}), linted(t, "B", object{"status": "draft", "type": "popover"}),
		on("B", "popover", object{"url": "/x", "urlMatchType": "exact"}),
		linted(t, "B", object{"status": "running", "type": "popover", "targeting_flag_filters": object{"groups": []any{}}}),
	} {
		assert.Empty(t, messages(t, "overlapping-surveys", everywhere, other))
	}
	assert.Empty(t, messages(t, "overlapping-surveys",
		on("A", "popover", object{"url": "https://x/a", "urlMatchType": "exact"}), on("B", "popover", object{"url": "https://x/b", "urlMatchType": "exact"})))
}

func TestLintTranslations(t *testing.T) {
	t.Parallel()

	s := linted(t, "S", object{"questions": []any{
		object{"type": "single_choice", "question": "a", "choices": []any{"x", "y"}, "translations": object{"de": object{"question": "A", "choices": []any{"X"}}}},
		object{"type": "open", "question": "b", "description": "c", "translations": object{"fr": object{"question": "B", "description": "C"}}},
	}})
	empty := linted(t, "E", object{"questions": []any{
		object{"type": "single_choice", "question": "a", "choices": []any{"x", "y"}, "translations": object{"de": object{"question": " ", "choices": []any{"X", ""}}}},
	}})
	assert.Equal(t, []string{`E: questions[0] has no question in "de"`, `E: questions[0] has an empty choice in "de"`}, messages(t, "incomplete-translation", empty))
	assert.Equal(t, []string{
		`S: questions[0] has 2 choices, and 1 in "de"`, `S: questions[0] has no question in "fr"`, `S: questions[0] has 2 choices, and 0 in "fr"`,
		`S: questions[1] has no question in "de"`, `S: questions[1] has no description in "de"`,
	}, messages(t, "incomplete-translation", s))
}

// Every text that respondents see needs a translation, including the thank-you message.
func TestLintTranslationsOfLabelsAndOfTheEnd(t *testing.T) {
	t.Parallel()

	survey := func(displays bool) source.Object {
		return linted(t, "S", object{
			"questions":    []any{object{"type": "rating", "question": "a", "button_text": "Go", "lower_bound_label": "Bad", "translations": object{"de": object{"question": "A", "lowerBoundLabel": "Schlecht"}}}},
			"appearance":   object{"thankYouMessageHeader": "Thanks", "thankYouMessageDescription": "Bye", "displayThankYouMessage": displays},
			"translations": object{"de": object{"thankYouMessageHeader": "Danke"}, "fr": object{"thankYouMessageHeader": "Merci", "thankYouMessageDescription": "A bientôt"}},
		})
	}
	ofQuestions := []string{
		`S: questions[0] has no buttonText in "de"`, `S: questions[0] has no question in "fr"`, `S: questions[0] has no buttonText in "fr"`,
		`S: questions[0] has no lowerBoundLabel in "fr"`,
	}
	assert.Equal(t, append(ofQuestions, `S: appearance.thankYouMessageDescription is not translated into "de"`), messages(t, "incomplete-translation", survey(true)))
	assert.Equal(t, ofQuestions, messages(t, "incomplete-translation", survey(false)))
}

func TestLintInternalText(t *testing.T) {
	t.Parallel()

	s := linted(t, "S", object{"questions": []any{
		object{"type": "open", "question": "Seen on wiki.acme.internal? Ask ada@acme.com, or support@acme.com."},
		object{"type": "link", "question": "More", "link": "https://jira.corp/x", "translations": object{"de": object{"question": "Mehr von ada@acme.com"}}},
		object{"type": "open", "question": "Write to support@acme.com"},
		object{"type": "single_choice", "question": "Who?", "choices": []any{"support@acme.com", "ada@acme.com"}},
	}, "appearance": object{"thankYouMessageDescription": "See wiki.acme.internal"}, "translations": object{"de": object{"thankYouMessageHeader": "ada@acme.com dankt"}}})
	assert.Equal(t, []string{
		"S: questions[0].question contains the internal host wiki.acme.internal", "S: questions[0].question contains the e-mail address ada@acme.com",
		"S: questions[1].link contains the internal host jira.corp", "S: questions[1].translations.de.question contains the e-mail address ada@acme.com",
		"S: questions[3].choices[1] contains the e-mail address ada@acme.com",
		"S: appearance.thankYouMessageDescription contains the internal host wiki.acme.internal", "S: translations.de.thankYouMessageHeader contains the e-mail address ada@acme.com",
	}, messages(t, "internal-text", s))
}

// Surveys overlap only if one person may see both: in the same project, on the same page and device, and with
// targeting that may select the same person.
func TestLintOfSurveysThatCannotMeet(t *testing.T) {
	t.Parallel()
	shown := func(name string, conditions object, properties ...any) source.Object {
		attributes := object{"status": "running", "type": "popover", "conditions": conditions}
		if len(properties) > 0 {
			attributes["targeting_flag_filters"] = object{"groups": []any{object{"properties": properties}}}
		}
		return source.Object{Kind: source.Survey, Name: name, ParentID: "1", Attributes: attributes}
	}
	plan := func(operator string, value any) any {
		return object{"type": "person", "key": "plan", "operator": operator, "value": value}
	}
	page := func(key string, value any) object {
		return object{"url": "https://x/pricing", "urlMatchType": "exact", key: value}
	}
	elsewhere := shown("B", nil)
	elsewhere.ParentID = "2"

	for name, c := range map[string]struct {
		a, b  source.Object
		meets bool
	}{
		"two projects":           {shown("A", nil), elsewhere, false},
		"one project":            {shown("A", nil), shown("B", nil), true},
		"mobile and desktop":     {shown("A", page("deviceTypes", []any{"Mobile"})), shown("B", page("deviceTypes", []any{"Desktop"})), false},
		"mobile and both":        {shown("A", page("deviceTypes", []any{"Mobile"})), shown("B", page("deviceTypes", []any{"Desktop", "mobile"})), true},
		"mobile and not desktop": {shown("A", page("deviceTypes", []any{"Mobile"})), shown("B", object{"deviceTypes": []any{"Desktop"}, "deviceTypesMatchType": "is_not"}), true},
		"free and paid":          {shown("A", nil, plan("exact", "free")), shown("B", nil, plan("exact", []any{"paid", "team"})), false},
		"free and not free":      {shown("A", nil, plan("exact", "free")), shown("B", nil, plan("is_not", "free")), false},
		"free and free":          {shown("A", nil, plan("exact", "free")), shown("B", nil, plan("exact", "free")), true},
		"free and everybody":     {shown("A", nil, plan("exact", "free")), shown("B", nil), true},
	} {
		assert.Equal(t, c.meets, len(messages(t, "overlapping-surveys", c.a, c.b)) > 0, name)
	}
}

// Two surveys overlap if both may appear at the same time on the same page.
func TestLintOfMomentsAndPages(t *testing.T) {
	t.Parallel()
	on := func(name string, conditions object) source.Object {
		return source.Object{Kind: source.Survey, Name: name, ParentID: "1", Attributes: object{"status": "running", "type": "popover", "conditions": conditions, "linked_flag_id": conditions["flag"]}}
	}
	after := func(events ...any) object {
		values := []any{}
		for _, event := range events {
			values = append(values, object{"name": event})
		}
		return object{"events": object{"values": values}}
	}
	at := func(url string) object { return object{"url": url} }
	matching := func(url, match string) object { return object{"url": url, "urlMatchType": match} }
	variant := func(flag int, name string) object { return object{"flag": flag, "linkedFlagVariant": name} }
	cart := after("exit_intent")
	cart["url"] = "/cart"

	for name, c := range map[string]struct {
		a, b  object
		meets bool
	}{
		"two moments":                       {after("paid"), after("cancelled"), false},
		"one moment of several":             {after("paid", "cancelled"), after("cancelled"), true},
		"a moment, and every page":          {after("paid"), nil, false},
		"a moment, and a page":              {after("paid"), at("/pricing"), false},
		"a moment of a page, and that":      {cart, at("https://x.com/cart"), true},
		"a moment of a page, and another":   {cart, at("/pricing"), false},
		"an event of every page":            {after("$pageview"), nil, true},
		"an action and an event":            {object{"actions": object{"values": []any{object{"name": "paid"}}}}, after("paid"), false},
		"two paths":                         {at("/sale"), at("/profile"), false},
		"a path in a path":                  {at("/sale"), at("/sale/autumn"), true},
		"two sites":                         {at("https://www.x.com"), at("https://blog.x.com"), false},
		"a site and a path":                 {at("https://help.x.com/"), at("/budgets"), false},
		"a site without scheme and a page":  {at("www.x.com"), at("https://www.x.com/guides"), true},
		"a page of a site and its path":     {at("https://www.x.com/guides/rome"), at("/guides"), true},
		"a path and a parameter":            {at("/guides"), at("utm_source=mail"), true},
		"a pattern of a page, and others":   {matching(`^https://www\.x\.com/recipes/\d+`, "regex"), at("/checkout"), false},
		"a pattern of a page, and its path": {matching(`^https://www\.x\.com/recipes/\d+`, "regex"), at("/recipes/"), true},
		"two patterns":                      {matching(`/a|/b`, "regex"), matching(`/b|/c`, "regex"), false},
		"one pattern":                       {matching(`/a|/b`, "regex"), matching(`/a|/b`, "regex"), true},
		"a pattern of JavaScript":           {matching(`^(?!/a)`, "regex"), at("/b"), false},
		"a pattern that repeats nothing":    {matching(`^*`, "regex"), at("/b"), false},
		"all pages but some, and one":       {matching("/checkout", "not_icontains"), at("/pricing"), true},
		"all pages but others":              {matching("/checkout", "not_icontains"), matching("/a", "not_icontains"), true},
		"all pages but one":                 {matching("/checkout", "is_not"), at("/checkout"), true},
		"two variants":                      {variant(1, "test"), variant(1, "control"), false},
		"one variant":                       {variant(1, "test"), variant(1, "test"), true},
		"any variant":                       {variant(1, "any"), variant(1, "control"), true},
		"variants of two flags":             {variant(1, "test"), variant(2, "control"), true},
	} {
		assert.Equal(t, c.meets, len(messages(t, "overlapping-surveys", on("A", c.a), on("B", c.b))) > 0, name)
		assert.Equal(t, c.meets, len(messages(t, "overlapping-surveys", on("A", c.b), on("B", c.a))) > 0, "%s, in reverse order", name)
	}
}

// The SDKs use the translation fr for fr-CA. Variants of the survey's main language contain only texts that differ.
func TestLintOfVarietiesOfLanguages(t *testing.T) {
	t.Parallel()
	survey := func(base any, first, second string) source.Object {
		translated := func(language string) any {
			return object{"type": "open", "question": "a", "translations": object{language: object{"question": "b"}}}
		}
		return linted(t, "S", object{"base_language": base, "questions": []any{translated(first), translated(second)}})
	}
	assert.Empty(t, messages(t, "incomplete-translation", survey("en", "pt-BR", "pt-br")))
	assert.Equal(t, []string{`S: questions[0] has no question in "fr"`}, messages(t, "incomplete-translation", survey("en", "fr-CA", "fr")))
	assert.Len(t, messages(t, "incomplete-translation", survey("en", "de", "fr")), 2)
	assert.Equal(t, []string{`S: questions[0] has no question in "de"`}, messages(t, "incomplete-translation", survey("en", "en-GB", "de"))[:1])
	assert.Empty(t, messages(t, "incomplete-translation", linted(t, "S", object{"base_language": "en-US", "questions": []any{
		object{"type": "open", "question": "Which color?", "translations": object{"en-GB": object{"question": "Which colour?"}}}, object{"type": "open", "question": "Why?"},
	}})))
}

// Role e-mail addresses and example addresses do not count as personal data.
func TestLintOfAddresses(t *testing.T) {
	t.Parallel()
	for address, isPerson := range map[string]bool{
		"ada@acme.com": true, "ada.lovelace@acme.com": true, "research@acme.com": false, "ux-research@acme.com": false,
		"product.feedback@acme.com": false, "support+survey@acme.co.uk": false, "you@acme.com": false, "ada@example.com": false, "jane@mail.example.org": false, "Feedback@acme.com": false,
	} {
		survey := linted(t, "S", object{"questions": []any{object{"type": "open", "question": "Write to " + address + " or call"}}})
		assert.Equal(t, isPerson, len(messages(t, "internal-text", survey)) > 0, address)
	}
}

// A host or IP address is internal if it is not on a public network.
func TestLintOfInternalHosts(t *testing.T) {
	t.Parallel()
	for text, host := range map[string]string{
		"See http://localhost:3000/help":        "localhost:3000",
		"See http://localhost/help":             "localhost",
		"localhost:8080":                        "localhost:8080",
		"Open http://10.0.0.3/form":             "10.0.0.3",
		"At 192.168.1.20:8443":                  "192.168.1.20",
		"http://127.0.0.1":                      "127.0.0.1",
		"http://[fd00::1]/x":                    "[fd00::1]",
		"wiki.acme.internal.":                   "wiki.acme.internal",
		"https://app.internal-tools.com":        "",
		"https://internal.example.com":          "",
		"https://www.local.ch and lan.party.de": "",
		"Is localhost slow?":                    "",
		"http://8.8.8.8 or version 1.10.0":      "",
		"http://[2606:4700::1111]":              "",
	} {
		found := messages(t, "internal-text", source.Object{Kind: source.Survey, Name: "S", Attributes: object{"questions": []any{object{"type": "open", "question": text}}}})

		if host == "" {
			assert.Empty(t, found, text)
			continue
		}
		assert.Equal(t, []string{"S: questions[0].question contains the internal host " + host}, found, text)
	}
}

// A widget whose appearance is known only after apply may be opened.
func TestWidgetWithAnUnknownAppearance(t *testing.T) {
	t.Parallel()
	widget := linted(t, "S", object{"type": "widget", "status": "running"})
	assert.Len(t, messages(t, "never-shown", widget), 1)
	widget.Unknown = []string{"appearance"}
	assert.Empty(t, messages(t, "never-shown", widget))
}
