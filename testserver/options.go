package testserver

import (
	"context"
	"io"
	"log/slog"
	"time"

	"github.com/google/uuid"
)

// Options are the options of a server. The zero value is a server with the profile
// [Documented], the default fixtures, the real clock and random ids.
type Options struct {
	// Profile is the variant of the interface; empty means [Documented].
	Profile Profile
	// Fixtures is the document with the initial contents, in the form of GET
	// /_testserver/fixtures; nil means the default: one organization, one user, project 1,
	// feature flag 1 and the key phx_test with scope *.
	Fixtures io.Reader
	// Clock returns the current time; nil means [time.Now].
	Clock func() time.Time
	// IDs is the source of the IDs of new surveys and of the random part of flag keys; nil
	// means [uuid.NewV7]. It is called by one request at a time. Worlds share it, so IDs
	// are not reproducible with parallel worlds.
	IDs func() uuid.UUID
	// Throttle limits the requests of every API key like PostHog: 480 in a
	// minute and 4,800 in an hour. [FeatureThrottling] does it for an organization.
	Throttle bool
	// Logger logs the stack of a panic in the server's code, whose response has status
	// 500; nil means [slog.Default].
	Logger *slog.Logger
	// Observe is called with every response of the API just before it is sent, in the
	// goroutine of its request, or nil if there is none. It is not called for a response that a fault
	// drops.
	Observe func(Exchange)
	// Worlds gives every API key of the form phx_test_NAME that the fixtures do not have
	// its own world on first use: a copy of the initial store, a journal, faults and a
	// clock, so that one server serves parallel tests. Paths of the control interface take
	// the name as ?world=NAME. A world is dropped after an hour without a request, and when
	// there are more than 1,000.
	Worlds bool
	// Strict refuses requests with undocumented fields, including those in questions, with
	// 400 and the path of the first. Without it they are only reported.
	Strict bool
	// Hosts are names by which clients reach the server, without a port, in addition to localhost and
	// the addresses of the loopback interface. * allows any name. Requests for other names get status
	// 421, because a website could otherwise reach the server by a name that it controls. Connections
	// from other machines and containers may also use IP addresses, and names without a dot.
	Hosts []string
	// MaxEvents is the number of events that a store keeps. Beyond it, the oldest events are dropped,
	// and survey events last. 0 means 100,000.
	MaxEvents int
	// Delivery serves surveys to the SDKs in apps even in the profile [Documented]. [Hosted] always serves them.
	Delivery bool
	// Sleep waits for the delay of a fault, or until the context ends because the server
	// stops; nil means to really wait.
	Sleep func(ctx context.Context, delay time.Duration)
}
