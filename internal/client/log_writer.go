package client

import (
	"io"
	"slices"
	"sync"
)

// logged hides the keys and header values of all clients of the process in its log.
var logged redactions

// redactions are what hides the secrets of the newest clients.
type redactions struct {
	mu   sync.RWMutex
	hide []func(string) string
}

// mostRedactions is more clients than a process has at once.
const mostRedactions = 256

func (r *redactions) add(hide func(string) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hide = append(r.hide, hide)
	if extra := len(r.hide) - mostRedactions; extra > 0 {
		r.hide = slices.Delete(r.hide, 0, extra)
	}
}

func (r *redactions) apply(text string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, hide := range r.hide {
		text = hide(text)
	}
	return text
}

// LogWriter returns a writer for the standard logger that hides the keys and header values
// of all clients of the process: net/http logs what a service sends behind the end of a
// response, and that may be the request itself.
func LogWriter(to io.Writer) io.Writer { return logWriter{to} }

type logWriter struct{ to io.Writer }

// Write implements io.Writer. The logger writes each of its messages by one call.
func (w logWriter) Write(message []byte) (int, error) {
	if _, err := io.WriteString(w.to, logged.apply(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}
