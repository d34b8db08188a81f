package architecture

import (
	"slices"
	"strings"
	"testing"
)

// anything is for the package that wires the others together.
var anything = []string{"*"}

// mayImport lists for every package which other packages of this module its code may
// import. Two lines matter most: internal/api imports nothing of this module, so it can
// be read alone; and the test server imports internal/api and the drawings of internal/flow,
// since code that it shared with the client or the provider would carry mistakes that it
// could never find. Who may use a local server (internal/owner) and how a text is printed
// (internal/escape) is nothing that it judges.
var mayImport = map[string][]string{
	".":        {"internal/provider"},
	"provider": {"internal/provider"},

	"internal/activity":            {},
	"internal/api":                 {},
	"internal/attribute":           {"internal/jsonvalue"},
	"internal/client":              {"internal/api", "internal/jsonvalue"},
	"internal/contractwatch":       {"internal/api"},
	"internal/diagnose":            {"internal/client"},
	"internal/fastpath":            {"internal/attribute", "internal/client", "internal/providerdata"},
	"internal/escape":              {},
	"internal/flow":                {"internal/escape"},
	"internal/jsonvalue":           {},
	"internal/genconfig":           {"internal/providerdata"},
	"internal/linepath":            {},
	"internal/owner":               {},
	"internal/nullargument":        {},
	"internal/printed":             {"internal/escape"},
	"internal/providerdata":        {"internal/attribute", "internal/client"},
	"internal/responses":           {"internal/activity", "internal/api", "internal/client"},
	"internal/typecheck":           {"internal/attribute"},
	"internal/survey":              {"internal/api", "internal/attribute", "internal/flow", "internal/held"},
	"internal/survey/check":        {"internal/api", "internal/attribute", "internal/flow", "internal/survey"},
	"internal/survey/surveyschema": {"internal/api", "internal/attribute", "internal/providerdata", "internal/survey", "internal/survey/check"},
	"internal/survey/terraform":    {"internal/held", "internal/activity", "internal/api", "internal/client", "internal/attribute", "internal/diagnose", "internal/fastpath", "internal/flow", "internal/genconfig", "internal/providerdata", "internal/responses", "internal/survey", "internal/survey/check", "internal/survey/surveyschema"},
	"internal/importapp":           {"internal/held", "internal/activity", "internal/api", "internal/client", "internal/attribute", "internal/diagnose", "internal/fastpath", "internal/genconfig", "internal/providerdata"},
	"internal/provider":            {"internal/attribute", "internal/client", "internal/fastpath", "internal/genconfig", "internal/linepath", "internal/nullargument", "internal/printed", "internal/providerdata", "internal/survey/terraform", "internal/importapp", "internal/typecheck"},

	"internal/hclfile": {"internal/api", "internal/attribute", "internal/escape", "internal/flow", "internal/importapp", "internal/survey", "internal/survey/surveyschema"},

	"internal/atomicfile":   {},
	"internal/environment":  {"internal/client"},
	"internal/terraformcli": {"internal/atomicfile", "internal/provider"},
	"internal/progress":     {},
	"internal/snapshot":     {"internal/api", "internal/jsonvalue"},
	"internal/side":         {"internal/api", "internal/attribute", "internal/client", "internal/importapp", "internal/survey", "internal/survey/surveyschema"},
	"internal/hclsource":    {},
	"internal/codedir":      {"internal/hclfile", "internal/hclsource"},
	"internal/preview":      {"internal/flow", "internal/owner", "internal/review", "internal/side"},
	"internal/reconcile":    {"internal/api", "internal/attribute", "internal/importapp", "internal/responses", "internal/side", "internal/survey"},
	"internal/apply":        {"internal/api", "internal/attribute", "internal/client", "internal/importapp", "internal/reconcile", "internal/responses", "internal/side", "internal/survey"},
	"internal/review":       {"internal/flow", "internal/reconcile", "internal/responses", "internal/side", "internal/survey", "internal/survey/surveyschema"},
	"internal/hcledit":      {"internal/attribute", "internal/hclfile"},
	"internal/held":         {"internal/attribute"},
	"internal/pull":         {"internal/activity", "internal/api", "internal/held", "internal/codedir", "internal/hcledit", "internal/hclfile", "internal/hclsource", "internal/importapp", "internal/survey", "internal/survey/surveyschema"},
	"internal/shard":        {},
	"internal/cli":          anything,
	"internal/syncdocs":     {"internal/cli"},
	"internal/schemalock":   {"internal/atomicfile"},
	"internal/releasefiles": {"internal/cli", "internal/testservercli"},
	"cmd/posthog-sync":      {"internal/cli"},

	"testserver": {
		"internal/api", "internal/escape", "internal/owner",
		"testserver/internal/field", "testserver/internal/htmlclean", "testserver/internal/page", "testserver/internal/python",
		"testserver/internal/ratelimit", "testserver/internal/rawjson", "testserver/internal/store", "testserver/internal/strictjson", "testserver/internal/surveyevent",
		"testserver/internal/targeting", "testserver/internal/trigram",
	},

	"testserver/internal/field":       {"testserver/internal/python", "testserver/internal/rawjson", "testserver/internal/strictjson"},
	"testserver/internal/htmlclean":   {},
	"testserver/internal/page":        {"internal/escape", "internal/flow"},
	"testserver/internal/pyregexp":    {},
	"testserver/internal/python":      {"testserver/internal/rawjson"},
	"testserver/internal/ratelimit":   {},
	"testserver/internal/rawjson":     {},
	"testserver/internal/store":       {"internal/api", "testserver/internal/field", "testserver/internal/rawjson", "testserver/internal/surveyevent"},
	"testserver/internal/strictjson":  {"testserver/internal/rawjson"},
	"testserver/internal/surveyevent": {"testserver/internal/rawjson"},
	"testserver/internal/targeting":   {"testserver/internal/field", "testserver/internal/pyregexp", "testserver/internal/python", "testserver/internal/rawjson", "testserver/internal/store"},
	"testserver/internal/trigram":     {},

	"cmd/posthog-testserver": {"internal/testservercli", "testserver"},
	"internal/testservercli": {"testserver"},

	"internal/acctest":      {"internal/contracttest", "internal/fastpath", "internal/provider", "internal/terraformcli", "testserver"},
	"internal/browsertest":  {},
	"internal/contracttest": {"internal/api"},
	"internal/demo":         {},
	"internal/bench":        {"internal/bench/donothing", "internal/provider", "internal/survey/terraform"},
	"internal/architecture": {},
	"internal/faultmatrix":  {},
	"internal/hostile":      {},
	"examples":              {},
	"examples/acceptance":   {},

	"internal/bench/donothing": {},
}

// mayImportInTests lists what the tests of a package may import besides. The client is
// tested against the test server; the tests of the test server do not use the client
// either.
var mayImportInTests = map[string][]string{
	"testserver":                {"internal/browsertest", "internal/contracttest"},
	"provider":                  {"testserver"},
	"internal/client":           {"testserver"},
	"internal/escape":           {"internal/hostile"},
	"internal/flow":             {"internal/browsertest"},
	"internal/hclfile":          {"internal/hostile"},
	"internal/responses":        {"testserver"},
	"internal/diagnose":         {"internal/api"},
	"internal/survey/terraform": {"internal/acctest", "internal/provider", "testserver"},
	"internal/side":             {"internal/survey/terraform"},
	"internal/importapp":        {"internal/acctest", "internal/provider", "testserver"},
	"internal/provider":         {"internal/acctest", "internal/api", "internal/browsertest", "testserver"},
	"internal/faultmatrix":      {"internal/acctest", "testserver"},
	"examples":                  {"internal/acctest", "testserver"},
	"examples/acceptance":       {"provider", "testserver"},

	"internal/preview":      {"internal/api", "internal/browsertest", "internal/survey/surveyschema"},
	"internal/snapshot":     {"testserver"},
	"internal/terraformcli": {"testserver"},
	"internal/cli":          {"internal/acctest", "testserver"},

	"internal/bench/donothing": {"internal/survey/terraform"},
}

func TestImports(t *testing.T) {
	t.Parallel()

	packages := list(t, "./...")
	for _, pkg := range packages {
		name := packageName(pkg.ImportPath)
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s is new: list in mayImport what it may import", name)
			continue
		}

		// Their titles name no attribute, so internal/attribute wraps them.
		wrapped := func(imported string) bool {
			return strings.Contains(imported, "/terraform-plugin-framework-validators/")
		}
		if name != "internal/attribute" && slices.ContainsFunc(pkg.Imports, wrapped) {
			t.Errorf("%s imports terraform-plugin-framework-validators: use the validators of internal/attribute", name)
		}

		inTests := slices.Concat(allowed, mayImportInTests[name], []string{name})
		refuse(t, name, "imports", pkg.Imports, allowed)
		refuse(t, name, "imports in its tests", slices.Concat(pkg.TestImports, pkg.XTestImports), inTests)
	}

	// A deleted package must not leave its permissions to the next of that name.
	for name := range mayImport {
		if !slices.ContainsFunc(packages, func(pkg goPackage) bool { return packageName(pkg.ImportPath) == name }) {
			t.Errorf("mayImport has a line for %s, but there is no such package", name)
		}
	}
}

// refuse fails the test for every import of a package of this module that is not allowed.
func refuse(t *testing.T, name, verb string, imports, allowed []string) {
	t.Helper()
	for _, imported := range imports {
		if slices.Equal(allowed[:min(len(allowed), 1)], anything) {
			return
		}
		if other := packageName(imported); other != "" && !slices.Contains(allowed, other) {
			t.Errorf("%s %s %s, and may import of this module only %v", name, verb, other, allowed)
		}
	}
}
