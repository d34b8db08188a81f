// Package testserver is a complete, in-memory reference server of the survey and
// pipeline import app interface, for tests without an external service. It keeps
// what it is told, refuses what the service refuses, writes down every request,
// and misbehaves on demand.
//
// In a test, [Start] is all there is to call:
//
//	srv := testserver.Start(t)
//	client := mine.NewClient(srv.URL, srv.APIKey)
//
// [New] gives the bare [http.Handler], and [Command] is the program
// posthog-testserver.
//
// The server is a witness for the clients that are tested with it, so it shares
// no code with them: of this module it imports the contract alone.
package testserver
