package code

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Source is a configuration file. It consists of parts with one resource each, and only edited parts
// are parsed, because the syntax tree of a file with thousands of resources would need gigabytes of
// memory.
type Source struct {
	// Name identifies the file in findings.
	Name string

	source []byte
	parts  []*SourceFile
	// resources maps resource types and labels to parts.
	resources map[string]*SourceFile
}

// SourceFile is a part of a configuration file that is edited in memory. An edit replaces one value's
// bytes. Comments, order, blank lines, and formatting around it do not change, with one exception:
// if terraform fmt would leave a block unchanged, its equals signs stay aligned. The caller provides the
// values and decides where files are.
type SourceFile struct {
	// Name is the file's name, for findings.
	Name string

	source []byte
	// start is the part's first line.
	start  int
	body   *hclsyntax.Body
	tokens hclsyntax.Tokens
	// newline is the line ending of the file, and unit is one level of its indentation.
	newline, unit string
	edits         []edit
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// resourceLine matches a line that may begin a resource block. The line may also be part of a comment
// or a string.
var resourceLine = regexp.MustCompile(`(?m)^resource\b`)

// ParseSource parses a configuration file in the native syntax.
func ParseSource(name string, source []byte) (*Source, error) {
	starts := []int{0}
	for _, match := range resourceLine.FindAllIndex(source, -1) {
		starts = append(starts, match[0])
	}
	s, err := parseParts(name, source, starts)
	if err != nil { // a part may end inside a comment or a string
		return parseParts(name, source, starts[:1])
	}
	return s, nil
}

// parseParts parses a file in parts that begin at the given offsets. It returns an error if a part is
// incomplete.
func parseParts(name string, source []byte, starts []int) (*Source, error) {
	s := &Source{Name: name, source: source, resources: map[string]*SourceFile{}}
	newline, line, tabs, blanks := "\n", 1, 0, 0
	if bytes.Contains(source, []byte("\r\n")) {
		newline = "\r\n"
	}
	for i, offset := range starts {
		part := &SourceFile{Name: name, source: source[offset:], start: line, newline: newline}
		if i+1 < len(starts) {
			part.source = source[offset:starts[i+1]]
		}
		if err := part.parse(); err != nil {
			return nil, err
		}
		for _, block := range part.body.Blocks {
			if key := strings.Join(block.Labels, "."); block.Type == "resource" && s.resources[key] == nil {
				s.resources[key] = part
			}
		}
		moreTabs, moreBlanks := countIndents(part.source, part.tokens)
		tabs, blanks = tabs+moreTabs, blanks+moreBlanks
		line += bytes.Count(part.source, []byte("\n"))
		part.body, part.tokens = nil, nil
		s.parts = append(s.parts, part)
	}

	for _, part := range s.parts {
		if part.unit = "  "; tabs > blanks {
			part.unit = "\t"
		}
	}
	return s, nil
}

// parse parses the part, if it is not parsed yet.
func (f *SourceFile) parse() error {
	if f.body != nil {
		return nil
	}
	first := hcl.Pos{Line: f.start, Column: 1}
	parsed, diags := hclsyntax.ParseConfig(f.source, f.Name, first)
	if diags.HasErrors() {
		return fmt.Errorf("%s. Fix the file first", strings.TrimSuffix(diags.Error(), "."))
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return fmt.Errorf("%s is not in the native syntax", f.Name)
	}
	f.body = body
	f.tokens, _ = hclsyntax.LexConfig(f.source, f.Name, first) // parsed before without errors
	return nil
}

// Resource returns the block of a resource and the part of the file that contains it, or nil.
func (s *Source) Resource(resourceType, label string) (*SourceFile, *hclsyntax.Block) {
	part := s.resources[resourceType+"."+label]
	if part == nil || part.parse() != nil { // parsed before without errors
		return nil, nil
	}
	for _, block := range part.body.Blocks {
		if block.Type == "resource" && slices.Equal(block.Labels, []string{resourceType, label}) {
			return part, block
		}
	}
	return nil, nil
}

// IsChanged reports whether there are edits.
func (s *Source) IsChanged() bool { return slices.ContainsFunc(s.parts, (*SourceFile).isChanged) }

// Bytes returns the file before and after all edits. It returns an error if the result cannot be
// parsed, which is a bug in this package.
func (s *Source) Bytes() (before, after []byte, err error) {
	var edited bytes.Buffer
	for _, part := range s.parts {
		text, err := part.bytes()
		if err != nil {
			return nil, nil, err
		}
		edited.Write(text)
	}
	return s.source, edited.Bytes(), nil
}

func (f *SourceFile) isChanged() bool { return len(f.edits) > 0 }

// bytes returns the part with all edits.
func (f *SourceFile) bytes() ([]byte, error) {
	if !f.isChanged() {
		return f.source, nil
	}
	edited := []byte(f.compose(0, len(f.source)))
	if _, diags := hclsyntax.ParseConfig(edited, f.Name, hcl.InitialPos); diags.HasErrors() {
		return nil, fmt.Errorf("left %s unchanged, because the edit would make it invalid: %s. This is a bug in posthog-sync; please report it", f.Name, diags.Error())
	}
	return f.formatEdited(edited), nil
}

// replace adds an edit.
func (f *SourceFile) replace(start, end int, text string) {
	f.edits = append(f.edits, edit{start, end, text})
}

// compose returns a part of the file with its edits.
func (f *SourceFile) compose(start, end int) string {
	edits := slices.DeleteFunc(slices.Clone(f.edits), func(e edit) bool { return e.start < start || e.end > end })
	// At the same offset, insertions come first, and other edits keep their order.
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(1, a.end-a.start), min(1, b.end-b.start)))
	})

	var text strings.Builder
	offset := start
	for _, e := range edits {
		text.Write(f.source[offset:e.start])
		text.WriteString(e.text)
		offset = e.end
	}
	text.Write(f.source[offset:end])
	return text.String()
}

// extract is like compose, but also removes the edits from the file, because the returned text contains
// them.
func (f *SourceFile) extract(start, end int) string {
	text := f.compose(start, end)
	f.edits = slices.DeleteFunc(f.edits, func(e edit) bool { return e.start >= start && e.end <= end })
	return text
}

// Outcome is what happened to a difference.
type Outcome string

// The outcomes.
const (
	// Edited means that the value was written to the configuration.
	Edited Outcome = "edited"
	// Unresolved means that the value comes from an expression, which is not overwritten.
	Unresolved Outcome = "left"
	// Conflict means that the configuration also changed the value, and was not applied yet.
	Conflict Outcome = "conflict"
	// Pending means that only the configuration changed the value, and was not applied yet.
	Pending Outcome = "pending"
)

// Finding is one difference between the configuration and the live object.
type Finding struct {
	Outcome Outcome `json:"outcome"`
	// Line is the line of the value in the configuration, starting at 1.
	Line int `json:"line,omitempty"`
	// Attribute is the path of the value, such as questions[1].question.
	Attribute string `json:"attribute,omitempty"`
	// Code is the value in the configuration, and Live is the value in PostHog. Either can be nil.
	Code any `json:"code"`
	Live any `json:"live"`
	// Reason explains why the value was not written, or comments on an edit.
	Reason string `json:"reason,omitempty"`
	// Kind is the subject of the finding. It is empty for a value that differs.
	Kind FindingKind `json:"-"`
	// Question is the ID that the question has in the versions. It is empty if the finding is about the whole list, or
	// about another value.
	Question string `json:"-"`
}

// FindingKind is the subject of a finding.
type FindingKind string

// The kinds.
const (
	// Detached means that the finding is about detached answers. The question's values do not differ.
	Detached FindingKind = "detached"
	// Reordered means that the finding is about the order of the questions. Their values do not differ.
	Reordered FindingKind = "reordered"
)

// The reasons.
const (
	reasonExpression = "the value comes from an expression"
	reasonBoth       = "also changed in the configuration, and not applied yet"
	reasonPending    = "changed in the configuration, and not applied yet"
	reasonSilent     = "the configuration omits it, so a plan sets it to its default"
	reasonMoved      = "moved"
	reasonUncertain  = "the list joins several lists that come from expressions, so it is unclear which elements belong to which list"
	reasonTarget     = "branching that exists only in the configuration leads to it"
	reasonConcat     = "the change does not fit into the lists that concat joins"
	reasonKeys       = "some keys of the object are expressions, so no key is added"
)

// Unknown is a value that is known only after apply.
type Unknown struct{}

// Versions contains three versions of a value: last applied, configured, and live. A JSON attribute is
// a [jsonvalue.Text]. Other values are nil, string, bool, json.Number, []any, and map[string]any.
type Versions struct{ Applied, Code, Live any }

// state describes which side changed a value since the last apply.
type state int

const (
	// same means that the configuration and the live object have the same value.
	same state = iota
	// inCode means that only the configuration changed the value.
	inCode
	// drifted means that only PostHog changed the value.
	drifted
	// inBoth means that both sides changed the value to different results.
	inBoth
)

func (v Versions) state() state {
	switch {
	case jsonvalue.Equal(v.Code, v.Live):
		return same
	case jsonvalue.Equal(v.Applied, v.Live):
		return inCode
	case jsonvalue.Equal(v.Applied, v.Code):
		return drifted
	}
	return inBoth
}

// mergedValue returns the value after the merge.
func (v Versions) mergedValue() any {
	if v.Code == nil || v.state() == drifted {
		return v.Live
	}
	return v.Code
}

// key returns the versions of the value at an object key.
func (v Versions) key(name string) Versions {
	return Versions{object(v.Applied)[name], object(v.Code)[name], object(v.Live)[name]}
}

// keys returns the names of all keys, sorted.
func (v Versions) keys() []string {
	return jsonvalue.Keys(object(v.Applied), object(v.Code), object(v.Live))
}

// decodeJSON returns the versions of a JSON text, decoded.
func (v Versions) decodeJSON() Versions {
	return Versions{decode(v.Applied), decode(v.Code), decode(v.Live)}
}

// object returns a value as an object, or nil.
func object(value any) map[string]any {
	keys, _ := value.(map[string]any)
	return keys
}

// decode decodes a JSON text, and returns other values unchanged.
func decode(value any) any {
	text, ok := value.(jsonvalue.Text)
	if !ok {
		return value
	}
	decoded, err := jsonvalue.Decode(text)
	if err != nil {
		return string(text)
	}
	return decoded
}

// IsSame reports whether the configuration and the live object have the same values.
func (v Versions) IsSame() bool { return v.state() == same }

// Differing returns the keys whose values differ between the configuration and the live object. It
// omits values that are known only after apply, because they depend on other values.
func (v Versions) Differing() []string {
	return slices.DeleteFunc(v.keys(), func(name string) bool {
		_, open := object(v.Code)[name].(Unknown)
		return open || v.key(name).state() == same
	})
}

// IsPending reports whether only the configuration changed a key.
func (v Versions) IsPending(name string) bool { return v.key(name).state() == inCode }

// Select returns versions that contain only the selected keys.
func (v Versions) Select(isSelected func(name string) bool) Versions {
	selectKeys := func(value any) any {
		selected := maps.Clone(object(value))
		maps.DeleteFunc(selected, func(name string, _ any) bool { return !isSelected(name) })
		return selected
	}
	return Versions{selectKeys(v.Applied), selectKeys(v.Code), selectKeys(v.Live)}
}
