package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// Ids of objects that do not exist: the service refuses a key that may not write before it
// looks for them.
const (
	noSurvey = "00000000-0000-4000-8000-000000000000"
	noApp    = 2147483647
)

// maxSkew is the difference between two clocks up to which dates are reliable.
const maxSkew = 30 * time.Second

// checkSettings checks the settings without a request, and returns the live side if they are
// complete; nil otherwise.
func (d *doctor) checkSettings() *live {
	p := d.program
	set, err := p.environments()
	if err != nil {
		d.fail("environment", "%v", err)
		return nil
	}
	e, err := set.Get(p.namedEnvironment())
	if err != nil {
		d.fail("environment", "%v", err)
		return nil
	}
	side, err := p.live(e, p.selection())
	if err != nil {
		d.fail("environment", "%v", err)
		return nil
	}

	from := "the environment variables"
	if set.Path != "" {
		from = set.Path
	}
	d.ok("environment", "%q of %s: %s", e.Name, from, e.BaseURL)
	return side
}

// serviceChecks are the checks that make requests.
type serviceChecks struct {
	*doctor
	side *live
}

func (c serviceChecks) run(ctx context.Context) {
	if !c.connect(ctx) {
		return
	}
	c.clock()
	if c.side.ProjectID != "" {
		c.project(ctx)
	}
	if c.side.OrganizationID != "" {
		c.organization(ctx)
	}
	c.throttle()
}

// project checks the project, and what the key may do with surveys.
func (c serviceChecks) project(ctx context.Context) {
	surveys := c.side.client.Surveys(c.side.ProjectID)
	err := c.readSurveys(ctx)
	if client.IsParentNotFound(err) {
		return
	}
	c.scopeOf("survey:read", err)
	_, err = surveys.Update(ctx, noSurvey, api.SurveyRequest{})
	c.scopeOf("survey:write", err)
	_, err = surveys.AllActivity(ctx, 1)
	c.optionalScope("activity_log:read", "telling that a survey has no responses, pulling one edit after another, and naming who made an edit (pull --by, refused writes)", err)
}

// organization checks the organization, and what the key may do with import apps.
func (c serviceChecks) organization(ctx context.Context) {
	err := c.readApps(ctx)
	if client.IsParentNotFound(err) {
		return
	}
	c.scopeOf("plugin:read", err)
	_, err = c.side.client.PipelineImportApps(c.side.OrganizationID).Update(ctx, noApp, api.PipelineImportAppRequest{})
	c.scopeOf("plugin:write", err)
}

// connect makes the first request, which shows whether the address and the key are right at
// all.
func (c serviceChecks) connect(ctx context.Context) bool {
	var err error
	if c.side.ProjectID != "" {
		_, err = c.side.client.Surveys(c.side.ProjectID).Retrieve(ctx, noSurvey)
	} else {
		_, err = c.side.client.PipelineImportApps(c.side.OrganizationID).Retrieve(ctx, noApp)
	}

	refused, answered := errors.AsType[*client.Error](err)
	if err != nil && (!answered || refused.Status >= http.StatusInternalServerError) {
		c.fail("reachable", "%v", err)
		return false
	}
	c.ok("reachable", "%s answers", c.side.BaseURL)
	if client.IsUnauthorized(err) {
		c.fail("key", "%s; create a new personal API key and put it into %s", detail(err), c.side.APIKeyVariable)
		return false
	}
	c.ok("key", "the service accepts the key of %s", c.side.APIKeyVariable)
	return true
}

// clock compares the clock with that of the service: status writes dates.
func (c serviceChecks) clock() {
	date, at := c.program.traffic.clock()
	skew := date.Sub(at).Round(time.Second)
	switch {
	case date.IsZero():
		c.warn("clock", "the service does not send its time")
	case skew.Abs() > maxSkew:
		c.warn("clock", "this machine's clock is %s away from the service's: set it, since status and schedules write dates", skew.Abs())
	default:
		c.ok("clock", "within %s of the service's", maxSkew)
	}
}

// readSurveys reads the first page of surveys, which shows whether the project exists and
// which page size the service allows.
func (c serviceChecks) readSurveys(ctx context.Context) error {
	before, read := c.program.traffic.count(), 0
	for _, err := range c.side.surveys(ctx) {
		if err != nil {
			c.parent("project", c.side.ProjectID, "POSTHOG_PROJECT_ID", err)
			return err
		}
		if c.program.traffic.count() > before+1 {
			break
		}
		read++
	}
	c.ok("project", "%s can be read", c.side.ProjectID)

	switch more := c.program.traffic.count() > before+1; {
	case more && read < pageSize:
		c.warn("page size", "the service returns pages of %d objects instead of %d, so lists take more requests", read, pageSize)
	default:
		c.ok("page size", "pages hold up to %d objects", pageSize)
	}
	return nil
}

func (c serviceChecks) readApps(ctx context.Context) error {
	for _, err := range c.side.apps(ctx) {
		if err != nil {
			c.parent("organization", c.side.OrganizationID, "POSTHOG_ORGANIZATION_ID", err)
			return err
		}
		break
	}
	c.ok("organization", "%s can be read", c.side.OrganizationID)
	return nil
}

// parent reports a project or organization that cannot be read. A missing scope says nothing
// about the id.
func (c serviceChecks) parent(noun, id, variable string, err error) {
	if client.IsForbidden(err) {
		c.fail(noun, "%s cannot be read: %s", id, detail(err))
		return
	}
	if before, found := strings.CutSuffix(strings.TrimRight(c.side.BaseURL, "/"), "/api"); found {
		c.fail(noun, "%s cannot be read: %s; base_url ends in /api, which the paths of the service begin with: set it to %s", id, detail(err), before)
		return
	}
	c.fail(noun, "%s cannot be read: %s; check its id (%s) and what the key is limited to", id, detail(err), c.settingOf(variable))
}

// settingOf is where a setting comes from: its variable, or the file of environments.
func (c serviceChecks) settingOf(variable string) string {
	set, err := c.program.environments()
	if err != nil || set.Path == "" {
		return variable
	}
	return fmt.Sprintf("%s of environment %q in %s", strings.ToLower(strings.TrimPrefix(variable, "POSTHOG_")), c.side.Name, set.Path)
}

// scopeOf reports a scope by the error of a request that needs it.
func (c serviceChecks) scopeOf(scope string, err error) {
	switch {
	case client.IsForbidden(err):
		c.fail("scope "+scope, "%s; add the scope to the key, or use one that has it", detail(err))
	case err == nil || client.IsNotFound(err) || client.IsValidation(err):
		c.ok("scope "+scope, "the key has it")
	default:
		c.warn("scope "+scope, "unknown: %v", err)
	}
}

// optionalScope is scopeOf for a scope without which less is known.
func (c serviceChecks) optionalScope(scope, need string, err error) {
	if client.IsForbidden(err) {
		c.warn("scope "+scope, "%s; it is needed for %s", detail(err), need)
		return
	}
	c.scopeOf(scope, err)
}

// throttle reports whether the service has throttled requests of the checks.
func (c serviceChecks) throttle() {
	if throttled := c.program.traffic.throttled(); throttled > 0 {
		c.warn("throttle", "the service asked %s to wait: other programs use the same key, or requests_per_minute "+
			"(POSTHOG_REQUESTS_PER_MINUTE) should be set", count(throttled, "time"))
		return
	}
	pace := "the service sets the pace"
	if c.side.RequestsPerMinute > 0 {
		pace = fmt.Sprintf("at most %d requests a minute are made", c.side.RequestsPerMinute)
	}
	c.ok("throttle", "none seen; %s", pace)
}

// detail is the status and the detail of an error response, or the error as it is.
func detail(err error) string {
	var refused *client.Error
	if errors.As(err, &refused) && refused.Detail != "" {
		return fmt.Sprintf("%d %s: %s", refused.Status, http.StatusText(refused.Status), strings.TrimSuffix(refused.Detail, "."))
	}
	return err.Error()
}
