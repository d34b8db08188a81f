// Package doctor checks the settings and permissions that other commands and the provider need, and
// explains why PostHog does not show a survey. Each check returns a finding. Start reading at
// [CheckService], [CheckPlanner], and [CheckSurvey].
//
// The package must not change anything in PostHog, and does not depend on the command line.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

// IDs of objects that do not exist. PostHog checks the write scope of an API key before it looks for the
// object, so requests with these IDs show whether the key has the scope.
const (
	noSurvey = "00000000-0000-4000-8000-000000000000"
	noApp    = 2147483647
)

// maxSkew is the maximum difference between the two clocks at which dates are still reliable.
const maxSkew = 30 * time.Second

// Service provides access to the PostHog instance to check. The checks change nothing.
type Service struct {
	Client *client.Client
	// ProjectID and OrganizationID are the configured IDs. Each is empty if it is not set.
	ProjectID, OrganizationID string
	// Surveys and Apps iterate over the objects. Each page contains at most PageSize objects.
	Surveys  func(context.Context) iter.Seq2[api.Survey, error]
	Apps     func(context.Context) iter.Seq2[api.PipelineImportApp, error]
	PageSize int
	// Traffic returns statistics about the requests so far.
	Traffic  func() Traffic
	Settings Settings
}

// Settings contains settings that users can change.
type Settings struct {
	BaseURL string
	// KeyVariable is the name of the variable with the API key.
	KeyVariable string
	// Path is the path of posthog-sync.yaml, and Environment is the selected environment in this file. Path
	// is empty if all settings come from variables.
	Path, Environment string
	RequestsPerMinute int64
}

// Traffic contains statistics about the requests of a run.
type Traffic struct {
	// Requests is the number of requests. Throttled is the number of those that PostHog rejected with 429.
	Requests, Throttled int
	// Date is PostHog's time in its last response, and At is the local time of that response. Both are zero
	// if PostHog does not send its time.
	Date, At time.Time
}

// CheckService sends requests to find out whether the settings are correct. After a failure, it skips the
// checks that would fail for the same reason.
func CheckService(ctx context.Context, s Service) []audience.Finding {
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

// findings collects the results of checks.
type findings []audience.Finding

func (f *findings) ok(check, text string, args ...any) { f.add(audience.OK, check, text, args) }

func (f *findings) warn(check, text string, args ...any) { f.add(audience.Warning, check, text, args) }

func (f *findings) fail(check, text string, args ...any) { f.add(audience.Failed, check, text, args) }

func (f *findings) add(result audience.Result, check, text string, args []any) {
	*f = append(*f, audience.Finding{Result: result, Check: check, Text: fmt.Sprintf(text, args...)})
}

// serviceChecks contains the checks that send requests.
type serviceChecks struct {
	Service
	findings
}

// connect sends the first request, which shows whether the URL and the API key are valid.
func (c *serviceChecks) connect(ctx context.Context) bool {
	var err error
	if c.ProjectID != "" {
		_, err = c.Client.Surveys(c.ProjectID).Retrieve(ctx, noSurvey)
	} else {
		_, err = c.Client.PipelineImportApps(c.OrganizationID).Retrieve(ctx, noApp)
	}

	refused, isResponse := errors.AsType[*client.Error](err)
	if err != nil && (!isResponse || refused.Status >= http.StatusInternalServerError) {
		c.fail("reachable", "%v", err)
		return false
	}
	c.ok("reachable", "%s answers", c.Settings.BaseURL)
	if client.IsUnauthorized(err) {
		c.fail("key", "%s; create a new personal API key and put it into %s", detail(err), c.Settings.KeyVariable)
		return false
	}
	c.ok("key", "PostHog accepts the key in %s", c.Settings.KeyVariable)
	return true
}

// clock compares the local clock with PostHog's clock, because changing a survey's status writes dates.
func (c *serviceChecks) clock() {
	traffic := c.Traffic()
	skew := traffic.Date.Sub(traffic.At).Round(time.Second)
	switch {
	case traffic.Date.IsZero():
		c.warn("clock", "PostHog does not send its time")
	case skew.Abs() > maxSkew:
		c.warn("clock", "this machine's clock differs from PostHog's by %s. Set the clock, because status changes write dates", skew.Abs())
	default:
		c.ok("clock", "within %s of PostHog's", maxSkew)
	}
}

// project checks the project and the API key's permissions for surveys.
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
	c.advisedScope("activity_log:read", "detecting that a survey has no responses, pulling successive edits, "+
		"and showing who made an edit (pull --by, refused writes)", err)
	if err = c.readFlag(ctx); !client.IsEndpointNotFound(err) {
		c.advisedScope("feature_flag:read", "finding a project's feature flags by key (sync), and showing their keys (review)", err)
	}
	if isOn, isKnown := surveys.SwitchedOn(ctx); isKnown && !isOn {
		c.warn("surveys", "they are switched off in project %s, so respondents do not see any. Switch them on in the project settings in PostHog", c.ProjectID)
	}
}

// readFlag reads the first page of feature flags.
func (c *serviceChecks) readFlag(ctx context.Context) error {
	for _, err := range c.Client.FeatureFlags(ctx, c.ProjectID, client.FlagOptions{ListOptions: client.ListOptions{PageSize: 1}}) {
		return err
	}
	return nil
}

// organization checks the organization and the API key's permissions for import apps.
func (c *serviceChecks) organization(ctx context.Context) {
	err := c.readApps(ctx)
	if c.Client.PipelineImportApps(c.OrganizationID).IsKnownRemoved() {
		c.warn("import apps", "PostHog has removed them, so all commands omit them, and their scopes are not needed. What to do: %s", framework.RemovedGuide)
		return
	}
	if client.IsParentNotFound(err) {
		return
	}
	c.scope("plugin:read", err)
	_, err = c.Client.PipelineImportApps(c.OrganizationID).Update(ctx, noApp, api.PipelineImportAppRequest{})
	c.scope("plugin:write", err)
}

// readSurveys reads the first page of surveys to find out whether the project exists, and which page size
// PostHog allows.
func (c *serviceChecks) readSurveys(ctx context.Context) error {
	before, read := c.Traffic().Requests, 0
	for _, err := range c.Surveys(ctx) {
		if err != nil {
			c.parent("project", c.ProjectID, err)
			return err
		}
		if c.Traffic().Requests > before+1 {
			break
		}
		read++
	}
	c.ok("project", "%s can be read", c.ProjectID)

	if hasMore := c.Traffic().Requests > before+1; hasMore && read < c.PageSize {
		c.warn("page size", "PostHog returns pages of %d objects instead of %d, so lists take more requests", read, c.PageSize)
	} else {
		c.ok("page size", "pages hold up to %d objects", c.PageSize)
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
	if !c.Client.PipelineImportApps(c.OrganizationID).IsKnownRemoved() {
		c.ok("organization", "%s can be read", c.OrganizationID)
	}
	return nil
}

// parent reports that a project or organization cannot be read. If a scope is missing, the ID may still be
// correct.
func (c *serviceChecks) parent(noun, id string, err error) {
	switch {
	case client.IsLimitedToProjects(err):
		c.fail(noun, "%s cannot be read: %s; %s", id, detail(err), useOtherKey)
	case client.IsForbidden(err):
		c.fail(noun, "%s cannot be read: %s", id, detail(err))
	case client.PathBelow(err) != "":
		c.fail(noun, "%s cannot be read: %s; base_url ends with the path %s, but the PostHog API is at the root of the host: remove the path", id, detail(err), client.PathBelow(err))
	default:
		setting := noun + "_id"
		if c.Settings.Path != "" {
			setting = fmt.Sprintf("%s of environment %q in %s", setting, c.Settings.Environment, c.Settings.Path)
		} else {
			setting = "POSTHOG_" + strings.ToUpper(setting)
		}
		c.fail(noun, "%s cannot be read: %s; check its ID (%s) and the limits of the key", id, detail(err), setting)
	}
}

// useOtherKey is the remedy for an API key that is limited to projects.
const useOtherKey = "the key is limited to projects, and PostHog does not return import apps to such a key. Use a key without that limit, or omit organization_id"

// scope reports whether the API key has a scope. err is the error from a request that requires the scope.
func (c *serviceChecks) scope(scope string, err error) {
	check := "scope " + scope
	switch {
	case client.IsLimitedToProjects(err):
		c.warn(check, "unknown: the key is limited to projects")
	case client.IsShutOut(err):
		c.warn(check, "unknown: %s", detail(err))
	case client.IsForbidden(err):
		c.fail(check, "%s; add the scope to the key, or use a key that has it", detail(err))
	case err == nil || client.IsNotFound(err) || client.IsValidation(err):
		c.ok(check, "the key has it")
	default:
		c.warn(check, "unknown: %v", err)
	}
}

// advisedScope reports an optional scope. Without it, some information is missing.
func (c *serviceChecks) advisedScope(scope, purpose string, err error) {
	if client.IsForbidden(err) && !client.IsShutOut(err) {
		c.warn("scope "+scope, "%s; it is needed for %s", detail(err), purpose)
		return
	}
	c.scope(scope, err)
}

// throttle reports whether PostHog throttled the checks' requests.
func (c *serviceChecks) throttle() {
	switch throttled, pace := c.Traffic().Throttled, c.Settings.RequestsPerMinute; {
	case throttled > 0:
		times := "times"
		if throttled == 1 {
			times = "time"
		}
		c.warn("throttle", "PostHog asked %d %s to wait: other programs use the same key, or requests_per_minute (POSTHOG_REQUESTS_PER_MINUTE) should be set", throttled, times)
	case pace > 0:
		c.ok("throttle", "none seen; the limit is %d requests per minute", pace)
	default:
		c.ok("throttle", "none seen; PostHog sets the pace")
	}
}

// detail returns an error response's status and detail, or the text of other errors.
func detail(err error) string {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Detail != "" {
		return fmt.Sprintf("%d %s: %s", refused.Status, http.StatusText(refused.Status), strings.TrimSuffix(refused.Detail, "."))
	}
	return err.Error()
}
