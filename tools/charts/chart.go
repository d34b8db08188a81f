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

// theme is the colours of a chart.
type theme struct {
	name                          string
	background, text, faint, bars color.Color
}

var themes = []theme{
	{"light", color.White, rgb(0x1f2328), rgb(0xd1d9e0), rgb(0x1a56db)},
	{"dark", rgb(0x0d1117), rgb(0xe6edf3), rgb(0x3d444d), rgb(0x6ea8ff)},
}

func rgb(v uint32) color.Color {
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff} //nolint:gosec // cut to bytes
}

const (
	fontSize  = 11 * vg.Length(1)
	rowHeight = 22 * vg.Length(1)
	width     = 780 * vg.Length(1)
	barWidth  = 11 * vg.Length(1)
)

// drawChart draws the ratios of a section as bars to both sides of 1, on a scale on which
// half and double are as far from it.
func drawChart(s section, t theme) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.TextStyle.Font.Size = fontSize
	p.BackgroundColor = t.background
	p.X.Label.Text = "our result divided by the other one"

	values := make(plotter.Values, len(s.rows))
	names := make([]string, len(s.rows))
	labels := plotter.XYLabels{}
	low, high := -1.0, 1.0
	for i, r := range s.rows {
		// The first row is on top.
		at := len(s.rows) - 1 - i
		values[at] = math.Log2(r.ratio)
		names[at] = r.what + " / " + r.against
		low, high = min(low, values[at]), max(high, values[at])
	}
	for at, value := range values {
		labels.XYs = append(labels.XYs, plotter.XY{X: max(value, 0), Y: float64(at)})
		labels.Labels = append(labels.Labels, fmt.Sprintf(" %.2f", math.Exp2(value)))
	}

	bars, err := plotter.NewBarChart(values, barWidth)
	if err != nil {
		return nil, err
	}
	bars.Horizontal, bars.Color, bars.LineStyle.Width = true, t.bars, 0
	numbers, err := plotter.NewLabels(labels)
	if err != nil {
		return nil, err
	}
	for i := range numbers.TextStyle {
		numbers.TextStyle[i].Color, numbers.TextStyle[i].YAlign = t.text, text.YCenter
	}

	p.Add(&plotter.Grid{Vertical: draw.LineStyle{Color: t.faint, Width: vg.Points(0.5)}}, bars, numbers)
	p.NominalY(names...)
	p.Y.Min, p.Y.Max = -0.7, float64(len(s.rows))-0.3
	p.X.Min, p.X.Max = math.Floor(low), math.Ceil(high)+1
	p.X.Tick.Marker = plot.TickerFunc(ratioTicks)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Label.TextStyle.Color, axis.Tick.Label.Color, axis.Tick.Color = t.faint, t.text, t.text, t.faint
	}
	return p, nil
}

// ratioTicks marks powers of two, as many as have room.
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
	canvas := vgsvg.New(width, rowHeight*vg.Length(len(s.rows))+60)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	_, err = canvas.WriteTo(&b)
	return b.Bytes(), err
}
