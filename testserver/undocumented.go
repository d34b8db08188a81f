package testserver

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// undocumented returns the paths of the members of a request that the document does not
// have, such as questions[0].color. It allocates nothing if there are none.
func undocumented(raw json.RawMessage, shape *api.Shape) []string {
	var found []string
	switch {
	case shape == nil || len(raw) == 0:
	case raw[0] == '{' && shape.Members != nil:
		for name, value := range rawjson.Each(raw) {
			inner, known := shape.Members[string(name[1:len(name)-1])]
			if !known {
				inner, known = shape.Members[rawjson.Unquote(name)]
			}
			if !known {
				found = append(found, memberPath(rawjson.Unquote(name)))
				continue
			}

			for _, path := range undocumented(value, inner) {
				found = append(found, memberPath(rawjson.Unquote(name))+separated(path))
			}
		}
	case raw[0] == '[' && shape.Items != nil:
		for i, item := range rawjson.Items(raw) {
			for _, path := range undocumented(item, shape.Items) {
				found = append(found, "["+strconv.Itoa(i)+"]"+separated(path))
			}
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
func (x *exchange) checkDocumented(sent rawjson.Fields) *field.Failure {
	if x.endpoint == nil || x.endpoint.shape == nil {
		return nil
	}
	x.undocumented = x.undocumented[:0]
	for name, value := range sent {
		inner, known := x.endpoint.shape.Members[name]
		switch {
		case !known:
			x.undocumented = append(x.undocumented, memberPath(name))
		case inner != nil:
			for _, path := range undocumented(value, inner) {
				x.undocumented = append(x.undocumented, memberPath(name)+separated(path))
			}
		}
	}

	if !x.strict || len(x.undocumented) == 0 {
		return nil
	}
	slices.Sort(x.undocumented)
	return field.Invalid("unknown_field", x.undocumented[0], whyUndocumented(x.endpoint.ID, x.undocumented[0])+", and the server was started with -strict.")
}

// whyUndocumented says why a field must not be sent: most are misspelt, others are those of
// a response that was sent back.
func whyUndocumented(operation, path string) string {
	if isReadOnly(api.ResponseShape(operation), path) {
		return "This field is read only: the document names it in responses alone"
	}
	return "The document does not name this field"
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
