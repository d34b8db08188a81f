package main

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// bands shows, behind the bar of each row, the ratios that it must stay within.
type bands struct {
	rows  []row
	color color.Color
}

// Plot implements plot.Plotter.
func (b bands) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, r := range b.rows {
		if r.bar == nil {
			continue
		}
		from, to := c.Min.X, x(math.Log2(r.bar.ratio))
		if r.bar.atLeast {
			from, to = to, c.Max.X
		}
		from, to = max(from, c.Min.X), min(to, c.Max.X)

		middle := y(float64(len(b.rows) - 1 - i))
		c.FillPolygon(b.color, []vg.Point{
			{X: from, Y: middle - bandWidth/2}, {X: to, Y: middle - bandWidth/2},
			{X: to, Y: middle + bandWidth/2}, {X: from, Y: middle + bandWidth/2},
		})
	}
}
