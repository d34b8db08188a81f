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

// A plan that only creates objects would send no requests. This file provides the few requests that detect mistakes
// before the apply. They never block the plan: a request without a response ends after a few seconds.

// foresightTimeout limits a request that only a plan's check needs.
const foresightTimeout = 10 * time.Second

// keyScopes contains the API key's scopes. known is false if they cannot be read.
type keyScopes struct {
	scopes []string
	known  bool
}

// KeyScopes returns the API key's scopes. known is false if PostHog does not report them. Only the first call
// sends a request. If the request fails, KeyScopes returns no error.
func (c *Client) KeyScopes(ctx context.Context) (scopes []string, known bool) {
	read, err := c.keyScopes.get(ctx, "", func() (keyScopes, error) { return c.readKeyScopes(ctx), nil })
	return read.scopes, err == nil && read.known
}

func (c *Client) readKeyScopes(ctx context.Context) keyScopes {
	ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
	defer cancel()

	req, err := api.NewPersonalAPIKeysCurrentRetrieveRequest(c.server)
	key, err := object[api.PersonalAPIKey](c.do(ctx, newCall(ctx, "personal_api_keys_current_retrieve").optional(), req, err))
	if err != nil {
		tflog.Debug(ctx, "could not read the scopes of the API key", map[string]any{"error": err.Error()})
		return keyScopes{}
	}
	return keyScopes{scopes: key.Scopes, known: len(key.Scopes) > 0}
}

// Catalog finds a project's or an organization's objects by name. Each search reads at most one more page of the list,
// so the number of requests is at most the number of names.
type Catalog struct {
	surveys *Surveys

	mu     sync.Mutex
	reader *pageReader[api.Survey]
	ids    map[string]string
}

// Catalog returns a catalog of the project's surveys. It sends no request.
func (s *Surveys) Catalog() *Catalog {
	req, err := s.listRequest(pageSize)
	return &Catalog{surveys: s, reader: newPageReader[api.Survey](s.send, req, err), ids: map[string]string{}}
}

// Find returns the ID of the survey with a name, or an empty string if the name is not in the part of the list that was
// read. After an error, Find reads nothing more.
func (c *Catalog) Find(ctx context.Context, name string) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.reader.next != nil {
		p, err := c.reader.read(ctx, c.surveys.call(ctx, "list").optional())
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

// CanList reads the first page of the import apps. Its error shows whether the key may access the organization.
func (p *PipelineImportApps) CanList(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
	defer cancel()
	req, err := p.listRequest(1)
	_, err = newPageReader[api.PipelineImportApp](p.send, req, err).read(ctx, p.call(ctx, "list").optional())
	return err
}

// plannedFlag is a feature flag that a plan refers to, or the error that reading it returned.
type plannedFlag struct {
	flag api.FeatureFlagDetail
	err  error
}

// PlannedFlag reads a feature flag for a plan's check. Only the first call for a flag sends a request.
func (c *Client) PlannedFlag(ctx context.Context, projectID string, id int64) (api.FeatureFlagDetail, error) {
	read, err := c.plannedFlags.get(ctx, fmt.Sprintf("%s/%d", projectID, id), func() (plannedFlag, error) {
		ctx, cancel := context.WithTimeout(ctx, foresightTimeout)
		defer cancel()
		req, err := api.NewFeatureFlagsRetrieveRequest(c.server, projectID, id)
		flag, err := object[api.FeatureFlagDetail](c.do(ctx, newCall(ctx, "feature_flags_retrieve").optional(), req, err))
		return plannedFlag{flag, err}, nil
	})
	if err != nil {
		return api.FeatureFlagDetail{}, err
	}
	return read.flag, read.err
}

// IsCertain reports whether an error means that PostHog will reject every request with this key to the project or
// organization: the key, its scopes, the project, or base_url is wrong. It returns false for temporary failures.
func IsCertain(err error) bool {
	if refused, ok := asAPIError(err); ok {
		return refused.Status < http.StatusInternalServerError && refused.Status != http.StatusTooManyRequests && refused.Status != http.StatusRequestTimeout
	}
	page, isUnusable := errors.AsType[*ResponseError](err)
	return isUnusable && page.Status < http.StatusInternalServerError
}
