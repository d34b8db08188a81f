package testserver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// check checks the request in the service's order: first every field by itself, then, if
// all are valid, the survey as a whole.
func (w *surveyWrite) check() *field.Failure {
	if f := w.checkFields(); f != nil {
		return f
	}

	own := uuid.Nil
	if w.before != nil {
		own = w.before.ID
	}

	return field.FirstOf(
		w.checkReferences,
		func() *field.Failure { return checkRemoval(w.x.store, w.before, w.sent) },
		w.checkVariant,
		func() *field.Failure { return checkName(w.x.store, w.x.project.ID, w.sent, own) },
		w.checkRollout,
		w.checkSampling,
		w.checkShuffling,
		w.checkExternal,
		w.checkLanguages,
		w.reconcileSchedule,
		w.checkZeros,
	)
}

// checkReferences refuses ids that the project does not have; 0 counts as none.
func (w *surveyWrite) checkReferences() *field.Failure {
	st, project := w.x.store, w.x.project.ID
	hasFlag := func(id int64) bool { f := st.Flags.Get(id); return f != nil && f.Project == project }

	for _, reference := range []struct {
		name, noun string
		exists     func(int64) bool
	}{
		{"linked_flag_id", "Feature Flag", hasFlag},
		{"targeting_flag_id", "Targeting Feature Flag", hasFlag},
		{"linked_insight_id", "Insight", func(id int64) bool { i := st.Insights.Get(id); return i != nil && i.Project == project }},
	} {
		id := w.sent.Integer(reference.name)
		if id != 0 && !reference.exists(id) {
			return field.Invalid("invalid_input", "", reference.noun+" with this ID does not exist")
		}

		if reference.name == "targeting_flag_id" && id != 0 {
			if f := w.checkOwner(st.Flags.Get(id)); f != nil {
				return f
			}
		}
	}
	return nil
}

// checkOwner refuses a targeting flag that another product uses, or whose filters have
// a format that surveys do not know. The flag that the survey has already stays.
func (w *surveyWrite) checkOwner(flag *store.Flag) *field.Failure {
	if w.before != nil && w.before.Targeting == flag.ID {
		return nil
	}
	key := flag.Text(store.FlagTable, "key")
	if owner, used := flagOwners[rawjson.Unquote(flag.Member(flagUser))]; used {
		return field.Invalid("invalid_input", "", fmt.Sprintf("The feature flag %s already belongs to %s. "+
			"Pick a different flag, or edit this one where it is already used.", key, owner))
	}
	if flag.HasNewerFormat() {
		return field.Invalid("invalid_input", "", fmt.Sprintf("The feature flag %s uses a configuration format that a survey cannot use yet. "+
			"Pick a different flag.", key))
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
func (w *surveyWrite) checkZeros() *field.Failure {
	for _, name := range []string{"linked_flag_id", "targeting_flag_id", "linked_insight_id"} {
		if string(w.sent[name]) == "0" {
			return field.ServerError()
		}
	}
	return nil
}

// checkVariant checks the variant of a linked flag in the same request.
func (w *surveyWrite) checkVariant() *field.Failure {
	if !rawjson.IsObject(w.sent["conditions"]) {
		return nil
	}
	variant := rawjson.Members(w.sent["conditions"])["linkedFlagVariant"]
	linked := w.sent.Integer("linked_flag_id")

	switch {
	case !python.IsTruthy(variant):
		return nil
	case linked == 0:
		return field.Invalid("invalid_input", "", "linkedFlagVariant can only be used when a linked_flag_id is specified")
	case string(variant) == `"any"`:
		return nil
	}

	if w.x.store.Flags.Get(linked).HasNewerFormat() {
		return field.Invalid("invalid_input", "", "linkedFlagVariant cannot be used with this feature flag's configuration format")
	}

	variants := targeting.Variants(wire.Decode(w.x.store.Flags.Get(linked).Filters()))
	switch {
	case rawjson.IsString(variant) && slices.Contains(variants, rawjson.Unquote(variant)):
		return nil
	case len(variants) == 0:
		return field.Invalid("invalid_input", "", fmt.Sprintf("Feature flag variant '%s' specified but the linked feature flag has no variants", python.Inline(variant)))
	}

	return field.Invalid("invalid_input", "", fmt.Sprintf("Feature flag variant '%s' does not exist. Available variants: %s",
		python.Inline(variant), strings.Join(variants, ", ")))
}

// checkRollout refuses targeting that targets everyone.
func (w *surveyWrite) checkRollout() *field.Failure {
	filters := w.sent["targeting_flag_filters"]
	if !python.IsTruthy(filters) {
		return nil
	}

	groups := rawjson.Members(filters)["groups"]
	if !python.IsTruthy(groups) {
		return nil
	}
	if !rawjson.IsArray(groups) {
		return field.ServerError()
	}

	for _, raw := range rawjson.Items(groups) {
		if !rawjson.IsObject(raw) {
			return field.ServerError()
		}

		group := rawjson.Members(raw)
		rollout := group["rollout_percentage"]
		if n, ok := python.Number(rollout); !rawjson.IsNull(rollout) && (!ok || n != 100) {
			continue
		}

		switch properties := group["properties"]; {
		case properties != nil && !rawjson.IsArray(properties):
			return field.ServerError()
		case properties == nil, string(properties) == "[]":
			return field.Invalid("invalid_input", "", "Invalid operation: User targeting rolls out to everyone. "+
				"If you want to roll out to everyone, delete this targeting")
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
func (w *surveyWrite) checkExternal() *field.Failure {
	if rawjson.Unquote(w.sent["type"]) != "external_survey" {
		return nil
	}

	for _, name := range []string{"linked_flag_id", "targeting_flag_filters"} {
		if !rawjson.IsNull(w.sent[name]) {
			return field.Invalid("invalid_input", name, name+" is not allowed for external surveys")
		}
	}

	if python.IsTruthy(w.sent["conditions"]) {
		conditions := rawjson.Members(w.sent["conditions"])
		var found []string
		for _, name := range externalForbids {
			if !rawjson.IsNull(conditions[name]) {
				found = append(found, name)
			}
		}

		for _, name := range []string{"actions", "events"} {
			if rawjson.IsObject(conditions[name]) && python.IsTruthy(rawjson.Members(conditions[name])["values"]) {
				found = append(found, name)
			}
		}

		if found != nil {
			return field.Invalid("invalid_input", "conditions", "The following condition fields are not allowed for external surveys: "+strings.Join(found, ", "))
		}
	}

	if python.IsTruthy(w.sent["appearance"]) && !rawjson.IsNull(rawjson.Members(w.sent["appearance"])["surveyPopupDelaySeconds"]) {
		return field.Invalid("invalid_input", "appearance", "surveyPopupDelaySeconds is not allowed for external surveys")
	}
	return nil
}

// checkRecurrence refuses fewer iterations than have begun.
func (w *surveyWrite) checkRecurrence() *field.Failure {
	count := w.sent.Integer("iteration_count")
	current := w.before.Fields().Integer("current_iteration")
	if count > 0 && current > count {
		return field.Invalid("invalid_input", "", fmt.Sprintf("Cannot change survey recurrence to %d, should be at least %d", count, current))
	}
	return nil
}
