package reconcile

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// readOnly contains attributes that sync cannot write, because PostHog derives them from other attributes,
// or because they always differ between two projects.
var readOnly = map[string]bool{
	"id": true, "project_id": true, "organization_id": true, "organization_name": true, "created_at": true, "created_by": true,
	"user_access_level": true, "feature_flag_keys": true, "internal_targeting_flag": true,
	"linked_flag": true, "targeting_flag": true,
	// PostHog derives the status from the dates.
	"status": true,
	// PostHog counts iterations, and computes their dates and the sampling limits.
	"iteration_start_dates": true, "current_iteration": true, "current_iteration_start_date": true, "response_sampling_daily_limits": true,
	"latest_tag": true, "hog_function_migration_available": true,
}

// isReadOnly reports whether an object's attribute cannot be written. A survey's url is the link to its
// page, so it is read-only. An import app's url is the location of its source, which can be written.
func isReadOnly(kind source.Kind, name string) bool {
	return readOnly[name] || kind == source.Survey && (name == "url" || name == "public_url")
}

// flags maps attributes that contain a feature flag's ID to attributes that contain the whole flag. The
// flag's ID is valid only in its own project, but its key can be used in any project.
var flags = map[string]string{"linked_flag_id": "linked_flag", "targeting_flag_id": "targeting_flag"}

// Attributes returns the values in which two objects differ, sorted by attribute. It ignores attributes
// that are unknown in one source or empty in both.
func Attributes(a, b source.Object) []Attribute {
	a, b = a.Whole(), b.Whole()
	d := differ{replacedA: a.Replaced, replacedB: b.Replaced, sameObject: sameID(a, b) || a.Stated != nil || b.Stated != nil, isStated: a.Stated != nil || b.Stated != nil}
	for _, name := range jsonvalue.Keys(a.Attributes, b.Attributes) {
		isStated := name == "status" && (statesStatus(a) || statesStatus(b))
		if isReadOnly(a.Kind, name) && !isStated || slices.Contains(a.Unknown, name) || slices.Contains(b.Unknown, name) {
			continue
		}

		valueA, valueB := a.Attributes[name], b.Attributes[name]
		switch {
		case jsonvalue.IsEmpty(valueA) && jsonvalue.IsEmpty(valueB):
		case flags[name] != "":
			d.values(name, referencedFlag(a, name, b), referencedFlag(b, name, a))
		case name == "questions":
			d.questions(valueA, valueB)
		case name == "targeting_flag_filters":
			d.values(name, survey.MeaningOfFilters(valueA), survey.MeaningOfFilters(valueB))
		case name == "conditions":
			d.values(name, withActions(valueA, d.sameObject), withActions(valueB, d.sameObject))
		default:
			d.values(name, valueA, valueB)
		}
	}
	return d.found
}

// statesStatus reports whether a survey comes from a file that sets its status.
func statesStatus(o source.Object) bool { return o.Stated != nil && o.Stated.Status != "" }

// referencedFlag returns the key of the flag that an attribute references by ID. It returns the ID if
// one of the sources does not show the key.
func referencedFlag(o source.Object, name string, counterpart source.Object) any {
	key, isKnown := flagKey(o, name)
	if _, otherKnown := flagKey(counterpart, name); isKnown && otherKnown {
		return key
	}
	return o.Attributes[name]
}

// flagKey returns the key of a flag, or nil if the attribute does not reference a flag. ok is false if
// PostHog does not show the key.
func flagKey(o source.Object, name string) (any, bool) {
	if o.Attributes[name] == nil {
		return nil, true
	}
	flag, ok := o.Attributes[flags[name]].(map[string]any)
	return flag["key"], ok && flag["key"] != nil
}

// UnnamedFlags returns the IDs of a survey's feature flags whose keys are unknown, by the attribute that
// should contain the flag.
func UnnamedFlags(survey source.Object) map[string]string {
	ids := map[string]string{}
	for name, holder := range flags {
		if _, isKnown := flagKey(survey, name); !isKnown {
			ids[holder] = jsonvalue.String(source.Plain(survey.Attributes[name]))
		}
	}
	return ids
}

// withActions replaces each linked action in conditions with its ID or its name, because an action's other
// fields do not belong to the survey. byID is set if IDs are valid in both sources.
func withActions(conditions any, byID bool) any {
	if source.IsSecret(conditions) {
		return source.Hidden(withActions(source.Plain(conditions), byID))
	}

	fields, _ := conditions.(map[string]any)
	actions, _ := fields["actions"].(map[string]any)
	values, ok := actions["values"].([]any)
	if !ok {
		return conditions
	}

	reduced := make([]any, len(values))
	for i, value := range values {
		reduced[i] = value
		action, _ := value.(map[string]any)
		switch {
		case byID && action["id"] != nil:
			reduced[i] = action["id"]
		case action["name"] != nil:
			reduced[i] = action["name"]
		}
	}
	fields = maps.Clone(fields)
	fields["actions"] = reduced
	if len(reduced) == 0 {
		delete(fields, "actions")
	}
	return fields
}

// differ collects the differences between two objects.
type differ struct {
	// sameObject is set if A and B contain the same PostHog object, so that IDs are comparable.
	sameObject bool
	// isStated is set if one object comes from a file, which may contain new IDs.
	isStated bool
	// replacedA and replacedB are [source.Object.Replaced] of A and B.
	replacedA, replacedB identity.ReplacedIDs
	found                []Attribute
}

// values compares two values at a path.
func (d *differ) values(path string, a, b any) {
	jsonvalue.Diff(a, b, func(location jsonvalue.Path, a, b any) {
		switch {
		case jsonvalue.Equal(source.Plain(a), source.Plain(b)):
		case source.IsSecret(a) || source.IsSecret(b):
			// The other secret may be an older version of the same value.
			d.found = append(d.found, Attribute{Path: location.Below(path), A: source.Hidden(a), B: source.Hidden(b)})
		default:
			d.found = append(d.found, Attribute{Path: location.Below(path), A: a, B: b})
		}
	})
}

// questions compares lists of questions. It pairs them the same way as the provider. Paths contain
// positions in A, or positions in B for questions that only B contains.
func (d *differ) questions(a, b any) {
	listA, _ := a.([]any)
	listB, _ := b.([]any)
	desired, live := decodeQuestions(listA), decodeQuestions(listB)

	matched := map[int]bool{}
	for i, pair := range identity.Compare(d.replacedB.Undo(live), d.replacedA.Undo(desired)) {
		path := fmt.Sprintf("questions[%d]", i)
		if pair.Index < 0 {
			d.found = append(d.found, Attribute{Path: path, A: listA[i]})
			continue
		}

		matched[pair.Index] = true
		if id, now := desired[i].ID, live[pair.Index].ID; d.sameObject && id != "" && id != now {
			textA, textB := shownTexts(listA[i], listB[pair.Index])
			d.found = append(d.found, Attribute{Path: path + ".id", A: id, B: now, Meaning: identity.DetachedAnswers, Detached: &identity.Detached{
				Position: pair.Index, Text: textB, ID: now, OldID: id, OldText: textA, IsPossible: !pair.IsCertain && now != "",
			}})
		}
		if pair.Index != i {
			d.found = append(d.found, Attribute{Path: path + ".position", A: i, B: pair.Index})
		}
		d.fields(path, withoutID(listA[i]), withoutID(listB[pair.Index]))
	}

	for i := range listB {
		if !matched[i] {
			d.found = append(d.found, Attribute{Path: fmt.Sprintf("questions[%d]", i), B: listB[i]})
		}
	}
}

// shownTexts returns the texts of two questions. Both are empty if one text must not be printed.
func shownTexts(a, b any) (textA, textB string) {
	fieldsA, _ := a.(map[string]any)
	fieldsB, _ := b.(map[string]any)
	valueA, valueB := fieldsA["question"], fieldsB["question"]
	if source.IsSecret(valueA) || source.IsSecret(valueB) {
		valueA, valueB = source.Hidden(valueA), source.Hidden(valueB)
	}
	return fmt.Sprint(valueA), fmt.Sprint(valueB)
}

// fields compares two questions field by field. Fields that are empty in both sources are equal.
func (d *differ) fields(path string, a, b map[string]any) {
	for _, name := range jsonvalue.Keys(a, b) {
		if !jsonvalue.IsEmpty(a[name]) || !jsonvalue.IsEmpty(b[name]) {
			d.values(path+"."+name, a[name], b[name])
		}
	}
}

// withoutID returns a question without its ID. IDs are used only to pair questions.
func withoutID(question any) map[string]any {
	fields, _ := question.(map[string]any)
	fields = maps.Clone(fields)
	delete(fields, "id")
	return fields
}

// decodeQuestions returns the values that are used to pair questions, including secret texts.
func decodeQuestions(list []any) []identity.Question {
	plain, _ := source.Plain(list).([]any)
	return identity.NewQuestions(plain)
}

// Fingerprint hashes an object's writable attributes. Before each write, the run compares the current
// fingerprint with the planned one.
//
// If an object contains secret values, its fingerprint is stable only within one process. Reports print
// fingerprints. If they were stable, readers could guess the secret by trial and error.
func Fingerprint(o source.Object) string {
	attributes := maps.Clone(o.Whole().Attributes)
	for name, value := range attributes {
		if isReadOnly(o.Kind, name) || jsonvalue.IsEmpty(value) {
			delete(attributes, name)
		}
	}
	if conditions, ok := attributes["conditions"]; ok {
		attributes["conditions"] = withActions(conditions, true)
	}

	// Values from JSON can always be encoded, and their keys are sorted.
	text, _ := json.Marshal(map[string]any{"kind": o.Kind, "id": o.ID, "attributes": withDigests(attributes)})
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// withDigests replaces each secret in a value with a digest. All secrets print as the same text, so
// without digests, objects with different secrets would have equal fingerprints.
func withDigests(value any) any {
	return jsonvalue.Rewrite(value, func(_ string, value any) (any, bool) {
		if source.IsSecret(value) {
			return map[string]string{"secret": digest(source.Plain(value))}, true
		}
		return value, false
	})
}

// digestKey is the key for all digests in this process.
var digestKey = sync.OnceValue(func() []byte {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // never fails
	return key
})

func digest(secret any) string {
	text, _ := json.Marshal(secret) // decoded from JSON
	mac := hmac.New(sha256.New, digestKey())
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil))
}
