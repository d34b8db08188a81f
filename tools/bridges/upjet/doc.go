// Package upjet tests that the provider works with Crossplane's upjet: it loads the
// provider as a library and generates the API types of its resources.
// docs/guides/bridges.md lists the differences.
package upjet
