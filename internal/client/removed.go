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

// verdictLifetime is how long it counts what was found out about the routes of import apps: a
// thousand apps ask once, and a process that runs for days notices when they are back.
const verdictLifetime = time.Minute

// importAppRoutes is what is known of the routes of import apps, which the service is going to
// remove. That is found out at the first response that looks like it.
type importAppRoutes struct {
	lock    chan struct{} // held while the service is asked; a select can give up on it
	verdict atomic.Pointer[routesVerdict]
}

// routesVerdict is what was found out.
type routesVerdict struct {
	// served is set once a route has answered as one that is there.
	served bool
	// removed is the error of the route that is not there; nil where that is not known.
	removed *RemovedError
	// until is how long it counts that the routes are removed, or that nothing clear is known.
	until time.Time
}

func newImportAppRoutes() *importAppRoutes { return &importAppRoutes{lock: make(chan struct{}, 1)} }

// lastVerdict is the verdict; one that does not count any more says at most that a route was served.
func (r *importAppRoutes) lastVerdict(now time.Time) (v routesVerdict, isFresh bool) {
	if last := r.verdict.Load(); last != nil {
		v = *last
	}
	if now.Before(v.until) {
		return v, true
	}
	return routesVerdict{served: v.served}, false
}

// setUnclear records that the service was asked and said nothing clear.
func (r *importAppRoutes) setUnclear(now time.Time) {
	v, _ := r.lastVerdict(now)
	r.verdict.Store(&routesVerdict{served: v.served, until: now.Add(verdictLifetime)})
}

// unlessRemoved is [Client.do] for requests on the import apps of an organization: it fails with a
// [RemovedError] when the service has removed them.
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

// checkForRemoval makes a [RemovedError] of an error that looks like one, if the service has
// neither this route nor the list of import apps, and still shows surveys. A wrong base_url,
// or a proxy that has lost the service, hides both.
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
		return err // of this one request
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

// askForImportApps lists one import app of an organization.
func (c *Client) askForImportApps(ctx context.Context, organizationID string) error {
	req, err := importApps.list(c.server, organizationID, ListOptions{PageSize: 1}.limit())
	return askFor(ctx, c.do, importApps.noun, req, err)
}

// askForSurveys lists one survey, of any project: whether the key may see it makes no
// difference, see [showsRoute].
func (c *Client) askForSurveys(ctx context.Context) error {
	req, err := surveys.list(c.server, current, ListOptions{PageSize: 1}.limit())
	return askFor(ctx, c.do, surveys.noun, req, err)
}

// askFor lists one object.
func askFor(ctx context.Context, send send, noun string, req *http.Request, err error) error {
	_, err = newPageReader[json.RawMessage](send, call{operation: noun + "_list", failures: bestEffort}, req, err).read(ctx)
	return err
}

// CheckRemoval returns a [RemovedError] if the service has removed import apps. It makes a
// request only while nothing is known; an error of that request alone is none.
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

// IsKnownRemoved reports whether a request has shown that the service has removed import apps. It
// makes none.
func (p *PipelineImportApps) IsKnownRemoved() bool {
	v, _ := p.client.importAppRoutes.lastVerdict(p.client.gate.now())
	return v.removed != nil
}

// RemovedError reports that the service has no routes for import apps any more, while it has
// those for surveys: so neither is base_url wrong, nor was one app deleted.
type RemovedError struct {
	// unsent names the request that was not sent, since another one had shown it; empty
	// for a request that was sent.
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

// Unwrap returns the response that the route got.
func (e *RemovedError) Unwrap() error { return e.cause }

// IsRemoved reports whether the service has removed the routes of import apps: see
// [RemovedError].
func IsRemoved(err error) bool {
	_, ok := errors.AsType[*RemovedError](err)
	return ok
}

// mayMeanRemoval reports whether an error may mean that the service has no such route any more:
// it says so, or it is gone (410), or a page stands for an unknown path.
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

// showsRoute reports whether the outcome of a request shows that the service has its route: it
// succeeded, or the service refused the key or the parent, which it does not look at before. A
// key that is unknown (401) shows nothing: a gateway refuses it too.
func showsRoute(err error) bool {
	e, ok := asAPIError(err)
	return err == nil || IsParentNotFound(err) || ok && e.Status == http.StatusForbidden && e.Code == "permission_denied"
}
