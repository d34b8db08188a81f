package page

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pageInterval is the time between two updates of an open page. However many requests
// arrive in between, an update has only the newest.
const pageInterval = 400 * time.Millisecond

// getEvents sends changes to an open page, as server-sent events: rows of the journal,
// their number, and regions of the page.
func (p pages) getEvents(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	stream := &pageStream{out: w, control: http.NewResponseController(w), regions: map[string]string{}}

	ticker := time.NewTicker(pageInterval)
	defer ticker.Stop()
	// An open page has the whole of the request that it shows, unless that had no response yet.
	isWaiting := false
	for {
		shown, _ := p.page(r, r.URL.Query(), isWaiting)
		if err := stream.send(shown); err != nil {
			return // the browser is gone
		}
		if detail := shown.Journal.Detail; detail != nil {
			isWaiting = detail.Waiting
		}
		select {
		case <-r.Context().Done():
			return
		case <-ticker.C:
		}
	}
}

// pageStream is the state of an open page, so that only changes are sent to it.
type pageStream struct {
	out     http.ResponseWriter
	control *http.ResponseController
	// regions is the HTML that the page has, by the id of the region; rows by number.
	regions map[string]string
	rows    map[int64]string
	// cleared and total are those of the journal.
	cleared int64
	total   string
	// title is the title of the page, gone whether its world does not exist.
	title   string
	gone    bool
	started bool
}

// send sends the changes to the page.
func (ps *pageStream) send(shown *Page) error {
	var b bytes.Buffer
	if !ps.started {
		// The page already has the journal. The first event tells it how soon to reconnect when
		// the server has gone.
		b.WriteString("retry: 1000\n\n")
		ps.started, ps.cleared, ps.total = true, shown.Journal.Cleared, shown.Journal.TotalText()
		ps.title, ps.gone = shown.Title(), shown.Gone
	}
	if ps.gone != shown.Gone {
		// A world that comes or goes has a page of another form.
		ps.gone = shown.Gone
		appendEvent(&b, "reload", "")
	}
	if ps.title != shown.Title() {
		ps.title = shown.Title()
		appendEvent(&b, "title", ps.title)
	}

	for _, name := range shown.Regions() {
		html, err := shown.Region(name)
		if err != nil {
			return err
		}
		if ps.regions[name] != html {
			ps.regions[name] = html
			appendEvent(&b, "region", html)
		}
	}
	if err := ps.sendJournal(&b, shown); err != nil {
		return err
	}

	if b.Len() == 0 {
		return nil
	}
	if _, err := ps.out.Write(b.Bytes()); err != nil {
		return err
	}
	return ps.control.Flush()
}

// sendJournal sends new and changed rows and the numbers of those that left the filter, or the
// whole list when the journal was emptied or there was nothing to add to.
func (ps *pageStream) sendJournal(b *bytes.Buffer, shown *Page) error {
	if shown.Gone {
		return nil
	}
	var changed strings.Builder
	rows := map[int64]string{}
	for _, row := range shown.Journal.Rows() {
		html, err := row.HTML()
		if err != nil {
			return err
		}
		if rows[row.Number] = html; ps.rows[row.Number] != html {
			changed.WriteString(html)
		}
	}

	if ps.cleared != shown.Journal.Cleared || ps.rows != nil && (len(rows) == 0) != (len(ps.rows) == 0) {
		html, err := shown.Region("requests")
		if err != nil {
			return err
		}
		appendEvent(b, "list", html)
	} else {
		if left := ps.left(rows); len(left) > 0 {
			appendEvent(b, "left", strings.Join(left, " "))
		}
		if changed.Len() > 0 {
			appendEvent(b, "rows", changed.String())
		}
	}
	ps.cleared, ps.rows = shown.Journal.Cleared, rows

	if total := shown.Journal.TotalText(); ps.total != total {
		ps.total = total
		appendEvent(b, "total", total)
	}
	return nil
}

// left are the numbers of rows that the page has and the list lacks, for another reason than
// newer ones.
func (ps *pageStream) left(rows map[int64]string) []string {
	oldest := int64(0)
	if len(rows) == JournalLength {
		oldest = slices.Min(slices.Collect(maps.Keys(rows)))
	}
	var left []string
	for number := range ps.rows {
		if _, ok := rows[number]; !ok && number > oldest {
			left = append(left, strconv.FormatInt(number, 10))
		}
	}
	return left
}

// appendEvent writes an event. Carriage returns are escaped: they end a line of the stream,
// so a text with one could inject another event.
func appendEvent(b *bytes.Buffer, name, data string) {
	fmt.Fprintf(b, "event: %s\n", name)
	for line := range strings.SplitSeq(strings.ReplaceAll(data, "\r", "&#13;"), "\n") {
		fmt.Fprintf(b, "data: %s\n", line)
	}
	b.WriteByte('\n')
}
