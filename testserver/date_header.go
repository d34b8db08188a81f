package testserver

import (
	"net/http"
	"sync/atomic"
	"time"
)

// dateHeader writes times as the Date header has them. Most requests come in the same
// second as the one before, so it keeps the last text.
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
	written := &dateText{second, t.UTC().Format(http.TimeFormat)}
	d.last.Store(written)
	return written.text
}
