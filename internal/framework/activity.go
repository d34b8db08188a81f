package framework

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// ActivityEntry is a change in PostHog's activity feed. A feed entry with several changed fields becomes one
// ActivityEntry per field. Attributes that are not in the feed are null.
type ActivityEntry struct {
	// ID and Name identify the object in the activity feed.
	ID   types.String `tfsdk:"id"`
	Name types.String `tfsdk:"name"`
	// Activity is the kind of change, such as created, updated, deleted, launched, or stopped.
	Activity types.String `tfsdk:"activity"`
	// At is the time in RFC 3339.
	At types.String `tfsdk:"at"`
	// User is the user's e-mail address, or their first name if PostHog has no address.
	User types.String `tfsdk:"user"`
	// Field is the changed field. Before and After are its values as JSON text.
	Field  types.String `tfsdk:"field"`
	Before types.String `tfsdk:"before"`
	After  types.String `tfsdk:"after"`
}

// Activity is the part that all data sources for the activity feed share.
type Activity struct {
	Limit   types.Int64     `tfsdk:"limit"`
	Entries []ActivityEntry `tfsdk:"entries"`
}

// Fill sets the entries from a page of the feed.
func (a *Activity) Fill(body json.RawMessage) (err error) {
	a.Entries, err = ActivityEntries(body)
	return err
}

// defaultLimit is the number of entries that a data source without a limit reads: one page of the feed.
const defaultLimit = 100

// EntryLimit returns the number of entries to read.
func (a *Activity) EntryLimit() int64 {
	if a.Limit.IsNull() {
		return defaultLimit
	}
	return a.Limit.ValueInt64()
}

// ActivityAttributes returns the attributes of an Activity for a data source schema.
func ActivityAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"limit": schema.Int64Attribute{
			Optional: true, MarkdownDescription: "Number of entries to read, newest first. Defaults to 100.",
			Validators: []validator.Int64{attribute.AtLeast(1)},
		},
		"entries": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "Changes, newest first. Null if the HTTP response has no body, as in the documented API.",
			NestedObject: schema.NestedAttributeObject{Attributes: entryAttributes()},
		},
	}
}

func entryAttributes() map[string]schema.Attribute {
	text := func(description string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}

	return map[string]schema.Attribute{
		"id":       text("ID of the changed object."),
		"name":     text("Name of the object at that time."),
		"activity": text("Kind of change, such as `created`, `updated`, `deleted`, `launched`, or `stopped`."),
		"at":       text("Date and time of the change, in RFC 3339 format."),
		"user":     text("E-mail address of the user, or their first name if PostHog has no e-mail address, such as `System`."),
		"field":    text("Changed field. An update of several fields has an entry for each field. Null if the entry has no field."),
		"before":   text("Value of the field before the change, as JSON text for `jsondecode`. Null if the field was empty."),
		"after":    text("Value of the field after the change, as JSON text. Null if the field is empty."),
	}
}

// page is PostHog's response. The API document does not describe the body, so all parts are optional.
type page struct {
	Results []result `json:"results"`
	Next    *string  `json:"next"`
}

type result struct {
	Activity  *string `json:"activity"`
	ItemID    any     `json:"item_id"`
	CreatedAt *string `json:"created_at"`
	User      struct {
		Email     *string `json:"email"`
		FirstName *string `json:"first_name"`
	} `json:"user"`
	Detail struct {
		Name    *string  `json:"name"`
		Changes []change `json:"changes"`
	} `json:"detail"`
}

type change struct {
	Field  *string         `json:"field"`
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
}

// ActivityEntries reads a page of the feed, newest entry first. It returns nil for null and for the empty body that the
// API document specifies. If the body is not a feed, the error describes the difference.
func ActivityEntries(body json.RawMessage) ([]ActivityEntry, error) {
	requests, _, err := ActivityPage(body)
	if requests == nil || err != nil {
		return nil, err
	}
	return append([]ActivityEntry{}, slices.Concat(requests...)...), nil
}

// ActivityPage is [ActivityEntries] with the changes grouped by request. It reports whether the feed has older
// entries on another page.
func ActivityPage(body json.RawMessage) (requests [][]ActivityEntry, hasOlder bool, err error) {
	if whole := string(bytes.TrimSpace(body)); whole == "" || whole == "null" {
		return nil, false, nil
	}

	var read page
	if err := jsonvalue.Unmarshal(body, &read); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, false, fmt.Errorf("%s is a JSON %s", cmp.Or(wrong.Field, "a value in it"), wrong.Value)
		}
		return nil, false, fmt.Errorf("it is not JSON: %w", err)
	}
	if read.Results == nil {
		return nil, false, errors.New("it does not contain a list of results")
	}

	requests = make([][]ActivityEntry, len(read.Results))
	for i, r := range read.Results {
		requests[i] = r.entries()
	}
	return requests, read.Next != nil && *read.Next != "", nil
}

// entries returns an entry for each changed field, or one entry if the feed contains no field.
func (r result) entries() []ActivityEntry {
	entry := ActivityEntry{
		Name:     types.StringPointerValue(r.Detail.Name),
		Activity: types.StringPointerValue(r.Activity),
		At:       types.StringPointerValue(r.CreatedAt),
		User:     types.StringPointerValue(r.User.Email),
	}
	if r.ItemID != nil {
		entry.ID = types.StringValue(fmt.Sprint(r.ItemID))
	}
	if entry.User.ValueString() == "" {
		entry.User = types.StringPointerValue(r.User.FirstName)
	}

	if len(r.Detail.Changes) == 0 {
		return []ActivityEntry{entry}
	}

	entries := make([]ActivityEntry, len(r.Detail.Changes))
	for i, c := range r.Detail.Changes {
		entries[i] = entry
		entries[i].Field, entries[i].Before, entries[i].After = types.StringPointerValue(c.Field), jsonText(c.Before), jsonText(c.After)
	}
	return entries
}

// jsonText converts a value to compact JSON. It returns null for null and for a missing value.
func jsonText(raw json.RawMessage) types.String {
	var compact bytes.Buffer
	if len(raw) == 0 || string(raw) == "null" || json.Compact(&compact, raw) != nil {
		return types.StringNull()
	}
	return types.StringValue(compact.String())
}
