package page

import (
	"regexp"
	"strings"
)

// Variable is an environment variable of clients.
type Variable struct{ Name, Value string }

// Export is the command of a shell that sets the variable.
func (v Variable) Export() string { return "export " + v.Name + "=" + shellWord(v.Value) }

// plainWord matches a word that needs no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellWord quotes a word for a shell, if needed.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
