// Package try serves the surveys of a side from a test server in this process, so that an app
// shows them before anybody else sees them: to whom, and why not to others. Nothing is read
// from the service or sent to it.
package try
