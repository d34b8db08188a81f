package preview

import "io"

// gallery has the contents of the page that shows pictures.
type gallery struct {
	Surveys  []shownSurvey
	Renderer string
}

// shownSurvey is a survey with its pictures, a row for each language and device.
type shownSurvey struct {
	Survey

	Rows [][]Picture
}

// Gallery writes a page that shows pictures together, which are in the same directory. It
// needs no script, and loads nothing else.
func Gallery(w io.Writer, pictures []Picture) error {
	g := gallery{Renderer: RendererVersion()}
	for i, p := range pictures {
		if i == 0 || pictures[i-1].Survey.Label != p.Survey.Label {
			g.Surveys = append(g.Surveys, shownSurvey{Survey: p.Survey})
		}
		last := &g.Surveys[len(g.Surveys)-1]
		if len(last.Rows) == 0 || pictures[i-1].Language != p.Language || pictures[i-1].Device != p.Device {
			last.Rows = append(last.Rows, nil)
		}
		last.Rows[len(last.Rows)-1] = append(last.Rows[len(last.Rows)-1], p)
	}
	return pages.ExecuteTemplate(w, "gallery.html", g)
}
