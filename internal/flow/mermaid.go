package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Mermaid draws the flow of a survey as a flowchart in the syntax of Mermaid, which
// code hosts render in Markdown. Questions are numbered from 0; those that cannot be
// reached have a dashed border. It ends with a newline.
func Mermaid(questions []Question) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")

	for i, q := range questions {
		fmt.Fprintf(&b, "    q%d[\"%s<br/>%s\"]\n", i, escape.Mermaid(heading(i, q)), escape.Mermaid(oneLine(q.Text)))
	}
	fmt.Fprintf(&b, "    q%d([\"end\"])\n", len(questions))

	for _, a := range arrows(questions) {
		label := ""
		if a.label != "" {
			label = `|"` + escape.Mermaid(a.label) + `"|`
		}
		fmt.Fprintf(&b, "    q%d -->%s q%d\n", a.from, label, a.to)
	}

	// The style of unreachable questions is declared only where there are some.
	if unreachable := Unreachable(questions); len(unreachable) > 0 {
		b.WriteString("    classDef unreachable stroke-dasharray: 4 4\n")
		for _, i := range slices.Sorted(slices.Values(unreachable)) {
			fmt.Fprintf(&b, "    class q%d unreachable\n", i)
		}
	}
	return b.String()
}
