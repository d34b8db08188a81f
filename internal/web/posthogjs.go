package web

import (
	"embed"
	"encoding/json"
	"io/fs"
)

// make renderer writes all but the list of what is pinned.
//
//go:embed files/package.json files/*.js files/core/*.mjs files/LICENSE.*
var embedded embed.FS

// PosthogJS are files of posthog-js as its npm packages have them: package.json, the scripts array.js and surveys.js, the module
// surveys-preview.js, core/translations.mjs, and a LICENSE.NAME.txt for each package that is in
// them.
func PosthogJS() fs.FS {
	files, err := fs.Sub(embedded, "files")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}

// PosthogJSVersion is the version of posthog-js that the files are of.
func PosthogJSVersion() string { return version }

var version = func() string {
	raw, err := embedded.ReadFile("files/package.json")
	if err != nil {
		panic(err) // it is embedded
	}
	var pinned struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(raw, &pinned); err != nil {
		panic(err) // a test reads it
	}
	return pinned.Dependencies["posthog-js"]
}()
