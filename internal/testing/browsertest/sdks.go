package browsertest

import "testing"

// SDKs returns the node_modules directory with the SDKs of backends and mobile apps, for Node programs.
func SDKs(t testing.TB) string {
	t.Helper()
	return sdks.find(t)
}
