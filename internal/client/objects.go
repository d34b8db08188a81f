package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// objects accesses one kind of object in one project or organization. T is the object's type, R the
// request body's type, and K the ID's type.
type objects[T, R any, K comparable] struct {
	client *Client
	send   send
	// hide removes the requests' sensitive values from text. It is nil if there are none.
	hide   func(string) string
	parent string
	kind[R, K]
	known *collections[K]
	// key normalizes an ID, so that equal IDs compare as equal.
	key func(K) K
}

// kind describes the operations on one kind of object and builds their requests.
type kind[R, K any] struct {
	// noun is the common prefix of the operation IDs.
	noun     string
	list     func(server, parent string, limit *api.Limit) (*http.Request, error)
	create   func(server, parent string, body R) (*http.Request, error)
	retrieve func(server, parent string, id K) (*http.Request, error)
	update   func(server, parent string, id K, body R) (*http.Request, error)
	destroy  func(server, parent string, id K) (*http.Request, error)
}

// call returns the call of one of the operations.
func (o *objects[T, R, K]) call(ctx context.Context, operation string) call {
	call := newCall(ctx, o.noun+"_"+operation)
	call.hide = o.hide
	return call
}

// do sends the request of one of the operations.
func (o *objects[T, R, K]) do(ctx context.Context, operation string, req *http.Request, err error) (*response, error) {
	return o.send(ctx, o.call(ctx, operation), req, err)
}

// List iterates over all objects that PostHog lists, including archived surveys.
func (o *objects[T, R, K]) List(ctx context.Context, options ListOptions) iter.Seq2[T, error] {
	return pages[T](ctx, o.send, o.call(ctx, "list"), options, func() (*http.Request, error) { return o.listRequest(options.PageSize) })
}

// listRequest returns the request for the first page of a list.
func (o *objects[T, R, K]) listRequest(limit int) (*http.Request, error) {
	return o.list(o.client.server, o.parent, ListOptions{PageSize: limit}.limit())
}

// Create creates an object. If the name is taken, [IsUniqueName] is true for the error.
func (o *objects[T, R, K]) Create(ctx context.Context, body R) (T, error) {
	req, err := o.create(o.client.server, o.parent, body)
	return object[T](o.do(ctx, "create", req, err))
}

// Retrieve reads one object. If its capabilities hide an import app, PostHog responds that the app
// does not exist.
func (o *objects[T, R, K]) Retrieve(ctx context.Context, id K) (T, error) {
	return object[T](o.fetch(ctx, id))
}

func (o *objects[T, R, K]) fetch(ctx context.Context, id K) (*response, error) {
	req, err := o.retrieve(o.client.server, o.parent, id)
	return o.do(ctx, "retrieve", req, err)
}

// Read reads an object. It uses a list if many objects are read (see [Options.SingleReads]). To read
// an object before a change, use Retrieve.
func (o *objects[T, R, K]) Read(ctx context.Context, id K) (value T, err error) {
	raw, err := o.ReadRaw(ctx, id)
	if err != nil {
		return value, err
	}
	return o.Decode(ctx, id, raw)
}

// Decode decodes the bytes that ReadRaw returned. If they do not fit, it reads the object again,
// because Retrieve's error explains which response is wrong, and why.
func (o *objects[T, R, K]) Decode(ctx context.Context, id K, raw json.RawMessage) (T, error) {
	var value T
	if json.Unmarshal(raw, &value) != nil {
		return o.Retrieve(ctx, id)
	}
	return value, nil
}

// ReadRaw is Read without decoding: it returns the bytes of the JSON object.
func (o *objects[T, R, K]) ReadRaw(ctx context.Context, id K) (json.RawMessage, error) {
	single := func(ctx context.Context) (json.RawMessage, error) {
		return object[json.RawMessage](o.fetch(ctx, id))
	}
	if o.client.singleReads {
		return single(ctx)
	}
	return o.known.collection(o.parent, source[K]{
		client: o.client,
		call:   func(ctx context.Context) call { return o.call(ctx, "list") },
		reader: func() *pageReader[json.RawMessage] {
			req, err := o.listRequest(pageSize)
			return newPageReader[json.RawMessage](o.send, req, err)
		},
		id: func(raw json.RawMessage) (K, bool) {
			id, ok := decodeID[K](raw)
			return o.key(id), ok
		},
	}).read(ctx, o.key(id), single)
}

// Change updates an object based on its current value. decide receives the current object and
// returns the fields to change, an empty request to change nothing, or an error to prevent the
// write. A null clears a field if PostHog allows it. Change calls decide again before every attempt
// that follows a wait, because others may have changed the object. If its own earlier attempt was
// carried out, Change does not mistake the result for someone's edit. It returns the resulting
// object.
func (o *objects[T, R, K]) Change(ctx context.Context, id K, decide func(ctx context.Context, live T) (R, error)) (T, error) {
	return o.change(ctx, id, nil, decide)
}

// ChangeNew is Change for an object that PostHog has just returned. It does not read the object
// before the first attempt.
func (o *objects[T, R, K]) ChangeNew(ctx context.Context, id K, created T, decide func(ctx context.Context, live T) (R, error)) (T, error) {
	return o.change(ctx, id, &created, decide)
}

func (o *objects[T, R, K]) change(ctx context.Context, id K, created *T, decide func(context.Context, T) (R, error)) (T, error) {
	defer o.known.writes.writing(o.key(id))()
	return change[T, R]{
		send: o.send, call: o.call(ctx, "partial_update"), decide: decide, created: created,
		retrieve: func(ctx context.Context) (*response, error) { return o.fetch(ctx, id) },
		build:    func(body R) (*http.Request, error) { return o.update(o.client.server, o.parent, id, body) },
	}.run(ctx)
}

// Remove permanently deletes an object, and a survey's targeting flag with it, unless check returns
// an error for the current object. Remove calls check again before every attempt that follows a
// wait.
func (o *objects[T, R, K]) Remove(ctx context.Context, id K, check func(ctx context.Context, live T) error) error {
	defer o.known.writes.writing(o.key(id))()
	req, err := o.destroy(o.client.server, o.parent, id)
	call := o.call(ctx, "destroy")
	call.look = func(ctx context.Context, _ bool) (*http.Request, *response, error) {
		live, err := object[T](o.fetch(ctx, id))
		if err == nil {
			err = check(ctx, live)
		}
		return req, nil, err
	}
	return noContent(o.send(ctx, call, req, err))
}

// Update is Change regardless of the current value.
func (o *objects[T, R, K]) Update(ctx context.Context, id K, body R) (T, error) {
	defer o.known.writes.writing(o.key(id))()
	req, err := o.update(o.client.server, o.parent, id, body)
	return object[T](o.do(ctx, "partial_update", req, err))
}

// Delete is Remove regardless of the current value.
func (o *objects[T, R, K]) Delete(ctx context.Context, id K) error {
	defer o.known.writes.writing(o.key(id))()
	req, err := o.destroy(o.client.server, o.parent, id)
	return noContent(o.do(ctx, "destroy", req, err))
}

// change is an update that depends on the current object.
type change[T, R any] struct {
	send send
	call call
	// build builds the operation's request, and retrieve reads the object.
	build    func(body R) (*http.Request, error)
	retrieve func(ctx context.Context) (*response, error)
	// decide computes the body from the current object. An empty body changes nothing, and an error
	// prevents the write.
	decide func(ctx context.Context, live T) (R, error)
	// created is the object if PostHog has just returned it, or nil if it must be read first.
	created *T
}

// run updates the object and returns the result.
func (c change[T, R]) run(ctx context.Context) (T, error) {
	var sent R
	route, err := c.build(sent)
	c.call.look = func(ctx context.Context, lost bool) (*http.Request, *response, error) {
		live, resp, err := c.live(ctx)
		if err != nil {
			return nil, nil, err
		}
		// If an earlier attempt of this change took effect although its response was lost, its
		// result is not someone's edit.
		if lost && resp != nil && holds(live, sent) {
			return nil, resp, nil
		}

		if sent, err = c.decide(ctx, live); err != nil {
			return nil, nil, err
		}
		if raw, err := json.Marshal(sent); err != nil || string(raw) != "{}" {
			req, err := c.build(sent)
			return req, nil, err
		}
		if resp == nil {
			resp, err = c.retrieve(ctx)
		}
		return nil, resp, err
	}
	return object[T](c.send(ctx, c.call, route, err))
}

// live returns the current object. The response is nil if PostHog has just returned the object.
func (c *change[T, R]) live(ctx context.Context) (T, *response, error) {
	if created := c.created; created != nil {
		c.created = nil
		return *created, nil, nil
	}
	resp, err := c.retrieve(ctx)
	live, err := object[T](resp, err)
	return live, resp, err
}
