package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// ListOptions configure a list's requests.
type ListOptions struct {
	// PageSize is the number of objects per request. Zero means PostHog's default.
	PageSize int
	// Count receives the total number of objects from each page that contains it. It may be nil.
	Count func(objects int64)

	// date receives the date of the last response. It may be nil.
	date *time.Time
}

// limit returns the query parameter for the page size.
func (o ListOptions) limit() *api.Limit {
	if o.PageSize == 0 {
		return nil
	}
	n := api.Limit(o.PageSize)
	return &n
}

// page is the envelope of every list.
type page[T any] struct {
	Count   *int64  `json:"count"`
	Next    *string `json:"next"`
	Results []T     `json:"results"`

	date time.Time // the response's date on PostHog's clock, or zero
}

// pageSize is the page size for reading whole lists. PostHog grants any size, and this many of the
// longest surveys fit in one response.
const pageSize = 500

// pageReader reads a list page by page.
type pageReader[T any] struct {
	send send
	// next is the request for the next page, or nil after the last one.
	next *http.Request
	// err is why the request for the first page could not be built.
	err error
	// seen contains the queries of the pages that were read.
	seen map[string]bool
}

// newPageReader takes the results of the request builder for the first page.
func newPageReader[T any](send send, first *http.Request, err error) *pageReader[T] {
	return &pageReader[T]{send: send, next: first, err: err, seen: map[string]bool{}}
}

// read reads the next page. After an error, there are no more pages.
func (r *pageReader[T]) read(ctx context.Context, call call) (page[T], error) {
	var p page[T]
	req := r.next
	r.next = nil
	a, err := r.send(ctx, call, req, r.err)
	if err != nil {
		return p, err
	}
	r.seen[req.URL.RawQuery] = true

	if err := a.decode(&p); err != nil {
		return p, err
	}
	if date, err := http.ParseTime(a.header.Get("Date")); err == nil {
		p.date = date
	}
	if p.Results == nil {
		return p, a.unusable("a JSON object without results, not a page of a list: check that base_url is the URL of the API")
	}

	if err := checkIDs(a, p.Results); err != nil || p.Next == nil || *p.Next == "" {
		return p, err
	}
	if len(r.seen) >= a.client.mostPages {
		return p, a.unusable(fmt.Sprintf("page %d of a list, and links to yet another page: the list seems endless", len(r.seen)))
	}
	next, err := a.next(*p.Next, len(p.Results), r.seen)
	if err != nil {
		return p, err
	}
	r.next = req.Clone(ctx)
	r.next.URL = next
	return p, nil
}

// checkIDs rejects surveys with invalid IDs.
func checkIDs[T any](a *response, results []T) error {
	for _, object := range results {
		var id string
		switch object := any(object).(type) {
		case api.Survey:
			if object.ID != nil {
				id = *object.ID
			}
		case json.RawMessage:
			id, _ = decodeID[string](object)
		}
		if err := a.checkID(id); err != nil {
			return err
		}
	}
	return nil
}

// pages iterates over all objects of a collection. It sends one request per page, when the
// iteration needs it. An error is the last element. first builds the request for the first page,
// and PostHog's next links lead to the others.
func pages[T any](ctx context.Context, send send, call call, o ListOptions, first func() (*http.Request, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		req, err := first()
		reader := newPageReader[T](send, req, err)
		for more := true; more; more = reader.next != nil {
			p, err := reader.read(ctx, call)
			if err != nil {
				var none T
				yield(none, err)
				return
			}

			if o.date != nil {
				*o.date = p.date
			}
			if o.Count != nil && p.Count != nil {
				o.Count(*p.Count)
			}
			for _, item := range p.Results {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// listMatching reads a whole list and returns the matching objects, with the date of PostHog's last
// response, or zero if the response has none.
func (o *objects[T, R, K]) listMatching(ctx context.Context, call call, matches func(T) bool) (result []T, date time.Time, err error) {
	for object, err := range pages[T](ctx, o.send, call, ListOptions{date: &date}, func() (*http.Request, error) { return o.listRequest(pageSize) }) {
		if err != nil {
			return nil, date, err
		}
		if matches(object) {
			result = append(result, object)
		}
	}
	return result, date, nil
}

// next parses the next page's URL. The request contains the key, so the URL must belong to the same
// collection. It must also be a page that was not read yet, because otherwise the list would never
// end.
func (a *response) next(address string, results int, visited map[string]bool) (*url.URL, error) {
	next, err := a.url.Parse(address)
	quoted := fmt.Sprintf("%q", a.clean(address, 200))
	switch {
	case err != nil || next.User != nil || !sameOrigin(next, a.url) || strings.TrimSuffix(next.Path, "/") != strings.TrimSuffix(a.url.Path, "/"):
		return nil, a.unusable(fmt.Sprintf("a page whose next link leaves the list, to %s, where the API key is not sent: "+
			"check that the proxy in front of PostHog forwards the host and scheme of base_url", quoted))
	case visited[next.RawQuery] || results == 0:
		return nil, a.unusable("a page whose next link does not lead to a new page: " + quoted)
	}

	// Keep the host and path as base_url spells them.
	same := *a.url
	same.RawQuery = next.RawQuery
	return &same, nil
}

// sameOrigin reports whether two URLs have the same scheme, host, and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
