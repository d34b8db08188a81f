package page

// Notice is what came of a form, or what is wrong with an address.
type Notice struct {
	// Form is the form beside which it stands; the zero value is the top of the page.
	Form Form
	Text string
	// Problem is set when nothing was done.
	Problem bool
}

// Form is the name of a form that has a notice of its own.
type Form string

// The forms.
const (
	RulesForm   Form = "rules"
	PresetForm  Form = "preset"
	RuleForm    Form = "rule"
	ClockForm   Form = "clock"
	StoreForm   Form = "store"
	RemovedForm Form = "removed"
	JournalForm Form = "journal"
	AgainForm   Form = "again"
)

var forms = map[Form]bool{RulesForm: true, PresetForm: true, RuleForm: true, ClockForm: true, StoreForm: true, RemovedForm: true, JournalForm: true, AgainForm: true}

// Tab is the section that has the form.
func (f Form) Tab() string {
	switch f {
	case RulesForm, PresetForm, RuleForm:
		return FaultsTab
	case ClockForm:
		return ClockTab
	case RemovedForm:
		return AppsTab
	default:
		return ""
	}
}

// FormNamed is the form with a name; empty for one that does not exist.
func FormNamed(name string) Form {
	if form := Form(name); forms[form] {
		return form
	}
	return ""
}

// Result is what a form has done, as it stands in an address.
type Result string

// The results.
const (
	SwitchedOn   Result = "on"
	SwitchedOff  Result = "off"
	NoFaults     Result = "no-faults"
	ClockRuns    Result = "runs"
	ClockStopped Result = "stopped"
	StoreReset   Result = "reset"
	FailsAgain   Result = "again"
	JournalEmpty Result = "empty"
	AppsRemoved  Result = "removed"
	AppsBack     Result = "back"
)

var results = map[Result]string{
	SwitchedOn:   "Switched on.",
	SwitchedOff:  "Switched off.",
	NoFaults:     "No fault is switched on.",
	ClockRuns:    "The clock runs.",
	ClockStopped: "The clock is stopped.",
	StoreReset:   "The store is as at the start. Journal and faults stay.",
	FailsAgain:   "The next request like this one fails. The rule is among the faults.",
	JournalEmpty: "The journal is empty.",
	AppsRemoved:  "The routes of import apps are gone. The apps stay in the store.",
	AppsBack:     "The routes of import apps are there.",
}

// Text is the result in words; empty for one that does not exist.
func (r Result) Text() string { return results[r] }

// NoticeOf is the notice of a form, which is empty when the last form was another one.
func (p *Page) NoticeOf(form Form) Notice {
	if p.Notice.Form == form {
		return p.Notice
	}
	return Notice{Form: form}
}

// ID is the id of its element.
func (n Notice) ID() string {
	if n.Form == "" {
		return "notice"
	}
	return string(n.Form) + "-notice"
}
