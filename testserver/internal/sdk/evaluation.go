package sdk

import (
	"encoding/json"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// projectFlags are the decoded flags and cohorts of a project.
type projectFlags struct {
	audience.Project
	// served are the flags that apps receive, in the order of their IDs.
	served []*evaluatedFlag
	// lists maps the IDs of static cohorts to the distinct IDs of their members.
	lists map[int64]map[string]bool
}

// evaluatedFlag is a flag with the version and the payloads that apps receive.
type evaluatedFlag struct {
	*audience.Flag
	version wire.Value
	// payloads maps variants to payloads. The key of a flag without variants is "true".
	payloads wire.Fields
}

// readFlags decodes the flags of a project.
func readFlags(st *store.Store, p *store.Project) *projectFlags {
	read := &projectFlags{
		Project: audience.Project{Flags: map[int64]*audience.Flag{}, Cohorts: map[int64]bool{}, GroupTypes: p.GroupTypes},
		lists:   map[int64]map[string]bool{},
	}
	for _, f := range st.Flags.Sorted() {
		if f.Project == p.ID {
			flag := readEvaluatedFlag(f)
			read.Flags[f.ID] = flag.Flag
			read.served = append(read.served, flag)
		}
	}
	read.served = dropReplaced(read.served)
	for c := range st.Cohorts.Each() {
		if c.Project == p.ID {
			read.addCohort(c)
		}
	}
	return read
}

func (p *projectFlags) addCohort(c *store.Cohort) {
	// A cohort without members and filters contains no one.
	p.Cohorts[c.ID] = c.IsStatic || c.Filters.IsAbsent()
	p.lists[c.ID] = map[string]bool{}
	for _, id := range c.Members {
		p.lists[c.ID][id] = true
	}
}

func readEvaluatedFlag(f *store.Flag) *evaluatedFlag {
	version := f.Member("version")
	if version.IsNull() {
		version = wire.NewInt(1)
	}
	return &evaluatedFlag{version: version, payloads: objectMembers(f.Filters().Get("payloads")), Flag: audience.NewFlag(audience.Definition{
		ID: f.ID, Key: f.Text(store.FlagTable, "key"),
		Active: f.IsTrue(store.FlagTable, "active"), Deleted: f.IsTrue(store.FlagTable, "deleted"),
		KeepsExperience: f.IsTrue(store.FlagTable, "ensure_experience_continuity"),
		ByDevice:        f.Member("bucketing_identifier").Text() == "device_id",
		Filters:         decode(f.Filters()),
	})}
}

// dropReplaced omits deleted flags whose key another flag uses. After a flag is deleted, another flag may
// use its key.
func dropReplaced(flags []*evaluatedFlag) []*evaluatedFlag {
	byKey := map[string]*evaluatedFlag{}
	for _, flag := range flags {
		if existing := byKey[flag.Key]; existing == nil || existing.Deleted {
			byKey[flag.Key] = flag
		}
	}

	var result []*evaluatedFlag
	for _, flag := range flags {
		if byKey[flag.Key] == flag {
			result = append(result, flag)
		}
	}
	return result
}

// staticCohorts returns the static cohorts that contain any of the distinct IDs.
func (p *projectFlags) staticCohorts(ids []string) map[int64]bool {
	var cohorts map[int64]bool
	for cohort, members := range p.lists {
		for _, id := range ids {
			if !members[id] {
				continue
			}
			if cohorts == nil {
				cohorts = map[int64]bool{}
			}
			cohorts[cohort] = true
		}
	}
	return cohorts
}

// decode decodes a JSON value for package audience. Numbers become json.Number.
func decode(raw wire.Value) any {
	decoder := json.NewDecoder(strings.NewReader(raw.Spelling()))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil // the value is absent
	}
	return value
}
