package service

import (
	"net/http"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// check reads the request and checks it in PostHog's order. It first checks every field. If all are valid,
// it checks the survey as a whole. In a profile without checks, it refuses only what would break the
// store.
func (w *Write) check() *wire.Failure {
	body, f := w.read()
	if f != nil {
		return f
	}
	w.base = body.Get("base_language")
	if f := w.checkFields(body); f != nil {
		return f
	}
	if !w.Checks {
		return wire.FirstFailure(w.checkReferences, w.checkRemoval, w.checkName, w.checkFlagWrite)
	}
	return wire.FirstFailure(
		w.checkReferences, w.checkRemoval, w.checkVariant, w.checkName, w.checkRollout, w.checkSampling,
		w.checkShuffling, w.checkExternal, w.checkLanguages, w.reconcileSchedule, w.checkZeros, w.checkFlagWrite,
	)
}

// checkFields checks each field of the request, and returns the first error.
func (w *Write) checkFields(body wire.Value) *wire.Failure {
	var f *wire.Failure
	reading := wire.Reading{Creating: w.Before == nil || w.Request.Method == http.MethodPut, Verbatim: !w.Checks}
	if w.Checks {
		reading.Refine = w.refine
	}
	w.Sent, f = w.request.Read(body, reading)
	return f
}

// refine checks single fields beyond their types. It may change the value to store.
func (w *Write) refine(c wire.Column, v wire.Value) (wire.Value, *wire.Failure) {
	switch c.Name {
	case "schedule":
		if !v.IsNull() && !slices.Contains([]string{"once", "recurring", "always"}, v.Text()) {
			return v, wire.Refusal("schedule", "Schedule must be one of: once, recurring, always")
		}
	case "enable_iframe_embedding":
		if v.IsNull() {
			// The API accepts null for this field, but the database column does not.
			return v, wire.ServerError()
		}
	case "conditions":
		if !v.IsNull() && !v.IsObject() {
			return v, wire.Refusal("conditions", "Conditions must be an object")
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

// flagIDs are the request fields that link flags, with PostHog's nouns for the flags.
var flagIDs = []struct{ name, noun string }{
	{"linked_flag_id", "Feature Flag"}, {"targeting_flag_id", "Targeting Feature Flag"},
}

// checkReferences refuses IDs that the project does not contain. PostHog treats 0 like no ID.
func (w *Write) checkReferences() *wire.Failure {
	st, project := w.Store, w.project.ID
	for _, reference := range flagIDs {
		id := w.Sent[reference.name]
		if id.IsNull() || id.Is("0") && w.Checks {
			continue
		}
		flag := st.Flags.Get(id.Integer())
		if flag == nil || flag.Project != project {
			return wire.Refusal("", "%s with this ID does not exist", reference.noun)
		}
		if reference.name == "targeting_flag_id" && w.Checks {
			if f := w.checkOwner(flag); f != nil {
				return f
			}
		}
	}
	if id := w.Sent["linked_insight_id"].Integer(); id != 0 {
		if i := st.Insights.Get(id); i == nil || i.Project != project {
			return wire.Refusal("", "Insight with this ID does not exist")
		}
	}
	return nil
}

// checkRemoval refuses a request that both links and removes the same flag.
func (w *Write) checkRemoval() *wire.Failure {
	if w.Before == nil || w.Store.Flags.Get(w.Before.Targeting) == nil || !w.Sent["remove_targeting_flag"].IsTruthy() {
		return nil
	}
	for _, reference := range flagIDs {
		if id := w.Sent[reference.name]; !id.IsNull() && id.Integer() == w.Before.Targeting {
			return wire.Refusal("", "%s with this ID does not exist", reference.noun)
		}
	}
	return nil
}

// checkName refuses a name that another survey of the project uses.
func (w *Write) checkName() *wire.Failure {
	name, isSent := w.Sent["name"]
	if !isSent {
		return nil
	}
	holder := w.Store.SurveyByName(w.project.ID, name.Text())
	switch {
	case holder == nil, w.Before != nil && holder.ID == w.Before.ID:
		return nil
	case w.Before == nil:
		return wire.Invalid("unique", "", "There is already a survey with this name.")
	}
	return wire.Invalid("unique", "", "There is already another survey with this name.")
}

// checkOwner refuses a targeting flag that another product uses, or whose filters have a format that
// surveys don't support. It accepts the survey's current flag.
func (w *Write) checkOwner(flag *store.Flag) *wire.Failure {
	if w.Before != nil && w.Before.Targeting == flag.ID {
		return nil
	}
	key := flag.Text(store.FlagTable, "key")
	if owner, used := flagOwners[flag.Member(FlagUser).Text()]; used {
		return wire.Refusal("", "The feature flag %s already belongs to %s. "+
			"Pick a different flag, or edit this one where it is already used.", key, owner)
	}
	if flag.HasNewerFormat() {
		return wire.Refusal("", "The feature flag %s uses a configuration format that a survey cannot use yet. "+
			"Pick a different flag.", key)
	}
	return nil
}

// FlagUser is the key of a flag entry that identifies the product that uses the flag. flagOwners maps its
// values to PostHog's names. Other surveys don't count as another product.
const FlagUser = "used_by"

var flagOwners = map[string]string{
	"experiment": "an experiment", "product_tour": "a product tour", "early_access_feature": "an early access feature",
}

// checkZeros fails for the ID 0. PostHog treats it like no ID until it stores the survey, and then fails.
func (w *Write) checkZeros() *wire.Failure {
	for _, name := range []string{"linked_flag_id", "targeting_flag_id", "linked_insight_id"} {
		if w.Sent[name].Is("0") {
			return wire.ServerError()
		}
	}
	return nil
}

// checkVariant checks the variant of a flag that the same request links.
func (w *Write) checkVariant() *wire.Failure {
	variant := w.Sent["conditions"].Get("linkedFlagVariant")
	linked := w.Store.Flags.Get(w.Sent["linked_flag_id"].Integer())
	switch {
	case !variant.IsTruthy():
		return nil
	case linked == nil:
		return wire.Refusal("", "linkedFlagVariant can only be used when a linked_flag_id is specified")
	case variant.Is(`"any"`):
		return nil
	case linked.HasNewerFormat():
		return wire.Refusal("", "linkedFlagVariant cannot be used with this feature flag's configuration format")
	}

	variants := targeting.Variants(linked.Filters())
	switch {
	case variant.IsText() && slices.Contains(variants, variant.Text()):
		return nil
	case len(variants) == 0:
		return wire.Refusal("", "Feature flag variant '%s' specified but the linked feature flag has no variants", variant)
	}
	return wire.Refusal("", "Feature flag variant '%s' does not exist. Available variants: %s", variant, strings.Join(variants, ", "))
}

// checkRollout refuses targeting that matches everyone.
func (w *Write) checkRollout() *wire.Failure {
	groups := w.Sent["targeting_flag_filters"].Get("groups")
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
			return wire.Refusal("", "Invalid operation: User targeting rolls out to everyone. "+
				"If you want to roll out to everyone, delete this targeting")
		}
	}
	return nil
}

// checkShuffling refuses branching in a survey with shuffled questions. For fields that the request omits,
// it uses the stored values.
func (w *Write) checkShuffling() *wire.Failure {
	shuffled, questions := w.Sent["appearance"].Get("shuffleQuestions"), w.Sent["questions"]
	if w.Before != nil {
		if shuffled.IsAbsent() {
			shuffled = w.Before.Value("appearance").Get("shuffleQuestions")
		}
		if questions.IsNull() {
			questions = w.Before.Value("questions")
		}
	}
	if !shuffled.IsTruthy() {
		return nil
	}
	for _, question := range questions.Items() {
		if !question.Get("branching").IsNull() {
			return wire.Refusal("", "Question shuffling and question branching cannot be used together. Please disable one of these features.")
		}
	}
	return nil
}

// externalForbids are the conditions that an external survey must not contain.
var externalForbids = []string{
	"url", "urlMatchType", "selector", "seenSurveyWaitPeriodInDays", "linkedFlagVariant", "deviceTypes", "deviceTypesMatchType",
}

// checkExternal refuses fields that an external survey must not contain, if the request sets this type.
func (w *Write) checkExternal() *wire.Failure {
	if w.Sent["type"].Text() != "external_survey" {
		return nil
	}
	for _, name := range []string{"linked_flag_id", "targeting_flag_filters"} {
		if !w.Sent[name].IsNull() {
			return wire.Refusal(name, "%s is not allowed for external surveys", name)
		}
	}

	conditions := w.Sent["conditions"]
	var names []string
	for _, name := range externalForbids {
		if !conditions.Get(name).IsNull() {
			names = append(names, name)
		}
	}
	for _, name := range []string{"actions", "events"} {
		if conditions.Get(name).Get("values").IsTruthy() {
			names = append(names, name)
		}
	}
	if names != nil {
		return wire.Refusal("conditions", "The following condition fields are not allowed for external surveys: %s", strings.Join(names, ", "))
	}
	if !w.Sent["appearance"].Get("surveyPopupDelaySeconds").IsNull() {
		return wire.Refusal("appearance", "surveyPopupDelaySeconds is not allowed for external surveys")
	}
	return nil
}

// checkRecurrence refuses an iteration count below the current iteration.
func (w *Write) checkRecurrence() *wire.Failure {
	count, current := w.Sent["iteration_count"].Integer(), w.Before.Fields()["current_iteration"].Integer()
	if w.Checks && count > 0 && current > count {
		return wire.Refusal("", "Cannot change survey recurrence to %d, should be at least %d", count, current)
	}
	return nil
}

// appearanceTexts are the texts in appearance that PostHog cleans.
var appearanceTexts = []string{
	"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText",
	"introScreenHeader", "introScreenDescription", "introScreenButtonText",
}

// checkAppearance checks the few keys that PostHog checks, and cleans the texts.
func (w *Write) checkAppearance(appearance wire.Value) (wire.Value, *wire.Failure) {
	kind, delay, white := appearance.Get("thankYouMessageDescriptionContentType"), appearance.Get("surveyPopupDelaySeconds"), appearance.Get("whiteLabel")
	seconds, isNumber := delay.Number()
	switch {
	case appearance.IsNull():
		return appearance, nil
	case !appearance.IsObject():
		return appearance, wire.Refusal("appearance", "Appearance must be an object")
	case kind.IsTruthy() && !isContentType(kind):
		return appearance, wire.Refusal("appearance", "thankYouMessageDescriptionContentType must be one of ['text', 'html']")
	case delay.IsTruthy() && !isNumber:
		return appearance, wire.ServerError()
	case seconds < 0:
		return appearance, wire.Refusal("appearance", "Survey popup delay seconds must be a positive integer")
	case !white.IsNull() && white.Type() != "bool":
		return appearance, wire.Refusal("appearance", "whiteLabel must be a boolean")
	case white.IsTruthy() && !w.organization.Has(FeatureWhiteLabelling):
		return appearance, wire.Refusal("appearance", "You need to upgrade to PostHog Enterprise to use white labelling")
	}
	return cleanMembers(appearance, appearanceTexts), nil
}

func isContentType(v wire.Value) bool { return v.Is(`"text"`) || v.Is(`"html"`) }
