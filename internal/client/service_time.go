package client

import (
	"net/http"
	"sync/atomic"
	"time"
)

// serviceTime is the newest time that the service has given in a response.
type serviceTime struct{ seconds atomic.Int64 }

func (s *serviceTime) note(header http.Header) {
	date, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		return
	}
	for {
		newest := s.seconds.Load()
		if date.Unix() <= newest || s.seconds.CompareAndSwap(newest, date.Unix()) {
			return
		}
	}
}

// ServiceTime is the newest time, by the clock of the service, that any response has had;
// zero before the first.
func (c *Client) ServiceTime() time.Time {
	if seconds := c.serviceTime.seconds.Load(); seconds > 0 {
		return time.Unix(seconds, 0).UTC()
	}
	return time.Time{}
}
