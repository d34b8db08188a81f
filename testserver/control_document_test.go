package testserver_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The document is the contract, byte for byte, where the hosted service has its own too.
func TestDocumentIsServed(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Authorization", "")
	for _, path := range []string{control + "openapi.yaml", "/api/schema/"} {
		a := c.get(path).is(http.StatusOK)
		assert.Equal(t, string(api.Document()), a.body, path)
		assert.Equal(t, "application/vnd.oai.openapi", a.header.Get("Content-Type"))
	}

	assert.Equal(t, "GET, HEAD", c.post("/api/schema/", `{}`).is(http.StatusMethodNotAllowed).header.Get("Allow"))
	assert.Empty(t, srv.Journal())
}

// The server is alive while it loads a document, which locks the store.
func TestHealth(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true})
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	c.with("Authorization", "Bearer phx_test_a").get(surveys).is(http.StatusOK)

	reader, writer := io.Pipe()
	loaded := make(chan error, 1)
	go func() { loaded <- srv.Server.SetFixtures(reader) }()
	_, err := io.WriteString(writer, "{")
	require.NoError(t, err)

	assert.Equal(t, `{"status":"ok","profile":"hosted","worlds":1,"requests":1}`+"\n", c.get(control+"health").is(http.StatusOK).body)
	_, err = io.WriteString(writer, "}")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	require.NoError(t, <-loaded)
}
