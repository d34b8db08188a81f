package architecture

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The maximum number, per thousand names, of names whose meaning a reader must look up, and the maximum number, per
// thousand words of comments, of phrases that read as translated. Lower these numbers when names and comments
// improve.
const (
	mostVagueLocals    = 34
	mostParticiples    = 21
	mostPrepositions   = 22
	mostPhrasesInCode  = 2
	mostPhrasesInTests = 1
)

var (
	// vagueLocals are function words and bare participles, which describe no value.
	vagueLocals = strings.Fields(`a an the is was are were be been as at by for from in of on out to with
		one ones other others another same some any none both each every all own there here then that those this these
		who what which why how when where said told asked held kept left gone given taken shown seen known found made
		named wanted written sent stated has had does did`)
	// lastWord matches the last word of a name in camel case.
	lastWord = regexp.MustCompile(`[A-Z]?[a-z]+$`)
	// pastForm matches past participles. adjective matches words that only look like participles.
	pastForm  = regexp.MustCompile(`^(?:[A-Z]?[a-z]{2,}[^aeiou]ed|[A-Z]?[a-z]+[aeiou]{2}ed|(?i:said|told|held|kept|left|lost|gone|made|sent|given|taken|shown|seen|known|found|written|chosen|drawn|read|met|built))$`)
	adjective = regexp.MustCompile(`^(?i:embed|feed|speed|seed|need|exceed|proceed|read|closed)$`)
	// question matches names of functions that return a Boolean, and of constructors.
	question    = regexp.MustCompile(`^(?i:is|has|are|was|can|must|should|needs|new)[A-Z]`)
	preposition = regexp.MustCompile(`^(?:Of|In|On|At|By|For|From|To|With|As)$`)
)

// census counts the names in Go files.
type census struct {
	locals, functions int
	vague             []string
	participles       []string
	prepositions      []string
}

// A name is a noun for a value, or a verb for a function with an effect.
func TestNamesTellWhatTheyStandFor(t *testing.T) {
	t.Parallel()
	var names census
	for path, text := range tracked(t, isProductCode) {
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, names.visit)
	}

	share := func(kind string, found []string, all, most int) {
		slices.Sort(found)
		assert.LessOrEqual(t, 1000*len(found), most*all, "%d of %d %s, more than %d in a thousand: %v", len(found), all, kind, most, slices.Compact(found))
	}
	share("locals are function words or participles", names.vague, names.locals, mostVagueLocals)
	share("functions end in a participle", names.participles, names.functions, mostParticiples)
	share("functions end in a preposition", names.prepositions, names.functions, mostPrepositions)
}

// isProductCode reports whether a file contains hand-written Go code that users run.
func isProductCode(path string) bool {
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".gen.go") && !strings.Contains(path, "/stubs/")
}

// visit counts the names that a node declares.
func (c *census) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			c.declare(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			c.declare(n.Key, n.Value)
		}
	case *ast.FuncType:
		for _, parameter := range n.Params.List {
			for _, name := range parameter.Names {
				c.declare(name)
			}
		}
	case *ast.FuncDecl:
		c.name(n.Name.Name)
	}
	return true
}

// declare counts local variables and parameters.
func (c *census) declare(expressions ...ast.Expr) {
	for _, expression := range expressions {
		id, isName := expression.(*ast.Ident)
		if !isName || id.Name == "_" {
			continue
		}
		c.locals++
		if slices.Contains(vagueLocals, id.Name) {
			c.vague = append(c.vague, id.Name)
		}
	}
}

// name counts the name of a function.
func (c *census) name(name string) {
	c.functions++
	last := lastWord.FindString(name)
	switch {
	case last == name && preposition.MatchString(last):
	case preposition.MatchString(last):
		c.prepositions = append(c.prepositions, name)
	case pastForm.MatchString(last) && !adjective.MatchString(last) && !question.MatchString(name):
		c.participles = append(c.participles, name)
	}
}

// habits matches phrases that read as translated.
var habits = regexp.MustCompile(`(?i)\b(?:in (?:the )?place of|besides?|anew|[a-z]+ alone|of (?:its|their|your) own|(?:that|those) of` +
	`|(?:is|are|was|were|be) no [a-z]+|becomes? of|(?:is|are|be|was|were) (?:said|told)|also (?:without|when|where|if|for|as|after)` +
	`|(?:stands?|lies?|hangs?) (?:in|under|on|between|with|there))\b|, too\b`)

// Comments contain few phrases that read as translated.
func TestCommentsReadWell(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"code": mostPhrasesInCode, "tests": mostPhrasesInTests} {
		words, found := 0, []string{}
		files := tracked(t, func(path string) bool {
			return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".gen.go") && strings.HasSuffix(path, "_test.go") == (name == "tests")
		})
		for path, text := range files {
			positions := token.NewFileSet()
			file, err := parser.ParseFile(positions, path, text, parser.ParseComments|parser.SkipObjectResolution)
			require.NoError(t, err)
			for _, comment := range file.Comments {
				words += len(strings.Fields(comment.Text()))
				for _, phrase := range habits.FindAllString(comment.Text(), -1) {
					found = append(found, fmt.Sprintf("%s: %s", positions.Position(comment.Pos()), phrase))
				}
			}
		}

		slices.Sort(found)
		assert.LessOrEqual(t, 1000*len(found), most*words, "%d phrases in %d words of comments of %s, more than %d in a thousand:\n%s",
			len(found), words, name, most, strings.Join(found, "\n"))
	}
}
