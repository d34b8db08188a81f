// Package openpgp stands for the check of signatures. OpenTofu calls it for a provider from a registry, which it then refuses.
package openpgp

import (
	"errors"
	"io"
)

// An Entity is the owner of a key.
type Entity struct {
	PrimaryKey *Key
	Identities map[string]*Identity
}

// An Identity is a name of the owner.
type Identity struct{ Name string }

// A Key has an ID.
type Key struct{}

// KeyIdString returns an empty ID.
func (*Key) KeyIdString() string { return "" }

// EntityList is a list of owners.
type EntityList []*Entity

var errNoSignatures = errors.New("this OpenTofu is built for tests, and cannot verify signatures: install the provider from a folder")

// ReadArmoredKeyRing returns an error.
func ReadArmoredKeyRing(io.Reader) (EntityList, error) { return nil, errNoSignatures }

// CheckDetachedSignature returns an error.
func CheckDetachedSignature(_ EntityList, _, _ io.Reader, _ any) (*Entity, error) {
	return nil, errNoSignatures
}
