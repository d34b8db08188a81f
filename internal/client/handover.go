package client

import (
	"context"
	"encoding/json"
)

type handoverKey struct{}

type handover struct {
	raw json.RawMessage
	err error
}

// HandOver returns a context in which Read gives what ReadRaw gave before, in place
// of a request: for whoever looked at the bytes and found that they need reading.
func HandOver(ctx context.Context, raw json.RawMessage, err error) context.Context {
	return context.WithValue(ctx, handoverKey{}, handover{raw, err})
}

func handedOver(ctx context.Context) (raw json.RawMessage, err error, ok bool) { //nolint:revive,staticcheck // the error is a value here
	given, ok := ctx.Value(handoverKey{}).(handover)
	return given.raw, given.err, ok
}
