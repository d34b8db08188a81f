package surveyfile

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/yamldoc"
)

// converter converts nodes to plugin framework values, and records their lines. It reports every value that
// has the wrong type, and continues with null.
type converter struct {
	errors yamldoc.Errors
	// lines maps the paths of values to their lines.
	lines map[string]int
}

func (c *converter) failf(line int, format string, args ...any) {
	c.errors = append(c.errors, yamldoc.Errorf(line, format, args...))
}

// failAt reports a mistake at the line of a path.
func (c *converter) failAt(path, format string, args ...any) {
	c.failf(c.lineOf(path), format, args...)
}

// lineOf returns the line of the value at a path. If the line is unknown, it returns the line of the
// nearest value that contains the path.
func (c *converter) lineOf(path string) int {
	for {
		if line, ok := c.lines[path]; ok {
			return line
		}
		end := strings.LastIndexAny(path, ".[")
		if end < 0 {
			return 1
		}
		path = path[:end]
	}
}

// value converts a node to a value of a type.
func (c *converter) value(node *yamldoc.Node, to attr.Type, at string) attr.Value {
	c.lines[at] = node.Line
	if node.Kind == yamldoc.Scalar && node.Value == nil {
		return c.leaf(types.DynamicNull(), node, to, at)
	}

	switch to := to.(type) {
	case types.ObjectType:
		return c.object(node, to, at)
	case types.ListType:
		if node.Kind != yamldoc.List {
			c.failf(node.Line, "%s must be a list", at)
			return types.ListNull(to.ElemType)
		}
		elements := make([]attr.Value, len(node.Elements))
		for i, element := range node.Elements {
			elements[i] = c.value(element, to.ElemType, fmt.Sprintf("%s[%d]", at, i))
		}
		return types.ListValueMust(to.ElemType, elements)
	case types.MapType:
		return c.responses(node, to, at)
	}
	if to.Equal(jsontypes.NormalizedType{}) {
		c.noteLines(node, at)
		text, _ := json.Marshal(node.Plain()) // contains only JSON types
		return c.leaf(types.StringValue(string(text)), node, to, at)
	}
	return c.primitive(node, to, at)
}

func (c *converter) object(node *yamldoc.Node, to types.ObjectType, at string) attr.Value {
	if node.Kind != yamldoc.Mapping {
		c.failf(node.Line, "%s must be a mapping", at)
		return types.ObjectNull(to.AttrTypes)
	}
	attributes := make(map[string]attr.Value, len(to.AttrTypes))
	for _, member := range node.Members {
		if of, isKnown := to.AttrTypes[member.Key]; isKnown {
			attributes[member.Key] = c.value(member.Value, of, at+"."+member.Key)
		} else {
			c.failf(member.Line, "%v", attribute.UnsupportedKey(member.Key, to, at))
		}
	}
	for name, of := range to.AttrTypes {
		if attributes[name] == nil {
			attributes[name] = c.leaf(types.DynamicNull(), node, of, at)
		}
	}
	return types.ObjectValueMust(to.AttrTypes, attributes)
}

// responses converts a question's branching. A target is a question name, a position, or the end.
func (c *converter) responses(node *yamldoc.Node, to types.MapType, at string) attr.Value {
	if node.Kind != yamldoc.Mapping {
		c.failf(node.Line, "%s must be a mapping", at)
		return types.MapNull(to.ElemType)
	}
	targets := make(map[string]attr.Value, len(node.Members))
	for _, member := range node.Members {
		below := fmt.Sprintf("%s[%q]", at, member.Key)
		c.lines[below] = member.Value.Line
		if _, isBool := member.Value.Value.(bool); isBool || member.Value.Kind != yamldoc.Scalar {
			c.failf(member.Value.Line, "%s must be the name of a question, a position such as 0, or end", below)
			continue
		}
		target := attr.Value(types.StringNull())
		if member.Value.Value != nil {
			target = types.StringValue(member.Value.Text)
		}
		targets[member.Key] = target
	}
	return types.MapValueMust(to.ElemType, targets)
}

// primitive converts a string, a number, or a boolean.
func (c *converter) primitive(node *yamldoc.Node, to attr.Type, at string) attr.Value {
	if node.Kind != yamldoc.Scalar {
		c.failf(node.Line, "%s is %s. It must be one value", at, node.Kind)
		return c.leaf(types.DynamicNull(), node, to, at)
	}
	switch value := node.Value.(type) {
	case bool:
		if to.Equal(types.StringType) {
			break
		}
		return c.leaf(types.BoolValue(value), node, to, at)
	case json.Number:
		if to.Equal(types.StringType) {
			break
		}
		number, _, err := big.ParseFloat(value.String(), 10, 512, big.ToNearestEven)
		if err != nil {
			c.failf(node.Line, "%s is %s, which is too large", at, node.Text)
			number = new(big.Float)
		}
		return c.leaf(types.NumberValue(number), node, to, at)
	case string:
		return c.leaf(types.StringValue(value), node, to, at)
	}

	// YAML keeps only the value of a number or a boolean. Its text may differ from the spelling in the
	// file.
	c.failf(node.Line, "%s is %s, not a text. Write %q in quotes", at, node.Text, node.Text)
	return c.leaf(types.DynamicNull(), node, to, at)
}

// leaf converts a scalar according to Terraform's rules.
func (c *converter) leaf(value attr.Value, node *yamldoc.Node, to attr.Type, at string) attr.Value {
	converted, err := attribute.ConvertStrictly(value, to, at)
	if err != nil {
		c.failf(node.Line, "%v", err)
		return c.leaf(types.DynamicNull(), node, to, at)
	}
	return converted
}

// noteLines records the lines of values in a JSON attribute.
func (c *converter) noteLines(node *yamldoc.Node, at string) {
	c.lines[at] = node.Line
	for i, element := range node.Elements {
		c.noteLines(element, fmt.Sprintf("%s[%d]", at, i))
	}
	for _, member := range node.Members {
		c.noteLines(member.Value, at+"."+member.Key)
	}
}
