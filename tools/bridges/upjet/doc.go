// Package upjet holds the test that Crossplane's upjet can take the provider: it loads it
// as a library and generates the API types of its resources. docs/guides/bridges.md says
// what they lose.
package upjet
