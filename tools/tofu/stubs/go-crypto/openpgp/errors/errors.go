// Package errors has the errors of the OpenPGP library that OpenTofu looks for. The stub returns none of them.
package errors

import "errors"

var (
	ErrUnknownIssuer    = errors.New("unknown issuer")
	ErrKeyExpired       = errors.New("key expired")
	ErrSignatureExpired = errors.New("signature expired")
)
