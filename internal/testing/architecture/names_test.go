package architecture

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
)

// vague are names that do not say what a file or package holds.
var vague = []string{"util", "utils", "utility", "utilities", "common", "helper", "helpers", "shared", "misc"}

func TestNamesSayWhatIsInside(t *testing.T) {
	t.Parallel()

	seen := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		switch entry.Name() {
		case ".git", ".terraform", "bin", "dist":
			if !entry.IsDir() { // in a worktree .git is a file
				return nil
			}
			return fs.SkipDir
		}

		seen++
		if word := vagueWord(entry.Name()); word != "" {
			t.Errorf("%s is named %q: name it after the one thing that it holds", path, word)
		}
		return nil
	})

	if err != nil {
		t.Fatal(err)
	}
	if seen < 100 {
		t.Fatalf("only %d files were looked at: this is not the root of the module", seen)
	}
}

// vagueWord returns the vague word in the name of a file or folder, "" for none.
func vagueWord(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("._- ", r) })
	for _, word := range words {
		if slices.Contains(vague, word) {
			return word
		}
	}
	return ""
}

func TestVagueWord(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"util.go": "util", "string_utils.go": "utils", "helpers": "helpers", "test-helper_test.go": "helper",
		"Common.tf": "common", "shared": "shared", "misc.md": "misc",
		"utility_bill.go": "utility", "futile.go": "", "commonmark.go": "", "survey_keys.go": "",
	} {
		if got := vagueWord(name); got != want {
			t.Errorf("vagueWord(%q) = %q, want %q", name, got, want)
		}
	}
}
