package snapshot

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// Builder builds a document from PostHog's responses. To use a Builder, set the exported fields of its zero
// value.
type Builder struct {
	// ProjectID is the surveys' project, and OrganizationID is the apps' organization. Each is empty if the
	// document contains no such objects.
	ProjectID, OrganizationID string
	// RemovedApps is set if this PostHog version no longer supports import apps. The document records this to
	// distinguish it from an organization without apps.
	RemovedApps bool

	withheld      []Withheld
	project       int64
	surveys       []map[string]any
	apps          []map[string]any
	flags         map[string]map[string]any
	organizations map[string]string
	responses     map[string]int64

	actions, cohorts, insights []Named
}

// flagRoles lists the survey keys that contain feature flags.
var flagRoles = []string{"linked_flag", "targeting_flag", "internal_targeting_flag"}

// leftOut lists the survey keys that depend on the caller or the request, or contain personal data.
var leftOut = []string{"created_by", "user_access_level", "search_match_type", "targeting_flag_filters", "remove_targeting_flag"}

// AddSurvey adds a survey from a response.
func (b *Builder) AddSurvey(wire api.Survey) error {
	survey, err := jsonObject(wire)
	if err != nil {
		return err
	}
	if survey["id"] == nil {
		return errors.New("a survey without an id")
	}
	for _, key := range leftOut {
		delete(survey, key)
	}

	// The documented profile returns JSON text. An object is easier to read and compare.
	if text, ok := survey["conditions"].(string); ok {
		if conditions, err := decode([]byte(text)); err == nil {
			survey["conditions"] = conditions
		}
	}

	b.addFlags(survey)
	b.surveys = append(b.surveys, survey)
	return nil
}

// addFlags adds a survey's flags. If several surveys use a flag, and the flag changed while the pages were
// read, the last version is used.
func (b *Builder) addFlags(survey map[string]any) {
	if b.flags == nil {
		b.flags = map[string]map[string]any{}
	}
	for _, role := range flagRoles {
		if flag, ok := survey[role].(map[string]any); ok {
			b.flags[fmt.Sprint(flag["id"])] = flag
		}
	}
}

// AddApp adds an import app from a response.
func (b *Builder) AddApp(wire api.PipelineImportApp) error {
	app, err := jsonObject(wire)
	if err != nil {
		return err
	}
	organization, ok := app["organization_id"].(string)
	if !ok || app["id"] == nil {
		return errors.New("an import app without an id or organization_id")
	}

	if b.organizations == nil {
		b.organizations = map[string]string{}
	}
	appName, _ := app["name"].(string)
	for _, field := range api.WithoutSecretDefaults(app["config_schema"]) {
		b.withheld = append(b.withheld, Withheld{appName, field})
	}
	name, _ := app["organization_name"].(string)
	b.organizations[organization] = name
	b.apps = append(b.apps, app)
	return nil
}

// Withheld is a field in an import app's config_schema whose secret default is omitted from the document.
type Withheld struct{ App, Field string }

// Withheld returns the secret defaults that the document omits.
func (b *Builder) Withheld() []Withheld { return b.withheld }

// SetResponses sets the response counts by survey ID. It ignores surveys that were not added.
func (b *Builder) SetResponses(counts map[string]int64) { b.responses = counts }

// Document returns the snapshot of all objects that were added.
func (b *Builder) Document() (Document, error) {
	if err := b.findProject(); err != nil {
		return Document{}, err
	}
	for _, survey := range b.surveys {
		survey["project_id"] = b.project
		b.unify(survey)
		b.addReferences(survey)
	}
	return b.assemble()
}

// unify replaces a survey's flags with the document's flags, so that all surveys contain the same version of
// a flag.
func (b *Builder) unify(survey map[string]any) {
	for _, role := range flagRoles {
		if flag, ok := survey[role].(map[string]any); ok {
			survey[role] = b.flags[fmt.Sprint(flag["id"])]
		}
	}
}

// findProject determines the project ID if the environment sets it to "@current". In that case, the flags
// of the project's surveys contain the ID.
func (b *Builder) findProject() error {
	if b.ProjectID == "" {
		return nil
	}
	project, err := strconv.ParseInt(b.ProjectID, 10, 64)
	for _, flag := range b.flags {
		if team, ok := flag["team_id"].(json.Number); ok && err != nil {
			project, err = team.Int64()
		}
	}
	if err != nil {
		return fmt.Errorf("project_id is %q. A snapshot requires the ID of the project", b.ProjectID)
	}
	b.project = project
	return nil
}

// assemble sorts the added objects into a document.
func (b *Builder) assemble() (Document, error) {
	d := Document{
		Organizations: b.organizationList(),
		Actions:       inOrder(b.actions),
		Cohorts:       inOrder(b.cohorts),
		Insights:      inOrder(b.insights),
	}
	if b.RemovedApps {
		d.Removed = []string{removedApps}
	}
	if b.project != 0 {
		d.Projects = []Project{{b.project, b.homeOrganization()}}
	}

	var err error
	flags := make([]map[string]any, 0, len(b.flags))
	for _, flag := range b.flags {
		flags = append(flags, b.flagEntry(flag))
	}
	if d.FeatureFlags, err = entries(flags); err != nil {
		return Document{}, err
	}
	if d.Surveys, err = entries(b.surveys); err != nil {
		return Document{}, err
	}
	if d.PipelineImportApps, err = entries(b.apps); err != nil {
		return Document{}, err
	}
	d.Responses = b.responseList()
	return d, nil
}

// homeOrganization returns the environment's organization. It returns an empty string if there is none, or
// if it is unclear which organization "@current" is.
func (b *Builder) homeOrganization() string {
	if b.OrganizationID == "@current" && len(b.organizations) == 1 {
		return slices.Collect(maps.Keys(b.organizations))[0]
	}
	if b.OrganizationID == "@current" {
		return ""
	}
	return b.OrganizationID
}

func (b *Builder) organizationList() []Organization {
	all := maps.Clone(b.organizations)
	if home := b.homeOrganization(); home != "" {
		if all == nil {
			all = map[string]string{}
		}
		if _, ok := all[home]; !ok {
			all[home] = ""
		}
	}
	var list []Organization
	for _, id := range slices.Sorted(maps.Keys(all)) {
		list = append(list, Organization{id, all[id]})
	}
	return list
}

// flagEntry returns an entry for the list of feature flags. It replaces team_id with project_id, and omits
// keys that are not part of the API contract. Such keys are kept only in the surveys' own flags.
func (b *Builder) flagEntry(flag map[string]any) map[string]any {
	entry := map[string]any{"project_id": b.project}
	for _, key := range api.Fields("FeatureFlag") {
		if value, ok := flag[key]; ok && key != "team_id" {
			entry[key] = value
		}
	}
	return entry
}

func (b *Builder) responseList() []Responses {
	var list []Responses
	for _, survey := range b.surveys {
		id := fmt.Sprint(survey["id"])
		if count := b.responses[id]; count > 0 {
			list = append(list, Responses{id, count})
		}
	}
	slices.SortFunc(list, func(a, b Responses) int { return cmp.Compare(a.SurveyID, b.SurveyID) })
	return list
}

// jsonObject converts a value of the API contract to a JSON object.
func jsonObject(wire any) (map[string]any, error) {
	raw, err := json.Marshal(wire)
	if err != nil {
		return nil, err
	}
	return decode(raw)
}

// entries encodes objects, sorted by ID.
func entries(objects []map[string]any) ([]json.RawMessage, error) {
	slices.SortFunc(objects, func(a, b map[string]any) int { return compareIDs(a["id"], b["id"]) })
	list := make([]json.RawMessage, 0, len(objects))
	for _, entry := range objects {
		raw, err := encode(entry)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	return list, nil
}

// compareIDs compares numbers as numbers, and other values as text.
func compareIDs(a, b any) int {
	x, okX := a.(json.Number)
	y, okY := b.(json.Number)
	if okX && okY {
		return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

// addReferences adds the actions, cohorts, and insights that a survey references, because a server that
// loads the snapshot rejects a survey with unknown references.
func (b *Builder) addReferences(survey map[string]any) {
	if id, ok := survey["linked_insight_id"].(json.Number); ok {
		b.addNamed(&b.insights, id, Named{})
	}

	conditions, _ := survey["conditions"].(map[string]any)
	actions, _ := conditions["actions"].(map[string]any)
	values, _ := actions["values"].([]any)
	for _, value := range values {
		action, _ := value.(map[string]any)
		if id, ok := action["id"].(json.Number); ok {
			name, _ := action["name"].(string)
			steps, _ := action["steps"].([]any)
			b.addNamed(&b.actions, id, Named{Name: name, Steps: steps})
		}
	}

	for _, role := range flagRoles {
		b.addCohorts(survey[role])
	}
}

// addCohorts adds the cohorts in the filters of a flag.
func (b *Builder) addCohorts(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			b.addCohorts(element)
		}
	case map[string]any:
		if id, ok := value["value"].(json.Number); ok && value["type"] == "cohort" {
			b.addNamed(&b.cohorts, id, Named{})
		}
		for _, member := range value {
			b.addCohorts(member)
		}
	}
}

func (b *Builder) addNamed(list *[]Named, number json.Number, object Named) {
	if id, err := number.Int64(); err == nil { // IDs are integers
		object.ID, object.ProjectID = id, b.project
		addNamed(list, object)
	}
}

func inOrder(list []Named) []Named {
	slices.SortFunc(list, func(a, b Named) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
