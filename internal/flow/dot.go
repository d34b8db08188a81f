package flow

import (
	"fmt"
	"slices"
	"strings"
)

// DOT draws the flow of a survey as a directed graph in the language of Graphviz.
// Questions are numbered from 0; those that cannot be reached have a dashed border.
// It ends with a newline.
func DOT(title string, questions []Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", dotText(title))
	b.WriteString("    node [shape=box, style=rounded, fontname=\"sans-serif\"]\n")

	unreachable := Unreachable(questions)
	for i, q := range questions {
		style := ""
		if slices.Contains(unreachable, i) {
			style = ", style=\"rounded,dashed\""
		}
		fmt.Fprintf(&b, "    q%d [label=%s%s]\n", i, dotText(heading(i, q)+"\n"+oneLine(q.Text)), style)
	}
	fmt.Fprintf(&b, "    q%d [label=\"end\", shape=oval]\n", len(questions))

	for _, a := range arrows(questions) {
		label := ""
		if a.label != "" {
			label = " [label=" + dotText(a.label) + "]"
		}
		fmt.Fprintf(&b, "    q%d -> q%d%s\n", a.from, a.to, label)
	}

	b.WriteString("}\n")
	return b.String()
}

// dotText quotes text as a DOT string.
func dotText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(printable(text)) + `"`
}
