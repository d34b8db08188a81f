package testserver

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// maxFindings is the number of findings of a kind that a report keeps; the others are
// counted.
const maxFindings = 1000

// collector collects the problems for a report, for one world.
type collector struct {
	mu sync.Mutex
	// found is the report, without the undocumented fields and the surveys that nobody saw.
	found RunReport
	// fields are the undocumented fields, by operation and path.
	fields map[[2]string]UndocumentedField
	// offers are the names of the surveys that apps got, seen are those that people saw.
	offers map[shownSurvey]string
	seen   map[shownSurvey]bool
}

// shownSurvey is a survey of a world.
type shownSurvey struct{ world, id string }

// note adds a request with its response.
func (c *collector) note(x *exchange, e *record.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found.Requests++
	if e.Operation == "" {
		return
	}

	for _, path := range x.undocumented {
		path = withoutIndexes(path)
		c.addField(UndocumentedField{
			Operation: e.Operation, Path: path, Times: 1, World: x.world, Sequence: e.Sequence,
			ReadOnly: isReadOnly(api.ResponseShape(e.Operation), path),
		})
	}
	if x.cut != nil {
		cut := *x.cut
		cut.Sequence, cut.Time, cut.World, cut.Operation = e.Sequence, e.At.UTC(), x.world, e.Operation
		addFinding(c, &c.found.CutAnswers, cut)
	}

	if x.delivery == nil {
		return
	}
	for _, s := range x.delivery.offered {
		note(&c.offers, shownSurvey{x.world, s.ID.String()}, s.Name)
	}
	for _, id := range x.delivery.shown {
		note(&c.seen, shownSurvey{x.world, id.String()}, true)
	}
}

// addFinding adds a finding, or counts it.
func addFinding[T any](c *collector, findings *[]T, found ...T) {
	kept := min(len(found), maxFindings-len(*findings))
	*findings = append(*findings, found[:kept]...)
	c.found.OmittedFindings += int64(len(found) - kept)
}

// note notes what is known of a survey, up to the number that a report keeps.
func note[T any](surveys *map[shownSurvey]T, survey shownSurvey, known T) {
	if *surveys == nil {
		*surveys = map[shownSurvey]T{}
	}
	if _, isKnown := (*surveys)[survey]; isKnown || len(*surveys) < maxFindings {
		(*surveys)[survey] = known
	}
}

func (c *collector) addField(sent UndocumentedField) {
	key := [2]string{sent.Operation, sent.Path}
	known, isKnown := c.fields[key]
	switch {
	case isKnown:
		known.Times += sent.Times
		c.fields[key] = known
	case len(c.fields) >= maxFindings:
		c.found.OmittedFindings++
	default:
		if c.fields == nil {
			c.fields = map[[2]string]UndocumentedField{}
		}
		c.fields[key] = sent
	}
}

// replaced adds the rules that are no longer active.
func (c *collector) replaced(rules []FaultState, world string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, rule := range rules {
		if rule.Hits == 0 {
			addFinding(c, &c.found.UnusedFaults, UnusedFault{Rule: rule.Rule, Matches: rule.Matches, World: world})
		}
	}
}

// addServer adds the problems of a server with its worlds and its active rules.
func (c *collector) addServer(s *Server) {
	c.add(&s.collector)
	c.replaced(s.Faults(), s.world.name)
	for _, world := range s.worlds.all() {
		c.addServer(world)
	}
}

// add adds the problems of another collector.
func (c *collector) add(other *collector) {
	other.mu.Lock()
	defer other.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()

	c.found.Requests += other.found.Requests
	c.found.OmittedFindings += other.found.OmittedFindings
	addFinding(c, &c.found.CutAnswers, other.found.CutAnswers...)
	addFinding(c, &c.found.UnusedFaults, other.found.UnusedFaults...)
	for _, sent := range other.fields {
		c.addField(sent)
	}
	for survey, name := range other.offers {
		note(&c.offers, survey, name)
	}
	for survey := range other.seen {
		note(&c.seen, survey, true)
	}
}

// report are the collected problems in their order.
func (c *collector) report() *RunReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.found
	r.CutAnswers, r.UnusedFaults = append([]CutAnswers{}, r.CutAnswers...), append([]UnusedFault{}, r.UnusedFaults...)
	r.UndocumentedFields, r.NeverShown = slices.AppendSeq([]UndocumentedField{}, maps.Values(c.fields)), []NeverShown{}
	for survey, name := range c.offers {
		if !c.seen[survey] {
			r.NeverShown = append(r.NeverShown, NeverShown{World: survey.world, SurveyID: survey.id, SurveyName: name})
		}
	}

	slices.SortFunc(r.UndocumentedFields, func(a, b UndocumentedField) int {
		return strings.Compare(a.Operation+" "+a.Path, b.Operation+" "+b.Path)
	})
	slices.SortFunc(r.UnusedFaults, func(a, b UnusedFault) int {
		return strings.Compare(a.World+" "+string(a.Rule), b.World+" "+string(b.Rule))
	})
	slices.SortStableFunc(r.CutAnswers, func(a, b CutAnswers) int {
		return cmp.Or(a.Time.Compare(b.Time), strings.Compare(a.World, b.World))
	})
	slices.SortFunc(r.NeverShown, func(a, b NeverShown) int {
		return cmp.Or(cmp.Compare(a.World, b.World), cmp.Compare(a.SurveyName, b.SurveyName), cmp.Compare(a.SurveyID, b.SurveyID))
	})
	return &r
}

// noteCut records the answers that a write cuts off: those to questions whose id the survey
// no longer has.
func (x *exchange) noteCut(before, after *store.Survey) {
	cut, remaining := textsByID(before), textsByID(after)
	maps.DeleteFunc(cut, func(id, _ string) bool { _, kept := remaining[id]; return kept })
	if len(cut) == 0 {
		return
	}
	count := x.store.ResponsesTo(before)
	if count == 0 {
		return
	}

	noted := CutAnswers{SurveyID: before.ID.String(), SurveyName: before.Name, Responses: count}
	for _, id := range slices.Sorted(maps.Keys(cut)) {
		noted.Questions = append(noted.Questions, CutQuestion{ID: id, Text: cut[id]})
	}
	x.cut = &noted
}

// textsByID are the texts of the questions of a survey by id.
func textsByID(s *store.Survey) map[string]string {
	texts := map[string]string{}
	questions := s.Values[store.SurveyTable.Index["questions"]]
	if !wire.IsArray(questions) {
		return texts
	}
	for _, question := range wire.Items(questions) {
		if !wire.IsObject(question) {
			continue
		}
		members := wire.Members(question)
		if id := wire.Unquote(members["id"]); id != "" {
			texts[id] = wire.Unquote(members["question"])
		}
	}
	return texts
}

// started are the servers of this process that [Start] has made.
var started = struct {
	mu sync.Mutex
	// running are those whose test has not ended, ended are the problems of the others.
	running map[*Server]bool
	ended   collector
}{running: map[*Server]bool{}}

// Report returns the problems of the servers of this process that [Start] has made, those of
// tests that are over included. A TestMain calls it after the tests and decides what of
// it makes the run fail:
//
//	func TestMain(m *testing.M) {
//		code := m.Run()
//		report := testserver.Report()
//		fmt.Print(report)
//		if code == 0 && len(report.CutAnswers) > 0 {
//			code = 1
//		}
//		os.Exit(code)
//	}
func Report() *RunReport {
	started.mu.Lock()
	defer started.mu.Unlock()
	sum := &collector{}
	sum.add(&started.ended)
	for s := range started.running {
		sum.addServer(s)
	}
	return sum.report()
}

// reportUntilEnd adds a server to the report of the process. The returned function has to
// be called when the server has stopped.
func reportUntilEnd(s *Server) func() {
	started.mu.Lock()
	defer started.mu.Unlock()
	started.running[s] = true
	return func() {
		started.mu.Lock()
		defer started.mu.Unlock()
		delete(started.running, s)
		started.ended.addServer(s)
	}
}
