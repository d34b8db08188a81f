// Package api is the contract: the OpenAPI document of the interface, and the types and
// client generated from it. A field of the wire is declared in openapi.yaml and nowhere
// else. No policy and no import of another package of this module ever enters it.
package api

//go:generate go tool -modfile=../../tools/generate/go.mod oapi-codegen -config oapi-codegen.yaml openapi.yaml
