// Package upjet tests that the provider works with Crossplane's upjet: it loads the
// provider as a library and generates the API types of its resources.
// tools/bridges/README.md lists the differences.
package upjet
