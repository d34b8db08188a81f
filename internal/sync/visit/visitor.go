package visit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Visit is a person's visit to a page of an app. --person reads it from a file.
type Visit struct {
	DistinctID string         `json:"distinct_id"`
	Properties map[string]any `json:"properties,omitempty"`
	// Groups maps group types to the person's groups: a key, or an object with key and properties.
	Groups map[string]Group `json:"groups,omitempty"`
	// URL is the page's URL. Referrer is the previous page's URL.
	URL      string `json:"url,omitempty"`
	Referrer string `json:"referrer,omitempty"`
	// Device is Mobile, Tablet, Desktop, Console, or Wearable. Empty means Desktop.
	Device string `json:"device,omitempty"`
	// Language is a BCP 47 code.
	Language string `json:"language,omitempty"`
}

// Group is one of a person's groups.
type Group struct {
	Key        string         `json:"key"`
	Properties map[string]any `json:"properties,omitempty"`
}

// UnmarshalJSON decodes a group, which may be only a key.
func (g *Group) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &g.Key) == nil {
		return nil
	}
	type plain Group
	if err := jsonvalue.UnmarshalKnown(raw, (*plain)(g)); err != nil {
		return fmt.Errorf("groups: each must be a key, or an object with its properties: %w", err)
	}
	return nil
}

// defaultDevice is the device of a visit that does not set one.
const defaultDevice = "Desktop"

// personProperties returns the person properties that flags evaluate: the given properties, and the
// properties that posthog-js derives from the first page of a visit.
func (v Visit) personProperties() map[string]any {
	properties := map[string]any{"$initial_referrer": direct, "$initial_referring_domain": direct}
	if referrer, err := url.Parse(v.Referrer); err == nil && referrer.Host != "" {
		properties["$initial_referrer"], properties["$initial_referring_domain"] = v.Referrer, referrer.Host
	}
	if page, err := url.Parse(v.URL); err == nil && page.Host != "" {
		properties["$initial_current_url"], properties["$initial_host"], properties["$initial_pathname"] = v.URL, page.Host, page.Path
		for _, name := range campaign {
			if value := page.Query().Get(name); value != "" {
				properties["$initial_"+name] = value
			}
		}
	}
	maps.Copy(properties, v.Properties)
	return properties
}

// direct is the referrer that posthog-js sets for a visit without a referrer. campaign contains the URL
// parameters that posthog-js keeps.
const direct = "$direct"

var campaign = []string{"utm_source", "utm_medium", "utm_campaign", "utm_content", "utm_term"}

// maxVisit limits the size of a visit document, in bytes.
const maxVisit = 1 << 20

// ReadVisit reads a visit document.
func ReadVisit(reader io.Reader) (Visit, error) {
	text, err := io.ReadAll(io.LimitReader(reader, maxVisit+1))
	if err != nil {
		return Visit{}, err
	}
	if len(text) > maxVisit {
		return Visit{}, fmt.Errorf("it is larger than %d bytes", maxVisit)
	}
	var v Visit
	if err := jsonvalue.UnmarshalKnown(text, &v); err != nil {
		return Visit{}, err
	}
	if v.DistinctID == "" {
		return Visit{}, errors.New("distinct_id is missing: it identifies the person")
	}
	if v.Device == "" {
		v.Device = defaultDevice
	}
	return v, nil
}
