package testserver

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// The HTTP Archive format, version 1.2, which the developer tools of browsers and other
// programs open.
type (
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Comment  string      `json:"comment,omitempty"`
	}
	harRequest struct {
		Method      string     `json:"method"`
		URL         string     `json:"url"`
		Version     string     `json:"httpVersion"`
		Cookies     []harField `json:"cookies"`
		Headers     []harField `json:"headers"`
		Query       []harField `json:"queryString"`
		Body        *harBody   `json:"postData,omitempty"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		Version     string     `json:"httpVersion"`
		Cookies     []harField `json:"cookies"`
		Headers     []harField `json:"headers"`
		Content     harContent `json:"content"`
		Redirect    string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harField struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harBody struct {
		Type string `json:"mimeType"`
		Text string `json:"text"`
	}
	harContent struct {
		Size     int    `json:"size"`
		Type     string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
		Comment  string `json:"comment,omitempty"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

// harUnknown stands for an unknown size in the format.
const harUnknown = -1

// WriteHAR writes the journal in the HTTP Archive format 1.2, oldest request first.
func (r *requestLog) WriteHAR(to io.Writer) error {
	entries, _, _ := r.journal.since(0, 0)

	keys := *r.keys.Load()
	out := bufio.NewWriterSize(to, 64<<10)
	_, _ = out.WriteString(`{"log":{"version":"1.2","creator":{"name":"posthog-testserver","version":"1"},"entries":[`)
	for i := range entries {
		if i > 0 {
			_, _ = out.WriteString(",")
		}
		_, _ = out.WriteString("\n")
		_, _ = out.Write(rawjson.Encode(entries[i].har(keys)))
	}
	_, _ = out.WriteString("]}}\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("HTTP archive: %w", err)
	}
	return nil
}

// har converts the entry to one of the archive.
func (e *entry) har(keys []string) harEntry {
	hide := e.redactor(keys)
	milliseconds := float64(e.duration.Microseconds()) / 1000
	archived := harEntry{
		Started: e.at.UTC().Format(time.RFC3339Nano), Time: milliseconds, Timings: harTimings{Wait: milliseconds},
		Request: e.harRequest(hide), Response: e.harResponse(hide),
	}

	var comments []string
	switch {
	case !e.ended:
		comments = append(comments, "still waiting for its answer")
	case e.status == 0:
		comments = append(comments, "the connection was closed without an answer")
	}
	for _, rule := range e.hits {
		comments = append(comments, "fault: "+string(rule.document))
	}
	archived.Comment = strings.Join(comments, "; ")
	return archived
}

func (e *entry) harRequest(hide redactor) harRequest {
	scheme := "http"
	if e.encrypted {
		scheme = "https"
	}
	header := hide.requestHeader(e)
	query := hide.query(e.query)
	address := url.URL{Scheme: scheme, Host: e.host, Path: hide.text(e.path), RawQuery: query}

	request := harRequest{
		Method: e.method, URL: address.String(), Version: e.protocol,
		Cookies: []harField{}, Headers: append([]harField{{"Host", e.host}}, harFields(header)...),
		Query: harQuery(query), HeadersSize: harUnknown, BodySize: e.bodySize,
	}
	if body := hide.requestBody(e); len(body) > 0 {
		request.Body = &harBody{Type: header.Get("Content-Type"), Text: strings.ToValidUTF8(string(body), "\uFFFD")}
	}
	return request
}

func (e *entry) harResponse(hide redactor) harResponse {
	response := harResponse{
		Status: e.status, StatusText: http.StatusText(e.status), Version: e.protocol,
		Cookies: []harField{}, Headers: []harField{}, HeadersSize: harUnknown, BodySize: harUnknown,
		Content: harContent{Type: "x-unknown"},
	}
	if e.status == 0 {
		return response
	}

	header := hide.header(e.responseHeader())
	response.Headers, response.BodySize = harFields(header), e.responseSize
	response.Redirect = header.Get("Location")
	response.Content.Size = e.responseSize
	if e.contentType != "" {
		response.Content.Type = e.contentType
	}

	switch {
	case e.responseBody == nil && e.responseSize > 0:
		response.Content.Comment = "the journal did not keep the body"
	case utf8.Valid(e.responseBody):
		response.Content.Text = string(hide.body(e.responseBody))
	default:
		response.Content.Text, response.Content.Encoding = base64.StdEncoding.EncodeToString(hide.body(e.responseBody)), "base64"
	}
	return response
}

// harFields lists the fields of a header by name.
func harFields(header http.Header) []harField {
	fields := []harField{}
	for name, values := range header {
		for _, value := range values {
			fields = append(fields, harField{name, value})
		}
	}
	slices.SortStableFunc(fields, func(a, b harField) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

// harQuery lists the parameters of a query in their order.
func harQuery(query string) []harField {
	fields := []harField{}
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		fields = append(fields, harField{unescaped(name), unescaped(value)})
	}
	return fields
}

// unescaped decodes a part of a query; malformed escapes stay as they are.
func unescaped(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return queryEscape.ReplaceAllStringFunc(strings.ReplaceAll(part, "+", " "), func(escape string) string {
		return string(unescapedByte([]byte(escape)))
	})
}

// queryEscape is the spelling of a byte in a query.
var queryEscape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
