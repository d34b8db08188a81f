package client

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// lostFor is how long nobody tries again after the service was given up as out of
// reach: a thousand objects would each wait for the same.
const lostFor = 30 * time.Second

// reach is what a client knows of whether its service can be reached. One that has
// answered is at the right address: when it can't be reached any more, it is away,
// and comes back. One that never has is more often a wrong address.
type reach struct {
	mu       sync.Mutex
	answered bool
	lost     *ConnectionError
	until    time.Time
}

// answer notes that the service answered, whatever it said.
func (r *reach) answer() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answered, r.lost = true, nil
}

// known tells whether the service has ever answered.
func (r *reach) known() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered
}

// giveUp notes the last error of a request that is not tried any more.
func (r *reach) giveUp(err error, now time.Time) {
	e, ok := errors.AsType[*ConnectionError](err)
	if !ok || e.Sent || e.Budget.Length > 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.answered {
		r.lost, r.until = e, now.Add(lostFor)
	}
}

// refuse is the error of a request that is not even tried; nil when it is to be.
func (r *reach) refuse(c *Client, operation string, req *http.Request, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost == nil || !now.Before(r.until) {
		return nil
	}
	e := *r.lost
	e.Operation, e.Method, e.Path = operation, req.Method, c.path(req.URL)
	return &e
}
