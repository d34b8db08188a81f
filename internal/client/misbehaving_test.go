package client

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blanks is a body without end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// What a service sends without end, in whatever form, is not read further than a response may
// be long.
func TestAnswerWithoutEnd(t *testing.T) {
	t.Parallel()
	for name, response := range map[string]http.HandlerFunc{
		"blanks": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.Copy(w, blanks{}) // ends when the client closes the connection
		},
		"compressed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			packed := gzip.NewWriter(w)
			_, _ = io.Copy(packed, io.LimitReader(blanks{}, 1<<30))
			_ = packed.Close()
		},
		"announced alone": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "99999999999")
			_, _ = io.WriteString(w, strings.Repeat(" ", 2<<20))
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := serve(t, response).client()
			c.maxResponse = 1 << 20

			start := time.Now()
			_, err := c.Surveys("1").Retrieve(t.Context(), surveyID)
			require.ErrorContains(t, err, "longer than 1048576 bytes")
			assert.Less(t, time.Since(start), 30*time.Second)
		})
	}
}

// A service gets back nothing that it made up: no cookie, and no key in an address.
func TestNothingIsKeptForTheService(t *testing.T) {
	t.Parallel()
	response := respondAs(200, "application/json", `{"id":"`+surveyID+`"}`, "Set-Cookie", "session=1; Path=/", "Location", "/elsewhere", "WWW-Authenticate", "Basic")
	s := serve(t, response, response)
	surveys := s.client().Surveys("1")
	for range 2 {
		_, err := surveys.Retrieve(t.Context(), surveyID)
		require.NoError(t, err)
	}
	for _, asked := range s.requests() {
		assert.Empty(t, asked.header.Values("Cookie"))
		assert.NotContains(t, asked.path+asked.query, testKey)
	}
}

// Bytes that are no text, and keys that are there twice, end in a survey or in an error, and in
// no crash; an error is one line that acts on no terminal.
func TestOddAnswers(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"NUL": "{\"id\":\"" + surveyID + "\",\"name\":\"a\x00b\"}", "bad UTF-8": "{\"id\":\"" + surveyID + "\",\"name\":\"\xff\"}",
		"surrogate": `{"id":"` + surveyID + `","name":"\ud800"}`, "twice": `{"id":"x","id":"` + surveyID + `"}`,
		"digits": `{"id":"` + surveyID + `","appearance":{"a":` + strings.Repeat("9", 100_000) + `}}`,
		"levels": `{"id":"` + surveyID + `","appearance":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			_, err := serve(t, respondJSON(200, body)).client().Surveys("1").Retrieve(t.Context(), surveyID)
			if err != nil {
				assert.NotRegexp(t, `[\x00-\x1f\x7f]`, err.Error())
				assert.Less(t, len(err.Error()), 4096)
			}
			assert.Less(t, time.Since(start), 10*time.Second)
			if name == "digits" || name == "levels" {
				assert.Error(t, err)
			}
		})
	}
}
