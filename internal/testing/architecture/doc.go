// Package architecture holds the tests that keep the packages of this module apart:
// which may import which, which names are not used, and what the module depends on.
// There is no other code in it, and nothing imports it.
package architecture
