package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// undocumented returns the paths of the members of a request that the document does not
// have, such as questions[0].color.
func undocumented(v wire.Value, shape *api.Shape) []string {
	var found []string
	if shape == nil {
		return nil
	}
	for _, m := range v.Members() {
		inner, known := shape.Members[m.Name]
		if !known && shape.Members != nil {
			found = append(found, memberPath(m.Name))
		}
		for _, path := range undocumented(m.Value, inner) {
			found = append(found, memberPath(m.Name)+separated(path))
		}
	}
	for i, item := range v.Items() {
		for _, path := range undocumented(item, shape.Items) {
			found = append(found, "["+strconv.Itoa(i)+"]"+separated(path))
		}
	}
	return found
}

// memberPath is the name of a member in a path.
func memberPath(name string) string {
	if name == "" || strings.ContainsAny(name, `.[]"`) {
		return strconv.Quote(name)
	}
	return name
}

// separated is a path with a separator before it.
func separated(path string) string {
	if path[0] == '[' {
		return path
	}
	return "." + path
}

// withoutIndexes is a path without the indexes in arrays, the same for all items.
func withoutIndexes(path string) string {
	parts := strings.Split(path, "[")
	for i, part := range parts[1:] {
		if index, rest, ok := strings.Cut(part, "]"); ok && strings.Trim(index, "0123456789") == "" {
			parts[i+1] = "]" + rest
		}
	}
	return strings.Join(parts, "[")
}

// checkDocumented records the undocumented fields of a request, and refuses them if the
// server is strict.
func (x *Call) checkDocumented(sent wire.Value) *wire.Failure {
	if x.Operation == nil {
		return nil
	}
	paths := undocumented(sent, x.Operation.shape)
	response := api.ResponseShape(x.Operation.ID)
	for _, path := range paths {
		x.Undocumented = append(x.Undocumented, record.SentField{Path: withoutIndexes(path), ReadOnly: isReadOnly(response, path)})
	}
	if !x.Strict || len(paths) == 0 {
		return nil
	}
	first := slices.Min(paths)
	// Most such fields are misspelt, others are those of a response that was sent back.
	why := "The document does not name this field"
	if isReadOnly(response, first) {
		why = "This field is read only: the document names it in responses alone"
	}
	return wire.Invalid("unknown_field", first, why+", and the server was started with -strict.")
}

// isReadOnly reports whether responses have a field by its path in a request.
func isReadOnly(response *api.Shape, path string) bool {
	for _, name := range strings.FieldsFunc(withoutIndexes(path), func(r rune) bool { return r == '.' }) {
		if response == nil {
			return false
		}
		inner, isMember := response.Members[strings.TrimSuffix(name, "[]")]
		if !isMember {
			return false
		}
		if strings.HasSuffix(name, "[]") && inner != nil {
			inner = inner.Items
		}
		response = inner
	}
	return true
}
