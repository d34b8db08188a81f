package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// DOT draws the flow of a survey as a directed graph in the language of Graphviz.
// Questions are numbered from 0; those that cannot be reached have a dashed border.
// It ends with a newline.
func DOT(title string, questions []Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", escape.DOT(title))
	b.WriteString("    node [shape=box, style=rounded, fontname=\"sans-serif\"]\n")

	unreachable := Unreachable(questions)
	for i, q := range questions {
		style := ""
		if slices.Contains(unreachable, i) {
			style = ", style=\"rounded,dashed\""
		}
		fmt.Fprintf(&b, "    q%d [label=%s%s]\n", i, escape.DOT(heading(i, q)+"\n"+oneLine(q.Text)), style)
	}
	fmt.Fprintf(&b, "    q%d [label=\"end\", shape=oval]\n", len(questions))

	for _, a := range arrows(questions) {
		label := ""
		if a.label != "" {
			label = " [label=" + escape.DOT(a.label) + "]"
		}
		fmt.Fprintf(&b, "    q%d -> q%d%s\n", a.from, a.to, label)
	}

	b.WriteString("}\n")
	return b.String()
}
