package page

import "fmt"

// The sections beside the journal that have a name in addresses; the surveys have none.
const (
	AppsTab   = "apps"
	FaultsTab = "faults"
	ClockTab  = "clock"
	ReportTab = "report"
)

// TabNamed is the section with a name; that of the surveys for one that does not exist.
func TabNamed(name string) string {
	switch name {
	case AppsTab, FaultsTab, ClockTab, ReportTab:
		return name
	}
	return ""
}

// Tab is a link to a section.
type Tab struct {
	// Name names its element, Tab is its name in addresses.
	Name, Tab, Title string
	Current          bool
}

// Tabs are the links to the sections.
func (p *Page) Tabs() []Tab {
	current := p.Tab
	switch {
	case p.Survey != nil:
		current = ""
	case p.App != nil:
		current = AppsTab
	}
	tabs := []Tab{
		{Name: "surveys", Title: "Surveys"}, {Name: AppsTab, Tab: AppsTab, Title: "Apps"}, {Name: FaultsTab, Tab: FaultsTab, Title: "Faults"},
		{Name: ClockTab, Tab: ClockTab, Title: "Clock"}, {Name: ReportTab, Tab: ReportTab, Title: "Report"},
	}
	for i := range tabs {
		tabs[i].Current = tabs[i].Tab == current
	}
	return tabs
}

// View changes when another section is shown beside the journal.
func (p *Page) View() string {
	switch {
	case p.Journal.Detail != nil:
		return fmt.Sprint("request ", p.Journal.Detail.Number)
	case p.Survey != nil:
		return "survey " + p.Survey.ID
	case p.App != nil:
		return fmt.Sprint("app ", p.App.ID)
	}
	return "tab " + p.Tab
}

// FaultsText is the number of rules in force.
func (p *Page) FaultsText() string { return count(int64(len(p.Faults.Rules)), "fault") }

// Statuses are the statuses that surveys can be filtered by.
func (Objects) Statuses() []string { return []string{"draft", "running", "completed", "archived"} }
