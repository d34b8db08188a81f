package acctest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
)

// UseSynctest makes the provider ready for a test in a bubble of testing/synctest, whose
// time goes on when all of its goroutines wait: the provider goes by the bubble's clock
// in place of the one that jumps, and calls the server without a network, which the
// bubble would not see waiting. Start the Env outside, with Clock.
func (env *Env) UseSynctest() { env.transport = directTransport{env.Server} }

// directTransport carries requests to a handler that goes on, as a server does, when the
// client does not wait for its response.
type directTransport struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper. A connection that the handler drops is one
// that ended.
func (s directTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, ended := httptest.NewRecorder(), make(chan bool, 1)
	go func() { ended <- s.serve(answer, r) }()
	select {
	case whole := <-ended:
		if !whole {
			return nil, io.ErrUnexpectedEOF
		}
		return answer.Result(), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// serve reports whether the handler answered.
func (s directTransport) serve(w http.ResponseWriter, r *http.Request) (whole bool) {
	defer func() {
		reason := recover()
		if err, ok := reason.(error); reason != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) {
			panic(reason)
		}
	}()
	s.handler.ServeHTTP(w, r)
	return true
}

// Direct carries requests to a handler without a network.
func Direct(handler http.Handler) http.RoundTripper { return directTransport{handler} }
