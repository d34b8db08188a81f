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

// Source is a configuration file. It is kept in parts, each with a resource, of which only those
// are parsed that are edited: the tree of a file with thousands of resources takes gigabytes.
type Source struct {
	// Name stands for it in findings.
	Name string

	source []byte
	parts  []*SourceFile
	// resources are the parts by the types and labels of the resources in them.
	resources map[string]*SourceFile
}

// SourceFile is a part of a configuration file that is edited in memory. An edit replaces the
// bytes of one value; comments, order, blank lines and formatting around it stay byte for byte,
// but for the alignment of equals signs in a block that terraform fmt would leave as it is: it
// still would afterwards. The caller says which value there is, which was last applied, and where
// files are.
type SourceFile struct {
	// Name is that of the file, and stands for it in findings.
	Name string

	source []byte
	// start is the first line of the part.
	start  int
	body   *hclsyntax.Body
	tokens hclsyntax.Tokens
	// newline is the line end of the file, unit one level of its indentation.
	newline, unit string
	edits         []edit
}

// edit replaces the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// resourceLine matches the beginning of what may be a block of a resource, and in a comment or a
// text is none.
var resourceLine = regexp.MustCompile(`(?m)^resource\b`)

// ParseSource reads a configuration file in the native syntax.
func ParseSource(name string, source []byte) (*Source, error) {
	starts := []int{0}
	for _, match := range resourceLine.FindAllIndex(source, -1) {
		starts = append(starts, match[0])
	}
	s, err := parseParts(name, source, starts)
	if err != nil { // a part may end in a comment or a text
		return parseParts(name, source, starts[:1])
	}
	return s, nil
}

// parseParts reads a file in parts that begin at offsets. It is an error if one of them is not
// complete.
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

// parse reads the part, unless it was read.
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
	f.tokens, _ = hclsyntax.LexConfig(f.source, f.Name, first) // it was parsed
	return nil
}

// Resource returns the block of a resource, and the part of the file that has it; nil when the
// file does not have it.
func (s *Source) Resource(resourceType, label string) (*SourceFile, *hclsyntax.Block) {
	part := s.resources[resourceType+"."+label]
	if part == nil || part.parse() != nil { // it was parsed before
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

// Bytes are the file before and after all edits. It is an error of this package when what an edit
// gives cannot be parsed.
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

// bytes is the part with all edits.
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

// compose is a part of the file with the edits in it.
func (f *SourceFile) compose(start, end int) string {
	edits := slices.DeleteFunc(slices.Clone(f.edits), func(e edit) bool { return e.start < start || e.end > end })
	// Of several at one offset, an insertion comes first, and the rest in order.
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

// extract is compose, and takes the edits out of the file: they are in the text now.
func (f *SourceFile) extract(start, end int) string {
	text := f.compose(start, end)
	f.edits = slices.DeleteFunc(f.edits, func(e edit) bool { return e.start >= start && e.end <= end })
	return text
}

// Outcome says how a difference ended.
type Outcome string

// The outcomes.
const (
	// Edited was written into the code.
	Edited Outcome = "edited"
	// Unresolved comes from an expression that is not overwritten.
	Unresolved Outcome = "left"
	// Conflict was also changed in the configuration, and not applied yet.
	Conflict Outcome = "conflict"
	// Pending was changed in the code alone, and not applied yet.
	Pending Outcome = "pending"
)

// Finding is one difference between code and live object.
type Finding struct {
	Outcome Outcome `json:"outcome"`
	// Line is that of the value in the code, from 1.
	Line int `json:"line,omitempty"`
	// Attribute is its path, such as questions[1].question.
	Attribute string `json:"attribute,omitempty"`
	// Code and Live are the values; nil for none.
	Code any `json:"code"`
	Live any `json:"live"`
	// Reason says why it was left, or adds to an edit.
	Reason string `json:"reason,omitempty"`
	// Kind is what the finding is about; empty for a value that differs.
	Kind FindingKind `json:"-"`
}

// FindingKind is what a finding is about.
type FindingKind string

// Detached is the kind of a finding about detached answers: the values of the question agree.
const Detached FindingKind = "detached"

// The reasons.
const (
	reasonExpression = "the value comes from an expression"
	reasonBoth       = "also changed in the configuration, and not applied yet"
	reasonPending    = "changed in the configuration, and not applied yet"
	reasonSilent     = "the configuration omits it, so a plan sets it to its default"
	reasonMoved      = "moved"
	reasonUncertain  = "the list joins several that come from expressions, so its elements cannot be told apart"
	reasonTarget     = "branching that only the code has leads to it"
	reasonConcat     = "the change does not fit into the lists that concat joins"
	reasonKeys       = "the object has keys that are expressions, so none is added"
)

// Unknown is a value that is known only after apply.
type Unknown struct{}

// Versions are the values of one thing: as it was last applied, as the code asks for
// it, and as it is live. An attribute that holds JSON has a [jsonvalue.Text]; other values
// are nil, string, bool, json.Number, []any and map[string]any.
type Versions struct{ Applied, Code, Live any }

// state says who changed a thing since it was last applied.
type state int

const (
	// same: code and live agree.
	same state = iota
	// inCode: it was changed in the code alone.
	inCode
	// drifted: it was changed live alone.
	drifted
	// inBoth: it was changed on both sides, and differently.
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

// mergedValue is the value that the code has after the merge.
func (v Versions) mergedValue() any {
	if v.Code == nil || v.state() == drifted {
		return v.Live
	}
	return v.Code
}

// key is the versions of a key of an object.
func (v Versions) key(name string) Versions {
	return Versions{object(v.Applied)[name], object(v.Code)[name], object(v.Live)[name]}
}

// keys are the names of all keys, sorted.
func (v Versions) keys() []string {
	return jsonvalue.Keys(object(v.Applied), object(v.Code), object(v.Live))
}

// decodeJSON are the versions of the value in a JSON text.
func (v Versions) decodeJSON() Versions {
	return Versions{decode(v.Applied), decode(v.Code), decode(v.Live)}
}

// object is a value as an object; nil when it is none.
func object(value any) map[string]any {
	keys, _ := value.(map[string]any)
	return keys
}

// decode is the value of a JSON text; any other value as it is.
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

// IsSame reports whether code and live object agree.
func (v Versions) IsSame() bool { return v.state() == same }

// Differing are the keys whose values differ between code and live object. One that is known
// only after apply follows from the others.
func (v Versions) Differing() []string {
	return slices.DeleteFunc(v.keys(), func(name string) bool {
		_, open := object(v.Code)[name].(Unknown)
		return open || v.key(name).state() == same
	})
}

// IsPending reports whether the code alone changed a key.
func (v Versions) IsPending(name string) bool { return v.key(name).state() == inCode }

// Select are the versions with some of the keys.
func (v Versions) Select(isSelected func(name string) bool) Versions {
	selectKeys := func(value any) any {
		selected := maps.Clone(object(value))
		maps.DeleteFunc(selected, func(name string, _ any) bool { return !isSelected(name) })
		return selected
	}
	return Versions{selectKeys(v.Applied), selectKeys(v.Code), selectKeys(v.Live)}
}
