package flow

import (
	"cmp"
	"slices"
)

// Drawing sizes, in pixels.
const (
	textSize    = 14.0
	smallSize   = 12.0
	lineHeight  = 19.0
	smallLine   = 15.0
	boxWidth    = 320.0
	boxPadding  = 12.0
	boxGap      = 36.0
	endWidth    = 96.0
	laneGap     = 18.0
	labelWidth  = 150.0
	margin      = 20.0
	portSpacing = 8.0
	// maxLines limits the lines of a question's text, and maxLabelLines those of a label.
	maxLines      = 12
	maxLabelLines = 4
)

// box is the position and size of a question, or of the end of the survey, in a drawing.
type box struct {
	x, y, width, height float64
	heading             string
	text                []string
}

type point struct{ x, y float64 }

// line is one arrow in a drawing. Arrows that lead to the same box from the same side share their last part. Only the
// first of them has a head.
type line struct {
	points  []point
	back    bool
	head    bool
	label   []string
	labelAt point
	// anchor is the label's SVG text-anchor.
	anchor string
}

// port is a point on the left or right border of a box where an arrow starts.
type port struct {
	arrow arrow
	label []string
	y     float64
}

// layout contains the positions of all elements of a drawing before it is written.
type layout struct {
	boxes       []box
	lines       []line
	unreachable []int
	width       float64
	height      float64

	// straight contains the labels of the arrows to the next box. right and left contain the ports of the other
	// arrows, and rightEntry and leftEntry the heights at which these arrows end. All are indexed by the position of
	// the box.
	straight    map[int][]string
	right, left [][]port
	rightEntry  []float64
	leftEntry   []float64
}

// newLayout arranges all boxes from top to bottom, and then routes the arrows around them.
func newLayout(questions []Question) *layout {
	n := len(questions)
	l := &layout{
		unreachable: Unreachable(questions), straight: map[int][]string{},
		right: make([][]port, n+1), left: make([][]port, n+1),
		rightEntry: make([]float64, n+1), leftEntry: make([]float64, n+1),
	}

	l.sortArrows(arrows(questions))
	l.placeBoxes(questions)

	rightLanes := assignLanes(l.right, l.rightEntry)
	leftLanes := assignLanes(l.left, l.leftEntry)
	leftEdge := margin + sideWidth(l.left, leftLanes)
	l.shift(leftEdge)

	l.drawStraight(n)
	l.drawSide(l.right, l.rightEntry, rightLanes, false)
	l.drawSide(l.left, l.leftEntry, leftLanes, true)

	l.width = leftEdge + boxWidth + sideWidth(l.right, rightLanes) + margin
	return l
}

// sortArrows decides the route of each arrow: straight down to the next box, on the right past some boxes, or back on
// the left.
func (l *layout) sortArrows(arrows []arrow) {
	for _, a := range arrows {
		label := wrap(a.label, smallSize, labelWidth, maxLabelLines)
		switch {
		case a.to == a.from+1:
			// The label is next to the arrow, below the box, and can use the full width.
			l.straight[a.from] = wrap(a.label, smallSize, boxWidth/2-boxPadding, maxLabelLines)
		case a.to > a.from:
			l.right[a.from] = append(l.right[a.from], port{arrow: a, label: label})
		default:
			l.left[a.from] = append(l.left[a.from], port{arrow: a, label: label})
		}
	}
}

// placeBoxes sets each box's height according to its text and its ports.
func (l *layout) placeBoxes(questions []Question) {
	y := margin
	for i := range len(questions) + 1 {
		b := box{width: boxWidth, y: y}
		if i == len(questions) {
			b.width, b.x = endWidth, (boxWidth-endWidth)/2
		} else {
			// The name of an unknown type may be longer than the box.
			b.heading = wrap(heading(i, questions[i]), smallSize, boxWidth-2*boxPadding, 1)[0]
			b.text = wrap(questions[i].Text, textSize, boxWidth-2*boxPadding, maxLines)
			b.height = 2*boxPadding + smallSize + float64(len(b.text))*lineHeight + 4
		}

		needed := max(l.placePorts(l.right, l.rightEntry, i, y), l.placePorts(l.left, l.leftEntry, i, y))
		b.height = max(b.height, needed, 34)
		l.boxes = append(l.boxes, b)

		y += b.height + boxGap
		if label := l.straight[i]; len(label) > 1 {
			y += float64(len(label)-1) * smallLine
		}
	}
	l.height = y - boxGap + margin
}

// placePorts assigns heights to the ports on one side of a box, below the height at which arrows enter the box. It
// returns the box's required height.
func (l *layout) placePorts(ports [][]port, entries []float64, i int, top float64) float64 {
	// Arrows enter near the top, where they do not touch labels.
	entryY := top + boxPadding
	if l.isEntered(ports, i) {
		entries[i] = entryY + 2
		entryY += smallLine
	}

	for k := range ports[i] {
		// A label is above its arrow.
		entryY += float64(max(len(ports[i][k].label), 1)) * smallLine
		ports[i][k].y = entryY
		entryY += portSpacing
	}
	return entryY - top + portSpacing
}

// isEntered reports whether an arrow on this side leads to box i.
func (l *layout) isEntered(ports [][]port, i int) bool {
	for _, group := range ports {
		if slices.ContainsFunc(group, func(p port) bool { return p.arrow.to == i }) {
			return true
		}
	}
	return false
}

// assignLanes assigns a lane next to the boxes to each box that arrows on one side lead to. Lanes are as close to the
// boxes as possible, and the shortest lanes are closest.
func assignLanes(ports [][]port, entries []float64) map[int]int {
	type span struct {
		to          int
		top, bottom float64
	}

	spans := map[int]*span{}
	for _, group := range ports {
		for _, p := range group {
			s := spans[p.arrow.to]
			if s == nil {
				s = &span{p.arrow.to, entries[p.arrow.to], entries[p.arrow.to]}
				spans[p.arrow.to] = s
			}
			s.top, s.bottom = min(s.top, p.y), max(s.bottom, p.y)
		}
	}

	var sorted []*span
	for _, s := range spans {
		sorted = append(sorted, s)
	}
	slices.SortFunc(sorted, func(a, b *span) int {
		return cmp.Or(cmp.Compare(a.bottom-a.top, b.bottom-b.top), cmp.Compare(a.to, b.to))
	})

	lanes := map[int]int{}
	var taken [][]*span
	for _, s := range sorted {
		lane := slices.IndexFunc(taken, func(lane []*span) bool {
			return !slices.ContainsFunc(lane, func(o *span) bool { return o.top <= s.bottom+portSpacing && s.top <= o.bottom+portSpacing })
		})
		if lane < 0 {
			lane = len(taken)
			taken = append(taken, nil)
		}
		taken[lane] = append(taken[lane], s)
		lanes[s.to] = lane
	}
	return lanes
}

// sideWidth returns the width of the labels and lanes on one side.
func sideWidth(ports [][]port, lanes map[int]int) float64 {
	if len(lanes) == 0 {
		return 0
	}

	count := 0
	for _, lane := range lanes {
		count = max(count, lane+1)
	}
	return labelColumn(ports) + float64(count)*laneGap
}

// labelColumn returns the width of the widest label on one side, between boxes and lanes.
func labelColumn(ports [][]port) float64 {
	width := laneGap
	for _, group := range ports {
		for _, p := range group {
			for _, text := range p.label {
				width = max(width, textWidth(text, smallSize)+2*portSpacing)
			}
		}
	}
	return width
}

// shift moves all boxes to the right to make room on the left.
func (l *layout) shift(distance float64) {
	for i := range l.boxes {
		l.boxes[i].x += distance
	}
}

// drawStraight draws the arrows from each box to the next.
func (l *layout) drawStraight(n int) {
	for i := range n {
		label, ok := l.straight[i]
		if !ok {
			continue
		}

		upper, lower := l.boxes[i], l.boxes[i+1]
		x := l.boxes[0].x + boxWidth/2
		l.lines = append(l.lines, line{
			points: []point{{x, upper.y + upper.height}, {x, lower.y}}, head: true,
			label: label, labelAt: point{x + portSpacing, upper.y + upper.height + smallLine + 3}, anchor: "start",
		})
	}
}

// drawSide draws the arrows that run along the boxes, on the right or on the left.
func (l *layout) drawSide(ports [][]port, entries []float64, lanes map[int]int, back bool) {
	column := labelColumn(ports)
	ended := map[int]bool{}

	for i, group := range ports {
		for _, p := range group {
			source, target := l.boxes[i], l.boxes[p.arrow.to]
			out := column + float64(lanes[p.arrow.to])*laneGap + laneGap/2

			start, lane, end := source.x+source.width, l.boxes[0].x+boxWidth+out, target.x+target.width
			label, anchor := start+portSpacing, "start"
			if back {
				start, lane, end = source.x, l.boxes[0].x-out, target.x
				label, anchor = start-portSpacing, "end"
			}

			l.lines = append(l.lines, line{
				points: []point{{start, p.y}, {lane, p.y}, {lane, entries[p.arrow.to]}, {end, entries[p.arrow.to]}},
				back:   back, head: !ended[p.arrow.to],
				label: p.label, labelAt: point{label, p.y - 5 - float64(max(len(p.label), 1)-1)*smallLine}, anchor: anchor,
			})
			ended[p.arrow.to] = true
		}
	}
}
