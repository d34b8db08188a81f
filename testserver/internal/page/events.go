package page

import (
	"slices"
	"time"
)

// EventRow is an event in the list of the newest.
type EventRow struct {
	Name, Person string
	// Survey is the name of its survey, or the ID of one that is deleted; it is empty if there is none.
	Survey string
	Time   time.Time
}

// shownText is how much of a text of an event the page shows.
const shownText = 200

// events returns the newest events, newest first.
func (p pages) events() []EventRow {
	p.world.Mu.RLock()
	defer p.world.Mu.RUnlock()
	events := slices.Collect(p.world.Store.Events())
	var rows []EventRow
	for _, e := range slices.Backward(events[max(0, len(events)-pageListLength):]) {
		row := EventRow{Name: shorten(string(e.Name), shownText), Person: shorten(e.DistinctID, shownText), Time: e.At}
		if e.DistinctID == "" {
			row.Person = count(e.Count, "person")
		}
		if e.IsOfSurvey() {
			row.Survey = e.Survey.String()
			if survey := p.world.Store.Survey(e.Survey); survey != nil {
				row.Survey = survey.Name
			}
		}
		rows = append(rows, row)
	}
	return rows
}
