package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// A plan that only creates sends nothing by itself. What its creates would fail for is read here, in
// few requests, and never at the cost of the plan: a read that gets no response ends in seconds.

// foresightTimeout bounds a request that is made only for a check of a plan.
const foresightTimeout = 10 * time.Second

// keyScopes are the scopes of the API key; known is false when they cannot be read.
type keyScopes struct {
	scopes []string
	known  bool
}

// KeyScopes returns the scopes of the API key. Known is false if PostHog does not report them. The
// first call makes a request, whose failure is not an error; later calls make none.
func (c *Client) KeyScopes(ctx context.Context) (scopes []string, known bool) {
	read, err := c.keyScopes.get(ctx, "", func() (keyScopes, error) { return c.readKeyScopes(ctx), nil })
	return read.scopes, err == nil && read.known
}

func (c *Client) readKeyScopes(ctx context.Context) keyScopes {
	ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
	defer cancel()

	req, err := api.NewPersonalAPIKeysCurrentRetrieveRequest(c.server)
	key, err := object[api.PersonalAPIKey](c.do(ctx, call{operation: "personal_api_keys_current_retrieve", failures: bestEffort}, req, err))
	if err != nil {
		tflog.Debug(ctx, "could not read the scopes of the API key", map[string]any{"error": err.Error()})
		return keyScopes{}
	}
	return keyScopes{scopes: key.Scopes, known: len(key.Scopes) > 0}
}

// Catalog finds objects of a project or organization by name. Each search reads one more page of the
// list, so it makes at most as many requests as there are names.
type Catalog struct {
	mu     sync.Mutex
	reader *pageReader[api.Survey]
	ids    map[string]string
}

// Catalog returns a catalog of the surveys, of which nothing is read yet.
func (s *Surveys) Catalog() *Catalog {
	req, err := s.listRequest(pageSize)
	list := s.call("list")
	list.failures = bestEffort
	return &Catalog{reader: newPageReader[api.Survey](s.send, list, req, err), ids: map[string]string{}}
}

// Find returns the ID of the survey with a name, as far as the list was read; empty for none. After
// an error nothing more is read.
func (c *Catalog) Find(ctx context.Context, name string) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.reader.next != nil {
		p, err := c.reader.read(ctx)
		if err != nil {
			return "", err
		}
		for _, one := range p.Results {
			if taken, err := one.Name.Get(); err == nil && one.ID != nil {
				c.ids[strings.TrimSpace(taken)] = *one.ID
			}
		}
	}
	return c.ids[strings.TrimSpace(name)], nil
}

// CanList reads the first page of the import apps, which shows whether the key may use the organization.
func (p *PipelineImportApps) CanList(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
	defer cancel()
	req, err := p.listRequest(1)
	list := p.call("list")
	list.failures = bestEffort
	_, err = newPageReader[api.PipelineImportApp](p.send, list, req, err).read(ctx)
	return err
}

// plannedFlag is a feature flag that a plan refers to, or why it could not be read.
type plannedFlag struct {
	flag api.FeatureFlagDetail
	err  error
}

// PlannedFlag reads a feature flag for the check of a plan. The first call for a flag makes a request,
// later ones none.
func (c *Client) PlannedFlag(ctx context.Context, projectID string, id int64) (api.FeatureFlagDetail, error) {
	read, err := c.plannedFlags.get(ctx, fmt.Sprintf("%s/%d", projectID, id), func() (plannedFlag, error) {
		ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
		defer cancel()
		req, err := api.NewFeatureFlagsRetrieveRequest(c.server, projectID, id)
		flag, err := object[api.FeatureFlagDetail](c.do(ctx, call{operation: "feature_flags_retrieve", failures: bestEffort}, req, err))
		return plannedFlag{flag, err}, nil
	})
	if err != nil {
		return api.FeatureFlagDetail{}, err
	}
	return read.flag, read.err
}

// IsCertain reports whether PostHog refuses each request of the key to the project or organization with
// this error, now and later: a wrong key, scope, project, or base_url. It is false for failures that may pass.
func IsCertain(err error) bool {
	if refused, ok := asAPIError(err); ok {
		return refused.Status < http.StatusInternalServerError && refused.Status != http.StatusTooManyRequests && refused.Status != http.StatusRequestTimeout
	}
	page, isUnusable := errors.AsType[*ResponseError](err)
	return isUnusable && page.Status < http.StatusInternalServerError
}
