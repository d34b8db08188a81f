package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// However a service repeats a sensitive value of a request, no error has it.
func TestErrorsHideSensitiveValues(t *testing.T) {
	t.Parallel()
	secret := `to"k&n=` + "\u00e9<S>"
	encoded, err := json.Marshal(secret)
	require.NoError(t, err)

	for _, echoed := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), string(encoded)} {
		detail, err := json.Marshal("Could not fetch https://h/a?private_token=" + echoed)
		require.NoError(t, err)
		s := serve(t, respondJSON(400, fmt.Sprintf(`{"type":"x","code":"y","attr":"url","detail":%s}`, detail)))
		_, err = s.client().Surveys("1").Retrieve(WithSecrets(t.Context(), secret), surveyID)
		require.Error(t, err)
		assert.Contains(t, err.Error(), "[sensitive value]", echoed)
		assert.NotContains(t, err.Error(), "k&n")
	}

	// A value that is in any text is not looked for.
	_, err = serve(t, respondJSON(400, `{"detail":"The name is bad"}`)).client().Surveys("1").Retrieve(WithSecrets(t.Context(), "a", "", "is"), surveyID)
	assert.ErrorContains(t, err, "The name is bad")
}

// What a service sends behind the end of a response is logged by net/http, the header with
// the key that it got among it.
func TestLogWriterHidesKeys(t *testing.T) {
	t.Parallel()
	newCredential("phx_ofTheLogWriter", map[string]string{"CF-Access-Client-Secret": "s3cretOfTheProxy"})

	var written bytes.Buffer
	logger := log.New(LogWriter(&written), "", 0)
	logger.Printf("Unsolicited response received on idle HTTP channel starting with %q; err=%v",
		"Authorization: Bearer phx_ofTheLogWriter\r\nCF-Access-Client-Secret: s3cretOfTheProxy", net.ErrClosed)
	assert.Contains(t, written.String(), "Bearer [API key]")
	assert.NotContains(t, written.String(), "phx_")
	assert.NotContains(t, written.String(), "s3cret")
}
