package answers

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property" // fixes the seed
)

// mostSteps is the maximum length of a sequence. Most bugs show in a few steps.
const mostSteps = 15

func init() {
	// The average number of steps. With -short, it is halved.
	if err := flag.Set("rapid.steps", "18"); err != nil {
		panic("answers: " + err.Error())
	}
}

// world models one survey: the questions in PostHog, the questions in the configuration, and the
// answers of each respondent.
type world struct {
	adapter Adapter
	log     []string

	live, code []Question
	// answers maps each ID to the owners of the answers under it.
	answers map[string][]int
	// responses counts, for each ID, the responses of the survey while a question had it.
	responses map[string]int
	// owners maps each ID to the question that had it first.
	owners map[string]int
	// saves contains all lists that PostHog has held, oldest first.
	saves [][]Question
	// versions contains the last write and all lists that commands have read since, oldest first.
	versions [][]Question
	// pulled contains versions and the lists that pull has read. A pull stores nothing in the state.
	pulled [][]Question
	// isEdited is true if the configuration contains edits that PostHog does not.
	isEdited bool
	saved    *savedPlan
	// repairs are the messages of all repairs.
	repairs []string
	// used contains all texts that were unlike the existing ones when they were generated.
	used []string
	// gone contains the deleted questions.
	gone []Question

	steps, whos, most int
	texts, ids        uint64
}

// savedPlan contains the inputs and the messages of a saved plan.
type savedPlan struct {
	code, live []Question
	messages   []string
	isEmpty    bool
}

// isCurrent reports whether PostHog still holds the questions on which the plan is based.
func (p *savedPlan) isCurrent(live []Question) bool {
	return slices.EqualFunc(p.live, live, func(a, b Question) bool { return a.ID == b.ID && a.isEqual(b) })
}

// Check runs random sequences of steps. newAdapter returns the adapter for a sequence. Check fails with the
// steps of the shortest sequence that violates a property.
func Check(t *testing.T, newAdapter func(t *rapid.T) Adapter) {
	t.Helper()
	rapid.Check(t, func(t *rapid.T) {
		w := &world{adapter: newAdapter(t), answers: map[string][]int{}, responses: map[string]int{}, owners: map[string]int{}, most: 8}
		w.begin(t)
		t.Repeat(w.actions())
	})
}

// begin applies a first configuration, and adds answers to it.
func (w *world) begin(t *rapid.T) {
	questions := rapid.IntRange(1, 4).Draw(t, "questions")
	if rapid.IntRange(0, 29).Draw(t, "many questions") == 29 {
		questions = 50
	}
	w.most = max(w.most, questions+2)
	for range min(questions, 4) {
		w.code = append(w.code, w.newQuestion(t))
	}
	for len(w.code) < questions { // reuse generated content with a new text
		q := w.code[len(w.code)%4]
		q.Who, q.Text = w.newWho(), w.textInLanguage(len(w.code)%len(languages))
		w.code = append(w.code, q)
	}
	if rapid.Bool().Draw(t, "twins") {
		for range rapid.IntRange(1, 2).Draw(t, "number of twins") {
			name := rapid.SampledFrom([]string{"insert an equal twin", "insert a twin with other content"}).Draw(t, "twin")
			w.code = edits[name](w, t, w.code)
		}
	}

	w.note("first configuration%s", formatQuestions(w.code))
	report := w.adapter.Run(t, Apply, slices.Clone(w.code))
	if report.Failure != "" {
		w.fail(t, "the first apply fails: %s", report.Failure)
	}
	w.hold(t, w.code)
	w.own()
	w.forgetVersionsBut(w.live)
	w.note("  PostHog:%s", formatQuestions(w.live))
	w.respond(t, w.live)
}

func (w *world) note(format string, values ...any) {
	w.log = append(w.log, fmt.Sprintf(format, values...))
}

func (w *world) fail(t *rapid.T, format string, values ...any) {
	t.Helper()
	t.Fatalf("%s\n%s", fmt.Sprintf(format, values...), strings.Join(w.log, "\n"))
}

// actions returns the engine's actions. They do nothing after mostSteps steps.
func (w *world) actions() map[string]func(*rapid.T) {
	actions := map[string]func(t *rapid.T){
		"a teammate edits in PostHog": w.editLive,
		"a script leaves out IDs":     w.leaveOutIDs,
		"respondents answer":          w.answer,
	}
	commands := w.adapter.Commands()
	for _, command := range commands {
		actions[string(command)] = func(t *rapid.T) { w.run(t, command) }
	}
	if slices.Contains(commands, Apply) {
		actions["apply once more"] = actions[string(Apply)]
		actions["edit the configuration"], actions["edit the configuration more"] = w.editCode, w.editCode
	}
	if slices.Contains(commands, Apply) && !slices.Contains(commands, Pull) && !slices.Contains(commands, Export) {
		actions["copy PostHog into the configuration"] = w.adopt
	}

	for name, action := range actions {
		actions[name] = func(t *rapid.T) {
			if w.steps == mostSteps {
				return
			}
			if !w.canRun(name) {
				t.Skip()
			}
			w.note("%s", name)
			action(t)
			w.steps++
		}
	}
	return actions
}

// editLive edits the survey in PostHog, which keeps IDs.
func (w *world) editLive(t *rapid.T) {
	w.save(t, w.edit(t, w.live, 2), func(int) bool { return true })
}

// leaveOutIDs saves questions without some or all IDs, and may edit them.
func (w *world) leaveOutIDs(t *rapid.T) {
	list := w.edit(t, w.live, rapid.IntRange(0, 2).Draw(t, "most edits"))
	isAll := rapid.Bool().Draw(t, "without all IDs")
	w.save(t, list, func(int) bool { return !isAll && rapid.Bool().Draw(t, "keeps its ID") })
}

// save stores a list in PostHog. keepsID selects the questions that keep their ID. PostHog's web app assigns
// an ID to a new question.
func (w *world) save(t *rapid.T, list []Question, keepsID func(i int) bool) {
	questions := slices.Clone(list)
	for i := range questions {
		switch {
		case findQuestion(w.live, questions[i].Who) < 0:
			w.ids++
			questions[i].ID = fmt.Sprintf("00000000-0000-4000-8000-%012d", w.ids)
		case !keepsID(i):
			questions[i].ID = ""
		}
	}

	w.adapter.Save(t, questions)
	w.hold(t, questions)
	w.own()
	w.note("  PostHog:%s", formatQuestions(w.live))
}

// hold records the list in PostHog, with the IDs that PostHog has assigned.
func (w *world) hold(t *rapid.T, list []Question) {
	live := w.adapter.Held(t)
	if !isSameList(live, list) {
		w.fail(t, "PostHog asks%s\ninstead of%s", formatQuestions(live), formatQuestions(list))
	}
	w.live = slices.Clone(list)
	for i := range w.live {
		w.live[i].ID = live[i].ID
	}
	w.saves = append(w.saves, w.live)
}

func (w *world) answer(t *rapid.T) {
	var questions []Question
	for _, q := range w.live {
		if rapid.IntRange(0, 3).Draw(t, "answers") > 0 {
			questions = append(questions, q)
		}
	}
	w.respond(t, questions)
}

func (w *world) respond(t *rapid.T, list []Question) {
	var ids []string
	for _, q := range list {
		if q.ID != "" {
			ids = append(ids, q.ID)
			w.answers[q.ID] = append(w.answers[q.ID], q.Who)
		}
	}
	for _, q := range w.live {
		w.responses[q.ID]++
	}
	w.adapter.Answer(t, ids)
}

func (w *world) editCode(t *rapid.T) {
	if rapid.IntRange(0, 5).Draw(t, "edit or ID") == 0 {
		w.state(t, w.code)
	} else {
		w.code = w.edit(t, w.code, 3)
	}
	w.isEdited = true
	w.note("  configuration:%s", formatQuestions(w.code))
}

// adopt copies the questions in PostHog into the configuration, like a user without pull. The configuration
// continues to state the same IDs.
func (w *world) adopt(t *rapid.T) {
	ids := map[int]string{}
	for _, q := range w.code {
		ids[q.Who] = q.ID
	}
	isStatedForNew := rapid.Bool().Draw(t, "state IDs of new questions")

	w.code = slices.Clone(w.live)
	for i, q := range w.code {
		id, isOld := ids[q.Who]
		if isOld || !isStatedForNew {
			w.code[i].ID = id
		}
	}
	w.isEdited = false
	w.note("  configuration:%s", formatQuestions(w.code))
}
