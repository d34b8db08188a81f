package testserver

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// The window of an activity feed by default.
const (
	activityLimit = "10"
	activityPage  = "1"
)

// activity responds with a page of the activity log of a project, newest first, or of
// one of its surveys.
func (hostedProfile) activity(x *exchange, subject *store.Survey) (response, *field.Failure) {
	var entries []store.LogEntry
	for _, e := range slices.Backward(x.store.LogOf(x.project.ID)) {
		if subject == nil || e.Item == subject.ID {
			entries = append(entries, e)
		}
	}

	limit, page, f := activityWindow(x.request)
	if pages := max(1, (int64(len(entries))-1)/max(1, limit)+1); f == nil && page > pages {
		f = field.ServerError()
	}
	if f != nil {
		return response{}, f
	}

	count := int64(len(entries))
	from := min((page-1)*limit, count)
	to := from + min(limit, count-from)

	return x.encode(http.StatusOK, func(b []byte) []byte {
		b = append(b, `{"results":`...)
		b = rawjson.AppendArray(b, slices.All(entries[from:to]), func(b []byte, e store.LogEntry) []byte {
			b = append(appendLogEntry(b, e, x.store), `,"is_system":`...)
			b = strconv.AppendBool(b, e.Author == 0)
			return append(b, `,"was_impersonated":false,"client":null}`...)
		})

		b = append(b, `,"next":`...)
		b = appendActivityLink(x.request, b, to < count, page+1, limit)
		b = append(b, `,"previous":`...)
		b = appendActivityLink(x.request, b, page > 1, page-1, limit)
		b = append(b, `,"total_count":`...)
		return append(strconv.AppendInt(b, count, 10), '}')
	}), nil
}

// activityWindow reads limit and page, integers from 1.
func activityWindow(r *http.Request) (limit, page int64, f *field.Failure) {
	query := r.URL.Query()
	for _, number := range []struct {
		name, unset string
		value       *int64
	}{{"limit", activityLimit, &limit}, {"page", activityPage, &page}} {
		text := number.unset
		if query.Has(number.name) {
			text = strings.TrimSpace(last(query[number.name]))
		}
		n, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			return 0, 0, field.Invalid("invalid_input", number.name, "A valid integer is required.")
		case n < 1:
			return 0, 0, field.Invalid("min_value", number.name, "Ensure this value is greater than or equal to 1.")
		}
		*number.value = n
	}
	return limit, page, nil
}

var (
	pageInURL  = regexp.MustCompile(`([?&]page=)\d+`)
	limitInURL = regexp.MustCompile(`([?&]limit=)\d+`)
)

// appendActivityLink writes the URL of the request with another page, or null when there is
// no such page.
func appendActivityLink(r *http.Request, b []byte, is bool, page, limit int64) []byte {
	if !is {
		return append(b, "null"...)
	}

	address := absoluteURL(r).String()
	for _, part := range []struct {
		name  string
		form  *regexp.Regexp
		value int64
	}{{"page", pageInURL, page}, {"limit", limitInURL, limit}} {
		value := strconv.FormatInt(part.value, 10)
		switch {
		case part.form.MatchString(address):
			address = part.form.ReplaceAllString(address, "${1}"+value)
		case strings.Contains(address, "?"):
			address += "&" + part.name + "=" + value
		default:
			address += "?" + part.name + "=" + value
		}
	}
	return rawjson.AppendQuoted(b, address)
}
