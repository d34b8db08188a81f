// Package control runs a server and its worlds. It serves requests of the API and of SDKs, records
// them, and applies faults. It also provides the operations that control a server: operations.go lists
// them once, for Go callers, for the control paths, and for the forms of the page.
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

// SetClock stops the server's clock at a time between the years 1000 and 9000, or at the
// nearest one, and runs the jobs that are due by then, as [Server.RunJobs] does.
func (o Operations) SetClock(t time.Time) {
	within := fixtures.WithinClock(t)
	o.world.StopClock(&within)
}

// SetRemoved removes routes, as PostHog does when it gives up an API: each of their
// requests, with or without a key, gets 404 "Endpoint not found." from then on. What is not
// named is there again. The objects stay in the store, and no one but the methods of the
// server, the fixtures and the page sees them. See [RemovedImportApps].
func (o Operations) SetRemoved(names ...string) error {
	if err := fixtures.CheckRemovable(names); err != nil {
		return fmt.Errorf("removed: %w", err)
	}
	o.world.Remove(slices.Compact(slices.Sorted(slices.Values(names))))
	return nil
}

// Removed returns the names of the removed routes.
func (o Operations) Removed() []string { return slices.Clone(o.world.RemovedNames()) }

// RunJobs runs PostHog's periodic jobs once, at the time of the server's clock: it
// stops surveys that have reached their responses_limit, which becomes null, stops
// recurring ones after their last iteration, and moves others to their current iteration.
// The flags of a survey that a job stops stay as they are until the next update.
func (o Operations) RunJobs() {
	o.world.Mu.Lock()
	defer o.world.Mu.Unlock()
	o.world.Service().RunJobs()
}

// Journal returns the requests to the API since the start or the last
// [Server.ResetJournal], newest last. The journal keeps the last 20,000, and of older
// ones among them only the sizes of bodies and responses when all together are larger than
// 32 MiB.
func (o Operations) Journal() []record.Request {
	entries, keys := o.world.journal.Entries(), o.world.Keys()
	requests := make([]record.Request, len(entries))
	for i, e := range entries {
		requests[i] = record.NewRequest(e, keys)
	}
	return requests
}

// JournalEntry returns the request with a sequence number, if the journal still has it.
func (o Operations) JournalEntry(sequence int64) (record.Request, bool) {
	e := o.world.journal.EntryByNumber(sequence)
	if e == nil {
		return record.Request{}, false
	}
	return record.NewRequest(e, o.world.Keys()), true
}

// ResetJournal empties the journal.
func (o Operations) ResetJournal() { o.world.journal.Clear() }

// Report returns the problems since the start. The report of the server covers all worlds; the report
// of a world covers only that world.
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

// ReplaceFaults replaces the rules with the rules of a document. An invalid document changes nothing.
func (o Operations) ReplaceFaults(document []byte) error {
	rules, err := readRules(document)
	if err != nil {
		return err
	}
	o.world.collector.AddInactiveRules(o.world.faults.Set(rules), o.world.WorldName)
	return nil
}

// AddFault adds a rule to the others.
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

// RemoveFault removes the rule with a number.
func (o Operations) RemoveFault(number int64) error {
	removed := o.world.faults.Remove(number)
	if removed == nil {
		return errors.New("this rule is not active anymore")
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

// Environment returns the environment variables by which clients at an address use the server.
func (o Operations) Environment(address string) []Variable {
	key, project, organization := o.Credentials()
	return slices.DeleteFunc([]Variable{
		{"POSTHOG_BASE_URL", address}, {"POSTHOG_API_KEY", key}, {"POSTHOG_PROJECT_ID", project}, {"POSTHOG_ORGANIZATION_ID", organization},
		{"POSTHOG_PROJECT_TOKEN", o.AppToken()},
	}, func(variable Variable) bool { return variable.Value == "" })
}

// AppToken returns the token for the project of [Server.Credentials]; empty when no surveys are served
// to apps.
func (o Operations) AppToken() string {
	if !o.world.Delivers {
		return ""
	}
	_, project, _ := o.Credentials()
	return o.ProjectToken(project)
}

// Variable is an environment variable of clients.
type Variable struct{ Name, Value string }

// Export returns the command of a shell that sets the variable.
func (v Variable) Export() string { return "export " + v.Name + "=" + escape.Shell(v.Value) }

// Journal returns the journal as it is kept, with API keys.
func (w *World) Journal() *record.Journal { return &w.journal }
