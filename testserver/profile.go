package testserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Profile is a variant of the interface.
type Profile string

const (
	// Documented is the interface exactly as its document describes it, or like the hosted
	// service where the document says nothing. It is the default.
	Documented Profile = "documented"
	// Hosted is the interface of the hosted service, with everything that it checks,
	// cleans, computes and hides.
	Hosted Profile = "hosted"
)

// profile is what the profiles differ in.
type profile struct {
	name Profile
	// marks are where the profile has the fields of a survey.
	marks func(store.SurveyField) string

	// neighbours is set when routes besides the documented interface are served.
	neighbours bool
	// delivers is set when surveys are served to SDKs.
	delivers bool
	// checks is set when surveys are checked, cleaned and computed as the service does; otherwise
	// they are stored as they are sent.
	checks bool
	// filters is set when lists are filtered by further parameters, logs when there is an activity
	// log.
	filters, logs bool
	// installs is set when apps are installed from their address, and an organization sees those
	// that import data, and global ones.
	installs bool
	// isClosed is set when operations that declare no scope, and methods that a path lacks, are
	// closed to API keys.
	isClosed bool
	// breaks is set when requests that fail in the code of the service fail, with an id.
	breaks bool

	// readKeys are the keys of a survey in responses to list and retrieve, writeKeys in those to
	// create and update; request are the fields of requests.
	readKeys, writeKeys []key[*store.Survey]
	request             *wire.Table
	// appKeys, flagKeys and userKeys are the keys of apps, and of nested flags and users.
	appKeys  []key[*store.App]
	flagKeys []key[*store.Flag]
	userKeys []key[*store.User]
}

// newProfile finds a profile; the empty name means [Documented].
func newProfile(name Profile) (*profile, error) {
	p := &profile{name: Documented, marks: func(f store.SurveyField) string { return f.Documented }, appKeys: appKeys, flagKeys: flagKeys, userKeys: userKeys}
	switch name {
	case "", Documented:
	case Hosted:
		p = &profile{
			name: Hosted, marks: func(f store.SurveyField) string { return f.Hosted },
			neighbours: true, delivers: true, checks: true, filters: true, logs: true, installs: true, isClosed: true, breaks: true,
			appKeys: hostedAppKeys, flagKeys: hostedFlagKeys, userKeys: hostedUserKeys,
		}
	default:
		return nil, fmt.Errorf("profile %q does not exist; this server has the profiles %q and %q", name, Documented, Hosted)
	}

	p.request = store.SurveyColumns(func(f store.SurveyField) bool { return strings.Contains(p.marks(f), "q") })
	for _, f := range store.SurveyFields {
		if strings.Contains(p.marks(f), "r") {
			p.readKeys = append(p.readKeys, p.surveyKey(f, true))
		}
		if strings.Contains(p.marks(f), "w") {
			p.writeKeys = append(p.writeKeys, p.surveyKey(f, false))
		}
	}
	return p, nil
}

// scope is the scope that an API key needs for an operation; empty when no key may call it.
func (p *profile) scope(op api.Operation) string {
	switch {
	case op.Scope != "" || p.isClosed:
		return op.Scope
	case op.Method == http.MethodGet:
		return "plugin:read"
	}
	return "plugin:write"
}

// service is the service with a store, which the caller has locked.
func (p *profile) service(st *store.Store, ids func() uuid.UUID) service.Service {
	return service.Service{Store: st, IDs: ids, Checks: p.checks}
}

func (c *contents) service() service.Service { return c.profile.service(c.store, c.ids) }

func (l *loader) service() service.Service { return l.profile.service(l.store, l.ids) }

// isHidden reports whether an extra member of an object is left out of responses: fields of
// the hosted service have their own keys in the hosted profile, and none in the documented
// one. A member that the contract does not know comes from a newer service and is shown.
func isHidden(schema, name string) bool { return slices.Contains(hostedFields[schema], name) }

// hostedFields are the fields that only the hosted service has, by schema, including those
// that no response shows.
var hostedFields = func() map[string][]string {
	fields := map[string][]string{}
	for _, schema := range []string{"Survey", "SurveyRequest", "FeatureFlag", "User", "PipelineImportApp"} {
		fields[schema] = api.HostedFields(schema)
	}
	fields["Survey"] = append(fields["Survey"], store.SamplingFlagMember, store.ActionsClearedMember, store.UnreadableMember)
	fields["FeatureFlag"] = append(fields["FeatureFlag"], flagOnlyMembers...)
	return fields
}()
