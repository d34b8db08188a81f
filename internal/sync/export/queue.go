package export

import (
	"runtime"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// rendering is an object that is being rendered.
type rendering struct {
	entry entry
	// code waits for the result.
	code func() (*hclfile.Object, error)
}

// queue renders several objects at the same time, since that takes longer than reading them,
// and adds them in the order in which the service lists them.
type queue struct {
	add     func(rendering) error
	pending []rendering
}

// push starts to render an object. When the queue is full it waits for the oldest one and
// adds it.
func (q *queue) push(e entry, render func() (*hclfile.Object, error)) error {
	q.pending = append(q.pending, rendering{e, ahead(e.Address, render)})
	if len(q.pending) <= 2*runtime.GOMAXPROCS(0) {
		return nil
	}
	return q.pop()
}

func (q *queue) pop() error {
	oldest := q.pending[0]
	q.pending = q.pending[1:]
	return q.add(oldest)
}

// drain adds the remaining objects.
func (q *queue) drain() error {
	for len(q.pending) > 0 {
		if err := q.pop(); err != nil {
			return err
		}
	}
	return nil
}

// ahead starts to render an object under an address, and returns a function that waits for
// the result.
func ahead(address hclfile.Address, code func() (*hclfile.Object, error)) func() (*hclfile.Object, error) {
	type result struct {
		object *hclfile.Object
		err    error
	}
	done := make(chan result, 1)
	go func() {
		object, err := code()
		if err == nil {
			object.Address = address
			object.Render()
		}
		done <- result{object, err}
	}()
	return func() (*hclfile.Object, error) {
		r := <-done
		return r.object, r.err
	}
}
