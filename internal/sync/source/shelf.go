package source

import (
	"encoding/json"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// shelf contains all of a survey's values except those that identify it. Decoded values need ten times as
// much memory as their JSON.
type shelf struct {
	Attributes any
	Unknown    []string
	Response   *api.Survey
}

// secretKey is the only key of an object that represents a secret on a shelf. No attribute has this name.
const secretKey = "\x00secret"

// Shelved returns a survey whose attributes and response stay encoded until Whole is called, so that
// thousands of surveys fit into memory. It returns import apps and surveys from hand-written files
// unchanged.
func (o Object) Shelved() Object {
	if o.Kind != Survey || o.Stated != nil {
		return o
	}
	attributes := jsonvalue.Rewrite(o.Attributes, func(_ string, value any) (any, bool) {
		if secret, ok := value.(Secret); ok {
			return map[string]any{secretKey: []any{secret.number, secret.value}}, true
		}
		return value, false
	})
	text, err := json.Marshal(shelf{attributes, o.Unknown, o.SurveyResponse})
	if err != nil {
		return o
	}
	return Object{
		Kind: o.Kind, ID: o.ID, Name: o.Name, ParentID: o.ParentID, Address: o.Address, Service: o.Service,
		Attributes: map[string]any{"name": o.Attributes["name"]}, shelved: text,
	}
}

// Whole returns the object with decoded attributes and response.
func (o Object) Whole() Object {
	if o.shelved == nil {
		return o
	}
	var s shelf
	if err := jsonvalue.Unmarshal(o.shelved, &s); err != nil {
		panic(fmt.Sprintf("could not decode the encoded value: %v", err))
	}
	o.Attributes, _ = jsonvalue.Rewrite(s.Attributes, func(_ string, value any) (any, bool) {
		object, _ := value.(map[string]any)
		hidden, ok := object[secretKey].([]any)
		if !ok {
			return value, false
		}
		var number int
		_, _ = fmt.Sscan(fmt.Sprint(hidden[0]), &number) // encoded by Shelved
		return Secret{number, hidden[1]}, true
	}).(map[string]any)
	o.Unknown, o.SurveyResponse, o.shelved = s.Unknown, s.Response, nil
	return o
}
