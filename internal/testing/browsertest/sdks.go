package browsertest

import "testing"

// SDKs returns the folder of modules with the SDKs of backends and mobile apps, for programs of Node.
func SDKs(t testing.TB) string {
	t.Helper()
	return sdks.find(t)
}
