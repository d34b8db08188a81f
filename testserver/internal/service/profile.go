package service

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// The names of the profiles.
const (
	Documented = "documented"
	Hosted     = "hosted"
)

// Profile is what the profiles differ in.
type Profile struct {
	Name string
	// marks are where the profile has the fields of a survey; request are those of requests.
	marks   func(store.SurveyField) string
	request *wire.Table

	// Neighbours is set when routes besides the documented interface are served, and surveys to SDKs.
	Neighbours bool
	// Checks is set when surveys are checked, cleaned and computed as the service does; otherwise
	// they are stored as they are sent.
	Checks bool
	// Filters is set when lists are filtered by further parameters, Logs when there is an activity
	// log.
	Filters, Logs bool
	// Installs is set when apps are installed from their address, and an organization sees those
	// that import data, and global ones.
	Installs bool
	// IsClosed is set when operations that declare no scope, and methods that a path lacks, are
	// closed to API keys.
	IsClosed bool
	// Breaks is set when requests that fail in the code of the service fail, with an id.
	Breaks bool
}

// ProfileNamed finds a profile; the empty name means [Documented].
func ProfileNamed(name string) (*Profile, error) {
	p := &Profile{Name: Documented, marks: func(f store.SurveyField) string { return f.Documented }}
	switch name {
	case "", Documented:
	case Hosted:
		p = &Profile{
			Name: Hosted, marks: func(f store.SurveyField) string { return f.Hosted },
			Neighbours: true, Checks: true, Filters: true, Logs: true, Installs: true, IsClosed: true, Breaks: true,
		}
	default:
		return nil, fmt.Errorf("profile %q does not exist; this server has the profiles %q and %q", name, Documented, Hosted)
	}
	p.request = store.SurveyColumns(func(f store.SurveyField) bool { return strings.Contains(p.marks(f), "q") })
	return p, nil
}

// scope is the scope that an API key needs for an operation; empty when no key may call it.
func (p *Profile) scope(op api.Operation) string {
	switch {
	case op.Scope != "" || p.IsClosed:
		return op.Scope
	case op.Method == http.MethodGet:
		return "plugin:read"
	}
	return "plugin:write"
}
