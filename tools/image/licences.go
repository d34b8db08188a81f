package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// licenceFile matches the files of a module whose texts have to go with a copy of it.
var licenceFile = regexp.MustCompile(`(?i)^(LICEN[CS]E|COPYING|NOTICE|PATENTS)([.-].*)?$`)

// licences are the licence texts of all modules that the program links, of the standard
// library and of the scripts that it serves, by their path in the image: a folder for each.
// A module without a licence is an error.
func licences(ctx context.Context, root string) (map[string][]byte, error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps", "-f", `{{if .Standard}}std {{.Root}}{{else}}{{with .Module}}{{.Path}} {{.Dir}}{{end}}{{end}}`, "./cmd/"+program)
	list.Dir, list.Stderr = root, os.Stderr
	list.Env = append(os.Environ(), "GOOS=linux", "CGO_ENABLED=0")
	output, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}

	folders := map[string]string{"posthog-js": filepath.Join(root, "internal", "web", "files")}
	for line := range strings.Lines(string(output)) {
		if module, folder, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			folders[module] = folder
		}
	}

	texts := map[string][]byte{}
	for module, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		before := len(texts)
		for _, entry := range entries {
			if entry.IsDir() || !licenceFile.MatchString(entry.Name()) {
				continue
			}
			if texts[path.Join("licenses", module, entry.Name())], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
				return nil, err
			}
		}
		if len(texts) == before {
			return nil, fmt.Errorf("%s has no licence text: it must not be passed on", module)
		}
	}
	return texts, nil
}
