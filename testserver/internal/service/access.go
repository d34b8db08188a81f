package service

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// caller contains the user and key of a request, and the project or organization that it addresses.
type caller struct {
	user         *store.User
	key          *store.Key
	project      *store.Project
	organization *store.Organization
}

// Authorize checks the caller in PostHog's order: the key, whether the operation is open to keys, the
// project or organization and the limits of the key, its scope, membership, the plugins_access_level,
// and rate limits. The method of the path is checked later.
func (x *Call) Authorize() *wire.Failure {
	if f := x.authenticate(); f != nil {
		f.Challenge = `Bearer resource_metadata="` + siteURL(x.Request) + `/.well-known/oauth-protected-resource"`
		return f
	}
	if x.Operation != nil && x.Operation.Neighbour && x.Operation.needs == "" {
		// Any key may read its own data.
		return x.checkThrottle()
	}
	needs := x.requiredScope()
	if needs == "" && x.IsClosed {
		return wire.Forbidden("This action does not support personal API key access")
	}
	return wire.FirstFailure(
		x.resolveScope,
		func() *wire.Failure { return x.checkScope(needs) },
		x.checkMember, x.checkLevel, x.checkThrottle,
	)
}

// Bearer returns the key in the Authorization header, or "" if there is none.
func Bearer(r *http.Request) string {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer")
	key := strings.TrimLeft(token, " \t")
	if !ok || key == token {
		return ""
	}
	return strings.TrimSpace(key)
}

// authenticate finds the key and its user.
func (x *Call) authenticate() *wire.Failure {
	token := Bearer(x.Request)
	if token == "" {
		return wire.Unauthenticated("not_authenticated", "Authentication credentials were not provided.")
	}
	x.key, x.user = x.findKey(token)
	if x.user == nil || !x.user.Active {
		return wire.StatusFailure(http.StatusUnauthorized)
	}
	return nil
}

// requiredScope returns the scope that a request needs on a route. For a method that the route does not support, it
// returns the scope that PostHog checks before it refuses the method.
func (x *Call) requiredScope() string {
	r := x.Route
	if x.Operation != nil {
		return x.Operation.needs
	}
	if !x.IsClosed {
		return ""
	}
	method, last := x.Request.Method, r.segments[len(r.segments)-1]
	detail := slices.Contains(r.segments, "{id}")
	standard := last == "{id}" || !detail && len(r.segments) == 4
	switch {
	case !standard && declaredScope(r) != "":
		return declaredScope(r)
	case method == http.MethodPatch && !detail, method == http.MethodPut && last == "{id}":
		return scopeObject(r) + ":write"
	}
	return ""
}

// scopeObject returns the part of a route's scopes before the colon.
func scopeObject(r *Route) string {
	for _, noun := range []string{"pipeline_import_apps", "feature_flags", "surveys"} {
		if slices.Contains(r.segments, noun) {
			return map[string]string{"pipeline_import_apps": "plugin", "feature_flags": "feature_flag", "surveys": "survey"}[noun]
		}
	}
	if r.segments[1] == "projects" {
		return "project"
	}
	return "user"
}

// declaredScope returns the scope that a non-standard operation declares for its path, regardless of the method.
func declaredScope(r *Route) string {
	for _, e := range r.Methods {
		return e.needs
	}
	return ""
}

// checkScope checks that the key has a scope. An empty scope is always allowed.
func (c *caller) checkScope(scope string) *wire.Failure {
	if scope != "" && !c.key.May(scope) {
		return wire.Forbidden("API key missing required scope '" + scope + "'")
	}
	return nil
}

// resolveScope finds the project or organization in the path, and checks it against the limits of the
// key.
func (x *Call) resolveScope() *wire.Failure {
	switch {
	case x.Route.Has("{project_id}"):
		return x.resolveProject(x.Store, x.Values["project_id"])
	case x.Route.Has("{organization_id}"):
		return x.resolveOrganization(x.Store, x.Values["organization_id"])
	}
	return nil
}

func (c *caller) resolveProject(st *store.Store, id string) *wire.Failure {
	if id == "@current" {
		id = st.CurrentProject(c.user)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
	if c.project = st.Projects.Get(n); err != nil || c.project == nil {
		return wire.NotFound("Project not found.")
	}
	if len(c.key.Projects) > 0 && !slices.Contains(c.key.Projects, n) {
		return wire.Forbidden(fmt.Sprintf("API key does not have access to the requested project: ID %d.", n))
	}
	return c.setOrganization(st.Organization(c.project.Organization))
}

func (c *caller) resolveOrganization(st *store.Store, id string) *wire.Failure {
	if len(c.key.Projects) > 0 {
		return wire.Forbidden("API keys with scoped projects are only supported on project-based endpoints.")
	}
	if id == "@current" && len(c.user.Organizations) > 0 {
		id = c.user.Organizations[0].String()
	}
	parsed, err := uuid.Parse(id)
	o := st.Organization(parsed)
	if err != nil || o == nil {
		return wire.NotFound("Organization not found.")
	}
	return c.setOrganization(o)
}

// setOrganization sets the organization of the request, and checks it against the limits of the key.
func (c *caller) setOrganization(o *store.Organization) *wire.Failure {
	c.organization = o
	if limits := c.key.Organizations; len(limits) > 0 && !slices.Contains(limits, o.ID) {
		return wire.Forbidden("API key does not have access to the requested organization: ID " + o.ID.String() + ".")
	}
	return nil
}

// checkMember checks that the key's user is a member, except for reading a global app. For a project, the
// error does not reveal whether the user belongs to the organization.
func (x *Call) checkMember() *wire.Failure {
	if x.organization == nil || x.readsGlobalApp() {
		return nil
	}
	member := slices.Contains(x.user.Organizations, x.organization.ID)
	if x.project == nil && !member {
		return wire.StatusFailure(http.StatusForbidden)
	}
	if x.project != nil && (!member || !x.user.Reaches(x.project)) {
		return wire.Forbidden("You don't have access to the project.")
	}
	return nil
}

func (x *Call) readsGlobalApp() bool {
	if !x.Installs || x.Operation == nil || x.Operation.ID != "pipeline_import_apps_retrieve" {
		return false
	}
	id, err := x.number()
	app := x.Store.Apps.Get(id)
	return err == nil && app != nil && app.IsTrue(store.AppTable, "is_global")
}

// The plugins_access_level that an organization needs to read apps (configLevel), change apps
// (installLevel), and make apps global (RootLevel). With level 0, it can do none of these.
const (
	configLevel  = 3
	installLevel = 6
	// RootLevel is the level of a self-hosted PostHog.
	RootLevel = 9
)

// checkLevel checks the organization's plugins_access_level, except on paths of a project.
func (x *Call) checkLevel() *wire.Failure {
	if !x.Installs || x.organization == nil || x.project != nil {
		return nil
	}
	needs := int64(installLevel)
	if method := x.Request.Method; method == http.MethodGet || method == http.MethodHead {
		needs = configLevel
	}
	if x.organization.AccessLevel < needs {
		return wire.Forbidden("Your organization's plugin access level is insufficient.")
	}
	return nil
}

// keyRates are PostHog's rate limits for each API key.
var keyRates = []faults.Rate{
	{Requests: 480, Per: time.Minute},
	{Requests: 4800, Per: time.Hour},
}

// checkThrottle refuses a request above the rate limits, if they are turned on. PostHog returns the wait
// time in the message and in a header.
func (x *Call) checkThrottle() *wire.Failure {
	if !x.Throttling && (x.organization == nil || !x.organization.Has(FeatureThrottling)) {
		return nil
	}
	return Throttle(x.throttle.Wait(x.key.Token, x.Now))
}

// Throttle returns the failure with status 429 for a request that must wait, or nil if wait is 0.
func Throttle(wait time.Duration) *wire.Failure {
	if wait <= 0 {
		return nil
	}
	f := wire.StatusFailure(http.StatusTooManyRequests)
	seconds := int(math.Ceil(wait.Seconds()))
	unit := "seconds"
	if seconds == 1 {
		unit = "second"
	}
	f.RetryAfter = strconv.Itoa(seconds)
	f.Detail += fmt.Sprintf(" Expected available in %d %s.", seconds, unit)
	return f
}

// checkFlagScope refuses changes of targeting flags by a key without feature_flag:write, if the
// organization has [FeatureFlagScope].
func (x *Call) checkFlagScope() *wire.Failure {
	if !x.organization.Has(FeatureFlagScope) || x.key.May("feature_flag:write") {
		return nil
	}
	return wire.Forbidden("This action also modifies a feature flag, which requires the `feature_flag:write` scope in addition to `survey:write`. " +
		"Add `feature_flag:write` to your personal API key at " + siteURL(x.Request) + "/settings/user-api-keys " +
		"(editing its scopes keeps the same key value), or use a key with the `*` scope.")
}

// checkFlagWrite checks the scope if a survey request changes the survey's targeting flag.
func (w *Write) checkFlagWrite() *wire.Failure {
	previous, input := w.Before, w.Sent
	touches := !input["targeting_flag_id"].IsNull() ||
		!input["targeting_flag_filters"].IsNull() && !input["targeting_flag_filters"].Is("{}") ||
		previous != nil && input["remove_targeting_flag"].Is("true") && w.Store.Flags.Get(previous.Targeting) != nil
	if !touches {
		return nil
	}
	return w.checkFlagScope()
}

// siteURL returns PostHog's URL for texts and headers.
func siteURL(r *http.Request) string {
	page := absoluteURL(r)
	return page.Scheme + "://" + page.Host
}

// findKey finds a key in the store. A world's own key is valid even if the world's fixtures do not contain it, so
// that a test cannot lock itself out.
func (v Service) findKey(token string) (*store.Key, *store.User) {
	if key := v.Store.Keys.Get(token); key != nil {
		return key, v.Store.Users.Get(key.User)
	}
	if v.worldKey == nil || v.worldKey.Token != token {
		return nil, nil
	}
	return v.worldKey, v.Store.WorldUser()
}
