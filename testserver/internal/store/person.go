package store

import "encoding/json"

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
