package testserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// check reads the request and checks it in the service's order: first every field by itself, then,
// if all are valid, the survey as a whole. Where the profile does not check, only what would
// break the store is refused.
func (w *surveyWrite) check() *wire.Failure {
	if f := w.checkFields(); f != nil {
		return f
	}
	if !w.x.profile.checks {
		return wire.FirstOf(w.checkReferences, w.checkRemoval, w.checkName)
	}
	return wire.FirstOf(
		w.checkReferences, w.checkRemoval, w.checkVariant, w.checkName, w.checkRollout, w.checkSampling,
		w.checkShuffling, w.checkExternal, w.checkLanguages, w.reconcileSchedule, w.checkZeros,
		func() *wire.Failure { return w.x.checkFlagWrite(w.before, w.sent) },
	)
}

// refused is an error in the survey, or in one of its fields.
func refused(attr, format string, args ...any) *wire.Failure {
	return wire.Invalid("invalid_input", attr, fmt.Sprintf(format, args...))
}

// checkFields checks the request field by field, and returns the first error.
func (w *surveyWrite) checkFields() *wire.Failure {
	var f *wire.Failure
	if w.body, f = w.x.parse(); f != nil {
		return f
	}
	how := wire.Reading{Creating: w.before == nil || w.x.request.Method == http.MethodPut, Verbatim: !w.x.profile.checks}
	if w.x.profile.checks {
		how.Refine = w.refine
	}
	w.sent, f = w.x.profile.request.Read(w.body, how)
	return f
}

// refine checks single fields beyond their types. It may change what is stored.
func (w *surveyWrite) refine(c wire.Column, v wire.Value) (wire.Value, *wire.Failure) {
	switch c.Name {
	case "schedule":
		if !v.IsNull() && !slices.Contains([]string{"once", "recurring", "always"}, v.Text()) {
			return v, refused("schedule", "Schedule must be one of: once, recurring, always")
		}
	case "enable_iframe_embedding":
		if v.IsNull() {
			// The field accepts null, its column does not.
			return v, wire.ServerError()
		}
	case "conditions":
		if !v.IsNull() && !v.IsObject() {
			return v, refused("conditions", "Conditions must be an object")
		}
	case "questions":
		return w.checkQuestions(v)
	case "appearance":
		return w.checkAppearance(v)
	case "base_language":
		return checkBaseLanguage(v)
	case "translations":
		return w.checkTranslations(v)
	}
	return v, nil
}

// flagIDs are the fields by which a request links flags, with the service's nouns for the
// flags.
var flagIDs = []struct{ name, noun string }{
	{"linked_flag_id", "Feature Flag"}, {"targeting_flag_id", "Targeting Feature Flag"},
}

// checkReferences refuses ids that the project does not have. To the service, 0 counts as none.
func (w *surveyWrite) checkReferences() *wire.Failure {
	st, project := w.x.store, w.x.project.ID
	for _, reference := range flagIDs {
		id := w.sent[reference.name]
		if id.IsNull() || id.Is("0") && w.x.profile.checks {
			continue
		}
		found := st.Flags.Get(id.Integer())
		if found == nil || found.Project != project {
			return refused("", "%s with this ID does not exist", reference.noun)
		}
		if reference.name == "targeting_flag_id" && w.x.profile.checks {
			if f := w.checkOwner(found); f != nil {
				return f
			}
		}
	}
	if id := w.sent["linked_insight_id"].Integer(); id != 0 {
		if i := st.Insights.Get(id); i == nil || i.Project != project {
			return refused("", "Insight with this ID does not exist")
		}
	}
	return nil
}

// checkRemoval refuses a request that links the flag that it also removes.
func (w *surveyWrite) checkRemoval() *wire.Failure {
	if w.before == nil || w.x.store.Flags.Get(w.before.Targeting) == nil || !w.sent["remove_targeting_flag"].IsTruthy() {
		return nil
	}
	for _, reference := range flagIDs {
		if id := w.sent[reference.name]; !id.IsNull() && id.Integer() == w.before.Targeting {
			return refused("", "%s with this ID does not exist", reference.noun)
		}
	}
	return nil
}

// checkName refuses a name that another survey of the project has.
func (w *surveyWrite) checkName() *wire.Failure {
	name, sent := w.sent["name"]
	if !sent {
		return nil
	}
	holder := w.x.store.SurveyNamed(w.x.project.ID, name.Text())
	switch {
	case holder == nil, w.before != nil && holder.ID == w.before.ID:
		return nil
	case w.before == nil:
		return wire.Invalid("unique", "", "There is already a survey with this name.")
	}
	return wire.Invalid("unique", "", "There is already another survey with this name.")
}

// checkOwner refuses a targeting flag that another product uses, or whose filters have
// a format that surveys do not know. The flag that the survey has already stays.
func (w *surveyWrite) checkOwner(flag *store.Flag) *wire.Failure {
	if w.before != nil && w.before.Targeting == flag.ID {
		return nil
	}
	key := flag.Text(store.FlagTable, "key")
	if owner, used := flagOwners[rawjson.Unquote(flag.Member(flagUser))]; used {
		return refused("", "The feature flag %s already belongs to %s. "+
			"Pick a different flag, or edit this one where it is already used.", key, owner)
	}
	if flag.HasNewerFormat() {
		return refused("", "The feature flag %s uses a configuration format that a survey cannot use yet. "+
			"Pick a different flag.", key)
	}
	return nil
}

// flagUser is the key of a flag in fixtures that says which product uses it, flagOwners
// what the service calls those products. Another survey is no other product.
const flagUser = "used_by"

var flagOwners = map[string]string{
	"experiment": "an experiment", "product_tour": "a product tour", "early_access_feature": "an early access feature",
}

// checkZeros fails for the id 0, which counts as none until it is stored.
func (w *surveyWrite) checkZeros() *wire.Failure {
	for _, name := range []string{"linked_flag_id", "targeting_flag_id", "linked_insight_id"} {
		if w.sent[name].Is("0") {
			return wire.ServerError()
		}
	}
	return nil
}

// checkVariant checks the variant of a linked flag in the same request.
func (w *surveyWrite) checkVariant() *wire.Failure {
	variant := w.sent["conditions"].Get("linkedFlagVariant")
	linked := w.x.store.Flags.Get(w.sent["linked_flag_id"].Integer())
	switch {
	case !variant.IsTruthy():
		return nil
	case linked == nil:
		return refused("", "linkedFlagVariant can only be used when a linked_flag_id is specified")
	case variant.Is(`"any"`):
		return nil
	case linked.HasNewerFormat():
		return refused("", "linkedFlagVariant cannot be used with this feature flag's configuration format")
	}

	variants := targeting.Variants(wire.Decode(linked.Filters()))
	switch {
	case variant.IsText() && slices.Contains(variants, variant.Text()):
		return nil
	case len(variants) == 0:
		return refused("", "Feature flag variant '%s' specified but the linked feature flag has no variants", variant)
	}
	return refused("", "Feature flag variant '%s' does not exist. Available variants: %s", variant, strings.Join(variants, ", "))
}

// checkRollout refuses targeting that targets everyone.
func (w *surveyWrite) checkRollout() *wire.Failure {
	groups := w.sent["targeting_flag_filters"].Get("groups")
	if groups.IsTruthy() && !groups.IsArray() {
		return wire.ServerError()
	}
	for _, group := range groups.Items() {
		if !group.IsObject() {
			return wire.ServerError()
		}
		rollout := group.Get("rollout_percentage")
		if n, ok := rollout.Number(); !rollout.IsNull() && (!ok || n != 100) {
			continue
		}
		switch properties := group.Get("properties"); {
		case !properties.IsAbsent() && !properties.IsArray():
			return wire.ServerError()
		case len(properties.Items()) == 0:
			return refused("", "Invalid operation: User targeting rolls out to everyone. "+
				"If you want to roll out to everyone, delete this targeting")
		}
	}
	return nil
}

// checkShuffling refuses branching among questions that are shuffled, with what is
// stored standing in for what was not sent.
func (w *surveyWrite) checkShuffling() *wire.Failure {
	shuffled, questions := w.sent["appearance"].Get("shuffleQuestions"), w.sent["questions"]
	if w.before != nil {
		if shuffled.IsAbsent() {
			shuffled = wire.Decode(w.before.Value("appearance")).Get("shuffleQuestions")
		}
		if questions.IsNull() {
			questions = wire.Decode(w.before.Value("questions"))
		}
	}
	if !shuffled.IsTruthy() {
		return nil
	}
	for _, question := range questions.Items() {
		if !question.Get("branching").IsNull() {
			return refused("", "Question shuffling and question branching cannot be used together. Please disable one of these features.")
		}
	}
	return nil
}

// externalForbids are the conditions that an external survey cannot have.
var externalForbids = []string{
	"url", "urlMatchType", "selector", "seenSurveyWaitPeriodInDays", "linkedFlagVariant", "deviceTypes", "deviceTypesMatchType",
}

// checkExternal refuses what an external survey cannot have, when the request says
// that it is one.
func (w *surveyWrite) checkExternal() *wire.Failure {
	if w.sent["type"].Text() != "external_survey" {
		return nil
	}
	for _, name := range []string{"linked_flag_id", "targeting_flag_filters"} {
		if !w.sent.IsNull(name) {
			return refused(name, "%s is not allowed for external surveys", name)
		}
	}

	conditions := w.sent["conditions"]
	var found []string
	for _, name := range externalForbids {
		if !conditions.Get(name).IsNull() {
			found = append(found, name)
		}
	}
	for _, name := range []string{"actions", "events"} {
		if conditions.Get(name).Get("values").IsTruthy() {
			found = append(found, name)
		}
	}
	if found != nil {
		return refused("conditions", "The following condition fields are not allowed for external surveys: %s", strings.Join(found, ", "))
	}
	if !w.sent["appearance"].Get("surveyPopupDelaySeconds").IsNull() {
		return refused("appearance", "surveyPopupDelaySeconds is not allowed for external surveys")
	}
	return nil
}

// checkRecurrence refuses fewer iterations than have begun.
func (w *surveyWrite) checkRecurrence() *wire.Failure {
	count, current := w.sent["iteration_count"].Integer(), w.before.Fields().Integer("current_iteration")
	if w.x.profile.checks && count > 0 && current > count {
		return refused("", "Cannot change survey recurrence to %d, should be at least %d", count, current)
	}
	return nil
}

// appearanceTexts are the texts of an appearance that are cleaned.
var appearanceTexts = []string{
	"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText",
	"introScreenHeader", "introScreenDescription", "introScreenButtonText",
}

// checkAppearance checks the few keys that the service checks, and cleans the texts.
func (w *surveyWrite) checkAppearance(appearance wire.Value) (wire.Value, *wire.Failure) {
	kind, delay, white := appearance.Get("thankYouMessageDescriptionContentType"), appearance.Get("surveyPopupDelaySeconds"), appearance.Get("whiteLabel")
	seconds, isNumber := delay.Number()
	switch {
	case appearance.IsNull():
		return appearance, nil
	case !appearance.IsObject():
		return appearance, refused("appearance", "Appearance must be an object")
	case kind.IsTruthy() && !isContentType(kind):
		return appearance, refused("appearance", "thankYouMessageDescriptionContentType must be one of ['text', 'html']")
	case delay.IsTruthy() && !isNumber:
		return appearance, wire.ServerError()
	case seconds < 0:
		return appearance, refused("appearance", "Survey popup delay seconds must be a positive integer")
	case !white.IsNull() && white.Type() != "bool":
		return appearance, refused("appearance", "whiteLabel must be a boolean")
	case white.IsTruthy() && !w.x.organization.Has(FeatureWhiteLabelling):
		return appearance, refused("appearance", "You need to upgrade to PostHog Enterprise to use white labelling")
	}
	return cleanNamed(appearance, appearanceTexts), nil
}

func isContentType(v wire.Value) bool { return v.Is(`"text"`) || v.Is(`"html"`) }
