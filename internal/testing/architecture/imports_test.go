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
// could never find. Who may use a local server (internal/owner), how a text is printed
// (internal/escape) and what browsers run (internal/posthogjs) is nothing that it judges.
var mayImport = map[string][]string{
	".":        {"internal/provider"},
	"provider": {"internal/provider"},

	"internal/activity":              {"internal/attribute", "internal/jsonvalue"},
	"internal/api":                   {},
	"internal/attribute":             {"internal/jsonvalue"},
	"internal/client":                {"internal/api", "internal/jsonvalue"},
	"internal/provider/diagnose":     {"internal/client"},
	"internal/provider/fastpath":     {"internal/provider/protocol", "internal/attribute", "internal/client", "internal/provider/providerdata"},
	"internal/audience":              {},
	"internal/escape":                {},
	"internal/flow":                  {"internal/escape"},
	"internal/jsonvalue":             {},
	"internal/subsequence":           {},
	"internal/owner":                 {},
	"internal/pemfile":               {},
	"internal/posthogjs":             {},
	"internal/provider/providerdata": {"internal/attribute", "internal/client"},
	"internal/responses":             {"internal/activity", "internal/api", "internal/client"},
	"internal/provider/lookup":       {"internal/client", "internal/jsonvalue", "internal/provider/diagnose", "internal/provider/providerdata"},
	"internal/provider/reference":    {"internal/api", "internal/attribute", "internal/client", "internal/provider/diagnose", "internal/provider/providerdata"},
	"internal/provider/protocol":     {"internal/attribute", "internal/escape", "internal/provider/providerdata"},
	"internal/survey":                {"internal/api", "internal/attribute", "internal/flow", "internal/held", "internal/jsonvalue", "internal/subsequence"},
	"internal/survey/check":          {"internal/api", "internal/attribute", "internal/flow", "internal/survey", "internal/jsonvalue"},
	"internal/survey/surveyschema":   {"internal/api", "internal/attribute", "internal/provider/providerdata", "internal/survey", "internal/survey/check"},
	"internal/survey/terraform":      {"internal/escape", "internal/held", "internal/activity", "internal/api", "internal/client", "internal/attribute", "internal/provider/diagnose", "internal/provider/fastpath", "internal/flow", "internal/provider/lookup", "internal/provider/protocol", "internal/provider/providerdata", "internal/responses", "internal/survey", "internal/survey/check", "internal/survey/surveyschema"},
	"internal/importapp":             {"internal/held", "internal/activity", "internal/api", "internal/client", "internal/attribute", "internal/provider/diagnose", "internal/provider/fastpath", "internal/provider/lookup", "internal/provider/protocol", "internal/provider/providerdata", "internal/jsonvalue"},
	"internal/provider":              {"internal/attribute", "internal/client", "internal/pemfile", "internal/provider/fastpath", "internal/provider/protocol", "internal/provider/providerdata", "internal/provider/reference", "internal/survey/terraform", "internal/importapp"},

	"internal/sync/hclfile": {"internal/api", "internal/attribute", "internal/escape", "internal/flow", "internal/importapp", "internal/survey", "internal/survey/surveyschema", "internal/jsonvalue"},

	"internal/sync/atomicfile":    {},
	"internal/sync/environment":   {"internal/client", "internal/pemfile"},
	"internal/sync/terraformcli":  {"internal/sync/atomicfile", "internal/provider"},
	"internal/sync/localpage":     {"internal/owner"},
	"internal/sync/progress":      {},
	"internal/sync/reach":         {"internal/jsonvalue"},
	"internal/sync/sdkversion":    {"internal/jsonvalue"},
	"internal/sync/snapshot":      {"internal/api", "internal/jsonvalue"},
	"internal/sync/side":          {"internal/api", "internal/attribute", "internal/client", "internal/importapp", "internal/survey", "internal/survey/surveyschema", "internal/jsonvalue"},
	"internal/sync/hclsource":     {},
	"internal/sync/exportdir":     {"internal/sync/hclfile", "internal/sync/hclsource"},
	"internal/sync/doctor":        {"internal/api", "internal/client", "internal/jsonvalue", "internal/sync/reach", "internal/responses", "internal/sync/terraformcli"},
	"internal/sync/export":        {"internal/api", "internal/importapp", "internal/sync/atomicfile", "internal/sync/exportdir", "internal/sync/hclfile"},
	"internal/sync/history":       {"internal/activity", "internal/jsonvalue", "internal/survey"},
	"internal/sync/repair":        {"internal/api", "internal/client", "internal/jsonvalue", "internal/responses", "internal/sync/history"},
	"internal/sync/preview":       {"internal/flow", "internal/owner", "internal/posthogjs", "internal/sync/review", "internal/sync/side", "internal/sync/localpage"},
	"internal/sync/try":           {"internal/api", "internal/client", "internal/jsonvalue", "internal/owner", "internal/posthogjs", "internal/responses", "internal/survey", "internal/sync/doctor", "internal/sync/side", "internal/sync/snapshot", "testserver", "internal/sync/localpage"},
	"internal/sync/reconcile":     {"internal/api", "internal/attribute", "internal/importapp", "internal/responses", "internal/sync/side", "internal/survey", "internal/jsonvalue"},
	"internal/sync/apply":         {"internal/api", "internal/attribute", "internal/client", "internal/importapp", "internal/sync/reconcile", "internal/responses", "internal/sync/side", "internal/survey"},
	"internal/sync/review":        {"internal/api", "internal/flow", "internal/sync/reach", "internal/sync/reconcile", "internal/sync/sdkversion", "internal/responses", "internal/sync/side", "internal/survey", "internal/survey/surveyschema", "internal/jsonvalue"},
	"internal/sync/hcledit":       {"internal/jsonvalue", "internal/sync/hclfile", "internal/subsequence"},
	"internal/held":               {"internal/attribute", "internal/jsonvalue"},
	"internal/sync/pull":          {"internal/activity", "internal/api", "internal/attribute", "internal/held", "internal/sync/exportdir", "internal/sync/hcledit", "internal/sync/hclfile", "internal/sync/hclsource", "internal/importapp", "internal/survey", "internal/survey/surveyschema", "internal/jsonvalue"},
	"internal/sync/keys":          {"internal/activity", "internal/escape", "internal/flow", "internal/sync/hclfile", "internal/sync/hclsource", "internal/sync/review", "internal/sync/side"},
	"internal/sync/cli":           anything,
	"internal/build/syncdocs":     {"internal/sync/cli"},
	"internal/build/schemalock":   {"internal/sync/atomicfile"},
	"internal/build/releasefiles": {"internal/sync/cli", "internal/testservercli"},
	"cmd/posthog-sync":            {"internal/sync/cli"},

	"testserver": {
		"internal/api", "internal/escape", "internal/owner", "internal/posthogjs",
		"testserver/internal/delivery", "testserver/internal/evaluation", "testserver/internal/field", "testserver/internal/htmlclean", "testserver/internal/offer", "testserver/internal/page", "testserver/internal/python",
		"testserver/internal/faults", "testserver/internal/ratelimit", "testserver/internal/rawjson", "testserver/internal/record", "testserver/internal/store", "testserver/internal/strictjson", "testserver/internal/surveyevent",
		"testserver/internal/surveypage", "testserver/internal/targeting", "testserver/internal/trigram",
	},

	"testserver/internal/delivery":    {"testserver/internal/field", "testserver/internal/rawjson"},
	"testserver/internal/evaluation":  {"internal/audience", "testserver/internal/rawjson"},
	"testserver/internal/faults":      {"internal/api", "testserver/internal/field", "testserver/internal/ratelimit", "testserver/internal/rawjson", "testserver/internal/strictjson"},
	"testserver/internal/record":      {"testserver/internal/rawjson"},
	"testserver/internal/field":       {"testserver/internal/python", "testserver/internal/rawjson", "testserver/internal/strictjson"},
	"testserver/internal/htmlclean":   {},
	"testserver/internal/offer":       {"testserver/internal/evaluation", "testserver/internal/rawjson"},
	"testserver/internal/page":        {"internal/escape", "internal/flow"},
	"testserver/internal/pyregexp":    {},
	"testserver/internal/python":      {"testserver/internal/rawjson"},
	"testserver/internal/ratelimit":   {},
	"testserver/internal/rawjson":     {},
	"testserver/internal/store":       {"internal/api", "testserver/internal/field", "testserver/internal/rawjson", "testserver/internal/surveyevent"},
	"testserver/internal/strictjson":  {"testserver/internal/rawjson"},
	"testserver/internal/surveyevent": {"testserver/internal/rawjson"},
	"testserver/internal/surveypage":  {},
	"testserver/internal/targeting":   {"internal/audience", "testserver/internal/field", "testserver/internal/pyregexp", "testserver/internal/python", "testserver/internal/rawjson", "testserver/internal/store"},
	"testserver/internal/trigram":     {},

	"cmd/posthog-testserver": {"internal/testservercli", "testserver"},
	"internal/testservercli": {"testserver"},

	"internal/testing/acctest":          {"internal/attribute", "internal/testing/contracttest", "internal/provider/fastpath", "internal/provider", "internal/sync/terraformcli", "testserver"},
	"internal/testing/browsertest":      {},
	"internal/testing/contracttest":     {"internal/api"},
	"internal/build/demo":               {},
	"internal/build/bench":              {"internal/attribute", "internal/build/bench/donothing", "internal/provider", "internal/survey/terraform"},
	"internal/testing/architecture":     {},
	"internal/testing/faultmatrix":      {},
	"internal/testing/fixedseed":        {},
	"internal/testing/hostile":          {},
	"internal/testing/officialprovider": {},
	"internal/testing/testca":           {},
	"internal/testing/typescripttest":   {},
	"examples":                          {},
	"examples/acceptance":               {},

	"internal/build/bench/donothing": {},
}

// mayImportInTests lists what the tests of a package may import besides. The client is
// tested against the test server; the tests of the test server do not use the client
// either.
var mayImportInTests = map[string][]string{
	"testserver": {"internal/testing/browsertest", "internal/testing/contracttest"},
	// The evaluator judges what the tools say of filters.
	"testserver/internal/evaluation": {"internal/sync/reach"},
	"provider":                       {"testserver"},
	"internal/client":                {"internal/testing/testca", "testserver"},
	"internal/escape":                {"internal/testing/hostile"},
	"internal/flow":                  {"internal/testing/hostile", "internal/testing/browsertest"},
	"internal/sync/hclfile":          {"internal/testing/hostile"},
	"internal/responses":             {"testserver"},
	"internal/provider/diagnose":     {"internal/api"},
	"internal/provider/reference":    {"internal/testing/acctest", "testserver"},
	"internal/survey/terraform":      {"internal/jsonvalue", "internal/testing/acctest", "internal/testing/officialprovider", "internal/provider", "testserver"},
	"internal/sync/side":             {"internal/survey/terraform"},
	"internal/importapp":             {"internal/testing/acctest", "internal/provider", "testserver"},
	"internal/provider":              {"internal/testing/acctest", "internal/testing/testca", "internal/api", "internal/testing/browsertest", "testserver"},
	"internal/testing/faultmatrix":   {"internal/testing/acctest", "testserver"},
	"examples":                       {"internal/testing/acctest", "internal/testing/officialprovider", "testserver"},
	"examples/acceptance":            {"provider", "testserver"},

	"internal/sync/preview": {"internal/testing/hostile", "internal/api", "internal/jsonvalue", "internal/testing/browsertest", "internal/survey/surveyschema"},
	"internal/sync/try":     {"internal/testing/browsertest", "internal/testing/hostile", "internal/jsonvalue"},
	"internal/sync/doctor":  {"testserver"},
	"internal/sync/keys":    {"internal/testing/hostile", "internal/testing/typescripttest"},
	"internal/sync/apply":   {"internal/api", "testserver"},
	"internal/sync/pull":    {"testserver"},
	"internal/sync/repair":  {"testserver"},

	"internal/sync/snapshot":     {"testserver"},
	"internal/sync/environment":  {"internal/testing/testca"},
	"internal/sync/terraformcli": {"testserver"},
	"internal/sync/cli":          {"internal/testing/acctest", "internal/testing/typescripttest", "testserver"},

	"internal/build/bench/donothing": {"internal/survey/terraform"},
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

		inTests := slices.Concat(allowed, mayImportInTests[name], []string{name, "internal/testing/fixedseed"})
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
