package testserver

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// Options configures a server. The zero value is a server with the profile [Documented], the default
// fixtures, the real clock, and random IDs.
type Options struct {
	// Profile selects the API. Empty means [Documented].
	Profile Profile
	// Fixtures is the document with the initial contents, in the form of GET /_testserver/fixtures.
	// nil means the default fixtures: one organization, one user, project 1, feature flag 1, and the
	// key phx_test with scope *.
	Fixtures io.Reader
	// Clock returns the current time. nil means [time.Now].
	Clock func() time.Time
	// IDs generates the IDs of new surveys and the random part of flag keys. nil means [uuid.NewV7].
	// The server never calls it concurrently. Worlds share it, so IDs are not reproducible if worlds
	// are used in parallel.
	IDs func() uuid.UUID
	// Throttle limits the requests of every API key as PostHog does: 480 a minute and 4,800 an hour.
	// [FeatureThrottling] does this for one organization.
	Throttle bool
	// Logger logs the stack of a panic in the server's code, to which the server responds with status
	// 500. nil means [slog.Default].
	Logger *slog.Logger
	// Observe is called with every response of the API just before the server sends it, in the
	// goroutine of the request. It may be nil. It is not called for a response that a fault drops.
	Observe func(Exchange)
	// Worlds gives every API key of the form phx_test_NAME that the fixtures don't contain its own
	// world on first use: a copy of the initial store, and a separate journal, faults, and clock, so
	// that one server can serve parallel tests. Control paths accept the name as ?world=NAME. A world
	// is dropped after an hour without a request, and when there are more than 1,000 worlds.
	Worlds bool
	// Strict refuses requests with undocumented fields, including undocumented fields in questions,
	// with status 400 and the path of the first one. Without Strict, the server only reports such
	// fields.
	Strict bool
	// Hosts are names by which clients reach the server, without a port, in addition to localhost and
	// the addresses of the loopback interface. * allows any name. Requests for other names get status
	// 421, because a website could otherwise reach the server by a name that it controls. Connections
	// from other machines and containers may also use IP addresses, and names without a dot.
	Hosts []string
	// MaxEvents is the number of events that a store keeps. If there are more, the oldest events are dropped, and
	// survey events are dropped last. 0 means 100,000.
	MaxEvents int
	// Delivery serves surveys to the SDKs in apps even in the profile [Documented]. The profile
	// [Hosted] always serves them.
	Delivery bool
	// Sleep waits for a fault's delay, or until the context ends because the server stops. nil means waiting in real
	// time.
	Sleep func(ctx context.Context, delay time.Duration)
}
