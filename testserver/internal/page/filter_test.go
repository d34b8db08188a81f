package page

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFilterMatches(t *testing.T) {
	t.Parallel()
	refused := Candidate{
		Number: 17, Method: "POST", Line: func() string { return "POST /api/Projects/1/surveys/?x=500 surveys_create" }, Status: 400,
		Has: func(text string) bool { return strings.Contains(`{"attr":"name"}`, text) },
	}
	dropped, served, waiting := refused, refused, refused
	dropped.Status, dropped.Fault, dropped.Method = 0, true, "GET"
	served.Status, served.Has = 200, func(string) bool { return false }
	waiting.Status, waiting.Waiting = 0, true

	for _, want := range []struct {
		filter                            Filter
		refused, dropped, served, waiting bool
	}{
		{Filter{}, true, true, true, true},
		{Filter{Errors: true}, true, true, false, false},
		{Filter{Faults: true}, false, true, false, false},
		{Filter{Writes: true}, true, false, true, true},
		{Filter{Errors: true, Writes: true}, true, false, false, false},
		{Filter{Search: "400"}, true, false, false, false},
		{Filter{Search: "500"}, false, false, false, false},
		{Filter{Search: "x=500"}, true, true, true, true},
		{Filter{Search: "4XX"}, true, false, false, false},
		{Filter{Search: "#17"}, true, true, true, true},
		{Filter{Search: "#18"}, false, false, false, false},
		{Filter{Search: "  projects SURVEYS_create  post"}, true, true, true, true},
		{Filter{Search: `"ATTR":"name"`}, true, true, false, true},
		{Filter{Search: "surveys nowhere"}, false, false, false, false},
	} {
		got := []bool{want.filter.Matches(refused), want.filter.Matches(dropped), want.filter.Matches(served), want.filter.Matches(waiting)}
		assert.Equal(t, []bool{want.refused, want.dropped, want.served, want.waiting}, got, "%+v", want.filter)
	}
}
