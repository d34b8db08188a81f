package cli

import (
	"runtime"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/exportdir"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// pendingObject is an object that is being rendered.
type pendingObject struct {
	key  exportdir.Key
	name string
	code func() (*hclfile.Object, error)
}

// objectQueue renders several objects at the same time, and adds them in the order in which
// the service lists them.
type objectQueue struct {
	add     func(exportdir.Key, string, func() (*hclfile.Object, error)) error
	pending []pendingObject
}

// push queues an object. When the queue is full it waits for the oldest one and adds it.
func (q *objectQueue) push(o pendingObject) error {
	q.pending = append(q.pending, o)
	if len(q.pending) <= 2*runtime.GOMAXPROCS(0) {
		return nil
	}
	return q.pop()
}

func (q *objectQueue) pop() error {
	oldest := q.pending[0]
	q.pending = q.pending[1:]
	return q.add(oldest.key, oldest.name, oldest.code)
}

// drain adds the remaining objects.
func (q *objectQueue) drain() error {
	for len(q.pending) > 0 {
		if err := q.pop(); err != nil {
			return err
		}
	}
	return nil
}

// ahead starts to render an object, and returns a function that waits for the result.
func ahead(code func() (*hclfile.Object, error)) func() (*hclfile.Object, error) {
	type result struct {
		object *hclfile.Object
		err    error
	}
	done := make(chan result, 1)
	go func() {
		object, err := code()
		if err == nil {
			object.Render()
		}
		done <- result{object, err}
	}()
	return func() (*hclfile.Object, error) {
		r := <-done
		return r.object, r.err
	}
}
