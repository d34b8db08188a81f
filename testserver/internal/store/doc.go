// Package store has the contents of a server: the objects, their order and their relations. It
// alone writes them. Objects are JSON that is served without decoding it. What a request may
// ask for, and what the service does then, is nothing of the store.
package store
