package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// svgStyle contains a standalone drawing's colors for light and dark mode. Because the style sets a color
// scheme, a browser that shows only the drawing uses a matching background.
const svgStyle = `<style>svg{color-scheme:light dark;color:#24292f}.box{fill:#f6f8fa}.back{color:#9a6700}@media(prefers-color-scheme:dark){svg{color:#d1d7e0}.box{fill:#212830}.back{color:#d4a72c}}</style>`

// SVG renders a survey's flow as an SVG document. Questions are numbered from 0 and arranged from top to bottom.
// No arrow crosses a box: arrows that skip questions run on the right, and arrows that lead back run on the left.
// Unreachable questions have a dashed border. Text is escaped. A box's tooltip contains the complete text.
func SVG(title string, questions []Question) string {
	return drawSVG(title, questions, svgStyle, nil)
}

// InlineSVG is [SVG]'s drawing without styles, for pages whose Content Security Policy forbids styles. It uses
// the surrounding text color. The page can style the classes box and back (arrows that lead back). The attribute
// data-question of a question's box is its position or "end".
func InlineSVG(title string, questions []Question) string {
	return drawSVG(title, questions, "", nil)
}

// LinkedSVG is [InlineSVG]'s drawing with a link on each box. link returns the URL for a data-question value.
func LinkedSVG(title string, questions []Question, link func(target string) string) string {
	return drawSVG(title, questions, "", link)
}

func drawSVG(title string, questions []Question, style string, link func(target string) string) string {
	l := newLayout(questions)
	var b strings.Builder

	// If the element has the role img, screen readers do not find the links.
	role := "img"
	if link != nil {
		role = "group"
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="%s" aria-label="%s" font-family="system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif" font-size="%d">`,
		l.width, l.height, l.width, l.height, role, escape.XML("Flow of "+oneLine(title)), int(textSize))
	b.WriteString(style)

	for i, box := range l.boxes[:len(questions)] {
		target := strconv.Itoa(i)
		drawLink(&b, target, link, func() { drawQuestion(&b, target, box, questions[i], slices.Contains(l.unreachable, i)) })
	}
	drawLink(&b, endTarget, link, func() { drawEnd(&b, l.boxes[len(questions)]) })
	for _, line := range l.lines {
		drawLine(&b, line)
	}

	b.WriteString("</svg>\n")
	return b.String()
}

// endTarget is the data-question value of the end.
const endTarget = "end"

// drawLink wraps a part of the drawing in a link, if the drawing has links.
func drawLink(b *strings.Builder, target string, link func(target string) string, draw func()) {
	if link == nil {
		draw()
		return
	}
	fmt.Fprintf(b, `<a href="%s">`, escape.XML(link(target)))
	draw()
	b.WriteString("</a>")
}

// drawQuestion draws a question's box with its heading and its text.
func drawQuestion(b *strings.Builder, target string, box box, q Question, unreachable bool) {
	dashed := ""
	if unreachable {
		dashed = ` stroke-dasharray="4 4"`
	}

	fmt.Fprintf(b, `<g data-question="%s"><title>%s</title>`, target, escape.XML(q.Text))
	fmt.Fprintf(b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="8" fill="none" stroke="currentColor" stroke-opacity=".55"%s/>`,
		box.x, box.y, box.width, box.height, dashed)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="%d" fill="currentColor" fill-opacity=".75">%s</text>`,
		box.x+boxPadding, box.y+boxPadding+smallSize, int(smallSize), escape.XML(box.heading))
	for i, line := range box.text {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="currentColor">%s</text>`,
			box.x+boxPadding, box.y+boxPadding+smallSize+float64(i+1)*lineHeight, escape.XML(line))
	}
	b.WriteString("</g>")
}

// drawEnd draws the box for the end of the survey.
func drawEnd(b *strings.Builder, box box) {
	fmt.Fprintf(b, `<g data-question="%s"><rect class="box" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="%.1f" fill="none" stroke="currentColor" stroke-opacity=".55"/>`,
		endTarget, box.x, box.y, box.width, box.height, box.height/2)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="currentColor">end</text></g>`,
		box.x+box.width/2, box.y+box.height/2+textSize*0.35)
}

// drawLine draws an arrow with its label.
func drawLine(b *strings.Builder, l line) {
	class := ""
	if l.back {
		class = ` class="back"`
	}
	points := make([]string, len(l.points))
	for i, p := range l.points {
		points[i] = fmt.Sprintf("%.1f,%.1f", p.x, p.y)
	}
	fmt.Fprintf(b, `<g%s><polyline points="%s" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/>`,
		class, strings.Join(points, " "))
	if l.head {
		drawHead(b, l.points[len(l.points)-2], l.points[len(l.points)-1])
	}

	for i, text := range l.label {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="%d" text-anchor="%s" fill="currentColor">%s</text>`,
			l.labelAt.x, l.labelAt.y+float64(i)*smallLine, int(smallSize), l.anchor, escape.XML(text))
	}
	b.WriteString("</g>")
}

// drawHead draws the head of an arrow whose last part is a straight line between two points. It does not use an SVG
// marker, because markers need IDs and a page may contain many drawings.
func drawHead(b *strings.Builder, start, tip point) {
	const length, half = 8.0, 4.0

	// The arrow comes from above, from the right or from the left.
	base, side := point{tip.x, tip.y - length}, point{half, 0}
	switch {
	case start.x > tip.x:
		base, side = point{tip.x + length, tip.y}, point{0, half}
	case start.x < tip.x:
		base, side = point{tip.x - length, tip.y}, point{0, half}
	}
	fmt.Fprintf(b, `<path d="M%.1f %.1fL%.1f %.1f %.1f %.1fZ" fill="currentColor"/>`,
		tip.x, tip.y, base.x+side.x, base.y+side.y, base.x-side.x, base.y-side.y)
}
