package code

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// SourceFile is a configuration file that is edited in memory. An edit replaces the bytes of
// one value; comments, order, blank lines and formatting around it stay byte for byte, but for
// the alignment of equals signs in a block that terraform fmt would leave as it is: it still
// would afterwards. The caller says which value there is, which was last applied, and where
// files are.
type SourceFile struct {
	// Name stands for it in findings.
	Name string

	source []byte
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

// ParseSource reads a configuration file in the native syntax.
func ParseSource(name string, source []byte) (*SourceFile, error) {
	parsed, diags := hclsyntax.ParseConfig(source, name, hcl.InitialPos)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%s: fix it first", diags.Error())
	}
	body, ok := parsed.Body.(*hclsyntax.Body)
	if !ok {
		return nil, fmt.Errorf("%s has no body in the native syntax", name)
	}
	tokens, _ := hclsyntax.LexConfig(source, name, hcl.InitialPos) // it was parsed

	f := &SourceFile{Name: name, source: source, body: body, tokens: tokens, newline: "\n", unit: unitOf(source, tokens)}
	if bytes.Contains(source, []byte("\r\n")) {
		f.newline = "\r\n"
	}
	return f, nil
}

// Resource returns the block of a resource; nil when the file does not have it.
func (f *SourceFile) Resource(resourceType, label string) *hclsyntax.Block {
	for _, block := range f.body.Blocks {
		if block.Type == "resource" && slices.Equal(block.Labels, []string{resourceType, label}) {
			return block
		}
	}
	return nil
}

// IsChanged reports whether there are edits.
func (f *SourceFile) IsChanged() bool { return len(f.edits) > 0 }

// Bytes is the file with all edits. It is an error of this package when that cannot be
// parsed.
func (f *SourceFile) Bytes() ([]byte, error) {
	edited := []byte(f.compose(0, len(f.source)))
	if _, diags := hclsyntax.ParseConfig(edited, f.Name, hcl.InitialPos); diags.HasErrors() {
		return nil, fmt.Errorf("%s is not edited: the result would not be valid: %s. This is a fault of posthog-sync: please report it", f.Name, diags.Error())
	}
	return f.formatted(edited), nil
}

// replace adds an edit.
func (f *SourceFile) replace(start, end int, text string) {
	f.edits = append(f.edits, edit{start, end, text})
}

// compose is a part of the file with the edits in it.
func (f *SourceFile) compose(start, end int) string {
	inside := slices.DeleteFunc(slices.Clone(f.edits), func(e edit) bool { return e.start < start || e.end > end })
	// Of several at one offset, an insertion comes first, and the rest in order.
	slices.SortStableFunc(inside, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(1, a.end-a.start), min(1, b.end-b.start)))
	})

	var text strings.Builder
	at := start
	for _, e := range inside {
		text.Write(f.source[at:e.start])
		text.WriteString(e.text)
		at = e.end
	}
	text.Write(f.source[at:end])
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
	// Conflict was changed in the code as well, and not applied yet.
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
}

// The reasons.
const (
	reasonExpression = "the value comes from an expression"
	reasonBoth       = "changed in the code as well, and not applied yet"
	reasonPending    = "changed in the code, and not applied yet"
	reasonSilent     = "the code leaves it out, so a plan sets it to its default"
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

// merged is the value that the code has after the merge.
func (v Versions) merged() any {
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

// decoded are the versions of the value in a JSON text.
func (v Versions) decoded() Versions {
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
func (v Versions) Select(wanted func(name string) bool) Versions {
	some := func(value any) any {
		kept := maps.Clone(object(value))
		maps.DeleteFunc(kept, func(name string, _ any) bool { return !wanted(name) })
		return kept
	}
	return Versions{some(v.Applied), some(v.Code), some(v.Live)}
}
