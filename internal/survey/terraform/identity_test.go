package terraform_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// Whatever happens to a survey in the web interface, in the code and in between, in any
// order: a question that a person would call the same has its id, and none has another's.
func TestIdentityAtRandom(t *testing.T) {
	t.Parallel()
	scripts := 2000
	if testing.Short() {
		scripts = 50 // make test-random runs all
	}

	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			for seed := range scripts / len(profiles) {
				script := randomScript(uint64(seed))
				if wrong := script.run(t, env); wrong != "" {
					script = script.shrunk(func(s identityScript) bool { return s.run(t, env) != "" })
					assert.Fail(t, script.run(t, env), "seed %d\n%s", seed, strings.Join(script.log, "\n"))
					return
				}
			}
		})
	}
}

// identityScript is a list of things that happen to a survey, each with a number that
// decides how.
type identityScript struct {
	steps []identityStep
	log   []string
}

type identityStep struct {
	name   string
	number uint64
}

// run runs a script, and says what went wrong; "" for nothing.
func (s *identityScript) run(t *testing.T, env *acctest.Env) string {
	t.Helper()
	w := newIdentityWorld(t, env)
	defer func() { s.log = w.log }()

	for _, step := range s.steps {
		w.random = rand.New(rand.NewPCG(step.number, 0))
		w.note("%s", step.name)
		if wrong := identitySteps[step.name](w); wrong != "" {
			return wrong
		}
	}
	return ""
}

// shrunk is a script without the steps that it does not need to fail.
func (s identityScript) shrunk(fails func(identityScript) bool) identityScript {
	for i := range slices.Backward(s.steps) {
		shorter := identityScript{steps: slices.Delete(slices.Clone(s.steps), i, i+1)}
		if fails(shorter) {
			s = shorter
		}
	}
	return s
}

func randomScript(seed uint64) identityScript {
	const shortest, longest = 3, 12
	random := rand.New(rand.NewPCG(seed, 1))
	names := []string{
		"edit in the UI", "edit in the UI", "edit in the UI", "edit in the code", "edit in the code",
		"pull", "pull", "apply", "apply", "refresh only", "save a plan", "apply the saved plan", "import again",
	}

	var s identityScript
	for range shortest + random.IntN(longest-shortest+1) {
		s.steps = append(s.steps, identityStep{names[random.IntN(len(names))], random.Uint64()})
	}
	s.steps = append(s.steps, identityStep{"apply", 0})
	return s
}

// identitySteps are what may happen. Each returns what went wrong, "" for nothing.
var identitySteps = map[string]func(w *identityWorld) string{
	"edit in the UI": func(w *identityWorld) string {
		for range 1 + w.random.IntN(3) {
			w.editUI()
		}
		return ""
	},
	"edit in the code": func(w *identityWorld) string {
		for range 1 + w.random.IntN(3) {
			w.editCode()
		}
		return ""
	},
	"pull":  (*identityWorld).pull,
	"apply": (*identityWorld).apply,
	"refresh only": func(w *identityWorld) string {
		w.saved = nil
		w.see(w.stored())
		return w.survey.Refresh().Text()
	},
	"save a plan":          (*identityWorld).savePlan,
	"apply the saved plan": (*identityWorld).applySaved,
	"import again": func(w *identityWorld) string {
		if wrong := w.pull(); wrong != "" || w.isEdited {
			return wrong
		}
		w.saved, w.seen = nil, map[questionKey]bool{}
		w.see(w.stored())
		w.survey = w.env.Resource(w.t, "posthog_survey")
		id, _ := only(w.t, w.env)["id"].(string)
		return w.survey.Import("1/" + id).Text()
	},
}

// identityWorld is a survey, its code, and who each question is.
type identityWorld struct {
	t      *testing.T
	env    *acctest.Env
	survey *acctest.Resource
	random *rand.Rand
	log    []string

	code []codeQuestion
	// isEdited is set while the code has edits that are not applied, isMoved when some of
	// them move questions, isReworded when some reword them. gone are the types of the
	// questions that were taken out.
	isEdited, isMoved, isReworded bool
	gone                          map[string]bool
	// persons says of each id which question, to a person, it belongs to.
	persons map[string]int
	// held has who was ever asked with a type and text.
	held map[[2]string]map[int]bool
	// seen is what a read or a write has put into the state.
	seen map[questionKey]bool
	// fresh is the number of the next text, id and question.
	fresh int
	saved *savedPlan
}

// codeQuestion is a question of the code.
type codeQuestion struct {
	kind, text string
	// who it is to the person who wrote it.
	who int
	// id is written into the code; "" for none.
	id string
	// inLine is what it was when the code was last in line with the service.
	inLine questionKey
}

// questionKey is what a person's question was asked with.
type questionKey struct {
	who        int
	kind, text string
}

func (q codeQuestion) key() questionKey { return questionKey{q.who, q.kind, q.text} }

// savedPlan is a plan that may be applied later.
type savedPlan struct {
	survey *acctest.Resource
	plan   acctest.Plan
	code   []codeQuestion
	// live is what the service held.
	live []any
}

func newIdentityWorld(t *testing.T, env *acctest.Env) *identityWorld {
	t.Helper()
	env.SetFixtures("{}")
	w := &identityWorld{t: t, env: env, persons: map[string]int{}, held: map[[2]string]map[int]bool{}, gone: map[string]bool{}, seen: map[questionKey]bool{}}
	w.survey = env.Resource(t, "posthog_survey")
	for _, kind := range []string{"open", "multiple_choice", "open"} {
		w.code = append(w.code, w.newCode(kind))
	}
	if wrong := w.apply(); wrong != "" {
		t.Fatal(wrong)
	}
	return w
}

func (w *identityWorld) note(format string, values ...any) {
	w.log = append(w.log, fmt.Sprintf(format, values...))
}

func (w *identityWorld) number() int {
	w.fresh++
	return w.fresh
}

func (w *identityWorld) newCode(kind string) codeQuestion {
	n := w.number()
	return w.asked(codeQuestion{kind: kind, text: text(n), who: n})
}

// asked records that a question was asked with its type and text.
func (w *identityWorld) asked(q codeQuestion) codeQuestion {
	key := [2]string{q.kind, q.text}
	if w.held[key] == nil {
		w.held[key] = map[int]bool{}
	}
	w.held[key][q.who] = true
	return q
}

// config is the code as Terraform reads it.
func (w *identityWorld) config() object {
	list := make([]any, len(w.code))
	for i, q := range w.code {
		one := editedQuestion{kind: q.kind, text: q.text}.asConfigured()
		if q.id != "" {
			one["id"] = q.id
		}
		list[i] = one
	}
	return asking(list...)
}

// stored are the questions on the service; none before the survey is created.
func (w *identityWorld) stored() []any {
	if !w.survey.Exists() {
		return nil
	}
	list, _ := only(w.t, w.env)["questions"].([]any)
	return list
}

// editUI makes one edit in the web interface.
func (w *identityWorld) editUI() {
	names := []string{"reword", "rewrite", "add", "delete", "move", "retype", "replace", "duplicate"}
	name := names[w.random.IntN(len(names))]
	editQuestions(w.t, w.env, func(list []any) []any {
		at := w.random.IntN(len(list) + 1)
		if name == "add" || len(list) == 0 {
			return slices.Insert(list, at, w.newInUI(""))
		}
		at %= len(list)
		q := list[at].(object)
		switch name {
		case "reword":
			q["question"] = reworded(q["question"].(string))
		case "rewrite":
			q["question"] = text(w.number())
		case "delete":
			return slices.Delete(list, at, at+1)
		case "move":
			list = slices.Delete(list, at, at+1)
			return slices.Insert(list, w.random.IntN(len(list)+1), any(q))
		case "retype":
			if other := map[any]string{"open": "multiple_choice", "multiple_choice": "open"}[q["type"]]; other != "" {
				q["type"] = other
			}
			q["choices"] = []any{"a", "b"}
			if q["type"] != "multiple_choice" {
				delete(q, "choices")
			}
		case "replace":
			list[at] = w.newInUI("")
		case "duplicate":
			return slices.Insert(list, at, w.newInUI(q["question"].(string)))
		}
		return list
	})

	for _, one := range w.stored() {
		q := w.inUI(one)
		w.asked(q)
		w.note("  %s: %s is %d: %s %s", name, q.id, q.who, q.kind, q.text)
	}
}

func reworded(text string) string {
	if shorter, ok := strings.CutSuffix(text, "?"); ok {
		return shorter
	}
	return text + "?"
}

func (w *identityWorld) newInUI(copied string) any {
	n := w.number()
	if copied == "" {
		copied = text(n)
	}
	one := editedQuestion{kind: "open", text: copied}.asConfigured()
	one["id"] = fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
	w.persons[one["id"].(string)] = n
	return one
}

// inUI is a stored question with the person that it is.
func (w *identityWorld) inUI(stored any) codeQuestion {
	q := stored.(object)
	id := fmt.Sprint(q["id"])
	return codeQuestion{kind: fmt.Sprint(q["type"]), text: fmt.Sprint(q["question"]), who: w.persons[id], id: id}
}

// editCode makes one edit in the code. One that is both moved and reworded is not known to
// be the same, nor is one that takes the place of another of its type.
func (w *identityWorld) editCode() {
	at := w.random.IntN(len(w.code) + 1)
	name := []string{"add", "delete", "move", "reword"}[w.random.IntN(4)]
	if name == "add" && !w.gone["link"] {
		w.code = slices.Insert(w.code, at, w.newCode("link"))
	}
	if len(w.code) > 0 {
		at %= len(w.code)
		q := w.code[at]
		switch {
		case name == "delete":
			w.gone[q.kind] = true
			w.code = slices.Delete(w.code, at, at+1)
		case name == "move" && !w.isReworded:
			w.isMoved = true
			w.code = slices.Delete(w.code, at, at+1)
			w.code = slices.Insert(w.code, w.random.IntN(len(w.code)+1), q)
		case name == "reword" && !w.isMoved:
			w.isReworded = true
			w.code[at].text = reworded(q.text)
			w.asked(w.code[at])
		}
	}

	w.isEdited = true
	w.note("  %s: %v", name, w.code)
}

// inLine says that the code has no edits left that were not applied.
func (w *identityWorld) inLine() {
	w.isEdited, w.isMoved, w.isReworded, w.gone = false, false, false, map[string]bool{}
}

// pull makes the code what the service holds, unless it was edited, and a plan empty. Questions
// that come into the code state their ids, as the verb pull has them do.
func (w *identityWorld) pull() string {
	if w.isEdited {
		return ""
	}
	written, known := map[string]bool{}, map[int]bool{}
	for _, q := range w.code {
		written[q.id], known[q.who] = true, true
	}
	w.code = nil
	for _, one := range w.stored() {
		q := w.inUI(one)
		if known[q.who] && !written[q.id] {
			q.id = ""
		}
		q.inLine = q.key()
		w.code = append(w.code, q)
	}

	planned := w.plan()
	if planned.survey.IsEmpty(planned.plan) {
		return ""
	}
	for i, one := range w.stored() { // what no memory tells apart has its id in the code
		w.code[i].id = w.inUI(one).id
	}
	if planned := w.plan(); !planned.survey.IsEmpty(planned.plan) {
		return fmt.Sprintf("after a pull a plan is not empty: %s\n%v", planned.plan.Diagnostics.Text(), planned.plan.Attribute(w.t, "questions"))
	}
	return ""
}

// plan plans the code in a run of its own, which leaves the state as it is.
func (w *identityWorld) plan() *savedPlan {
	own := *w.survey
	w.env.NextRun(w.t, &own)
	own.Refresh()
	return &savedPlan{live: w.stored(), survey: &own, plan: own.Plan(w.config()), code: slices.Clone(w.code)}
}

func (w *identityWorld) savePlan() string {
	w.saved = w.plan()
	return ""
}

func (w *identityWorld) apply() string {
	w.saved = w.plan()
	return w.applySaved()
}

// applySaved applies the saved plan, and compares the ids with those of the persons.
func (w *identityWorld) applySaved() string {
	saved := w.saved
	if saved == nil {
		return ""
	}
	w.saved = nil

	w.see(saved.live)
	w.survey = saved.survey
	if isCurrent := slices.Equal(storedIDs(saved.live), storedIDs(w.stored())); saved.survey.IsEmpty(saved.plan) && !isCurrent {
		return "" // nothing is written, whatever was edited since
	}
	if applied := saved.survey.ApplyPlan(saved.plan); applied.HasError() {
		if !strings.Contains(applied.Text(), "lan again") {
			return applied.Text()
		}
		return ""
	}
	return w.check(saved.code)
}

func storedIDs(stored []any) []string {
	ids := make([]string, len(stored))
	for i, one := range stored {
		ids[i] = fmt.Sprint(one.(object)["id"])
	}
	return ids
}

// check compares the ids on the service with those of the persons of an applied code.
func (w *identityWorld) check(code []codeQuestion) string {
	stored := w.stored()
	if len(stored) != len(code) {
		return fmt.Sprintf("%d questions are stored, %d are in the code", len(stored), len(code))
	}

	taken := map[string]bool{}
	for i, q := range code {
		id := fmt.Sprint(stored[i].(object)["id"])
		if wrong := w.wrong(q, id); wrong != "" || taken[id] {
			return fmt.Sprintf("questions[%d] of %v has the id %s, which is of %d: %s", i, code, id, w.persons[id], wrong)
		}
		taken[id] = true

		if _, isKnown := w.persons[id]; !isKnown {
			w.persons[id] = q.who
		}
		for k := range w.code {
			if w.code[k].who == q.who {
				w.code[k].who = w.persons[id]
			}
		}
	}

	w.see(stored)
	w.isEdited = !slices.EqualFunc(w.code, code, func(a, b codeQuestion) bool { return a.kind == b.kind && a.text == b.text })
	if !w.isEdited {
		w.inLine()
	}
	return ""
}

// wrong says why a question should not have an id; "" when it should.
func (w *identityWorld) wrong(q codeQuestion, id string) string {
	owner, isKnown := w.persons[id]
	holders := w.held[[2]string{q.kind, q.text}]
	hasID := false
	for _, who := range w.persons {
		hasID = hasID || who == q.who
	}

	switch {
	case q.id != "" && q.id != id:
		return "the code says another"
	case len(holders) > 1: // nobody can tell
		if isKnown && !holders[owner] {
			return "it is of none that was called so"
		}
	case isKnown && owner != q.who:
		return "it is that of another"
	case !isKnown && hasID && w.seen[q.inLine]:
		return "it is new, and the question had one"
	}
	return ""
}

// see records what a read that was stored has found.
func (w *identityWorld) see(stored []any) {
	for _, one := range stored {
		w.seen[w.inUI(one).key()] = true
	}
	for i := range w.code {
		if !w.isEdited {
			w.code[i].inLine = w.code[i].key()
		}
	}
}
