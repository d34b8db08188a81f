package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// theme has the colors of a chart: bars for rows that are at least as good as the
// comparison, worse for the others.
type theme struct {
	name string
	// band is behind the ratios that a row may have.
	background, text, faint, bars, worse, band color.Color
}

// green lets through what it covers, on light and on dark.
var green = color.NRGBA{R: 0x2e, G: 0xa0, B: 0x43, A: 0x33}

var themes = []theme{
	{"light", color.White, rgb(0x1f2328), rgb(0xd1d9e0), rgb(0x1a56db), rgb(0xbc6c0a), green},
	{"dark", rgb(0x0d1117), rgb(0xe6edf3), rgb(0x3d444d), rgb(0x6ea8ff), rgb(0xe0a030), green},
}

func rgb(v uint32) color.Color {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff} //nolint:gosec // cut to bytes
}

const (
	// fontSize is close to that of the pages which show the charts.
	fontSize  = 13 * vg.Length(1)
	rowHeight = 24 * vg.Length(1)
	width     = 860 * vg.Length(1)
	barWidth  = 13 * vg.Length(1)
	bandWidth = 20 * vg.Length(1)
	padding   = 10 * vg.Length(1)
	// labelGap is the space between a bar and its number.
	labelGap = 4 * vg.Length(1)
)

// drawChart draws the ratios of a section as bars on both sides of 1, on a logarithmic
// scale.
func drawChart(s section, t theme) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = t.background
	p.X.Label.Text, p.X.Label.TextStyle.Font.Size, p.X.Label.Padding = s.axis(), fontSize, padding/2

	names := make([]string, len(s.rows))
	low, high := 0.0, 0.0
	for i, r := range s.rows {
		names[len(s.rows)-1-i] = r.what + " / " + r.against
		low, high = min(low, math.Log2(r.ratio)), max(high, math.Log2(r.ratio))
	}

	p.Add(&plotter.Grid{Vertical: draw.LineStyle{Color: t.faint, Width: vg.Points(0.5)}})
	p.Add(bands{s.rows, t.band})
	for _, better := range []bool{true, false} {
		if err := addBars(p, s.rows, better, t); err != nil {
			return nil, err
		}
	}
	even, err := plotter.NewLine(plotter.XYs{{X: 0, Y: -0.7}, {X: 0, Y: float64(len(s.rows)) - 0.3}})
	if err != nil {
		return nil, err
	}
	even.Color, even.Width = t.text, vg.Points(0.75)
	p.Add(even)

	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.7, float64(len(s.rows))-0.3
	// The numbers are behind the ends of the bars.
	p.X.Min, p.X.Max = math.Floor(low-(high-low)/8), math.Ceil(high+(high-low)/8)
	p.X.Tick.Marker = plot.TickerFunc(ratioTicks)
	// A viewer without the font of the measured labels may have a wider one.
	p.Y.Tick.Length, p.Y.Tick.Width = 5*fontSize, 1
	p.Y.Tick.Label.YAlign = middle - 0.15 // gonum lifts the labels of ticks
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Label.TextStyle.Color, axis.Tick.Label.Color, axis.Tick.Color = t.faint, t.text, t.text, t.faint
		axis.Tick.Label.Font.Size = fontSize - 1
	}
	p.Y.Tick.Color = color.Transparent
	return p, nil
}

// middle centers small letters and digits vertically; text.YCenter would include the
// ascenders and descenders of the font.
const middle = -0.4

// addBars adds the bars of the better rows, or of the others, with their numbers. The first
// row is on top.
func addBars(p *plot.Plot, rows []row, better bool, t theme) error {
	values := make(plotter.Values, len(rows))
	left, right := plotter.XYLabels{}, plotter.XYLabels{}
	for i, r := range rows {
		if r.better() != better {
			continue
		}
		at := len(rows) - 1 - i
		values[at] = math.Log2(r.ratio)
		side := &right
		if values[at] < 0 {
			side = &left
		}
		side.XYs = append(side.XYs, plotter.XY{X: values[at], Y: float64(at)})
		side.Labels = append(side.Labels, ratioText(r.ratio))
	}

	bars, err := plotter.NewBarChart(values, barWidth)
	if err != nil {
		return err
	}
	bars.Horizontal, bars.Color, bars.LineStyle.Width = true, t.bars, 0
	if !better {
		bars.Color = t.worse
	}
	p.Add(bars)

	for _, side := range []struct {
		labels plotter.XYLabels
		align  text.XAlignment
		gap    vg.Length
	}{{left, text.XRight, -labelGap}, {right, text.XLeft, labelGap}} {
		if len(side.labels.Labels) == 0 {
			continue
		}
		numbers, err := plotter.NewLabels(side.labels)
		if err != nil {
			return err
		}
		numbers.Offset.X = side.gap
		for i := range numbers.TextStyle {
			style := &numbers.TextStyle[i]
			style.Color, style.XAlign, style.YAlign, style.Font.Size = t.text, side.align, middle, fontSize-1
		}
		p.Add(numbers)
	}
	return nil
}

// ratioText formats a ratio with two significant digits.
func ratioText(ratio float64) string {
	switch {
	case ratio >= 10:
		return fmt.Sprintf("%.0f", ratio)
	case ratio >= 0.1:
		return fmt.Sprintf("%.2f", ratio)
	default:
		return fmt.Sprintf("%.2g", ratio)
	}
}

// axis is the label of the axis.
func (s section) axis() string {
	more, less := false, false
	for _, r := range s.rows {
		more, less = more || r.more, less || !r.more
	}
	switch {
	case more && less:
		return "ours by the other: blue is better, green is held"
	case more:
		return "ours by the other: more is better, green is held"
	default:
		return "ours by the other: less is better, green is held"
	}
}

// ratioTicks marks powers of two, as many as fit.
func ratioTicks(low, high float64) []plot.Tick {
	step := math.Ceil((high - low) / 8)
	var ticks []plot.Tick
	for at := math.Ceil(low/step) * step; at <= high; at += step {
		label := fmt.Sprintf("%g", math.Exp2(at))
		if at < 0 {
			label = fmt.Sprintf("1/%g", math.Exp2(-at))
		}
		ticks = append(ticks, plot.Tick{Value: at, Label: label})
	}
	return ticks
}

// Charts have no serifs, like the pages that show them.
func init() {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
}

// drawSection draws a section as an SVG document.
func drawSection(s section, t theme) ([]byte, error) {
	p, err := drawChart(s, t)
	if err != nil {
		return nil, err
	}
	canvas := vgsvg.New(width, rowHeight*vg.Length(len(s.rows))+75+2*padding)
	whole := draw.New(canvas)
	whole.SetColor(t.background)
	whole.Fill(whole.Rectangle.Path())
	p.Draw(draw.Crop(whole, padding, -2*padding, padding, -padding))
	var b bytes.Buffer
	_, err = canvas.WriteTo(&b)
	return b.Bytes(), err
}
