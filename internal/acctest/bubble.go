package acctest

import (
	"io"
	"net/http"
	"net/http/httptest"
)

// InBubble makes the provider ready for a test in a bubble of testing/synctest, whose
// time goes on when all of its goroutines wait: the provider goes by the bubble's clock
// in place of the one that jumps, and calls the server without a network, which the
// bubble would not see waiting. Start the World outside, with Clock.
func (w *World) InBubble() { w.transport = straight{w.Server} }

// straight carries requests to a handler in the goroutine of the caller.
type straight struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper. An answer that is dropped is a connection
// that ended.
func (s straight) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		switch reason := recover(); reason {
		case nil:
		case http.ErrAbortHandler:
			resp, err = nil, io.ErrUnexpectedEOF
		default:
			panic(reason)
		}
	}()
	answer := httptest.NewRecorder()
	s.handler.ServeHTTP(answer, r)
	return answer.Result(), nil
}
