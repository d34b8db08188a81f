package try

import (
	"cmp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Offers are the surveys of the world with what keeps each from a visitor, sorted by name.
func (w *World) Offers(visit Visit) ([]testserver.SurveyOffer, error) {
	groups := map[string]testserver.VisitGroup{}
	for kind, group := range visit.Groups {
		groups[kind] = testserver.VisitGroup(group)
	}
	offers, err := w.server.Offers(w.projectID, testserver.Visit{
		DistinctID: visit.DistinctID, Properties: visit.known(), Groups: groups, URL: visit.URL, Device: visit.Device,
	})
	slices.SortStableFunc(offers, func(a, b testserver.SurveyOffer) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return offers, err
}
