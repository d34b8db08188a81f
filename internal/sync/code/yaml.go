package code

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	model "github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// YAML is a survey file that people edit without Terraform. It omits everything optional, including IDs,
// dates, and the status.
type YAML struct {
	surveys []namedNode
}

// namedNode is a survey with its sort key.
type namedNode struct {
	name, id string
	node     *yaml.Node
}

// schemaComment tells editors which JSON schema to use for the file.
const schemaComment = "# yaml-language-server: $schema=https://raw.githubusercontent.com/surveys-as-code/terraform-provider-posthog/main/schemas/surveys.schema.json"

// Add adds a survey. options selects its question IDs.
func (y *YAML) Add(ctx context.Context, wire api.Survey, projectID string, options Options) error {
	id := ""
	if wire.ID != nil {
		id = *wire.ID
	}
	c, err := surveyschema.ConfigurationFromAPI(ctx, wire, projectID, options.ids())
	if err != nil {
		return fmt.Errorf("survey %s: %w", id, err)
	}

	node := &yaml.Node{Kind: yaml.MappingNode}
	allowed := surveyschema.HandWrittenAttributes()
	for _, s := range model.OrderedFields(&c.Fields) {
		switch {
		case allowed[s.Name] == nil || s.Value.IsNull():
		case s.Name == "questions":
			add(node, s.Name, questionsNode(c.Questions.List()))
		default:
			value := yamlNode(plainValue(s.Value))
			if key := c.FlagKeys[c.LinkedFlagID.ValueInt64()]; s.Name == "linked_flag_id" {
				value.LineComment = key
			}
			add(node, s.Name, value)
		}
	}
	y.surveys = append(y.surveys, namedNode{c.Name.ValueString(), id, node})
	return nil
}

// Len returns the number of surveys.
func (y *YAML) Len() int { return len(y.surveys) }

// Bytes returns the text of the file. It returns an error if two surveys have the same name, because the
// name identifies a survey in the file.
func (y *YAML) Bytes() ([]byte, error) {
	slices.SortFunc(y.surveys, func(a, b namedNode) int { return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.id, b.id)) })
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for i, question := range y.surveys {
		if i > 0 && strings.TrimSpace(y.surveys[i-1].name) == strings.TrimSpace(question.name) {
			return nil, fmt.Errorf("surveys %s and %s are both named %q, but a YAML file identifies surveys by their names: rename one of them", y.surveys[i-1].id, question.id, question.name)
		}
		list.Content = append(list.Content, question.node)
	}
	root := &yaml.Node{Kind: yaml.MappingNode}
	add(root, "surveys", list)

	var text bytes.Buffer
	text.WriteString(schemaComment + "\n")
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		return nil, err
	}
	return text.Bytes(), encoder.Close()
}

// questionsNode returns the questions, including names for branching targets.
func questionsNode(list []survey.Question) *yaml.Node {
	names := questionNames(list)
	node := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range list {
		s := &yaml.Node{Kind: yaml.MappingNode}
		if names[i] != "" {
			add(s, nameKey, yamlNode(names[i]))
		}
		for _, attribute := range model.OrderedFields(&list[i]) {
			if !attribute.Value.IsNull() && attribute.Name != branchingKey {
				add(s, attribute.Name, yamlNode(plainValue(attribute.Value)))
			}
		}
		if !list[i].Branching.IsNull() {
			add(s, branchingKey, branchingNode(list[i], names))
		}
		node.Content = append(node.Content, s)
	}
	return node
}

// branchingNode returns a question's branching with the names of its targets.
func branchingNode(q survey.Question, names map[int]string) *yaml.Node {
	var b survey.Branching
	model.ToStruct(&b, q.Branching.Attributes())
	node := &yaml.Node{Kind: yaml.MappingNode}
	for _, a := range model.OrderedFields(&b) {
		name, isNamed := names[indexTarget(b)]
		switch {
		case a.Value.IsNull():
		case a.Name == indexKey && isNamed:
			add(node, questionKey, yamlNode(name))
		case a.Name == responsesKey:
			add(node, a.Name, yamlNode(plainValue(replacePlaces(b.ResponseValues, names))))
		default:
			add(node, a.Name, yamlNode(plainValue(a.Value)))
		}
	}
	return node
}

// add adds a key to a mapping.
func add(mapping *yaml.Node, key string, value *yaml.Node) {
	mapping.Content = append(mapping.Content, yamlNode(key), value)
}

// oldScalar matches the texts that are a boolean or a number in YAML 1.1, but not in YAML 1.2. Many
// programs still read YAML 1.1. See https://yaml.org/type/bool.html and https://yaml.org/type/float.html.
var oldScalar = regexp.MustCompile(`^(?:(?i:y|n|yes|no|on|off)|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$`)

// yamlNode converts a decoded JSON value.
func yamlNode(value any) *yaml.Node {
	switch value := value.(type) {
	case jsonvalue.Text:
		decoded, err := jsonvalue.Decode(string(value))
		if err != nil {
			return yamlNode(string(value))
		}
		return yamlNode(decoded)
	case map[string]any:
		node := &yaml.Node{Kind: yaml.MappingNode}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			add(node, key, yamlNode(value[key]))
		}
		return node
	case []any:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		for _, element := range value {
			node.Content = append(node.Content, yamlNode(element))
		}
		return node
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: value.String()}
	case string:
		node := &yaml.Node{}
		node.SetString(value)
		if oldScalar.MatchString(value) {
			node.Style = yaml.DoubleQuotedStyle
		}
		return node
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}

	return &yaml.Node{Kind: yaml.ScalarNode, Value: fmt.Sprint(value)}
}
