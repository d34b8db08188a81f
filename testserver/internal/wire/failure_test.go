package wire_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

func TestFailureOfAStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		400: `{"type":"invalid_request","code":"invalid_input","detail":"Invalid input.","attr":null}`,
		401: `{"type":"authentication_error","code":"authentication_failed","detail":"Personal API key found in request Authorization header is invalid.","attr":null}`,
		403: `{"type":"authentication_error","code":"permission_denied","detail":"You do not have permission to perform this action.","attr":null}`,
		404: `{"type":"invalid_request","code":"not_found","detail":"Not found.","attr":null}`,
		429: `{"type":"throttled_error","code":"throttled","detail":"Request was throttled.","attr":null}`,
		499: `{"type":"invalid_request","code":"invalid_input","detail":"Invalid input.","attr":null}`,
		500: `{"type":"server_error","code":"error","detail":"A server error occurred.","attr":null}`,
		503: `{"type":"server_error","code":"error","detail":"A server error occurred.","attr":null}`,
	} {
		f := wire.StatusFailure(status)
		assert.Equal(t, status, f.Status)
		assert.Equal(t, want, f.Body().Spelling())
	}
	assert.Equal(t, `{"type":"validation_error","code":"invalid_input","detail":"a 1","attr":"name"}`, wire.Refusal("name", "a %d", 1).Body().Spelling())
	assert.Equal(t, `{"type":"invalid_request","code":"parse_error","detail":"x","attr":null}`, wire.BadRequest("parse_error", "x").Body().Spelling())
}

func TestResponseOfAFailure(t *testing.T) {
	t.Parallel()
	plain := wire.ServerError().Response()
	assert.Equal(t, 500, plain.Status)
	assert.Equal(t, "application/json", plain.ContentType)
	assert.Nil(t, plain.Header)

	f := wire.MethodNotAllowed("PUT", "GET, POST")
	assert.Equal(t, `Method "PUT" not allowed.`, f.Detail)
	f.RetryAfter, f.Challenge = "5", "Bearer"
	assert.Equal(t, http.Header{"Allow": {"GET, POST"}, "Retry-After": {"5"}, "Www-Authenticate": {"Bearer"}}, f.Response().Header)
}

func TestFirstOf(t *testing.T) {
	t.Parallel()
	calls := 0
	passes := func() *wire.Failure { calls++; return nil }
	assert.Nil(t, wire.FirstFailure(passes, passes))
	assert.Equal(t, 404, wire.FirstFailure(passes, wire.ObjectNotFound, passes).Status)
	assert.Equal(t, 3, calls, "the checks after a failure are skipped")
}

func TestCheckLimits(t *testing.T) {
	t.Parallel()
	nested := func(depth int, inside string) []byte {
		return []byte(strings.Repeat("[", depth) + inside + strings.Repeat("]", depth))
	}
	large := `"` + strings.Repeat("x", 2<<20) + `"`
	for name, test := range map[string]struct {
		text   []byte
		status int
	}{
		"empty":                  {nil, 0},
		"deepest":                {nested(900, "1"), 0},
		"deeper":                 {nested(901, "1"), 500},
		"no JSON":                {[]byte(strings.Repeat("{", 901)), 500},
		"one after the other":    {[]byte(strings.Repeat("[],", 5000)), 0},
		"brackets in a string":   {[]byte(`"` + strings.Repeat("[", 5000) + `"`), 0},
		"after an escaped quote": {[]byte(`"\"` + strings.Repeat("[", 5000) + `"`), 0},
		"after a backslash":      {append([]byte(`"\\"`), nested(901, "")...), 500},
		"large and flat":         {nested(500, large), 0},
		"large and deep":         {nested(600, large), 413},
		"unclosed string":        {[]byte(`["` + strings.Repeat("[", 5000)), 0},
	} {
		err := wire.CheckLimits(test.text)
		if test.status == 0 {
			require.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		assert.Equal(t, test.status, wire.TooDeep(err).Status, name)
	}
	assert.Equal(t, 413, wire.TooDeep(errors.New("x")).Status)
}
