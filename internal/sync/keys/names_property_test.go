package keys

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	testify "github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// namesOf maps survey and question IDs to their names.
func namesOf(surveys []Survey) map[string]string {
	names := map[string]string{}
	for _, survey := range surveys {
		names[survey.ID] = survey.Name
		for _, question := range survey.Questions {
			names[survey.ID+" "+question.ID] = question.Name
		}
	}
	return names
}

// edit changes a project as teammates would in PostHog: it renames, reorders, removes, and adds. next returns the
// next ID.
func edit(t *rapid.T, objects []source.Object, next func() int) []source.Object {
	edited := []source.Object{}
	for _, object := range objects {
		if rapid.IntRange(0, 5).Draw(t, "delete") == 0 {
			continue
		}
		object.Attributes = maps.Clone(object.Attributes)
		if rapid.Bool().Draw(t, "rename") {
			object.Name = text(t, "new name")
		}

		var questions []any
		list, _ := object.Attributes["questions"].([]any)
		for _, element := range list {
			question, _ := element.(map[string]any)
			question = maps.Clone(question)
			if rapid.Bool().Draw(t, "retitle") {
				question["question"] = text(t, "new question")
			}
			if rapid.IntRange(0, 5).Draw(t, "drop") > 0 {
				questions = append(questions, question)
			}
		}
		for range rapid.IntRange(0, 2).Draw(t, "added") {
			questions = append(questions, drawQuestion(t, next()))
		}
		if len(questions) > 0 {
			questions = rapid.Permutation(questions).Draw(t, "order")
		}
		object.Attributes["questions"] = questions
		edited = append(edited, object)
	}
	for range rapid.IntRange(0, 2).Draw(t, "new surveys") {
		edited = append(edited, source.Object{
			Kind: source.Survey, ID: fmt.Sprintf("0190d6a4-0000-7000-9000-%012d", next()), Name: text(t, "name"),
			Attributes: map[string]any{"questions": []any{drawQuestion(t, next())}, "created_at": "2025-01-01T00:00:00Z"},
		})
	}
	return edited
}

// A name is kept while its ID exists, in each format and through several edits.
func TestNamesStay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(Formats).Draw(t, "format")
		objects := drawProject(t)
		surveys := read(t, objects, nil)
		last := 1000
		next := func() int { last++; return last }
		for range 3 {
			before := namesOf(surveys)
			names, err := ReadNames(render(t, surveys, format), format)
			testify.NoError(t, err)

			objects = edit(t, objects, next)
			surveys = read(t, objects, names)
			for id, name := range namesOf(surveys) {
				if former, lived := before[id]; lived {
					assert.Equal(t, former, name, "%s %s", format, id)
				}
				assert.True(t, isName(name), name)
			}
		}
	})
}

// The output does not depend on the order of the surveys in a source, or on an existing file.
func TestSameFileAtEveryRun(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom(Formats).Draw(t, "format")
		objects := drawProject(t)
		file := render(t, read(t, objects, nil), format)
		if len(objects) > 0 {
			objects = rapid.Permutation(objects).Draw(t, "order")
		}
		assert.Equal(t, file, render(t, read(t, objects, nil), format))

		names, err := ReadNames(file, format)
		testify.NoError(t, err)
		assert.Equal(t, file, render(t, read(t, objects, names), format))
	})
}

// The names of all surveys and questions are distinct in every identifier style.
func TestNamesAreDistinct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		seen := map[string]string{}
		for _, survey := range read(t, drawProject(t), nil) {
			keys := []string{foldName(survey.Name)}
			for _, question := range survey.Questions {
				keys = append(keys, foldName(survey.Name, question.Name))
			}
			for _, key := range keys {
				assert.NotContains(t, seen, key)
				seen[key] = survey.Title
			}
		}
	})
}

// A new survey or question never takes the name of an existing one, even without an existing file.
func TestTheOlderHasThePlainName(t *testing.T) {
	t.Parallel()
	survey := func(id, created string, questions ...any) source.Object {
		return source.Object{Kind: source.Survey, ID: id, Name: "NPS", Attributes: map[string]any{"created_at": created, "questions": questions}}
	}
	question := func(id string) map[string]any { return map[string]any{"id": id, "type": "open", "question": "Why?"} }
	surveys := read(t, []source.Object{
		survey("0190d6a4-0000-7000-8000-00000000000a", "2026-01-02T00:00:00Z", question("b"), question("a")),
		survey("0190d6a4-0000-7000-8000-00000000000b", "2026-01-01T00:00:00Z"),
	}, nil)
	names := namesOf(surveys)
	assert.Equal(t, "nps", names["0190d6a4-0000-7000-8000-00000000000b"])
	assert.Equal(t, "nps_x00000a", names["0190d6a4-0000-7000-8000-00000000000a"])
	assert.Equal(t, []string{"why", "why_2"}, []string{names["0190d6a4-0000-7000-8000-00000000000a b"], names["0190d6a4-0000-7000-8000-00000000000a a"]})
}

// Files written by other programs, files without names, and files with edited names cause different errors.
func TestReadNamesRefuses(t *testing.T) {
	t.Parallel()
	for _, foreign := range []string{"", "export const x = 1;\n", "{}", "\n\n\n\n\n\n\n\n\n// Code generated by posthog-sync keys.\n"} {
		_, err := ReadNames(foreign, TypeScript)
		testify.ErrorIs(t, err, ErrForeign)
	}

	head := "// Code generated by posthog-sync keys. Do not edit: run it again.\n"
	_, err := ReadNames(head, TypeScript)
	testify.ErrorContains(t, err, "missing")
	for _, line := range []string{`// "a" Bad`, `// "a" "b" "c" d`, `// "a"`, `// "a`, `// "a" "b" ../x`} {
		_, err = ReadNames(head+"// "+namesTitle+"\n"+line+"\n", TypeScript)
		testify.Error(t, err, line)
	}

	// keys can read a file with merge conflict markers, and writes it without them.
	names, err := ReadNames(head+"// "+namesTitle+"\n<<<<<<< a\n// \"s\" nps\n// \"s\" \"q\" why\n=======\n// \"s\" other\n>>>>>>> b\n", TypeScript)
	testify.NoError(t, err)
	assert.Equal(t, Names{"s": {"nps", map[string]string{"q": "why"}}}, names)
}

// Generated code uses the names in a configuration.
func TestConfigurationNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testify.NoError(t, os.CopyFS(dir, os.DirFS("testdata/configuration")))
	testify.NoError(t, os.WriteFile(filepath.Join(dir, "broken.tf"), []byte("this is { no HCL\n"), 0o600)) // names nothing
	names, err := ReadConfigurationNames(dir)
	testify.NoError(t, err)
	object := source.Object{
		Kind: source.Survey, ID: "0190d6a4-0000-7000-8000-00000000000a", Name: "Quarterly NPS", Address: "posthog_survey.nps",
		Attributes: map[string]any{"questions": []any{
			map[string]any{"id": "a", "type": "open", "question": "What disappointed you?"},
			map[string]any{"id": "b", "type": "rating", "question": "How likely are you to recommend us?"},
			map[string]any{"id": "c", "type": "open", "question": "From a variable"},
		}},
	}
	surveys, _, err := Read([]source.Object{object}, names)
	testify.NoError(t, err)
	surveys = Assign(surveys, nil)
	assert.Equal(t, map[string]string{
		object.ID: "nps", object.ID + " a": "reason", object.ID + " b": "score", object.ID + " c": "last",
	}, namesOf(surveys))

	for address, want := range map[string]string{
		`posthog_survey.nps`: "nps ", `module.a.posthog_survey.nps["eu"]`: `nps ["eu"]`, `module.x["a.posthog_survey.b"].posthog_survey.c[0]`: "c [0]", "": "",
	} {
		assert.Equal(t, want, parseLabel(address), address)
	}
	assert.Equal(t, []string{"nps", "nps_eu"}, []string{newName(parseLabel("posthog_survey.nps"), ""), newName(parseLabel(`posthog_survey.nps["eu"]`), "")})
	testify.Len(t, slices.Collect(maps.Keys(names)), 1)
}
