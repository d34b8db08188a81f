package testserver

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// patience is the time in which a client must take or send some more. It bounds how long a
// connection can be kept busy by one that has stalled.
const patience = 30 * time.Second

// patientBody is the body of a request. Reading it fails when the client stalls.
type patientBody struct {
	io.ReadCloser
	control  *http.ResponseController
	patience time.Duration
}

// withPatience bounds the time for which the body of a request may make no progress.
func (s *Server) withPatience(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	r.Body = patientBody{r.Body, http.NewResponseController(w), s.patience}
}

// Read implements [io.Reader]. Without a connection there is no deadline to set, and nothing
// to wait for.
func (b patientBody) Read(p []byte) (int, error) {
	_ = b.control.SetReadDeadline(time.Now().Add(b.patience))
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		// The work on the request may take longer.
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
