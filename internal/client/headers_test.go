package client

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Extra headers go with every request, and their values are in no error, not even when
// the service says them back.
func TestHeaders(t *testing.T) {
	t.Parallel()
	const token = `tok"en<&/0123456789`
	s := serve(t, found, refuse(403, "permission_denied", "denied", "You sent "+token+" and Bearer "+token+"."))
	c := s.client(func(o *Options) { o.Headers = map[string]string{"x-access-token": "Bearer " + token, "X-Zone": "eu"} })
	_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.ErrorContains(t, err, "You sent [header value] and")
	assert.NotContains(t, err.Error(), "0123456789")
	assert.NotContains(t, fmt.Sprintf("%+v %#v", c, c.credential), token)
	for _, r := range s.requests() {
		assert.Equal(t, "Bearer "+token, r.header.Get("X-Access-Token"))
		assert.Equal(t, "eu", r.header.Get("X-Zone"))
		assert.Equal(t, "Bearer "+testKey, r.header.Get("Authorization"))
	}
}

func TestCheckHeaders(t *testing.T) {
	t.Parallel()

	for name, want := range map[string]string{
		"":                           "empty name",
		"X-Token: s3cr3t-value":      `begins with "X-Token"`,
		"authorization":              "Authorization cannot be set",
		"HOST":                       "Host cannot be set",
		"content-length":             "Content-Length cannot be set",
		"Proxy-Authorization":        "Proxy-Authorization cannot be set",
		"Transfer-Encoding":          "Transfer-Encoding cannot be set",
		"X-Umlaut-\u00e4":            "a character that no header name has",
		"X-Fine_1.0~":                "",
		"Cookie":                     "",
		"CF-Access-Client-Secret":    "",
		http.CanonicalHeaderKey("x"): "",
	} {
		err := CheckHeaders(map[string]string{name: "s3cr3t-value"})
		if want == "" {
			assert.NoError(t, err, name)
			continue
		}

		require.ErrorContains(t, err, want, name)
		assert.NotContains(t, err.Error(), "s3cr3t")
	}

	for _, value := range []string{"", " s3cr3t", "s3cr3t\n", "s3cr3t\r\nX: y", "s3cr3t\u00e4"} {
		err := CheckHeaders(map[string]string{"X-Token": value})
		require.ErrorContains(t, err, "the value of the header X-Token")
		assert.NotContains(t, err.Error(), "s3cr3t")
	}

	assert.ErrorContains(t, CheckHeaders(map[string]string{"X-A": "1", "x-a": "2"}), "given twice")
}

func TestParseHeaders(t *testing.T) {
	t.Parallel()
	headers, err := ParseHeaders(` {"X-Token": "s3cr3t"} `)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"X-Token": "s3cr3t"}, headers)
	headers, err = ParseHeaders(" ")
	require.NoError(t, err)
	assert.Empty(t, headers)
	for _, wrong := range []string{"X-Token: s3cr3t", `["s3cr3t"]`, `{"X-Token": 1}`, `{"X-Token": "s3cr3t"} more`, `{"Host": "s3cr3t"}`} {
		_, err = ParseHeaders(wrong)
		require.Error(t, err, wrong)
		assert.NotContains(t, err.Error(), "s3cr3t")
	}
}
