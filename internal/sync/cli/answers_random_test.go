package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/pull"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Whatever happens to a survey in the web interface, by scripts that save without ids, in the
// code, by pull, apply, import and repair: no answer ends under another question, and none
// under no question while its own is asked, unless somebody was told. A pull leaves nothing
// where one side alone was edited, and after each apply the plan is empty.
func TestAnswersStayAtRandom(t *testing.T) {
	t.Parallel()
	scripts := 2000
	if testing.Short() {
		scripts = 24 // make test-random runs all
	}

	profiles := []testserver.Profile{testserver.Hosted, testserver.Documented}
	for _, profile := range profiles {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			for seed := range scripts / len(profiles) {
				steps := randomDays(uint64(seed)) //nolint:gosec // a seed is not negative
				log, wrong := runDays(t, profile, steps)
				if wrong == "" {
					continue
				}

				// Without the steps that it does not need to fail.
				for i := range slices.Backward(steps) {
					fewer := slices.Delete(slices.Clone(steps), i, i+1)
					if shorter, still := runDays(t, profile, fewer); still != "" {
						steps, log, wrong = fewer, shorter, still
					}
				}
				t.Errorf("seed %d: %s\n%s", seed, wrong, strings.Join(log, "\n"))
			}
		})
	}
}

// A day is what happens next, with a number that decides how.
type day struct {
	what   string
	number uint64
}

func randomDays(seed uint64) []day {
	random := rand.New(rand.NewPCG(seed, 17)) //nolint:gosec // a seed repeats it
	kinds := []string{
		"web", "web", "web", "script", "script", "answers", "answers", "code", "code", "pull", "pull", "dry run",
		"apply", "apply", "save a plan", "apply the saved plan", "refresh only", "import again", "repair",
	}
	var days []day
	for range 3 + random.IntN(10) {
		days = append(days, day{kinds[random.IntN(len(kinds))], random.Uint64()})
	}
	return append(days, day{"answers", 0}, day{"apply", 0})
}

// runDays runs a script, and says what went wrong; "" for nothing. It is a test of its own, so
// that its server ends with it.
func runDays(t *testing.T, profile testserver.Profile, days []day) (log []string, wrong string) {
	t.Helper()
	t.Run("script", func(t *testing.T) {
		a := newAskedSurvey(t, profile)
		for _, d := range days {
			a.random = rand.New(rand.NewPCG(d.number, 0)) //nolint:gosec // a number repeats it
			a.note("%s", d.what)
			if wrong = a.happen(d.what); wrong != "" {
				break
			}
		}
		log = a.log
	})
	return log, wrong
}

// askedSurvey is a survey with its code, and a model that knows who is who: each question is
// a person's, with a number, whatever its text and its id.
type askedSurvey struct {
	*testing.T
	env     *acctest.Env
	profile testserver.Profile
	now     time.Time
	dir     string
	state   *acctest.Resource
	saved   *savedPlan
	random  *rand.Rand
	log     []string
	next    int

	// saying has whose question each text is, called whose an id.
	saying map[string]int
	called map[string]int
	// answers are those under each id, by the question that people answered.
	answers map[string][]int
	// seen has the texts under the ids that a read has put into the state.
	seen map[string]string
	// cut has the questions whose answers stand under an older id, and whether that can be known.
	cut map[int]cutKind
	// inLine is what code and service both said last, reworded and rearranged what the code did since.
	inLine               []string
	reworded, rearranged bool
	// isCut is set while a save without ids is not applied over.
	isCut bool
}

// cutKind is what can be known of a save without the id of a question.
type cutKind int

const (
	// certain cuts changed nothing but ids. Uncertain ones took an id, or changed a text, that the
	// state has never seen.
	certain cutKind = iota + 1
	uncertain
	// told are uncertain ones that somebody was told of.
	told
)

// savedPlan is a plan that may be applied later.
type savedPlan struct {
	before, planned *acctest.Resource
	plan            acctest.Plan
	code            []string
	live            []string
	liveIDs         []string
}

const askedFile = "main.tf"

func newAskedSurvey(t *testing.T, profile testserver.Profile) *askedSurvey {
	t.Helper()
	a := &askedSurvey{
		T: t, profile: profile, now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), dir: t.TempDir(), random: rand.New(rand.NewPCG(1, 1)), //nolint:gosec // repeatable
		saying: map[string]int{}, called: map[string]int{}, answers: map[string][]int{}, seen: map[string]string{}, cut: map[int]cutKind{},
	}
	a.env = acctest.Start(t, acctest.Profile(profile), acctest.Clock(func() time.Time { return a.now }))
	a.state = a.env.Resource(t, "posthog_survey")
	var list strings.Builder
	for range 3 {
		fmt.Fprintf(&list, "    { type = \"open\", question = %q },\n", a.newQuestion())
	}
	a.write("resource \"posthog_survey\" \"this\" {\n  name   = \"NPS\"\n  type   = \"popover\"\n  status = \"running\"\n\n  questions = [\n" + list.String() + "  ]\n}\n")
	if wrong := a.apply(); wrong != "" {
		t.Fatal(wrong)
	}
	return a
}

func (a *askedSurvey) note(format string, values ...any) {
	a.log = append(a.log, fmt.Sprintf(format, values...))
}

func (a *askedSurvey) happen(what string) string {
	a.now = a.now.Add(time.Hour)
	a.env.Pass(time.Hour)

	switch what {
	case "web":
		a.saveInWeb()
	case "script":
		a.saveWithoutIDs()
	case "answers":
		a.answer()
	case "code":
		a.editCode()
	case "pull":
		return a.pull()
	case "dry run":
		return a.dryRun()
	case "apply":
		return a.apply()
	case "save a plan":
		a.saved = a.plan()
	case "apply the saved plan":
		return a.applySaved()
	case "refresh only":
		a.env.NextRun(a.T, a.state)
		a.see()
		a.saved = nil // Terraform refuses a plan of another state
		return a.state.Refresh().Text()
	case "import again":
		return a.importAgain()
	case "repair":
		return a.repair()
	}
	return ""
}

// Texts are of four words that no other text has.

func (a *askedSurvey) newQuestion() string {
	a.next++
	text := fmt.Sprintf("%s %s %s %s?", a.word(), a.word(), a.word(), a.word())
	a.saying[text] = a.next
	return text
}

func (a *askedSurvey) word() string {
	const consonants, vowels = "bdfghklmnprstvz", "aeiou"
	var b strings.Builder
	for range 3 {
		b.WriteByte(consonants[a.random.IntN(len(consonants))])
		b.WriteByte(vowels[a.random.IntN(len(vowels))])
	}
	return b.String()
}

// rewordedOne is a text with one of its four words replaced.
func (a *askedSurvey) rewordedOne(text string) string {
	words := strings.Fields(strings.TrimSuffix(text, "?"))
	words[a.random.IntN(len(words))] = a.word()
	reworded := strings.Join(words, " ") + "?"
	a.saying[reworded] = a.saying[text]
	return reworded
}

// The service.

func (a *askedSurvey) stored() []map[string]any {
	surveys := a.env.Surveys(a.T)
	if len(surveys) == 0 {
		return nil
	}
	list, _ := surveys[0]["questions"].([]any)
	questions := make([]map[string]any, len(list))
	for i, q := range list {
		questions[i], _ = q.(map[string]any)
	}
	return questions
}

func textsOf(questions []map[string]any) []string {
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i], _ = q["question"].(string)
	}
	return texts
}

func idOfStored(q map[string]any) string {
	id, _ := q["id"].(string)
	return id
}

func idsOfStored(questions []map[string]any) []string {
	ids := make([]string, len(questions))
	for i, q := range questions {
		ids[i] = idOfStored(q)
	}
	return ids
}

func (a *askedSurvey) send(method, path string, body any) {
	a.Helper()
	text, err := json.Marshal(body)
	a.must(err)
	request, err := http.NewRequestWithContext(a.Context(), method, a.env.URL+path, bytes.NewReader(text))
	a.must(err)
	request.Header.Set("Authorization", "Bearer "+a.env.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	a.must(err)
	a.must(response.Body.Close())
	if response.StatusCode >= http.StatusMultipleChoices {
		a.Fatalf("%s %s: %s", method, path, response.Status)
	}
}

func (a *askedSurvey) must(err error) {
	a.Helper()
	if err != nil {
		a.Fatal(err)
	}
}

func (a *askedSurvey) surveyID() string {
	id, _ := a.env.Surveys(a.T)[0]["id"].(string)
	return id
}

// save saves the questions, and learns which ids they have.
func (a *askedSurvey) save(questions []map[string]any) {
	if questions == nil {
		questions = []map[string]any{}
	}
	a.send(http.MethodPatch, "/api/projects/1/surveys/"+a.surveyID()+"/", map[string]any{"questions": questions})
	a.learn()
	a.note("  live: %s", a.described())
}

func (a *askedSurvey) learn() {
	for _, q := range a.stored() {
		if id := idOfStored(q); id != "" {
			a.called[id] = a.saying[fmt.Sprint(q["question"])]
		}
	}
}

func (a *askedSurvey) described() string {
	var b strings.Builder
	for _, q := range a.stored() {
		id := idOfStored(q)
		fmt.Fprintf(&b, "\n    %d: %s %s, %d answers", a.saying[fmt.Sprint(q["question"])], id, q["question"], len(a.answers[id]))
	}
	return b.String()
}

// saveInWeb makes one or two edits as the web interface does, which keeps ids.
func (a *askedSurvey) saveInWeb() {
	list := a.stored()
	for range 1 + a.random.IntN(2) {
		at := a.random.IntN(len(list) + 1)
		kind := []string{"add", "move", "delete", "reword", "reword", "replace"}[a.random.IntN(6)]
		if at == len(list) || len(list) == 0 {
			kind, at = "add", min(at, len(list))
		}
		a.note("  web: %s %d", kind, at)

		switch kind {
		case "add":
			list = slices.Insert(list, at, a.askedInWeb())
		case "replace":
			a.cut[a.saying[fmt.Sprint(list[at]["question"])]] = told // with its answers
			list[at] = a.askedInWeb()
		case "move":
			q := list[at]
			list = slices.Delete(list, at, at+1)
			list = slices.Insert(list, a.random.IntN(len(list)+1), q)
		case "delete":
			a.cut[a.saying[fmt.Sprint(list[at]["question"])]] = told // with its answers
			list = slices.Delete(list, at, at+1)
		case "reword":
			list[at] = maps.Clone(list[at])
			list[at]["question"] = a.rewordedOne(fmt.Sprint(list[at]["question"]))
		}
	}
	a.save(list)
}

func (a *askedSurvey) askedInWeb() map[string]any {
	text := a.newQuestion()
	return map[string]any{"id": fmt.Sprintf("00000000-0000-4000-8000-%012d", a.next), "type": "open", "question": text}
}

// saveWithoutIDs saves as a script that leaves out ids, all or some, and that may reword a
// question in the same save.
func (a *askedSurvey) saveWithoutIDs() {
	list := a.stored()
	if len(list) == 0 {
		return
	}
	reworded := -1
	if a.random.IntN(3) == 0 {
		reworded = a.random.IntN(len(list))
	}
	all, one := a.random.IntN(2) == 0, a.random.IntN(len(list))

	for i := range list {
		q := maps.Clone(list[i])
		list[i] = q
		asked := fmt.Sprint(q["question"])
		who, id := a.saying[asked], idOfStored(q)
		isCut := id != "" && (all || i == one || a.random.IntN(3) == 0)

		if isCut {
			delete(q, "id")
			a.isCut = true
		}
		if i == reworded {
			q["question"] = a.rewordedOne(fmt.Sprint(q["question"]))
		}

		switch {
		case !isCut || !a.isAnswered(who):
		case i == reworded || a.seen[id] != asked:
			a.cut[who] = uncertain
		case a.cut[who] == 0:
			a.cut[who] = certain
		}
		a.note("  script: %d cut %v, reworded %v", who, isCut, i == reworded)
	}
	a.save(list)
}

// isAnswered reports whether a question has answers, under any id.
func (a *askedSurvey) isAnswered(who int) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(a.answers)), func(given []int) bool { return slices.Contains(given, who) })
}

// answer has people answer some of the questions that have ids.
func (a *askedSurvey) answer() {
	properties := map[string]any{"$survey_id": a.surveyID(), "$survey_completed": true}
	for _, q := range a.stored() {
		if id := idOfStored(q); id != "" && a.random.IntN(2) == 0 {
			properties["$survey_response_"+id] = "because"
			a.answers[id] = append(a.answers[id], a.called[id])
		}
	}
	a.next++
	properties["token"] = "phc_test"
	a.env.AddResponses(a.surveyID(), 1)
	if len(properties) > 3 && a.isHosted() {
		a.send(http.MethodPost, "/e/", map[string]any{"api_key": "phc_test", "event": "survey sent", "distinct_id": fmt.Sprint("person", a.next), "properties": properties})
	}
	a.note("  answered: %s", a.described())
}

func (a *askedSurvey) isHosted() bool { return a.profile == testserver.Hosted }

// The code.

func (a *askedSurvey) path() string { return filepath.Join(a.dir, askedFile) }

func (a *askedSurvey) write(text string) { a.must(os.WriteFile(a.path(), []byte(text), 0o600)) }

func (a *askedSurvey) read() string {
	text, err := os.ReadFile(a.path())
	a.must(err)
	return string(text)
}

// config are the arguments of the code.
func (a *askedSurvey) config() map[string]any {
	file, diags := hclsyntax.ParseConfig([]byte(a.read()), askedFile, hcl.InitialPos)
	if diags.HasErrors() {
		a.Fatalf("%s\n%s", diags, a.read())
	}
	body, _ := file.Body.(*hclsyntax.Body)
	config := map[string]any{}
	for name, attribute := range body.Blocks[0].Body.Attributes {
		value, diags := attribute.Expr.Value(nil)
		if diags.HasErrors() {
			a.Fatalf("%s\n%s", diags, a.read())
		}
		text, err := ctyjson.Marshal(value, cty.DynamicPseudoType)
		a.must(err)
		var decoded struct{ Value any }
		a.must(json.Unmarshal(text, &decoded))
		config[name] = decoded.Value
	}
	return config
}

// texts are the questions of the code.
func (a *askedSurvey) texts() []string {
	list, _ := a.config()["questions"].([]any)
	texts := make([]string, len(list))
	for i, q := range list {
		question, _ := q.(map[string]any)
		texts[i], _ = question["question"].(string)
	}
	return texts
}

// editCode edits a line of the code. What even a person could not tell is left out: a
// question is reworded only while code and service agree, and not moved or replaced as well.
func (a *askedSurvey) editCode() {
	lines := strings.Split(a.read(), "\n")
	first := slices.Index(lines, "  questions = [") + 1
	var at []int
	for i := first; i < len(lines) && strings.TrimSpace(lines[i]) != "]"; i++ {
		at = append(at, i)
	}

	isAgreed := slices.Equal(a.texts(), textsOf(a.stored()))
	kind := []string{"add", "delete", "move", "reword"}[a.random.IntN(4)]
	switch k := 0; {
	case len(at) == 0:
		return
	case kind == "reword" && isAgreed && !a.rearranged:
		k = a.random.IntN(len(at))
		text := a.texts()[k]
		lines[at[k]] = strings.Replace(lines[at[k]], text, a.rewordedOne(text), 1)
		a.reworded = true
	case kind == "add" && !a.rearranged:
		k = a.random.IntN(len(at) + 1)
		lines = slices.Insert(lines, first+k, fmt.Sprintf("    { type = \"open\", question = %q },", a.newQuestion()))
		a.rearranged = true // nobody could tell it from one that takes the place of another
	case kind == "delete" && !a.reworded && !a.rearranged && len(at) > 1:
		k = a.random.IntN(len(at))
		lines = slices.Delete(lines, at[k], at[k]+1)
		a.rearranged = true
	case kind == "move" && !a.reworded:
		k = a.random.IntN(len(at))
		line := lines[at[k]]
		lines = slices.Delete(lines, at[k], at[k]+1)
		lines = slices.Insert(lines, first+a.random.IntN(len(at)), line)
		a.rearranged = true
	default:
		return
	}

	a.write(strings.Join(lines, "\n"))
	a.note("  code: %s\n    %s", kind, strings.Join(a.texts(), "\n    "))
}

// agree notes that code and service say the same.
func (a *askedSurvey) agree() {
	a.inLine, a.reworded, a.rearranged = textsOf(a.stored()), false, false
}

// isCodeEdited and isLiveEdited report whether a side says something else than when both agreed.
func (a *askedSurvey) isCodeEdited() bool { return !slices.Equal(a.texts(), a.inLine) }

func (a *askedSurvey) isLiveEdited() bool { return !slices.Equal(textsOf(a.stored()), a.inLine) }

// Terraform.

func (a *askedSurvey) plan() *savedPlan {
	own := *a.state
	a.env.NextRun(a.T, &own)
	own.Refresh()
	plan := own.Plan(a.config())
	a.hear(plan.Diagnostics.Text())
	saved := &savedPlan{before: a.state, planned: &own, plan: plan, code: a.texts(), live: textsOf(a.stored())}
	saved.liveIDs = idsOfStored(a.stored())
	return saved
}

// hear notes that somebody was told of answers that are cut off, or of a question that goes.
func (a *askedSurvey) hear(text string) {
	if strings.Contains(text, "answers cut off") {
		for who := range a.cut {
			if a.cut[who] == uncertain {
				a.cut[who] = told
			}
		}
	}
	for _, asked := range textsOf(a.stored()) {
		if who := a.saying[asked]; a.cut[who] != certain && strings.Contains(text, asked) {
			a.cut[who] = told
		}
	}
}

// see notes what a read or a write has put into the state.
func (a *askedSurvey) see() {
	for _, q := range a.stored() {
		a.seen[idOfStored(q)] = fmt.Sprint(q["question"])
	}
}

func (a *askedSurvey) apply() string {
	a.saved = a.plan()
	return a.applySaved()
}

func (a *askedSurvey) applySaved() string {
	saved := a.saved
	a.saved = nil
	if saved == nil || saved.before != a.state {
		return "" // Terraform refuses a plan of another state
	}
	if saved.plan.Diagnostics.HasError() {
		return "the plan fails: " + saved.plan.Diagnostics.Text()
	}

	a.state = saved.planned
	for i, id := range saved.liveIDs {
		a.seen[id] = saved.live[i]
	}
	isCurrent := slices.Equal(saved.liveIDs, idsOfStored(a.stored()))
	if diags := a.state.ApplyPlan(saved.plan); diags.HasError() {
		if strings.Contains(diags.Text(), "lan again") && !slices.Equal(saved.live, textsOf(a.stored())) || strings.Contains(diags.Text(), "was inserted") {
			return "" // somebody saved since
		}
		return "the apply fails: " + diags.Text()
	}
	stored := textsOf(a.stored())
	if slices.Equal(stored, saved.code) {
		a.learnApplied()
	}
	if slices.Equal(stored, a.texts()) {
		a.agree()
	}
	a.isCut = false
	a.see()
	a.note("  applied: %s", a.described())
	if !isCurrent { // an empty plan writes nothing, whatever was saved since it was made
		return a.judgeMoved()
	}
	if wrong := a.judge(); wrong != "" {
		return wrong
	}

	if again := a.plan(); slices.Equal(stored, a.texts()) && !again.planned.IsEmpty(again.plan) {
		return fmt.Sprintf("after the apply a plan is not empty: %v %s", again.plan.Attribute(a.T, "questions"), again.plan.Diagnostics.Text())
	}
	return ""
}

// learnApplied gives new ids to those whose texts have them. An id that was another's stays
// with that one, for judge.
func (a *askedSurvey) learnApplied() {
	for _, q := range a.stored() {
		if id := idOfStored(q); id != "" && len(a.answers[id]) == 0 {
			a.called[id] = a.saying[fmt.Sprint(q["question"])]
		}
	}
}

// importAgain takes the survey out of the state and imports it. Without a state nobody knows which
// question is which of those that have no id.
func (a *askedSurvey) importAgain() string {
	if slices.Contains(idsOfStored(a.stored()), "") || !slices.Equal(a.texts(), textsOf(a.stored())) {
		return ""
	}
	for who := range a.cut { // who has seen no other id cannot know of it
		a.cut[who] = told
	}
	a.agree()
	a.see()
	a.state = a.env.Resource(a.T, "posthog_survey")
	a.saved = nil
	return a.state.Import("1/" + a.surveyID()).Text()
}

// judge says which answers went astray; "" for none.
func (a *askedSurvey) judge() string {
	live := map[string]bool{}
	asked := map[int]string{}
	for i, q := range a.stored() {
		id, who := idOfStored(q), a.saying[fmt.Sprint(q["question"])]
		live[id], asked[who] = true, id
		for _, other := range a.answers[id] {
			if other != who {
				return fmt.Sprintf("questions[%d] of %d has the id %s with answers to %d", i, who, id, other)
			}
		}
	}

	for id, given := range a.answers {
		for _, who := range given {
			now, isAsked := asked[who]
			isSplit := len(a.answers[now]) > 0 // there are answers under both: a choice
			if !live[id] && isAsked && !isSplit && a.cut[who] != told {
				return fmt.Sprintf("the answers to %d are under %s, and it is asked as %s", who, id, now)
			}
		}
	}
	return ""
}

// The sync tool.

// runVerb runs a verb in the directory of the code.
func (a *askedSurvey) runVerb(args ...string) (code int, output string) {
	p := testProgram(a.T, a.env.Instance)
	p.getwd = func() (string, error) { return a.dir, nil }
	p.planner = func(_ context.Context, _ side.Environment, _ string, reader *pull.Reader, _ planning) (*tfjson.Plan, error) {
		planned := a.plan()
		if planned.plan.Diagnostics.HasError() {
			return nil, fmt.Errorf("%s", planned.plan.Diagnostics.Text())
		}
		var plan tfjson.Plan
		err := json.Unmarshal(planned.planned.PlanJSON(a.T, planned.plan), &plan)
		reader.Private = planned.planned.Private(a.T)
		for _, change := range plan.ResourceChanges {
			err = errors.Join(err, reader.Add(&plan, change))
		}
		return &plan, err
	}
	code, stdout, stderr := runProgram(a.T, a.Context(), p, a.env.Instance, append(args, "--kind", "surveys")...)
	a.hear(stdout + stderr)
	return code, stdout + stderr
}

func (a *askedSurvey) pull() string {
	isCode, isLive, before := a.isCodeEdited(), a.isLiveEdited(), a.read()
	code, output := a.runVerb("pull", a.dir)
	a.note("  pull: %d\n    %s\n%s", code, strings.Join(a.texts(), "\n    "), output)
	switch {
	case code == codeError:
		return "pull fails: " + output
	case !isLive && before != a.read() && slices.Equal(a.texts(), textsOf(a.stored())) == isCode:
		return "pull changes code though nothing was edited in the web interface"
	case isCode:
	case !slices.Equal(a.texts(), textsOf(a.stored())):
		return "pull leaves the edits of the web interface: " + output
	case strings.Contains(output, "changed in the code"):
		return "pull says that the code was changed, and it was not"
	}
	if slices.Equal(a.texts(), textsOf(a.stored())) {
		a.agree()
		if planned := a.plan(); !planned.planned.IsEmpty(planned.plan) && !a.isCut {
			return fmt.Sprintf("after the pull a plan is not empty: %v", planned.plan.Attribute(a.T, "questions"))
		}
	}
	return ""
}

func (a *askedSurvey) dryRun() string {
	files := func() map[string]string {
		texts := map[string]string{}
		entries, err := os.ReadDir(a.dir)
		a.must(err)
		for _, entry := range entries {
			text, err := os.ReadFile(filepath.Join(a.dir, entry.Name()))
			a.must(err)
			texts[entry.Name()] = string(text)
		}
		return texts
	}
	before := files()
	if code, output := a.runVerb("pull", a.dir, "--dry-run"); code == codeError {
		return "the dry run fails: " + output
	}
	if !maps.Equal(before, files()) {
		return "the dry run changes files"
	}
	return ""
}

func (a *askedSurvey) repair() string {
	isAgreed := slices.Equal(a.texts(), textsOf(a.stored()))
	code, output := a.runVerb("repair", a.surveyID(), "--yes", "--state", a.dir)
	a.note("  repair: %d %s\n%s", code, a.described(), output)
	if strings.Contains(output, "--write-ids") { // a person does what it says
		code, output = a.runVerb("repair", a.surveyID(), "--yes", "--write-ids", a.dir)
		a.note("  repair: %d %s\n%s\n%s", code, a.described(), output, a.read())
	}
	if code == codeError {
		return "repair fails: " + output
	}
	if wrong := a.judgeMoved(); wrong != "" {
		return wrong
	}
	if planned := a.plan(); isAgreed && code == codeDone && !planned.planned.IsEmpty(planned.plan) {
		return fmt.Sprintf("after a repair a plan is not empty: %v %s", planned.plan.Attribute(a.T, "questions"), planned.plan.Diagnostics.Text())
	}
	return ""
}

// judgeMoved says which answers stand under another question; "" for none.
func (a *askedSurvey) judgeMoved() string {
	for i, q := range a.stored() {
		id, who := idOfStored(q), a.saying[fmt.Sprint(q["question"])]
		if slices.ContainsFunc(a.answers[id], func(other int) bool { return other != who }) {
			return fmt.Sprintf("questions[%d] of %d has the id %s with the answers of another", i, who, id)
		}
	}
	return ""
}
