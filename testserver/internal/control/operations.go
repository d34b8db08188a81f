// Package control runs a server and its worlds. It serves API and SDK requests, records them, and applies faults. It
// also provides the operations that control a server. Go callers, the control paths, and the forms of the page share
// these operations: see operations.go.
package control

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// SetClock stops the server's clock at t, or at the nearest time between the years 1000 and 9000. It
// then runs the jobs that are due, as [Server.RunJobs] does.
func (o Operations) SetClock(t time.Time) {
	within := fixtures.WithinClock(t)
	o.world.StopClock(&within)
}

// SetRemoved removes routes, as PostHog does when it discontinues an API. Each request to a removed route, with or
// without a key, then gets status 404 "Endpoint not found." Routes that are not in names are restored. The objects
// stay in the store. Only the server's methods, the fixtures, and the page can access them. See [RemovedImportApps].
func (o Operations) SetRemoved(names ...string) error {
	if err := fixtures.CheckRemovable(names); err != nil {
		return fmt.Errorf("removed: %w", err)
	}
	o.world.Remove(slices.Compact(slices.Sorted(slices.Values(names))))
	return nil
}

// Removed returns the names of the removed routes.
func (o Operations) Removed() []string { return slices.Clone(o.world.RemovedNames()) }

// RunJobs runs PostHog's periodic jobs once, at the time of the server's clock. The jobs
// stop surveys that have reached their responses_limit and set the limit to null, stop recurring
// surveys after their last iteration, and move other recurring surveys to their current iteration.
// The flags of a survey that a job stops remain unchanged until the next update.
func (o Operations) RunJobs() {
	o.world.Mu.Lock()
	defer o.world.Mu.Unlock()
	o.world.Service().RunJobs()
}

// Journal returns the requests to the API since the start or since the last [Server.ResetJournal],
// newest last. The journal keeps the last 20,000 requests. If their bodies exceed 32 MiB in total, it
// keeps only the sizes of the oldest bodies and responses.
func (o Operations) Journal() []record.Request {
	entries, keys := o.world.journal.Entries(), o.world.Keys()
	requests := make([]record.Request, len(entries))
	for i, e := range entries {
		requests[i] = record.NewRequest(e, keys)
	}
	return requests
}

// JournalEntry returns the request with the given sequence number, if the journal still contains it.
func (o Operations) JournalEntry(sequence int64) (record.Request, bool) {
	e := o.world.journal.EntryByNumber(sequence)
	if e == nil {
		return record.Request{}, false
	}
	return record.NewRequest(e, o.world.Keys()), true
}

// ResetJournal empties the journal.
func (o Operations) ResetJournal() { o.world.journal.Clear() }

// Report returns the problems since the start. The server's report covers all worlds. A world's report
// covers only that world.
func (o Operations) Report() *record.RunReport {
	sum := record.NewCollector()
	o.AddProblems(sum)
	return sum.Report()
}

// AddProblems adds the problems of a server and its worlds to a collector.
func (o Operations) AddProblems(sum *record.Collector) {
	w := o.world
	sum.Add(w.collector)
	sum.AddInactiveRules(w.faults.States(), w.WorldName)
	for _, world := range w.worlds.all() {
		world.AddProblems(sum)
	}
}

// Faults returns the active rules in their order.
func (o Operations) Faults() []faults.State { return o.world.faults.States() }

// ReplaceFaults replaces the rules with the rules of a document. If the document is invalid, it changes
// nothing.
func (o Operations) ReplaceFaults(document []byte) error {
	rules, err := readRules(document)
	if err != nil {
		return err
	}
	o.world.collector.AddInactiveRules(o.world.faults.Set(rules), o.world.WorldName)
	return nil
}

// AddFault adds a rule after the existing ones.
func (o Operations) AddFault(text []byte) error {
	rule, err := wire.Decode(text)
	if err != nil {
		return errors.New("the rule is not valid JSON")
	}
	rules, err := readRules(wire.NewObject(wire.Member{Name: "rules", Value: wire.NewArray(rule)}).JSON())
	if err != nil {
		return err
	}
	return o.world.faults.Add(rules)
}

// RemoveFault removes the rule with the given number.
func (o Operations) RemoveFault(number int64) error {
	removed := o.world.faults.Remove(number)
	if removed == nil {
		return errors.New("this rule is no longer active")
	}
	o.world.collector.AddInactiveRules(removed, o.world.WorldName)
	return nil
}

// readRules reads the rules of a document.
func readRules(document []byte) ([]*faults.Rule, error) {
	if err := wire.CheckLimits(document); err != nil {
		return nil, fmt.Errorf("faults: %w", err)
	}
	return faults.Read(document, FaultOperations)
}

// FaultOperations are the operations that a rule can select.
var FaultOperations = func() []api.Operation {
	operations := api.AllOperations()
	for _, name := range sdk.Operations {
		operations = append(operations, api.Operation{ID: name})
	}
	return operations
}()

// SurveyPeople returns the persons of the survey's project, in the order in which the server first saw
// them, and whether each of them is offered the survey. With distinct IDs, it returns only the persons
// with these IDs, including IDs that the server has never seen.
func (o Operations) SurveyPeople(id string, distinctIDs ...string) ([]sdk.SurveyPerson, error) {
	return o.world.People(id, distinctIDs)
}

// Offers returns the surveys of a project and whether each is shown in a visit.
func (o Operations) Offers(projectID string, visit sdk.Visit) ([]sdk.SurveyOffer, error) {
	return o.world.ListOffers(projectID, visit)
}

// Environment returns the environment variables for clients that use the server at an address.
func (o Operations) Environment(address string) []Variable {
	key, project, organization := o.Credentials()
	return slices.DeleteFunc([]Variable{
		{"POSTHOG_BASE_URL", address}, {"POSTHOG_API_KEY", key}, {"POSTHOG_PROJECT_ID", project}, {"POSTHOG_ORGANIZATION_ID", organization},
		{"POSTHOG_PROJECT_TOKEN", o.AppToken()},
	}, func(variable Variable) bool { return variable.Value == "" })
}

// AppToken returns the token for the project of [Server.Credentials]. It is empty if the server serves
// no surveys to apps.
func (o Operations) AppToken() string {
	if !o.world.Delivers {
		return ""
	}
	_, project, _ := o.Credentials()
	return o.ProjectToken(project)
}

// Variable is an environment variable of clients.
type Variable struct{ Name, Value string }

// Export returns the shell command that sets the variable.
func (v Variable) Export() string { return "export " + v.Name + "=" + escape.Shell(v.Value) }

// Journal returns the journal itself, which contains API keys.
func (w *World) Journal() *record.Journal { return &w.journal }
