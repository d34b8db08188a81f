package sdk

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// Header fields of capture v1.
const (
	sdkInfoHeader   = "PostHog-Sdk-Info"
	attemptHeader   = "PostHog-Attempt"
	requestIDHeader = "PostHog-Request-Id"
	sentAtHeader    = "PostHog-Request-Timestamp"
)

// requiredHeaders are in the order and spelling of PostHog's error message.
var requiredHeaders = []string{sdkInfoHeader, attemptHeader, requestIDHeader, sentAtHeader, "content-type", "user-agent"}

// bearerScheme is in lower case. PostHog ignores its case.
const bearerScheme = "bearer "

// maxSDKInfo is the maximum length of an SDK name that PostHog stores with an event.
const maxSDKInfo = 200

// batchHeader contains the header values that affect the events of a batch.
type batchHeader struct {
	// sentAt is the time at which the SDK sent the batch, by the device's clock.
	sentAt time.Time
	// library and version identify the SDK. Both are empty if the header does not contain them.
	library, version string
}

// headerChecks are in PostHog's order. The first failing check determines the response.
var headerChecks = []func(http.Header) *batchError{
	checkAuthorization, checkRequiredHeaders, checkToken, checkMediaType, checkEncoding, checkRequestID, checkAttempt,
}

// readBatchHeader checks and reads the header of a batch.
func readBatchHeader(header http.Header) (batchHeader, *batchError) {
	for _, check := range headerChecks {
		if err := check(header); err != nil {
			return batchHeader{}, err
		}
	}

	text := header.Get(sentAtHeader)
	sentAt, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return batchHeader{}, invalidHeader("%s is not valid RFC 3339: %s", sentAtHeader, text)
	}

	library, version := readSDKInfo(header.Get(sdkInfoHeader))
	return batchHeader{sentAt: sentAt, library: library, version: version}, nil
}

// readSDKInfo reads the name and version of an SDK. Both are empty if the text has another form.
func readSDKInfo(text string) (library, version string) {
	i := strings.LastIndexByte(text, '/')
	if i < 0 || len(text) > maxSDKInfo {
		return "", ""
	}
	library, version = strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
	if library == "" || version == "" {
		return "", ""
	}
	return library, version
}

// bearerToken returns the bearer token of a request. ok is false if the header contains none.
func bearerToken(header http.Header) (token string, ok bool) {
	text := header.Get("Authorization")
	if len(text) <= len(bearerScheme) || !strings.EqualFold(text[:len(bearerScheme)], bearerScheme) {
		return "", false
	}
	return strings.TrimSpace(text[len(bearerScheme):]), true
}

func isPresent(header http.Header, name string) bool { return len(header.Values(name)) > 0 }

func checkAuthorization(header http.Header) *batchError {
	if isPresent(header, "Authorization") {
		return nil
	}
	return &batchError{http.StatusUnauthorized, "missing_authorization", "missing Authorization header"}
}

func checkRequiredHeaders(header http.Header) *batchError {
	var missing []string
	for _, name := range requiredHeaders {
		if !isPresent(header, name) {
			missing = append(missing, strconv.Quote(name))
		}
	}
	if missing == nil {
		return nil
	}
	return badBatch("missing_required_headers", "request is missing required headers: [%s]", strings.Join(missing, ", "))
}

func checkToken(header http.Header) *batchError {
	token, ok := bearerToken(header)
	switch {
	case !ok:
		return invalidHeader("Authorization must use Bearer scheme")
	case !store.IsToken(token) || strings.HasPrefix(token, "phx_"):
		return statusError(http.StatusUnauthorized)
	}
	return nil
}

func checkMediaType(header http.Header) *batchError {
	text := header.Get("Content-Type")
	media, _, _ := strings.Cut(text, ";")
	if strings.EqualFold(strings.TrimSpace(media), "application/json") {
		return nil
	}
	return &batchError{http.StatusUnsupportedMediaType, "unsupported_content_type", "unsupported content type: " + text}
}

// contentEncoding returns the encoding of a body, or "" if the body is not encoded.
func contentEncoding(header http.Header) string {
	return strings.ToLower(header.Get("Content-Encoding"))
}

func checkEncoding(header http.Header) *batchError {
	if !isPresent(header, "Content-Encoding") || decoders[contentEncoding(header)] != nil {
		return nil
	}
	return &batchError{
		http.StatusUnsupportedMediaType, "unsupported_encoding", "unsupported content encoding: " + header.Get("Content-Encoding"),
	}
}

func checkRequestID(header http.Header) *batchError {
	text := header.Get(requestIDHeader)
	if _, err := uuid.Parse(text); err != nil {
		return invalidHeader("%s is not a valid UUID: %s", requestIDHeader, text)
	}
	return nil
}

func checkAttempt(header http.Header) *batchError {
	text := header.Get(attemptHeader)
	if attempt, err := strconv.ParseUint(text, 10, 32); err != nil || attempt == 0 {
		return invalidHeader("%s must be a positive integer: %s", attemptHeader, text)
	}
	return nil
}

// invalidHeader returns the error for an invalid header value.
func invalidHeader(format string, args ...any) *batchError {
	return badBatch("invalid_header_value", "invalid header value: %s", fmt.Sprintf(format, args...))
}
