// Package attribute handles single attributes between configuration, plan, state and wire,
// for all resources:
//
//   - plan modifiers and defaults: omitted_value.go, plan_equivalent.go, null_default.go;
//   - validators: timestamp.go, json_validators.go, enumeration.go;
//   - the wire: drift.go (from a response), request.go (into a request), memory.go
//     (what the service normalized), configured.go, json.go;
//   - whole objects: struct.go, equal_except.go, minimal_config.go, edits.go,
//     type_mismatch.go, readonly.go (the schema of a data source).
//
// It knows neither surveys nor import apps, and no HTTP.
package attribute

// IsKnown reports whether a value is neither null nor unknown.
func IsKnown(v interface {
	IsNull() bool
	IsUnknown() bool
}) bool {
	return !v.IsNull() && !v.IsUnknown()
}
