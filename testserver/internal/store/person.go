package store

import (
	"encoding/json"
	"strconv"
)

// Person is somebody who sees surveys, with all of the ids that apps know the person by.
type Person struct {
	Project     int64
	DistinctIDs []string
	// Properties are a JSON object.
	Properties json.RawMessage
}

// distinctID is an id by which an app knows a person, within a project.
type distinctID struct {
	project int64
	id      string
}

// personOf identifies who made an event: the person with its distinct id, or one who has that
// id alone. It is empty for several events of several persons.
func (st *Store) personOf(e Event) string {
	if e.DistinctID == "" {
		return ""
	}
	if place, known := st.personByID[distinctID{e.Project, e.DistinctID}]; known {
		return "person " + strconv.Itoa(place)
	}
	return "id " + e.DistinctID
}

// AddPerson stores a person.
func (st *Store) AddPerson(p Person) {
	for _, id := range p.DistinctIDs {
		st.personByID[distinctID{p.Project, id}] = len(st.persons)
	}
	st.persons = append(st.persons, p)
}
