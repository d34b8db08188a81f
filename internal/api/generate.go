// Package api contains the contract: the OpenAPI document of PostHog's API, and the types and the client that
// are generated from it. Fields of the API are declared only in openapi.yaml. The package contains no policy
// and imports no other package of this module.
package api

//go:generate go tool -modfile=../../tools/generate/go.mod oapi-codegen -config oapi-codegen.yaml openapi.yaml
