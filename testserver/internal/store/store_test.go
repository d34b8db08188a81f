package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire/wiretest"
)

// newStore returns a store with a project whose surveys have the given names, created in this order.
func newStore(names ...string) *store.Store {
	st := store.New(10)
	home := &store.Organization{ID: uuid.UUID{1}, Features: wire.EmptyArray}
	st.AddOrganization(home)
	st.AddProject(&store.Project{ID: 1, Organization: home.ID})
	for _, name := range names {
		st.AddSurvey(newSurvey(st, name))
	}
	return st
}

func newSurvey(st *store.Store, name string) *store.Survey {
	sequence := st.NextSequence()
	return &store.Survey{
		ID: uuid.UUID{byte(sequence)}, Project: 1, Name: name, SortKey: store.SortKey{Sequence: sequence},
		Object: store.NewObject(store.SurveyTable, wire.Fields{"name": wire.NewText(name)}, nil),
	}
}

// page returns the survey names on a page of the project.
func page(st *store.Store, offset, limit int64) []string {
	var names []string
	for _, s := range st.Surveys(1).Page(offset, limit) {
		names = append(names, s.Name)
	}
	return names
}

func TestSurveys(t *testing.T) {
	t.Parallel()

	st := newStore("a", "b", "c")
	assert.Equal(t, []string{"c", "b", "a"}, page(st, 0, 100), "newest first")
	assert.Equal(t, []string{"b"}, page(st, 1, 1))
	assert.Empty(t, page(st, 3, 1))

	before := st.SurveyByName(1, "b")
	after := *before
	after.Name = "d"
	st.ReplaceSurvey(before, &after)
	assert.Nil(t, st.SurveyByName(1, "b"), "the old name is free")
	assert.Equal(t, &after, st.Survey(before.ID))
	assert.Equal(t, []string{"c", "d", "a"}, page(st, 0, 100), "in its place")

	st.RemoveSurvey(&after)
	assert.Nil(t, st.SurveyByName(1, "d"))
	assert.Equal(t, []string{"c", "a"}, page(st, 0, 100))
}

func TestRemoveSurveyWithItsFlags(t *testing.T) {
	t.Parallel()

	st := newStore()
	s := newSurvey(st, "a")
	for _, id := range []*int64{&s.Linked, &s.Targeting, &s.Internal} {
		*id = st.MakeFlag(1, "n", "k", wire.EmptyObject, true)
	}
	st.AddSurvey(s)

	st.RemoveSurvey(s)
	assert.Len(t, st.Flags.Sorted(), 1, "the linked flag does not belong to the survey")
	assert.Equal(t, int64(4), st.NextFlag(), "IDs are not reused")
}

// A new group type gets the project's next index until all indexes are used. The memory of groups is bounded.
func TestGroupsOfEvents(t *testing.T) {
	t.Parallel()

	st := newStore()
	for i := range 7 {
		st.PutGroupOfEvent(store.Group{Project: 1, Type: fmt.Sprint("t", i), Key: "k", Properties: wiretest.Decode(t, `{"a":1}`)})
	}
	assert.Equal(t, []string{"t0", "t1", "t2", "t3", "t4"}, st.Projects.Get(1).GroupTypes)
	assert.Len(t, st.Groups(), 5)

	large := wire.Of(map[string]string{"b": strings.Repeat("x", 500<<10)})
	for i := range 100 {
		st.PutGroupOfEvent(store.Group{Project: 1, Type: "t0", Key: fmt.Sprint(i), Properties: large})
	}
	assert.Len(t, st.Groups(), 5+32)
	assert.False(t, st.PutGroup(store.Group{Project: 1, Type: "t0", Key: "k", Properties: large}))
	assert.JSONEq(t, `{"a":1}`, st.Group(1, "t0", "k").Properties.Spelling(), "a change is applied completely or not at all")
}

// Other events never displace survey events, and the store never exceeds its limit of events.
func TestOtherEventsLeaveThoseOfSurveys(t *testing.T) {
	t.Parallel()

	st := newStore("a")
	survey := st.SurveyByName(1, "a").ID
	add := func(n int, of uuid.UUID, properties string) {
		for range n {
			st.AddEvent(store.Event{UUID: uuid.New(), Survey: of, Name: store.Sent, Count: 1, Properties: wiretest.Decode(t, properties)})
		}
	}
	kept := func() (ofSurveys, all int) { return len(st.EventsOfSurveys()), len(slices.Collect(st.Events())) }

	add(4, survey, "{}")
	add(1000, uuid.Nil, "{}")
	ofSurveys, all := kept()
	assert.Equal(t, 4, ofSurveys)
	assert.LessOrEqual(t, all, 10)
	assert.Greater(t, all, 6)
	assert.Equal(t, int64(4), st.CountResponses(st.SurveyByName(1, "a")))

	add(10, uuid.Nil, `{"a":"`+strings.Repeat("x", 30<<20)+`"}`)
	ofSurveys, all = kept()
	assert.Equal(t, []int{4, 6}, []int{ofSurveys, all}, "the memory is bounded, too")

	add(6, survey, "{}")
	add(10, uuid.Nil, "{}")
	ofSurveys, all = kept()
	assert.Equal(t, []int{10, 10}, []int{ofSurveys, all}, "survey events may use the whole limit")
	add(1, survey, "{}")
	ofSurveys, _ = kept()
	assert.Equal(t, 6, ofSurveys)
}

func TestClone(t *testing.T) {
	t.Parallel()

	st := newStore("a")
	st.AddEvent(store.Event{Project: 1})
	clone := st.Clone()

	st.DropSurvey(st.SurveyByName(1, "a"))
	st.AddSurvey(newSurvey(st, "b"))
	st.AddKey(&store.Key{Token: "k"})
	st.AddEvent(store.Event{Project: 1})
	st.AddPerson(store.Person{Project: 1, DistinctIDs: []string{"p"}})
	st.AddLogEntry(1, store.LogEntry{})

	assert.Equal(t, []string{"a"}, page(clone, 0, 100))
	assert.Nil(t, clone.SurveyByName(1, "b"))
	assert.Empty(t, clone.KeyTokens())
	assert.Len(t, slices.Collect(clone.Events()), 1)
	assert.Nil(t, clone.Person(1, "p"))
	assert.Empty(t, clone.Log(1))
}
