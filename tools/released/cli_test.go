package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tools/cli uses the Terraform that is there, then a release, then an OpenTofu that it builds. It says what it downloads
// or builds in one line. The commands that it calls are replaced.
func TestWhereTheCLIComesFrom(t *testing.T) {
	t.Parallel()
	const download, build = "downloading Terraform", "building OpenTofu"
	for name, c := range map[string]struct {
		hasTerraform             bool
		siteExit, downloadExit   string
		want, says               string
		isDownloaded, isMadeHere bool
	}{
		"a built Terraform":       {hasTerraform: true, siteExit: "0", want: "terraform"},
		"a release":               {siteExit: "0", downloadExit: "0", want: "terraform", says: download, isDownloaded: true},
		"no site":                 {siteExit: "6", want: "tofu", says: build, isMadeHere: true},
		"a download that is slow": {siteExit: "0", downloadExit: "1", want: "tofu", says: build, isDownloaded: true, isMadeHere: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin, folder := t.TempDir(), t.TempDir()
			for program, script := range map[string]string{
				"curl": "exit " + c.siteExit, "go": "echo the download\nexit " + c.downloadExit, "make": "echo the build",
			} {
				check(t, os.WriteFile(filepath.Join(bin, program), []byte("#!/bin/sh\n"+script+"\n"), 0o755)) //nolint:gosec // a program
			}
			if c.hasTerraform {
				check(t, os.WriteFile(filepath.Join(folder, "terraform"), nil, 0o755)) //nolint:gosec // a program
			}

			cmd := exec.CommandContext(t.Context(), "../cli", folder)
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"))
			output, err := cmd.CombinedOutput()
			check(t, err)
			link, err := os.Readlink(filepath.Join(folder, "cli"))
			check(t, err)

			text := string(output)
			if link != c.want {
				t.Errorf("the program is %s, not %s\n%s", link, c.want, text)
			}
			if !strings.Contains(text, c.says) {
				t.Errorf("the output does not say %q:\n%s", c.says, text)
			}
			if c.isDownloaded != strings.Contains(text, "the download") || c.isMadeHere != strings.Contains(text, "the build") {
				t.Errorf("downloaded or built something else:\n%s", text)
			}
		})
	}
}
