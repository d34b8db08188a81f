package try

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Visit is somebody who opens a page of an app: the document of --person.
type Visit struct {
	DistinctID string         `json:"distinct_id"`
	Properties map[string]any `json:"properties,omitempty"`
	// Groups are the groups of the person by type: a key, or an object with key and properties.
	Groups map[string]Group `json:"groups,omitempty"`
	// URL is the address of the page, Referrer that of the page before.
	URL      string `json:"url,omitempty"`
	Referrer string `json:"referrer,omitempty"`
	// Device is Mobile, Tablet, Desktop, Console or Wearable; empty is Desktop.
	Device string `json:"device,omitempty"`
	// Language is a BCP 47 code.
	Language string `json:"language,omitempty"`
}

// Group is a group of a person.
type Group struct {
	Key        string         `json:"key"`
	Properties map[string]any `json:"properties,omitempty"`
}

// UnmarshalJSON reads a group, or its key alone.
func (g *Group) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &g.Key) == nil {
		return nil
	}
	type plain Group
	return jsonvalue.UnmarshalKnown(raw, (*plain)(g))
}

// defaultDevice is what people have before them when nothing else is said.
const defaultDevice = "Desktop"

// maxVisit bounds the document of a visit, in bytes.
const maxVisit = 1 << 20

// ReadVisit reads the document of a visit.
func ReadVisit(from io.Reader) (Visit, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxVisit+1))
	if err != nil {
		return Visit{}, err
	}
	if len(text) > maxVisit {
		return Visit{}, fmt.Errorf("it has more than %d bytes", maxVisit)
	}
	var v Visit
	if err := jsonvalue.UnmarshalKnown(text, &v); err != nil {
		return Visit{}, err
	}
	if v.DistinctID == "" {
		return Visit{}, errors.New("distinct_id is missing: it is how the app knows the person")
	}
	if v.Device == "" {
		v.Device = defaultDevice
	}
	return v, nil
}
