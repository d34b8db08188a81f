package testserver

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// idsAsWritten is a key of a survey entry in a dump: a request gave the survey ids of a type
// that no client of the service gives, and the service took them. Without it, such an id is a
// mistake in the fixtures.
const idsAsWritten = "ids_as_written"

// entryMembers are the extra members of a survey's entry in a fixtures document.
func (s *survey) entryMembers() []rawjson.Member {
	if oddID(s.values[surveyTable.index["questions"]], s.values[conditionsColumn]) == nil {
		return s.extra
	}
	return s.withMember(idsAsWritten, json.RawMessage("true")).extra
}

// checkIDs refuses a survey entry with an id of a wrong type in its questions or actions.
func checkIDs(o *strictjson.Object) {
	accepted := o.Boolean(idsAsWritten, false)
	delete(o.Fields, idsAsWritten)
	if accepted {
		return
	}
	if odd := oddID(o.Fields["questions"], o.Fields["conditions"]); odd != nil {
		o.Fail(odd.path, "must be %s, is %s", odd.want, rawjson.Kind(odd.value))
	}
}

// wrongID is an id of a wrong type.
type wrongID struct {
	path, want string
	value      json.RawMessage
}

// oddID finds an id of a wrong type; nil for none. The ids of questions are strings, those of
// actions integers, and either may be absent.
func oddID(questions, conditions json.RawMessage) *wrongID {
	for i, question := range itemsOf(questions) {
		if id := rawjson.Lookup(question, "id"); !rawjson.IsNull(id) && !rawjson.IsString(id) {
			return &wrongID{fmt.Sprintf("questions[%d].id", i), "a string", id}
		}
	}

	for i, action := range itemsOf(rawjson.Lookup(rawjson.Lookup(conditions, "actions"), "values")) {
		id := rawjson.Lookup(action, "id")
		if _, err := strconv.ParseInt(string(id), 10, 64); err != nil && !rawjson.IsNull(id) {
			return &wrongID{fmt.Sprintf("conditions.actions.values[%d].id", i), "an integer", id}
		}
	}
	return nil
}

// itemsOf are the items of an array, none of another value.
func itemsOf(raw json.RawMessage) iter.Seq2[int, json.RawMessage] {
	if !rawjson.IsArray(raw) {
		return func(func(int, json.RawMessage) bool) {}
	}
	return rawjson.Items(raw)
}
