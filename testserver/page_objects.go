package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/page"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/surveyevent"
)

// pageListLength is the number of surveys of a project, and of apps of an organization, that
// the page lists.
const pageListLength = 100

// pageObjects are the surveys and apps whose name contains a text.
func (s *Server) pageObjects(search string) page.Objects {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var objects page.Objects
	st := s.store
	responses := st.responsesBySurvey()

	for _, id := range sortedIDs(st.projects) {
		items := st.surveysByProject[id].items
		project := page.Project{ID: id, Name: st.projects[id].name, Total: len(items)}
		newest, found := newestNamed(items, search, func(s *survey) string { return s.name })
		for _, s := range newest {
			project.Surveys = append(project.Surveys, s.pageRow(responses[s.id]))
		}
		project.Found = found
		objects.Projects = append(objects.Projects, project)
	}

	for _, id := range st.order.organizations {
		items := st.appsByOrganization[id].items
		organization := page.Organization{ID: id.String(), Name: st.organizations[id].name, Total: len(items)}
		newest, found := newestNamed(items, search, func(a *app) string { return a.text(appTable, "name") })
		for _, a := range newest {
			organization.Apps = append(organization.Apps, page.AppRow{
				ID: a.id, Name: a.text(appTable, "name"), Type: a.text(appTable, "plugin_type"),
				Tag: a.text(appTable, "tag"), Global: a.isTrue(appTable, "is_global"),
			})
		}
		organization.Found = found
		objects.Organizations = append(objects.Organizations, organization)
	}
	return objects
}

// newestNamed are the newest objects whose name contains a text, at most pageListLength, and
// the number of all of them.
func newestNamed[T any](items []T, search string, name func(T) string) (newest []T, found int) {
	search = strings.ToLower(search)
	for _, item := range slices.Backward(items) {
		switch {
		case search == "" && len(newest) == pageListLength:
			return newest, len(items)
		case search != "" && !strings.Contains(strings.ToLower(name(item)), search):
			continue
		}
		if found++; len(newest) < pageListLength {
			newest = append(newest, item)
		}
	}
	return newest, found
}

// responsesBySurvey are the numbers of responses, archived ones too.
func (st *store) responsesBySurvey() map[uuid.UUID]int64 {
	counts := map[uuid.UUID]int64{}
	everywhere := func(int64, uuid.UUID) bool { return true }
	for _, r := range surveyevent.Responses(st.surveyEvents(everywhere)) {
		counts[r.Survey] += r.Count
	}
	return counts
}

func (s *survey) pageRow(responses int64) page.SurveyRow {
	row := page.SurveyRow{
		ID: s.id.String(), Name: s.name, Type: s.text(surveyTable, "type"), Status: s.pageStatus(), Responses: responses,
	}
	if questions := s.values[surveyTable.Index["questions"]]; rawjson.IsArray(questions) {
		row.Questions = len(rawjson.List(questions))
	}
	return row
}

// pageStatus is the status on the page: archived takes precedence.
func (s *survey) pageStatus() string {
	if s.isTrue(surveyTable, "archived") {
		return "archived"
	}
	return s.status()
}

// pageSurvey is the detail of a survey; nil when it does not exist.
func (s *Server) pageSurvey(id string) *page.Survey {
	s.mu.RLock()
	defer s.mu.RUnlock()
	found, err := s.store.findSurvey(id)
	if err != nil {
		return nil
	}

	entry := rawjson.PairsOf(s.surveyEntry(found))
	shown := &page.Survey{
		ID: id, Name: found.name, Type: found.text(surveyTable, "type"), Status: found.pageStatus(),
		Description: found.text(surveyTable, "description"), JSON: indented(entry.JSON()),
	}
	shown.SetQuestions(entry.Get("questions"))

	shown.Facts = append(shown.Facts, page.Fact{Name: "responses", Value: fmt.Sprint(s.store.responsesBySurvey()[found.id])})
	for _, flag := range []struct {
		name string
		id   int64
	}{{"linked flag", found.linked}, {"targeting flag", found.targeting}, {"internal targeting flag", found.internal}} {
		if f := s.store.flags[flag.id]; f != nil {
			shown.Facts = append(shown.Facts, page.Fact{Name: flag.name, Value: fmt.Sprintf("%d, %s", f.id, f.text(flagTable, "key"))})
		}
	}
	shown.Facts = append(shown.Facts, pageFacts(entry, "name", "description", "questions", "linked_flag", "targeting_flag", "internal_targeting_flag")...)
	return shown
}

// pageApp is the detail of an import app; nil when it does not exist.
func (s *Server) pageApp(id string) *page.App {
	number, err := strconv.ParseInt(id, 10, 64)
	s.mu.RLock()
	defer s.mu.RUnlock()
	found := s.store.apps[number]
	if err != nil || found == nil {
		return nil
	}

	entry := rawjson.PairsOf(s.appEntry(found))
	return &page.App{ID: number, Name: found.text(appTable, "name"), Facts: pageFacts(entry, "name"), JSON: indented(entry.JSON())}
}

// pageFacts are the members of an object that are not empty, except those that are shown
// elsewhere.
func pageFacts(entry rawjson.Pairs, elsewhere ...string) []page.Fact {
	var facts []page.Fact
	for _, member := range entry {
		switch value := string(member.Value); {
		case slices.Contains(elsewhere, member.Name), value == "null", value == `""`, value == "{}", value == "[]":
		case value[0] == '"':
			facts = append(facts, page.Fact{Name: member.Name, Value: rawjson.Unquote(member.Value)})
		default:
			facts = append(facts, page.Fact{Name: member.Name, Value: value, Code: value[0] == '{' || value[0] == '['})
		}
	}
	return facts
}

// indented is JSON with indentation, or the text if it is not JSON.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}
