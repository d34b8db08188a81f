package testserver

import (
	"net/http"
	"sync/atomic"
	"time"
)

// dateHeader formats times for the Date header. Most requests arrive in the same second as
// the one before, so it keeps the last text.
type dateHeader struct {
	last atomic.Pointer[dateText]
}

type dateText struct {
	second int64
	text   string
}

func (d *dateHeader) text(t time.Time) string {
	second := t.Unix()
	if last := d.last.Load(); last != nil && last.second == second {
		return last.text
	}
	formatted := &dateText{second, t.UTC().Format(http.TimeFormat)}
	d.last.Store(formatted)
	return formatted.text
}
