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

// largeResponse is the size from which a response waits for its client: what is smaller, the
// system keeps for the connection.
const largeResponse = 64 << 10

// patientBody is the body of a request. Reading it fails when the client stalls.
type patientBody struct {
	io.ReadCloser
	control  *http.ResponseController
	patience time.Duration
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

// patientWriter writes to a client that must take each part of a large response in time.
type patientWriter struct {
	http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
	written  int
}

// patiently serves a request whose client must go on sending its body and taking its response.
func patiently(w http.ResponseWriter, r *http.Request, patience time.Duration, serve func(http.ResponseWriter)) {
	patient := &patientWriter{ResponseWriter: w, control: http.NewResponseController(w), patience: patience}
	defer patient.end()
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = patientBody{r.Body, patient.control, patience}
	}
	serve(patient)
}

// Unwrap lets [http.ResponseController] find the connection.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write implements [io.Writer].
func (w *patientWriter) Write(p []byte) (written int, err error) {
	for {
		part := p[written:min(written+largeResponse, len(p))]
		if w.written += len(part); w.written >= largeResponse {
			// Without a connection there is no deadline to set.
			_ = w.control.SetWriteDeadline(time.Now().Add(w.patience))
		}

		n, err := w.ResponseWriter.Write(part)
		if written += n; err != nil || written >= len(p) {
			return written, err
		}
	}
}

// end sends the rest, and lifts the deadline for the next request of the connection.
func (w *patientWriter) end() {
	if w.written >= largeResponse {
		_ = w.control.Flush()
		_ = w.control.SetWriteDeadline(time.Time{})
	}
}
