package appcode

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// extensions lists the extensions of the files to read.
var extensions = []string{
	".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro", ".html",
	".swift", ".kt", ".java", ".dart", ".py", ".go", ".rb", ".php", ".cs", ".ex", ".exs",
}

// ofTests matches test files, which may contain invented IDs and keys.
var ofTests = regexp.MustCompile(`(?i)(^|/)(__tests__|__mocks__|tests?|e2e|cypress)/|[._-](test|spec|stories|cy)\.\w+$|(^|/)test_[^/]*$|(_test|Tests?)\.(go|dart|py|rb|java|kt|swift|php|cs|exs)$`)

// largest is the maximum size of a hand-written file. Larger files are bundles.
const largest = 1 << 20

// sources calls visit for each source file in a directory. It skips ignored files, third-party packages, and
// tests, and does not follow links. Outside of a git repository, no files are ignored.
func sources(ctx context.Context, dir string, visit func(name, text string)) error {
	names, err := list(ctx, dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		isSource := slices.Contains(extensions, strings.ToLower(filepath.Ext(name)))
		if !isSource || slices.Contains(strings.Split(name, "/"), "node_modules") || ofTests.MatchString(name) {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // git also lists deleted files
		}
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || info.Size() > largest {
			continue
		}
		text, err := os.ReadFile(path) //nolint:gosec // the directory that the user named
		if err != nil {
			return err
		}
		visit(name, string(text))
	}
	return nil
}

// list returns the files in a directory as slash-separated relative paths.
func list(ctx context.Context, dir string) ([]string, error) {
	// The configuration of an untrusted repository could run any program as its fsmonitor.
	out, err := exec.CommandContext(ctx, "git", "-c", "core.fsmonitor=false", "-C", dir, //nolint:gosec // the directory that the user named
		"ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err == nil {
		return strings.Split(string(bytes.TrimSuffix(out, []byte{0})), "\x00"), nil
	}

	var names []string
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git"):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		name, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	return names, err
}
