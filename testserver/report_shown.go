package testserver

import (
	"cmp"
	"slices"

	"github.com/google/uuid"
)

type (
	// offeredSurveyKey is a survey of a world.
	offeredSurveyKey struct {
		world string
		id    uuid.UUID
	}
	// offeredSurveyState is the name of a survey that apps got, and whether somebody saw it.
	offeredSurveyState struct {
		name    string
		isShown bool
	}
)

// noteOffers adds the surveys that an app got, and those that people saw. The caller holds the
// lock.
func (c *collector) noteOffers(x *exchange) {
	if x.delivery == nil {
		return
	}
	for _, s := range x.delivery.offered {
		key := offeredSurveyKey{x.world, s.ID}
		c.addOffer(key, offeredSurveyState{name: s.Name, isShown: c.offers[key].isShown})
	}
	for _, id := range x.delivery.shown {
		key := offeredSurveyKey{x.world, id}
		c.addOffer(key, offeredSurveyState{name: c.offers[key].name, isShown: true})
	}
}

// addOffer adds a survey, up to the number that a report keeps.
func (c *collector) addOffer(key offeredSurveyKey, state offeredSurveyState) {
	if _, known := c.offers[key]; !known && len(c.offers) >= maxFindings {
		return
	}
	if c.offers == nil {
		c.offers = map[offeredSurveyKey]offeredSurveyState{}
	}
	c.offers[key] = state
}

// neverShown are the surveys that apps got and nobody saw, by world and name.
func (c *collector) neverShown() []NeverShown {
	surveys := []NeverShown{}
	for key, state := range c.offers {
		if !state.isShown {
			surveys = append(surveys, NeverShown{World: key.world, SurveyID: key.id.String(), SurveyName: state.name})
		}
	}
	slices.SortFunc(surveys, func(a, b NeverShown) int {
		return cmp.Or(cmp.Compare(a.World, b.World), cmp.Compare(a.SurveyName, b.SurveyName), cmp.Compare(a.SurveyID, b.SurveyID))
	})
	return surveys
}
