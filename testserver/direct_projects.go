package testserver

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/targeting"
)

// SetSurveyWaitPeriod sets the number of days that must pass after a survey of a project
// before a person sees the next one, 0 for none, like the settings of the project. If the
// organization has [FeatureProjectWaitPeriod], this changes the internal flags of all
// surveys that are not archived.
func (d *direct) SetSurveyWaitPeriod(projectID string, days int) error {
	d.contents.mu.Lock()
	defer d.contents.mu.Unlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	before := d.contents.store.Projects.Get(id)
	switch {
	case err != nil || before == nil:
		return fmt.Errorf("there is no project %s", projectID)
	case days < 0 || days > maxWaitPeriod:
		return fmt.Errorf("a wait period must be from 0 to %d days, not %d", maxWaitPeriod, days)
	}
	after := *before
	after.WaitPeriod = int64(days)
	d.contents.store.ReplaceProject(&after)

	if d.contents.store.Organization(after.Organization).Has(FeatureProjectWaitPeriod) {
		rebuildInternalFlags(d.contents.store, id)
	}
	return nil
}

// rebuildInternalFlags rebuilds the groups of the internal flags of a project's surveys, as
// an update of each would. Archived surveys are left alone, and flags that stay the same.
func rebuildInternalFlags(st *store.Store, projectID int64) {
	for _, s := range st.SurveysOf(projectID).Items {
		flag := st.Flags.Get(s.Internal)
		if flag == nil || s.IsTrue(store.SurveyTable, "archived") {
			continue
		}
		filters := targeting.Normal(rawjson.PairsOf(flag.Filters()).With("groups", internalGroups(st, s)).JSON())
		if !bytes.Equal(filters, flag.Filters()) {
			st.ReviseFlag(flag.ID, filters)
		}
	}
}
