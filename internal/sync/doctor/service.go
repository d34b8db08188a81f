package doctor

import (
	"context"
	"errors"
	"iter"
	"net/http"
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

// Service is the service whose settings are checked. Nothing of it is changed.
type Service struct {
	Client *client.Client
	// ProjectID and OrganizationID are those of the settings; empty for none.
	ProjectID, OrganizationID string
	// Surveys and Apps iterate over the objects, in pages of up to PageSize.
	Surveys  func(context.Context) iter.Seq2[api.Survey, error]
	Apps     func(context.Context) iter.Seq2[api.PipelineImportApp, error]
	PageSize int
	Traffic  Traffic
}

// Traffic is what was seen of the requests of a run.
type Traffic interface {
	// Count is the number of requests, Throttled that of those that the service refused for now.
	Count() int
	Throttled() int
	// Clock is the time of the service in its last response, and the local time then; both are
	// zero when it does not send its time.
	Clock() (date, at time.Time)
}

// CheckService makes the requests that show whether the settings are right. Checks that could
// only repeat a failure are left out.
func CheckService(ctx context.Context, s Service) []Finding {
	c := serviceChecks{Service: s}
	if !c.connect(ctx) {
		return c.findings
	}
	c.clock()
	if s.ProjectID != "" {
		c.project(ctx)
	}
	if s.OrganizationID != "" {
		c.organization(ctx)
	}
	c.throttle()
	return c.findings
}

// serviceChecks are the checks that make requests.
type serviceChecks struct {
	Service
	findings
}

// connect makes the first request, which shows whether the address and the key are right at
// all.
func (c *serviceChecks) connect(ctx context.Context) bool {
	var err error
	if c.ProjectID != "" {
		_, err = c.Client.Surveys(c.ProjectID).Retrieve(ctx, noSurvey)
	} else {
		_, err = c.Client.PipelineImportApps(c.OrganizationID).Retrieve(ctx, noApp)
	}

	refused, isResponse := errors.AsType[*client.Error](err)
	if err != nil && (!isResponse || refused.Status >= http.StatusInternalServerError) {
		c.fail("reachable", Unreachable, Finding{Err: err})
		return false
	}
	c.ok("reachable", Reachable)
	if client.IsUnauthorized(err) {
		c.fail("key", KeyRefused, Finding{Err: err})
		return false
	}
	c.ok("key", KeyAccepted)
	return true
}

// clock compares the clock with that of the service: status writes dates.
func (c *serviceChecks) clock() {
	date, at := c.Traffic.Clock()
	skew := date.Sub(at).Round(time.Second)
	switch {
	case date.IsZero():
		c.warn("clock", ClockUnknown)
	case skew.Abs() > maxSkew:
		c.warn("clock", ClockDiffers, Finding{Duration: skew.Abs()})
	default:
		c.ok("clock", ClockAgrees, Finding{Duration: maxSkew})
	}
}

// project checks the project, and what the key may do with surveys.
func (c *serviceChecks) project(ctx context.Context) {
	surveys := c.Client.Surveys(c.ProjectID)
	err := c.readSurveys(ctx)
	if client.IsParentNotFound(err) {
		return
	}
	c.scope("survey:read", err)
	_, err = surveys.Update(ctx, noSurvey, api.SurveyRequest{})
	c.scope("survey:write", err)
	_, err = surveys.AllActivity(ctx, 1)
	c.advisedScope("activity_log:read", err)
}

// organization checks the organization, and what the key may do with import apps.
func (c *serviceChecks) organization(ctx context.Context) {
	err := c.readApps(ctx)
	if c.Client.PipelineImportApps(c.OrganizationID).KnownRemoved() {
		c.warn("import apps", AppsRemoved)
		return
	}
	if client.IsParentNotFound(err) {
		return
	}
	c.scope("plugin:read", err)
	_, err = c.Client.PipelineImportApps(c.OrganizationID).Update(ctx, noApp, api.PipelineImportAppRequest{})
	c.scope("plugin:write", err)
}

// readSurveys reads the first page of surveys, which shows whether the project exists and
// which page size the service allows.
func (c *serviceChecks) readSurveys(ctx context.Context) error {
	before, read := c.Traffic.Count(), 0
	for _, err := range c.Surveys(ctx) {
		if err != nil {
			c.parent("project", c.ProjectID, err)
			return err
		}
		if c.Traffic.Count() > before+1 {
			break
		}
		read++
	}
	c.ok("project", ParentReadable, Finding{Value: c.ProjectID})

	if hasMore := c.Traffic.Count() > before+1; hasMore && read < c.PageSize {
		c.warn("page size", PagesSmaller, Finding{Count: int64(read), Limit: int64(c.PageSize)})
	} else {
		c.ok("page size", PagesFull, Finding{Limit: int64(c.PageSize)})
	}
	return nil
}

func (c *serviceChecks) readApps(ctx context.Context) error {
	for _, err := range c.Apps(ctx) {
		if err != nil {
			if !client.IsRemoved(err) {
				c.parent("organization", c.OrganizationID, err)
			}
			return err
		}
		break
	}
	if !c.Client.PipelineImportApps(c.OrganizationID).KnownRemoved() {
		c.ok("organization", ParentReadable, Finding{Value: c.OrganizationID})
	}
	return nil
}

// parent reports a project or organization that cannot be read. A missing scope says nothing
// about the id.
func (c *serviceChecks) parent(noun, id string, err error) {
	if client.IsForbidden(err) {
		c.fail(noun, ParentForbidden, Finding{Value: id, Err: err})
		return
	}
	c.fail(noun, ParentUnknown, Finding{Value: id, Err: err})
}

// scope reports a scope by the error of a request that needs it.
func (c *serviceChecks) scope(scope string, err error) {
	check, data := "scope "+scope, Finding{Name: scope, Err: err}
	switch {
	case client.IsForbidden(err):
		c.fail(check, ScopeMissing, data)
	case err == nil || client.IsNotFound(err) || client.IsValidation(err):
		c.ok(check, ScopeHeld, Finding{Name: scope})
	default:
		c.warn(check, ScopeUnknown, data)
	}
}

// advisedScope is scope for one without which less is known.
func (c *serviceChecks) advisedScope(scope string, err error) {
	if client.IsForbidden(err) {
		c.warn("scope "+scope, ScopeAdvised, Finding{Name: scope, Err: err})
		return
	}
	c.scope(scope, err)
}

// throttle reports whether the service has throttled requests of the checks.
func (c *serviceChecks) throttle() {
	if throttled := c.Traffic.Throttled(); throttled > 0 {
		c.warn("throttle", Throttled, Finding{Count: int64(throttled)})
		return
	}
	c.ok("throttle", NotThrottled)
}
