package testserver

import (
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Profile names a way to speak the interface.
type Profile string

// Documented is the interface exactly as its document describes it; where that is
// silent, the hosted service decides. It is the default.
const Documented Profile = "documented"

// profile is everything that differs between the profiles; what is not here is
// the same in all of them.
type profile struct {
	name Profile
	// hosted says whether fields that only the hosted service has are in answers.
	hosted bool
	// surveyRead are the keys of a survey in list and retrieve answers, surveyWrite
	// in create and update answers, both in the order of the wire.
	surveyRead, surveyWrite []key[*survey]
	// app are the keys of an import app in all answers.
	app []key[*app]
	// scope is what an API key needs for an operation.
	scope func(api.Operation) string
}

// profileNamed finds a profile; the empty name means [Documented].
func profileNamed(name Profile) (*profile, error) {
	switch name {
	case "", Documented:
		return documented(), nil
	}
	return nil, fmt.Errorf("profile %q does not exist; this server has the profile %q", name, Documented)
}

func documented() *profile {
	text := surveyKeys["conditions"]
	text.append = appendConditionsText
	null := surveyKeys["conditions"]
	null.append = appendNull[*survey]
	var read, write []key[*survey]
	for _, name := range surveyKeyOrder {
		switch name {
		case "targeting_flag_id", "targeting_flag_filters", "remove_targeting_flag":
			write = append(write, surveyKeys[name])
		case "conditions":
			read, write = append(read, text), append(write, null)
		default:
			read, write = append(read, surveyKeys[name]), append(write, surveyKeys[name])
		}
	}
	return &profile{
		name:        Documented,
		surveyRead:  read,
		surveyWrite: write,
		app:         appKeys,
		scope:       documentedScope,
	}
}

// documentedScope gives the operations that the document leaves without a scope
// the one that fits their method.
func documentedScope(op api.Operation) string {
	switch {
	case op.Scope != "":
		return op.Scope
	case op.Method == "GET":
		return "plugin:read"
	}
	return "plugin:write"
}

// hides says whether a key of a schema is left out of answers. A key that the
// contract does not know comes from a newer service and is shown.
func (p *profile) hides(schema, name string) bool {
	return !p.hosted && slices.Contains(hostedFields[schema], name)
}

// hostedFields are the fields that only the hosted service has, by schema.
var hostedFields = func() map[string][]string {
	fields := map[string][]string{}
	for _, schema := range []string{"Survey", "SurveyRequest", "FeatureFlag", "User", "PipelineImportApp"} {
		fields[schema] = api.HostedFields(schema)
	}
	return fields
}()
