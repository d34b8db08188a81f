package service

import (
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// defaultLimit is the page size without the parameter limit. PostHog has no maximum.
const defaultLimit = 100

// window is the part of a list on a page.
type window struct{ offset, limit int64 }

// window returns the requested page. Invalid values count as missing. A number that is too large becomes the largest
// possible number.
func (x *Call) window() window {
	w := window{limit: defaultLimit}
	query := x.Request.URL.Query()
	for name, value := range map[string]*int64{"limit": &w.limit, "offset": &w.offset} {
		n, err := strconv.ParseInt(strings.TrimSpace(last(query[name])), 10, 64)
		if (err == nil || errors.Is(err, strconv.ErrRange)) && n > 0 {
			*value = n
		}
	}
	return w
}

// hasHugeLimit reports whether limit overflows 64 bits. PostHog fails in this case.
func hasHugeLimit(r *http.Request) bool {
	_, err := strconv.ParseInt(strings.TrimSpace(last(r.URL.Query()["limit"])), 10, 64)
	return errors.Is(err, strconv.ErrRange) && !strings.Contains(r.URL.Query().Get("limit"), "-")
}

// respondPage responds with the objects of a page. count is the number of all objects.
func respondPage[T any](x *Call, w window, count int, objects iter.Seq2[int, T], show func(T) []wire.Member) (wire.Response, *wire.Failure) {
	next, previous := wire.Null, wire.Null
	if w.limit < int64(count)-min(w.offset, int64(count)) {
		next = wire.NewText(pageURL(x.Request, w.limit, w.offset+w.limit))
	}
	if w.offset > 0 {
		previous = wire.NewText(pageURL(x.Request, w.limit, w.offset-min(w.limit, w.offset)))
	}
	var results []wire.Value
	for _, object := range objects {
		results = append(results, wire.NewObject(show(object)...))
	}
	return wire.JSONResponse(http.StatusOK, wire.NewObject(
		wire.Member{Name: "count", Value: wire.NewInt(int64(count))},
		wire.Member{Name: "next", Value: next},
		wire.Member{Name: "previous", Value: previous},
		wire.Member{Name: "results", Value: wire.NewArray(results...)},
	)), nil
}

// pageURL returns the URL of another page, with a sorted query. The URL of the first page has no offset.
func pageURL(r *http.Request, limit, offset int64) string {
	page := absoluteURL(r)
	query := page.Query()
	query.Set("limit", strconv.FormatInt(limit, 10))
	query.Del("offset")
	if offset > 0 {
		query.Set("offset", strconv.FormatInt(offset, 10))
	}
	page.RawQuery = query.Encode()
	return page.String()
}

// absoluteURL returns the URL of the request. It uses the request line, so that the URL is also correct
// below [http.StripPrefix].
func absoluteURL(r *http.Request) *url.URL {
	page, err := url.ParseRequestURI(r.RequestURI)
	if err != nil {
		page = &url.URL{Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
	}
	page.Scheme, page.Host = "http", r.Host
	if r.TLS != nil {
		page.Scheme = "https"
	}
	return page
}

// last returns the last value of a repeated parameter, which PostHog uses.
func last(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// ServerURL returns the URL at which the client reached the server, including a path prefix.
func ServerURL(r *http.Request) string {
	page := absoluteURL(r)
	return page.Scheme + "://" + page.Host + strings.TrimSuffix(page.EscapedPath(), r.URL.EscapedPath())
}
