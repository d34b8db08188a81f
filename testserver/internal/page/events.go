package page

import (
	"slices"
	"time"
)

// EventRow is a row in the list of the newest events.
type EventRow struct {
	Name, Person string
	// Survey is the name of the event's survey, or the ID of a deleted survey. It is empty if there is
	// none.
	Survey string
	Time   time.Time
}

// shownText is the maximum length of a text from an event on the page.
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
