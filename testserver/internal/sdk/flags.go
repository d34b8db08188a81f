package sdk

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// serveFlags responds with the flag values of a project for a person. For an unknown token, there are no
// values. It evaluates flags without the store lock, because a regular expression can be slow.
func serveFlags(x *Call) (wire.Response, *wire.Failure) {
	query := x.Request.URL.Query()
	q, refusal := readFlagsQuery(x.Body, query)
	if refusal != "" {
		return *plainText(http.StatusBadRequest, refusal), nil
	}

	shape := shapeOfFlags(strings.HasPrefix(x.Request.URL.Path, "/decide"), query)
	request := x.IDs().String()
	now := x.Now
	var config []wire.Member
	flags := &projectFlags{}

	if p := x.project; p != nil {
		if shape.hasConfig {
			config = x.remoteConfig()
		}
		flags = readFlags(x.Store, p)
		knowGroups(x.Store, p.ID, q.person.Groups)
		ids := []string{q.person.DistinctID}
		if person := x.Store.Person(p.ID, q.person.DistinctID); person != nil {
			ids = slices.Clone(person.DistinctIDs)
			q.addStoredProperties(person.Properties)
		}
		q.person.Cohorts = flags.staticCohorts(ids)
	}

	x.unlocked = func() wire.Response {
		values := flags.evaluate(&q, now)
		members := append(shape.members(values),
			wire.Member{Name: "errorsWhileComputingFlags", Value: wire.NewBool(false)},
			wire.Member{Name: "requestId", Value: wire.NewText(request)},
			wire.Member{Name: "evaluatedAt", Value: wire.Of(now.UnixMilli())},
		)
		return wire.JSONResponse(http.StatusOK, wire.NewObject(append(members, config...)...))
	}
	return wire.Response{}, nil
}

// serveDefinitions responds with the flag definitions for local evaluation in a backend. The status is 304
// if the backend already has the current definitions.
func serveDefinitions(x *Call) (wire.Response, *wire.Failure) {
	p, f := x.ProjectOfBackend(x.Request, x.SentToken, x.project)
	if f != nil {
		return wire.Response{}, f
	}
	reply, _ := respond(x.FlagDefinitions(p))
	tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(reply.Body))
	reply.Header = http.Header{"Etag": {tag}, "Cache-Control": {"no-cache"}}
	if x.Request.Header.Get("If-None-Match") == tag {
		reply.Status, reply.Body = http.StatusNotModified, nil
	}
	return reply, nil
}

// flagValue is a flag and its value for a person.
type flagValue struct {
	*evaluatedFlag
	audience.Value
	// Payload is the payload of the value. It is absent if there is none.
	Payload wire.Value
}

// evaluate evaluates the requested flags.
func (p *projectFlags) evaluate(q *flagsQuery, now time.Time) []flagValue {
	evaluator := p.Evaluator(&q.person, now)
	values := []flagValue{}
	for _, flag := range p.served {
		if !q.asksFor(flag) {
			continue
		}
		value := flagValue{evaluatedFlag: flag, Value: evaluator.Value(flag.Flag)}
		switch {
		case value.Variant != nil:
			value.Payload = flag.payloads[*value.Variant]
		case value.Enabled:
			value.Payload = flag.payloads["true"]
		}
		values = append(values, value)
	}
	return values
}

// flagsShape is the format of a flags response. It depends on the path and the version in the request.
type flagsShape struct {
	// hasDetails is true if the response contains a reason for each flag, as current SDKs request.
	// Otherwise, the response contains only values.
	hasDetails bool
	// hasConfig is true if the response also contains the remote config, for SDKs that make no other
	// request.
	hasConfig bool
}

func shapeOfFlags(isDecide bool, query url.Values) flagsShape {
	requested := query.Get("v")
	version, err := strconv.Atoi(requested)
	if err != nil {
		version = 1
	}
	isPlain := requested == "" && !query.Has("config")
	return flagsShape{
		hasDetails: isDecide && version >= 4 || !isDecide && (version >= 2 || isPlain),
		hasConfig:  isSet(query, "config") || isDecide && !query.Has("config") || isPlain,
	}
}

// flagDetail is a flag with its value and the reason for the value.
type flagDetail struct {
	Key      string       `json:"key"`
	Enabled  bool         `json:"enabled"`
	Variant  *string      `json:"variant"`
	Reason   flagReason   `json:"reason"`
	Metadata flagMetadata `json:"metadata"`
}

type flagReason struct {
	Code        string `json:"code"`
	Condition   *int   `json:"condition_index"`
	Description string `json:"description"`
}

type flagMetadata struct {
	ID            int64      `json:"id"`
	Version       wire.Value `json:"version"`
	Description   *string    `json:"description"`
	Payload       wire.Value `json:"payload"`
	HasExperiment bool       `json:"has_experiment"`
}

// members returns the response members that contain the flags.
func (s flagsShape) members(values []flagValue) []wire.Member {
	details, plain, payloads := map[string]flagDetail{}, map[string]any{}, map[string]wire.Value{}
	for _, v := range values {
		d := flagDetail{
			Key: v.Key, Enabled: v.Enabled, Variant: v.Variant, Metadata: flagMetadata{ID: v.ID, Version: v.version, Payload: v.Payload},
			Reason: flagReason{Code: string(v.Reason.Code), Description: v.Reason.Description()},
		}
		if v.Reason.Condition >= 0 {
			d.Reason.Condition = &v.Reason.Condition
		}
		details[v.Key], plain[v.Key] = d, v.Enabled
		if v.Variant != nil {
			plain[v.Key] = v.Variant
		}
		if !v.Payload.IsAbsent() {
			payloads[v.Key] = v.Payload
		}
	}

	if s.hasDetails {
		return []wire.Member{{Name: "flags", Value: wire.Of(details)}}
	}
	return []wire.Member{{Name: "featureFlags", Value: wire.Of(plain)}, {Name: "featureFlagPayloads", Value: wire.Of(payloads)}}
}

// flagsQuery is a request for flags: the person and the selected flags.
type flagsQuery struct {
	person audience.Person
	// isSwitchedOff is true if the app requests no flags.
	isSwitchedOff bool
	// keys are the keys of the requested flags. nil requests all flags.
	keys map[string]bool
	// isForSurveys is true if the app requests only the flags of surveys.
	isForSurveys bool
}

// surveyFlagPrefix is the key prefix of flags that belong to surveys.
const surveyFlagPrefix = "survey-targeting-"

// readFlagsQuery reads the body of a request for flags. If the body is invalid, it returns a
// description of the problem.
func readFlagsQuery(body wire.Value, query url.Values) (q flagsQuery, refusal string) {
	if !body.IsObject() {
		return q, "The request for flags must be a JSON object."
	}
	fields := body.Fields()
	get := func(names ...string) wire.Value {
		for _, name := range names {
			if !fields[name].IsNull() {
				return fields[name]
			}
		}
		return wire.Value{}
	}

	id, ok := personID(get("distinct_id", "$distinct_id"))
	if !ok {
		return q, "The request for flags does not contain distinct_id, a string or a number that identifies the person."
	}
	properties, groups, ofGroups := get("person_properties", "$properties"), get("groups", "$groups"), get("group_properties", "$group_properties")
	for name, raw := range map[string]wire.Value{"person_properties": properties, "groups": groups, "group_properties": ofGroups} {
		if !raw.IsAbsent() && !raw.IsObject() {
			return q, "The " + name + " of a request for flags must be an object, not " + wire.KindWithArticle(raw) + "."
		}
	}

	q.person = audience.Person{
		DistinctID:  id,
		AnonymousID: get("$anon_distinct_id", "anon_distinct_id").Text(),
		DeviceID:    get("$device_id", "device_id").Text(),
		Properties:  decodedMembers(properties),
		Groups:      readGroups(groups, objectMembers(ofGroups)),
	}
	if q.person.DeviceID == "" {
		q.person.DeviceID, _ = q.person.Properties["$device_id"].(string)
	}
	q.isSwitchedOff = get("disable_flags").Spelling() == "true"
	q.keys = readKeys(get("flag_keys_to_evaluate", "flag_keys"))
	q.isForSurveys = isSet(query, "only_evaluate_survey_feature_flags")
	return q, ""
}

// personID returns the ID of a person, which may be a string, including "", or a number.
func personID(raw wire.Value) (string, bool) {
	var id string
	switch {
	case raw.IsText():
		id = raw.Text()
	case raw.IsNumber():
		id = raw.Spelling()
	default:
		return "", false
	}
	letters := []rune(id)
	return string(letters[:min(len(letters), maxDistinctID)]), true
}

// objectMembers returns the members of an object, or none for any other value.
func objectMembers(raw wire.Value) wire.Fields {
	if !raw.IsObject() {
		return nil
	}
	return raw.Fields()
}

// decodedMembers returns the decoded members of an object, or none for any other value.
func decodedMembers(raw wire.Value) map[string]any {
	object, _ := decode(raw).(map[string]any)
	return object
}

func readGroups(keys wire.Value, properties wire.Fields) map[string]audience.Group {
	groups := map[string]audience.Group{}
	for name, key := range objectMembers(keys) {
		groups[name] = audience.Group{Key: decode(key), Properties: decodedMembers(properties[name])}
	}
	return groups
}

// knowGroups adds stored group properties to groups. Properties from the request replace them.
func knowGroups(st *store.Store, project int64, groups map[string]audience.Group) {
	for name, group := range groups {
		stored := st.Group(project, name, fmt.Sprint(group.Key))
		if stored == nil {
			continue
		}
		properties := decodedMembers(stored.Properties)
		maps.Copy(properties, group.Properties)
		groups[name] = audience.Group{Key: group.Key, Properties: properties}
	}
}

func readKeys(raw wire.Value) map[string]bool {
	if !raw.IsArray() {
		return nil
	}
	keys := map[string]bool{}
	for _, item := range raw.Items() {
		keys[item.Text()] = true
	}
	return keys
}

func isSet(query url.Values, name string) bool {
	value := strings.ToLower(query.Get(name))
	return value == "true" || value == "1"
}

// asksFor reports whether the app requests the flag.
func (q *flagsQuery) asksFor(flag *evaluatedFlag) bool {
	return !q.isSwitchedOff && (q.keys == nil || q.keys[flag.Key]) && (!q.isForSurveys || strings.HasPrefix(flag.Key, surveyFlagPrefix))
}

// addStoredProperties adds stored person properties. Properties from the request replace them.
func (q *flagsQuery) addStoredProperties(properties wire.Value) {
	merged := decodedMembers(properties)
	if len(merged) == 0 {
		return
	}
	maps.Copy(merged, q.person.Properties)
	q.person.Properties = merged
}
