package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Whatever happens to a survey in the web interface and in a file of YAML: after a sync the survey is
// what the file says, a second one has nothing to do, and no answer ends under another question
// unless the list said that the one was replaced by the other, or under none unless it was refused
// first. What both sides have under one text keeps its id.
func TestAnswersStayAtRandomWithoutTerraform(t *testing.T) {
	t.Parallel()
	scripts := 300
	if testing.Short() {
		scripts = 40 // make test-random runs all
	}
	for seed := range scripts {
		random := rand.New(rand.NewPCG(uint64(seed), 18)) //nolint:gosec // a seed repeats it
		var days []day
		for range 3 + random.IntN(8) {
			kinds := []string{"web", "web", "answers", "answers", "file", "file", "file", "sync", "sync", "dry run", "export"}
			days = append(days, day{kinds[random.IntN(len(kinds))], random.Uint64()})
		}
		days = append(days, day{"answers", 0}, day{"sync", 0})
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			f := newAskedFile(t)
			for _, d := range days {
				f.random = rand.New(rand.NewPCG(d.number, 0)) //nolint:gosec // a number repeats it
				f.note("%s", d.what)
				if wrong := f.happen(d.what); wrong != "" {
					t.Fatalf("%s\n%s", wrong, strings.Join(f.log, "\n"))
				}
			}
		})
	}
}

// askedYAML is the survey of a file, in place of code.
type askedYAML struct {
	*askedSurvey
	// texts are the questions of the file.
	texts []string
}

func newAskedFile(t *testing.T) *askedYAML {
	t.Helper()
	f := &askedYAML{askedSurvey: newAskedSurvey(t, testserver.Hosted)}
	f.texts = textsOf(f.stored())
	f.save()
	return f
}

func (f *askedYAML) file() string { return filepath.Join(f.dir, "surveys.yaml") }

func (f *askedYAML) save() {
	var b strings.Builder
	b.WriteString("surveys:\n  - name: NPS\n    type: popover\n    questions:\n")
	for _, text := range f.texts {
		fmt.Fprintf(&b, "      - {type: open, question: %s}\n", text)
	}
	if len(f.texts) == 0 {
		b.WriteString("      []\n")
	}
	f.must(os.WriteFile(f.file(), []byte(b.String()), 0o600))
	f.note("    %s", strings.Join(f.texts, "\n    "))
}

func (f *askedYAML) happen(what string) string {
	switch what {
	case "web":
		f.saveInWeb()
	case "answers":
		f.answer()
	case "file":
		f.edit()
	case "export": // what somebody did in the web interface is taken over
		code, output := f.runVerb("export", "--to", "yaml", "--force", f.file())
		if code != codeDone {
			return "the export fails: " + output
		}
		f.texts = textsOf(f.stored())
	case "dry run":
		before := fmt.Sprint(f.stored())
		if code, output := f.runVerb("sync", "file:"+f.file(), "live", "--dry-run"); code == codeError || fmt.Sprint(f.stored()) != before {
			return "the dry run fails, or writes: " + output
		}
	case "sync":
		return f.sync()
	}
	return ""
}

// edit edits the file once.
func (f *askedYAML) edit() {
	k := f.random.IntN(len(f.texts) + 1)
	switch kind := f.random.IntN(4); {
	case kind == 0 || k == len(f.texts):
		f.texts = slices.Insert(slices.Clone(f.texts), k, f.newQuestion())
	case kind == 1:
		f.texts = slices.Delete(slices.Clone(f.texts), k, k+1)
	case kind == 2:
		text := f.texts[k]
		f.texts = slices.Delete(slices.Clone(f.texts), k, k+1)
		f.texts = slices.Insert(f.texts, f.random.IntN(len(f.texts)+1), text)
	default:
		f.texts = slices.Clone(f.texts)
		f.texts[k] = f.rewordedOne(f.texts[k])
	}
	f.save()
}

var questionPath = regexp.MustCompile(`^questions\[\d+\]\.question$`)

// sync syncs as a person does who reads the list: what is refused is allowed once it is seen.
func (f *askedYAML) sync() string {
	before := map[string]string{}
	for _, q := range f.stored() {
		before[fmt.Sprint(q["question"])] = idOfStored(q)
	}
	args := []string{"sync", "file:" + f.file(), "live", "--yes", "--format", "json"}
	code, output := f.runVerb(args...)
	isRefused := code == codeRefused
	if isRefused {
		code, output = f.runVerb(append(args, "--allow-detached-answers")...)
	}
	f.note("  sync: refused %v%s\n%s", isRefused, f.described(), output)
	if code != codeDone {
		return fmt.Sprintf("the sync ends with %d: %s", code, output)
	}
	if stored := textsOf(f.stored()); !slices.Equal(stored, f.texts) {
		return fmt.Sprintf("after the sync the survey asks %q, and the file says %q", stored, f.texts)
	}

	for _, q := range f.stored() {
		if id := before[fmt.Sprint(q["question"])]; id != "" && id != idOfStored(q) {
			return fmt.Sprintf("%q had the id %s, and has %s", q["question"], id, idOfStored(q))
		}
	}
	if wrong := f.judgeListed(before, output, isRefused); wrong != "" {
		return wrong
	}
	if code, output := f.runVerb(args...); code != codeDone || !strings.Contains(output, `"actions": []`) {
		return "the second sync does something: " + output
	}
	if code, output := f.runVerb("diff", "file:"+f.file(), "live"); code != codeDone {
		return "after the sync something differs: " + output
	}
	return ""
}

// judgeListed says which answers stand under another question than theirs, or under none, without a
// word in the list.
func (f *askedYAML) judgeListed(before map[string]string, output string, isRefused bool) string {
	var report struct {
		Actions []struct {
			Changes []struct {
				Path          string
				Before, After any
			}
		}
	}
	f.must(json.Unmarshal([]byte(output[:strings.LastIndex(output, "}")+1]), &report))
	became := map[int]int{}
	for _, action := range report.Actions {
		for _, change := range action.Changes {
			if questionPath.MatchString(change.Path) {
				became[f.saying[fmt.Sprint(change.Before)]] = f.saying[fmt.Sprint(change.After)]
			}
		}
	}

	live := map[string]bool{}
	for _, q := range f.stored() {
		id, who := idOfStored(q), f.saying[fmt.Sprint(q["question"])]
		live[id] = true
		for i, other := range f.answers[id] {
			if now, isListed := became[other]; isListed {
				other = now
				f.answers[id][i] = now
			}
			if other != who {
				return fmt.Sprintf("%q has the id %s with answers to %d", q["question"], id, other)
			}
		}
		f.called[id] = who
	}
	for text, id := range before {
		if !live[id] && len(f.answers[id]) > 0 && !isRefused {
			return fmt.Sprintf("the answers to %q are cut off, and nothing was refused", text)
		}
	}
	return ""
}
