// Package wire has the JSON of requests: values that are decoded once, with their spelling
// beside them.
package wire
