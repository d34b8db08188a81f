package store

import "encoding/json"

// Person is somebody who sees surveys, with all of the ids that apps know the person by. It is
// replaced and never changed.
type Person struct {
	// ID tells the persons of a store apart, in the order in which they were added.
	ID          int64
	Project     int64
	DistinctIDs []string
	// Properties are a JSON object.
	Properties json.RawMessage
	// IsIdentified is set once an app has named the person. Such a person is not merged into
	// another one, unless an app insists.
	IsIdentified bool
}

// distinctID is an id by which an app knows a person, within a project.
type distinctID struct {
	project int64
	id      string
}

// The memory that persons may take. The hosted service refuses changes that make the properties
// of one person larger, too.
const (
	MaxPersonProperties = 512 << 10
	MaxPersons          = 64 << 20
)

// personOverhead and distinctIDOverhead are about the memory that a person, and an id of one,
// take besides their texts.
const (
	personOverhead     = 256
	distinctIDOverhead = 128
)

// weight is an estimate of the memory that a person takes.
func (p *Person) weight() int {
	size := personOverhead + len(p.Properties)
	for _, id := range p.DistinctIDs {
		size += distinctIDOverhead + len(id)
	}
	return size
}
