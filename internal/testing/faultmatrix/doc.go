// Package faultmatrix holds the tests of what the whole provider makes of a service
// that fails: faults by operations, and long runs under the service's limits. It asks
// for what the user gets: the exit, the words, the objects that are there afterwards.
// How a single request is tried again is tested in package client. There is no other
// code in it, and nothing imports it.
package faultmatrix
