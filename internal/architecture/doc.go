// Package architecture holds the tests that keep the rooms of this module apart:
// who may import whom, which names are not used, and what the module depends on.
// There is no other code in it, and nothing imports it.
package architecture
