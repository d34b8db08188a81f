package testserver

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// SetSurveyWaitPeriod sets the number of days that must pass after a survey of a project
// before a person sees the next one, 0 for none, like the settings of the project. If the
// organization has [FeatureProjectWaitPeriod], this changes the internal flags of all
// surveys that are not archived.
func (s *Server) SetSurveyWaitPeriod(projectID string, days int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := strconv.ParseInt(projectID, 10, 64)
	before := s.store.projects[id]
	switch {
	case err != nil || before == nil:
		return fmt.Errorf("there is no project %s", projectID)
	case days < 0 || days > maxWaitPeriod:
		return fmt.Errorf("a wait period must be from 0 to %d days, not %d", maxWaitPeriod, days)
	}
	after := *before
	after.waitPeriod = int64(days)
	s.store.replaceProject(&after)

	if s.store.organizations[after.organization].has(FeatureProjectWaitPeriod) {
		s.store.rebuildInternalFlags(id)
	}
	return nil
}

// rebuildInternalFlags rebuilds the groups of the internal flags of a project's surveys, as
// an update of each would. Archived surveys are left alone, and flags that stay the same.
func (st *store) rebuildInternalFlags(projectID int64) {
	for _, s := range st.surveysByProject[projectID].items {
		flag := st.flags[s.internal]
		if flag == nil || s.isTrue(surveyTable, "archived") {
			continue
		}
		filters := normalFilters(rawjson.PairsOf(flag.filters()).With("groups", st.internalGroups(s)).JSON())
		if !bytes.Equal(filters, flag.filters()) {
			st.reviseFlag(flag.id, filters)
		}
	}
}
