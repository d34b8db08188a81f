package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// verdictLifetime is how long a verdict about the import app routes counts. A thousand apps cause
// one check, and a process that runs for days notices when the routes return.
const verdictLifetime = time.Minute

// importAppRoutes records whether PostHog still serves the import app routes, which it is going to
// remove. The first response that looks like a removal triggers a check.
type importAppRoutes struct {
	lock    chan struct{} // held during a check; a channel, so that a select can stop waiting for it
	verdict atomic.Pointer[routesVerdict]
}

// routesVerdict is the result of a check.
type routesVerdict struct {
	// served is set once a route has responded normally.
	served bool
	// removed is the error of a removed route, or nil if no removal is known.
	removed *RemovedError
	// until is how long a removal, or an unclear result, counts.
	until time.Time
}

func newImportAppRoutes() *importAppRoutes { return &importAppRoutes{lock: make(chan struct{}, 1)} }

// lastVerdict returns the last verdict. An expired verdict contains at most that a route was
// served.
func (r *importAppRoutes) lastVerdict(now time.Time) (v routesVerdict, isFresh bool) {
	if last := r.verdict.Load(); last != nil {
		v = *last
	}
	if now.Before(v.until) {
		return v, true
	}
	return routesVerdict{served: v.served}, false
}

// setUnclear records that a check had no clear result.
func (r *importAppRoutes) setUnclear(now time.Time) {
	v, _ := r.lastVerdict(now)
	r.verdict.Store(&routesVerdict{served: v.served, until: now.Add(verdictLifetime)})
}

// unlessRemoved is [Client.do] for requests about an organization's import apps. It returns a
// [RemovedError] if PostHog has removed them.
func (c *Client) unlessRemoved(organizationID string) send {
	return func(ctx context.Context, call call, req *http.Request, err error) (*response, error) {
		if v, _ := c.importAppRoutes.lastVerdict(c.gate.now()); err == nil && v.removed != nil {
			clone := &RemovedError{unsent: c.describeRequest(call.operation, req).name(), cause: v.removed.cause}
			return nil, c.reports.share(clone, c.breaker)
		}

		a, err := c.do(ctx, call, req, err)
		e, refused := asAPIError(err)
		switch {
		case mayMeanRemoval(err):
			return a, c.reports.share(c.checkForRemoval(ctx, organizationID, call.operation, err), c.breaker)
		case err == nil || refused && e.Status < http.StatusInternalServerError:
			c.importAppRoutes.verdict.Store(&routesVerdict{served: true})
		}
		return a, err
	}
}

// checkForRemoval turns an error into a [RemovedError] if PostHog serves neither this route nor the list of import
// apps, but still lists surveys. A wrong base_url or a broken proxy would hide surveys as well.
func (c *Client) checkForRemoval(ctx context.Context, organizationID, operation string, err error) error {
	routes := c.importAppRoutes
	select {
	case routes.lock <- struct{}{}:
		defer func() { <-routes.lock }()
	case <-ctx.Done():
		return err
	}

	now := c.gate.now()
	switch v, isFresh := routes.lastVerdict(now); {
	case v.removed != nil:
		return &RemovedError{cause: err}
	case isFresh:
		return err
	}

	if operation != importApps.noun+"_list" && !mayMeanRemoval(c.askForImportApps(ctx, organizationID)) {
		routes.setUnclear(now)
		return err // the error is specific to this request
	}
	if listErr := c.askForSurveys(ctx); !showsRoute(listErr) {
		routes.setUnclear(now)
		return fmt.Errorf("%w. It is unknown whether PostHog has removed import apps, because listing surveys also failed: %w", err, listErr)
	}

	removed := &RemovedError{cause: err}
	routes.verdict.Store(&routesVerdict{removed: removed, until: now.Add(verdictLifetime)})
	tflog.Warn(ctx, "PostHog has removed import apps", map[string]any{"error": err.Error()})
	return removed
}

// askForImportApps lists one of an organization's import apps.
func (c *Client) askForImportApps(ctx context.Context, organizationID string) error {
	req, err := importApps.list(c.server, organizationID, ListOptions{PageSize: 1}.limit())
	return askFor(ctx, c.do, importApps.noun, req, err)
}

// askForSurveys lists one survey, in any project. Whether the key may read it does not matter (see
// [showsRoute]).
func (c *Client) askForSurveys(ctx context.Context) error {
	req, err := surveys.list(c.server, current, ListOptions{PageSize: 1}.limit())
	return askFor(ctx, c.do, surveys.noun, req, err)
}

// askFor lists one object.
func askFor(ctx context.Context, send send, noun string, req *http.Request, err error) error {
	_, err = newPageReader[json.RawMessage](send, req, err).read(ctx, newCall(ctx, noun+"_list").optional())
	return err
}

// CheckRemoval returns a [RemovedError] if PostHog has removed import apps. It sends a request only
// if nothing is known yet, and ignores that request's other errors.
func (p *PipelineImportApps) CheckRemoval(ctx context.Context) error {
	routes := p.client.importAppRoutes
	if v, isFresh := routes.lastVerdict(p.client.gate.now()); v.served || v.removed == nil && isFresh {
		return nil
	}

	req, err := p.listRequest(1)
	err = askFor(ctx, p.send, importApps.noun, req, err)
	if IsRemoved(err) {
		return err
	}
	if v, _ := routes.lastVerdict(p.client.gate.now()); !v.served {
		routes.setUnclear(p.client.gate.now())
	}
	return nil
}

// IsKnownRemoved reports whether an earlier request has shown that PostHog removed import apps. It
// sends no request.
func (p *PipelineImportApps) IsKnownRemoved() bool {
	v, _ := p.client.importAppRoutes.lastVerdict(p.client.gate.now())
	return v.removed != nil
}

// RemovedError reports that PostHog no longer has routes for import apps, although it has routes
// for surveys. The cause is therefore neither a wrong base_url nor a deleted app.
type RemovedError struct {
	// unsent describes the request that was not sent because an earlier one had shown the removal.
	// It is empty if the request was sent.
	unsent string
	cause  error
}

// Error implements error.
func (e *RemovedError) Error() string {
	text := e.cause.Error()
	if e.unsent != "" {
		text = e.unsent + ": not sent, after " + text
	}
	return text + ". PostHog has removed import apps: it no longer has routes for them, but still has routes for surveys"
}

// Unwrap returns the route's response.
func (e *RemovedError) Unwrap() error { return e.cause }

// IsRemoved reports whether err is or wraps a [RemovedError].
func IsRemoved(err error) bool {
	_, ok := errors.AsType[*RemovedError](err)
	return ok
}

// mayMeanRemoval reports whether an error may mean that PostHog no longer has the route: a matching
// text, a 410, or an HTML page instead of a response.
func mayMeanRemoval(err error) bool {
	e, ok := asAPIError(err)
	if !ok {
		return false
	}
	if e.Status == http.StatusGone {
		return true
	}
	unusable, isUnusable := errors.AsType[*ResponseError](e.cause)
	return e.Status == http.StatusNotFound && (e.says(endpointMissing...) || isUnusable && unusable.isPage)
}

// showsRoute reports whether the outcome of a request proves that PostHog has its route: the
// request succeeded, or PostHog rejected the key or the parent, which it checks after it has found
// the route. An unknown key (401) proves nothing, because a gateway may reject it.
func showsRoute(err error) bool {
	e, ok := asAPIError(err)
	return err == nil || IsParentNotFound(err) || ok && e.Status == http.StatusForbidden && e.Code == "permission_denied"
}
