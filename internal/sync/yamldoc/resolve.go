package yamldoc

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// mostNodes limits how many values the aliases in a file may expand to. Without the limit, a few lines of
// nested aliases could exhaust the memory.
const mostNodes = 200_000

// resolver converts nodes of the YAML library to values. The library resolves aliases and merges only when
// it decodes, but decoding loses the lines and the spelling of numbers, and stops at the first mistake.
type resolver struct {
	errors Errors
	// open contains the anchors that are being resolved.
	open []*yaml.Node
	// nodes is the number of values that aliases have expanded to.
	nodes     int
	isTooMany bool
	// isPartial is set if a mistake made a value unreadable.
	isPartial bool
}

// failf reports a mistake that makes a value unreadable.
func (r *resolver) failf(line int, format string, args ...any) {
	r.isPartial = true
	r.reportf(line, format, args...)
}

// reportf reports a mistake that leaves all values readable.
func (r *resolver) reportf(line int, format string, args ...any) {
	r.errors = append(r.errors, Errorf(line, format, args...))
}

// resolve returns the value of a node. It returns null if the node has errors.
func (r *resolver) resolve(node *yaml.Node) *Node {
	if node.Kind == yaml.AliasNode {
		return r.follow(node)
	}
	if len(r.open) > 0 {
		r.nodes++
	}
	resolved := &Node{Line: node.Line, Kind: Scalar}
	if !r.checkTag(node) {
		return resolved
	}

	switch node.Kind {
	case yaml.SequenceNode:
		resolved.Kind = List
		for _, element := range node.Content {
			resolved.Elements = append(resolved.Elements, r.resolve(element))
		}
	case yaml.MappingNode:
		resolved.Kind = Mapping
		resolved.Members = r.members(node)
	case yaml.ScalarNode:
		resolved.Text = node.Value
		resolved.Value = r.scalar(node)
	case yaml.AliasNode, yaml.DocumentNode, yaml.StreamNode: // follow resolves aliases before this, and only the root is a document
	}
	return resolved
}

// follow returns the value of an alias, at the line of the alias.
func (r *resolver) follow(alias *yaml.Node) *Node {
	null := &Node{Line: alias.Line, Kind: Scalar}
	switch {
	case slices.Contains(r.open, alias.Alias):
		r.failf(alias.Line, "the alias *%s is inside its own anchor", alias.Value)
		return null
	case r.nodes > mostNodes:
		if !r.isTooMany {
			r.failf(alias.Line, "the aliases of the file expand to more than %d values. Replace some aliases with their values", mostNodes)
		}
		r.isTooMany = true
		return null
	}

	r.open = append(r.open, alias.Alias)
	resolved := *r.resolve(alias.Alias)
	r.open = r.open[:len(r.open)-1]
	resolved.Line = alias.Line
	return &resolved
}

// members returns a mapping's members. The mapping's own members override merged members, and earlier merged
// members override later ones.
func (r *resolver) members(node *yaml.Node) []Member {
	var own, merged []Member
	lines := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		name, isKey := r.key(key)
		if !isKey {
			continue
		}
		if first, isTwice := lines[name]; isTwice {
			r.reportf(key.Line, "the key %q is already in line %d. Use each key only once in a mapping", name, first)
			continue
		}
		lines[name] = key.Line

		if key.ShortTag() == mergeTag {
			merged = r.merge(value)
		} else {
			own = append(own, Member{name, key.Line, r.resolve(value)})
		}
	}

	for _, member := range merged {
		if _, isOwn := lines[member.Key]; !isOwn {
			own = append(own, member)
		}
	}
	return own
}

const mergeTag = "!!merge"

// merge returns the members that a merge key adds. Its value is a mapping or a list of mappings, in which
// the first mapping has priority.
func (r *resolver) merge(value *yaml.Node) []Member {
	before := len(r.errors)
	source := r.resolve(value)
	if len(r.errors) > before {
		return nil
	}
	mappings := []*Node{source}
	if source.Kind == List {
		mappings = source.Elements
	}

	var merged []Member
	isMerged := map[string]bool{}
	for _, mapping := range mappings {
		if mapping.Kind != Mapping {
			r.failf(mapping.Line, "<< requires a mapping or a list of mappings, but this is %s", mapping.describe())
			continue
		}
		for _, member := range mapping.Members {
			if !isMerged[member.Key] {
				merged = append(merged, member)
			}
			isMerged[member.Key] = true
		}
	}
	return merged
}

// describe returns a node's type for an error. It does not return the value, which may be secret.
func (n *Node) describe() string {
	switch n.Value.(type) {
	case string:
		return "a text"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	}
	if n.Kind == Scalar {
		return "null"
	}
	return string(n.Kind)
}

// key returns the text of a key.
func (r *resolver) key(node *yaml.Node) (string, bool) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.ScalarNode {
		r.failf(node.Line, "a key must be a text, not a list or a mapping")
		return "", false
	}
	r.checkText(node)
	return node.Value, true
}

// checkTag reports tags for types that JSON or PostHog does not support, and tags that do not match their
// values.
func (r *resolver) checkTag(node *yaml.Node) bool {
	if node.Style&yaml.TaggedStyle == 0 {
		return true
	}
	tag := node.ShortTag()
	fits := map[yaml.Kind][]string{
		yaml.MappingNode: {"!!map"}, yaml.SequenceNode: {"!!seq"},
		yaml.ScalarNode: {"!!str", "!!int", "!!float", "!!bool", "!!null", "!"},
	}[node.Kind]
	if !slices.Contains(fits, tag) {
		r.failf(node.Line, "the tag %s is not supported here. Remove it", tag)
		return false
	}
	return true
}

// checkText reports NUL characters, which PostHog cannot store.
func (r *resolver) checkText(node *yaml.Node) {
	if strings.ContainsRune(node.Value, 0) {
		r.reportf(node.Line, "the text contains the character NUL (\\0), which PostHog cannot store. Remove it")
	}
}

// scalar returns nil, a bool, a json.Number, or a string, according to YAML 1.2. It returns a string for
// values that the library treats as dates, and for numbers that JSON does not support.
func (r *resolver) scalar(node *yaml.Node) any {
	r.checkText(node)
	value, fits := scalar(node)
	if !fits && node.Style&yaml.TaggedStyle != 0 {
		r.failf(node.Line, "the value does not fit the tag %s", node.ShortTag())
	}
	return value
}

func scalar(node *yaml.Node) (value any, fits bool) {
	switch node.ShortTag() {
	case "!!null":
		return nil, slices.Contains([]string{"", "~", "null", "Null", "NULL"}, node.Value)
	case "!!bool":
		return strings.EqualFold(node.Value, "true"), strings.EqualFold(node.Value, "true") || strings.EqualFold(node.Value, "false")
	case "!!int", "!!float":
		number := strings.TrimPrefix(node.Value, "+")
		if trimmed := strings.TrimLeft(number, "0"); trimmed != number && trimmed != "" && trimmed[0] >= '0' && trimmed[0] <= '9' {
			number = trimmed // 010 means ten
		}
		if json.Valid([]byte(number)) && strings.Contains("-0123456789", number[:1]) {
			return json.Number(number), node.ShortTag() == "!!float" || !strings.ContainsAny(number, ".eE")
		}
		return node.Value, false
	}
	return node.Value, true
}
