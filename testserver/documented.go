package testserver

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// documentedProfile is the profile [Documented]. Its handlers of surveys and apps are with
// the operations.
type documentedProfile struct{ shown *traits }

func newDocumentedProfile() documentedProfile {
	text := surveyKeys["conditions"]
	text.append = appendConditionsText
	null := surveyKeys["conditions"]
	null.append = appendNull[*store.Survey]

	var read, write []key[*store.Survey]
	for _, name := range surveyKeyOrder {
		switch name {
		case "targeting_flag_id":
			write = append(write, newKey(name, func(b []byte, a encoding, s *store.Survey) []byte { return appendFlagID(b, a, s.Targeting) }))
		case "targeting_flag_filters", "remove_targeting_flag":
			write = append(write, surveyKeys[name])
		case "conditions":
			read, write = append(read, text), append(write, null)
		default:
			read, write = append(read, surveyKeys[name]), append(write, surveyKeys[name])
		}
	}

	return documentedProfile{&traits{
		name:            Documented,
		surveyReadKeys:  read,
		surveyWriteKeys: write,
		appKeys:         appKeys,
		flagKeys:        flagKeys,
		userKeys:        userKeys,
	}}
}

func (p documentedProfile) traits() *traits { return p.shown }

func (documentedProfile) path(x *exchange) (string, http.Header) { return x.request.URL.Path, nil }

func (documentedProfile) refuseID(*exchange, string) *field.Failure { return field.ObjectNotFound() }

func (documentedProfile) checkActivity(*exchange) *field.Failure { return nil }

func (documentedProfile) finds(*exchange, *store.Survey) (bool, *field.Failure) { return true, nil }

func (documentedProfile) isUnreadable(*store.Survey) bool { return false }

func (documentedProfile) surveyID(id uuid.UUID) uuid.UUID { return id }

func (documentedProfile) addInternalFlag(st *store.Store, s *store.Survey, ids func() uuid.UUID) {
	addInternalFlag(st, s, ids)
}

func (documentedProfile) movesIterations(*store.Survey) bool { return true }

func (documentedProfile) beginIteration(*store.Store, *store.Survey) {}

// scope is the scope of an operation in the document, or else the one that fits
// its method.
func (documentedProfile) scope(op api.Operation) string {
	switch {
	case op.Scope != "":
		return op.Scope
	case op.Method == http.MethodGet:
		return "plugin:read"
	}
	return "plugin:write"
}
