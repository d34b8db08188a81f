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

// ListOptions shape the requests of a list.
type ListOptions struct {
	// PageSize is how many objects one request asks for. Zero leaves it to the
	// service.
	PageSize int
	// Count is called with the number of objects of the list when a page came that has
	// it; nil when the number is not needed.
	Count func(objects int64)

	// date takes the date of the last response; nil when it is not needed.
	date *time.Time
}

// limit is the query parameter for the page size.
func (o ListOptions) limit() *api.Limit {
	if o.PageSize == 0 {
		return nil
	}
	n := api.Limit(o.PageSize)
	return &n
}

// page is the envelope of a list, whatever it lists.
type page[T any] struct {
	Count   *int64  `json:"count"`
	Next    *string `json:"next"`
	Results []T     `json:"results"`

	date time.Time // of the response, by the service's clock; zero when it has none
}

// pageSize is what this client itself asks for where it reads whole lists. The hosted
// service grants any size; of the longest surveys this many still fit in a response.
const pageSize = 500

// pageReader reads a list page by page.
type pageReader[T any] struct {
	send send
	call call
	// next asks for the page to read next; nil after the last one.
	next *http.Request
	// err is why the request for the first page could not be built.
	err error
	// seen are the queries of the pages that were read.
	seen map[string]bool
}

// newPageReader takes the request for the first page as its builder returns it.
func newPageReader[T any](send send, call call, first *http.Request, err error) *pageReader[T] {
	return &pageReader[T]{send: send, call: call, next: first, err: err, seen: map[string]bool{}}
}

// read reads the next page; there is none after an error.
func (r *pageReader[T]) read(ctx context.Context) (page[T], error) {
	var p page[T]
	req := r.next
	r.next = nil
	a, err := r.send(ctx, r.call, req, r.err)
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

// checkIDs refuses surveys whose ids are none.
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

// pages iterates over all objects of a collection, with one request per page, sent
// when the iteration gets there. An error is the last element. The first page is
// what first asks for, the others are where the service's next leads.
func pages[T any](ctx context.Context, send send, call call, o ListOptions, first func() (*http.Request, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		req, err := first()
		reader := newPageReader[T](send, call, req, err)
		for more := true; more; more = reader.next != nil {
			p, err := reader.read(ctx)
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

// listMatching reads a whole list and returns the objects in it that match, with the
// date of the service's last response; zero when it has none.
func (o *objects[T, R, K]) listMatching(ctx context.Context, failures failuresBound, matches func(T) bool) (result []T, date time.Time, err error) {
	call := o.call("list")
	call.failures = failures
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

// next reads the address of the next page. The key goes where next leads, so it has
// to be the same collection; and it has to be a page that was not read yet, since a
// list that never ends is no list.
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

	// Host and path stay as base_url spells them.
	same := *a.url
	same.RawQuery = next.RawQuery
	return &same, nil
}

// sameOrigin reports whether two URLs lead to the same service.
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
