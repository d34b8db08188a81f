package web

import (
	"embed"
	"encoding/json"
	"io/fs"
)

// make renderer writes all of these files except the list of pinned packages.
//
//go:embed files/package.json files/*.js files/core/*.mjs files/LICENSE.*
var embedded embed.FS

// PosthogJS returns posthog-js files from its npm packages: package.json, the scripts array.js and surveys.js,
// the module surveys-preview.js, core/translations.mjs, and a LICENSE.NAME.txt for each package that they contain.
func PosthogJS() fs.FS {
	files, err := fs.Sub(embedded, "files")
	if err != nil {
		panic(err) // the name is valid
	}
	return files
}

// PosthogJSVersion returns the version of posthog-js that the files come from.
func PosthogJSVersion() string { return version }

var version = func() string {
	raw, err := embedded.ReadFile("files/package.json")
	if err != nil {
		panic(err) // the file is embedded
	}
	var pinned struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	if err := json.Unmarshal(raw, &pinned); err != nil {
		panic(err) // a test decodes the file
	}
	return pinned.Dependencies["posthog-js"]
}()
