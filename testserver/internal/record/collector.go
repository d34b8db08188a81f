package record

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
)

// Found contains the problems of a request and what it reveals about surveys.
type Found struct {
	Undocumented []SentField
	Cut          *DetachedAnswers
	// Offered maps the IDs of the surveys that an app received to their names. Shown contains the IDs of
	// the surveys that persons saw.
	Offered map[string]string
	Shown   []string
	// SurveyEvents are events with a problem.
	SurveyEvents []SurveyEvent
	// Hiding contains the offered surveys that make posthog-js show no surveys. It maps survey IDs to reasons.
	Hiding map[string]string
}

// Collector collects problems for the report of a server or a world.
type Collector struct {
	mu sync.Mutex
	// found is the report without UndocumentedFields, SurveyEvents, NeverShown, and HidesAll.
	found RunReport
	// fields contains the undocumented fields by operation and path.
	fields map[[2]string]UndocumentedField
	// surveyEvents contains the events with a problem by kind.
	surveyEvents map[SurveyEvent]SurveyEvent
	// offers maps the surveys that apps received to their names. seen contains the surveys that persons
	// saw.
	offers map[shownSurvey]string
	seen   map[shownSurvey]bool
	// hiding maps surveys that hide all surveys to the reasons.
	hiding map[shownSurvey]string
}

// shownSurvey identifies a survey in a world.
type shownSurvey struct{ world, id string }

// NewCollector returns a collector without problems.
func NewCollector() *Collector {
	return &Collector{fields: map[[2]string]UndocumentedField{}, surveyEvents: map[SurveyEvent]SurveyEvent{}, offers: map[shownSurvey]string{}, seen: map[shownSurvey]bool{}, hiding: map[shownSurvey]string{}}
}

// Note adds a request of a world and its findings.
func (c *Collector) Note(world string, e *Entry, findings Found) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found.Requests++
	if e.Operation == "" {
		return
	}
	for _, field := range findings.Undocumented {
		c.addField(UndocumentedField{
			Operation: e.Operation, Path: field.Path, Times: 1, World: world, Sequence: e.Sequence, ReadOnly: field.ReadOnly,
		})
	}
	if findings.Cut != nil {
		cut := *findings.Cut
		cut.Sequence, cut.Time, cut.World, cut.Operation = e.Sequence, e.At.UTC(), world, e.Operation
		c.found.DetachedAnswers = append(c.found.DetachedAnswers, cut)
	}
	for _, event := range findings.SurveyEvents {
		event.World, event.Sequence, event.Times = world, e.Sequence, 1
		c.addSurveyEvent(event)
	}
	for id, name := range findings.Offered {
		c.offers[shownSurvey{world, id}] = name
	}
	for id, reason := range findings.Hiding {
		c.hiding[shownSurvey{world, id}] = reason
	}
	for _, id := range findings.Shown {
		c.seen[shownSurvey{world, id}] = true
	}
}

func (c *Collector) addField(field UndocumentedField) {
	key := [2]string{field.Operation, field.Path}
	if existing, isKnown := c.fields[key]; isKnown {
		existing.Times += field.Times
		field = existing
	}
	c.fields[key] = field
}

// maxSurveyEvents is the maximum number of kinds of events in a report, because any page can send more.
const maxSurveyEvents = 1000

func (c *Collector) addSurveyEvent(event SurveyEvent) {
	kind := SurveyEvent{World: event.World, SurveyID: event.SurveyID, Problem: event.Problem}
	existing, isKnown := c.surveyEvents[kind]
	switch {
	case isKnown:
		existing.Times += event.Times
		c.surveyEvents[kind] = existing
	case len(c.surveyEvents) < maxSurveyEvents:
		c.surveyEvents[kind] = event
	}
}

// AddInactiveRules adds rules of a world that are no longer active.
func (c *Collector) AddInactiveRules(rules []faults.State, world string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, rule := range rules {
		if rule.Hits == 0 {
			c.found.UnusedFaults = append(c.found.UnusedFaults, UnusedFault{Rule: rule.Rule, Matches: rule.Matches, World: world})
		}
	}
}

// Add adds the problems of another collector.
func (c *Collector) Add(source *Collector) {
	source.mu.Lock()
	defer source.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()

	c.found.Requests += source.found.Requests
	c.found.DetachedAnswers = append(c.found.DetachedAnswers, source.found.DetachedAnswers...)
	c.found.UnusedFaults = append(c.found.UnusedFaults, source.found.UnusedFaults...)
	for _, field := range source.fields {
		c.addField(field)
	}
	for _, event := range source.surveyEvents {
		c.addSurveyEvent(event)
	}
	maps.Copy(c.offers, source.offers)
	maps.Copy(c.seen, source.seen)
	maps.Copy(c.hiding, source.hiding)
}

// Report returns the collected problems in a defined order.
func (c *Collector) Report() *RunReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.found
	r.DetachedAnswers, r.UnusedFaults = append([]DetachedAnswers{}, r.DetachedAnswers...), append([]UnusedFault{}, r.UnusedFaults...)
	r.UndocumentedFields, r.NeverShown = slices.AppendSeq([]UndocumentedField{}, maps.Values(c.fields)), []NeverShown{}
	r.SurveyEvents = slices.AppendSeq([]SurveyEvent{}, maps.Values(c.surveyEvents))
	for survey, name := range c.offers {
		if !c.seen[survey] {
			r.NeverShown = append(r.NeverShown, NeverShown{World: survey.world, SurveyID: survey.id, SurveyName: name})
		}
	}
	r.HidesAll = []HidesAll{}
	for survey, reason := range c.hiding {
		r.HidesAll = append(r.HidesAll, HidesAll{World: survey.world, SurveyID: survey.id, SurveyName: c.offers[survey], Reason: reason})
	}

	slices.SortFunc(r.UndocumentedFields, func(a, b UndocumentedField) int {
		return strings.Compare(a.Operation+" "+a.Path, b.Operation+" "+b.Path)
	})
	slices.SortFunc(r.SurveyEvents, func(a, b SurveyEvent) int {
		return cmp.Or(cmp.Compare(a.World, b.World), cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.SurveyID, b.SurveyID), cmp.Compare(a.Problem, b.Problem))
	})
	slices.SortFunc(r.UnusedFaults, func(a, b UnusedFault) int {
		return strings.Compare(a.World+" "+string(a.Rule), b.World+" "+string(b.Rule))
	})
	slices.SortStableFunc(r.DetachedAnswers, func(a, b DetachedAnswers) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.World, b.World))
	})
	slices.SortFunc(r.NeverShown, func(a, b NeverShown) int {
		return cmp.Or(cmp.Compare(a.World, b.World), cmp.Compare(a.SurveyName, b.SurveyName), cmp.Compare(a.SurveyID, b.SurveyID))
	})
	slices.SortFunc(r.HidesAll, func(a, b HidesAll) int {
		return cmp.Or(cmp.Compare(a.World, b.World), cmp.Compare(a.SurveyName, b.SurveyName), cmp.Compare(a.SurveyID, b.SurveyID))
	})
	return &r
}
