package tfpolicy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
)

// shelf is the schema of one resource.
const shelf = `{"format_version": "1.0", "provider_schemas": {"registry.terraform.io/acme/shelf": {"resource_schemas": {"shelf_book": {"version": 0, "block": {"attributes": {
  "title": {"type": "string", "required": true},
  "pages": {"type": "number", "optional": true},
  "id": {"type": "string", "computed": true},
  "chapters": {"optional": true, "nested_type": {"nesting_mode": "list", "attributes": {
    "heading": {"type": "string", "required": true},
    "length": {"type": "number", "optional": true}
  }}}
}}}}}}}`

func shelfSchemas(t *testing.T) Schemas {
	t.Helper()
	schemas, err := ReadSchemas([]byte(shelf))
	require.NoError(t, err)
	return schemas
}

// preamble is what each policy file begins with.
const preamble = `
policy {
  required_providers {
    shelf = { source = "acme/shelf", version = ">= 1.0.0" }
  }
}
`

// bookPolicy is a policy file with one policy.
func bookPolicy(body string) string {
	return preamble + "resource_policy \"shelf_book\" \"p\" {\n" + body + "\n}\n"
}

// enforced is a policy file with one condition.
func enforced(condition string) string {
	return bookPolicy("enforce {\n condition = " + condition + "\n}")
}

func TestPolicyFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	const always = "\nenforce {\n condition = true\n}"
	for source, reason := range map[string]string{
		// What the documentation does not have.
		preamble + `survey_policy "a" "b" {}`:                                        "survey_policy",
		bookPolicy("severity = 1" + always):                                          "severity",
		bookPolicy("check {}" + always):                                              "check",
		bookPolicy("enforce {\n condition = true\n message = \"\"\n}"):               "message",
		bookPolicy("enforce {\n error_message = \"\"\n}"):                            "condition",
		preamble + `input "a" { default = 1 }`:                                       "type",
		preamble + "input \"a\" {\n type = number\n validation {}\n}":                "validation",
		preamble + "input \"a\" {\n type = number\n default = \"many\"\n}":           "Invalid value of input a",
		preamble + "input \"a\" {\n type = number\n default = null\n}":               "Invalid value of input a",
		preamble + "input \"a\" {\n type = number\n}\ninput \"a\" {\ntype=string\n}": "twice",
		bookPolicy("enforcement_level = \"soft\"" + always):                          "enforcement_level",
		bookPolicy("enforcement_level = input.level" + always):                       "Variables not allowed",
		bookPolicy(""): "enforce",
		bookPolicy("locals {}\nlocals {}" + always):                       "locals",
		enforced("true") + strings.TrimPrefix(enforced("true"), preamble): "twice",
		strings.TrimPrefix(enforced("true"), preamble):                    "policy block",
		"policy {}\n" + strings.TrimPrefix(enforced("true"), preamble):    "required_providers",
		strings.ReplaceAll(enforced("true"), "acme/shelf", "acme/desk"):   "no schema",
		strings.ReplaceAll(enforced("true"), ">= 1.0.0", "*"):             "malformed constraint",
		strings.ReplaceAll(enforced("true"), "shelf_book", "shelf_paper"): "shelf_paper",
		strings.ReplaceAll(enforced("true"), "shelf_book", "shelf_*"):     "wildcards",

		// Operations.
		bookPolicy("operations = [\"read\"]" + always):                                                        "operations",
		bookPolicy("operations = []" + always):                                                                "contradict",
		bookPolicy("operations = [\"create\", \"delete\"]" + always):                                          "delete",
		bookPolicy("operations = [\"no-op\", \"delete\"]" + always):                                           "delete",
		enforced("prior_attrs.pages == 1"):                                                                    "sets operations",
		bookPolicy("operations = [\"create\"]\nenforce {\n condition = prior_attrs.pages == 1\n}"):            "prior_attrs",
		bookPolicy("operations = [\"update\", \"no-op\"]\nenforce {\n condition = prior_attrs.pages == 1\n}"): "prior_attrs",

		// What expressions refer to.
		enforced("attrs.author == null"):                                                "no attribute author",
		enforced("core::try(attrs.author, null) == null"):                               "no attribute author",
		enforced("core::length([for c in attrs.chapters : c if c.title != null]) == 0"): "no attribute title",
		enforced("core::try(attrs.chapters[0].title, null) == null"):                    "no attribute title",
		enforced("attrs.title.length == 1"):                                             "no attribute length",
		enforced("meta.address == null"):                                                "no attribute address",
		enforced("var.a"):                                                               "var is not defined",
		enforced("input.a"):                                                             "no attribute a",
		enforced("local.a"):                                                             "local.a is not defined",
		enforced("try(attrs.title, null) == null"):                                      "no function try",
		enforced("core::sha256(attrs.title) == null"):                                   "no function core::sha256",
		enforced("attrs.chapters[*].heading == null"):                                   "not covered",
		bookPolicy("locals {\n a = local.b\n b = local.a\n}" + always):                  "refers to itself",
		bookPolicy("locals {\n a = [for c in attrs.chapters : c.title]\n}" + always):    "no attribute title",
		bookPolicy("enforce {\n condition = true\n error_message = attrs.author\n}"):    "no attribute author",
		bookPolicy("filter = attrs.author == null" + always):                            "no attribute author",
		preamble + "locals {\n a = attrs.title\n}":                                      "attrs is not defined",
		preamble + "locals {\n a = 1\n}\n" + strings.TrimPrefix(bookPolicy("locals {\n a = 2\n}"+always), preamble): "contradict",
	} {
		_, err := ParsePolicyFile("a.policy.hcl", []byte(source), shelfSchemas(t))
		assert.ErrorContains(t, err, reason, source)
	}
}

func TestTestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	const targets = "policytest {\n targets = [\"a.policy.hcl\"]\n}\n"
	mock := func(body string) string { return targets + "resource \"shelf_book\" \"m\" {\n" + body + "\n}\n" }

	for source, reason := range map[string]string{
		"":                               "policytest",
		"policytest {}":                  "targets",
		targets + `run "a" {}`:           "run",
		targets + "inputs {}\ninputs {}": "inputs",
		targets + `resource "shelf_paper" "m" {}`:                                                  "shelf_paper",
		mock("expect_error = true"):                                                                "expect_error",
		mock("expect_failure = \"yes\""):                                                           "expect_failure",
		mock(""):                                                                                   "attrs or prior_attrs",
		mock("attrs = {}"):                                                                         "has an attribute",
		mock("attrs = { author = \"A\" }"):                                                         "no attribute author",
		mock("attrs = { pages = \"1\" }"):                                                          "string is no number",
		mock("attrs = { chapters = [{ title = \"\" }] }"):                                          "no attribute title",
		mock("attrs = { chapters = { heading = \"\" } }"):                                          "object is no list",
		mock("attrs = { title = other.title }"):                                                    "Variables not allowed",
		mock("meta = { address = \"\" }\nattrs = { pages = 1 }"):                                   "no attribute address",
		mock("meta = { operation = \"read\" }\nattrs = { pages = 1 }"):                             "other attributes",
		mock("meta = { operation = \"delete\" }\nattrs = { pages = 1 }"):                           "other attributes",
		mock("meta = { operation = \"update\" }\nattrs = { pages = 1 }"):                           "other attributes",
		mock("attrs = { pages = 1 }\ninputs = {}"):                                                 "inputs",
		mock("attrs = { pages = 1 }") + strings.TrimPrefix(mock("attrs = { pages = 2 }"), targets): "twice",
	} {
		_, err := ParseTestFile("a.policytest.hcl", []byte(source), shelfSchemas(t))
		assert.ErrorContains(t, err, reason, source)
	}
}

// book is a subject that is created.
func book(t *testing.T, values map[string]cty.Value) Subject {
	t.Helper()
	typ, err := shelfSchemas(t).ResourceType("shelf_book")
	require.NoError(t, err)
	return Subject{Address: "shelf_book.a", Type: "shelf_book", Operation: Create, Attrs: completed(cty.ObjectVal(values), typ), PriorAttrs: cty.NullVal(typ)}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	unknown := cty.UnknownVal(cty.Number)
	for _, c := range []struct {
		policy  string
		pages   cty.Value
		outcome Outcome
	}{
		{enforced("attrs.pages > 10"), cty.NumberIntVal(11), Passed},
		{enforced("attrs.pages > 10"), cty.NumberIntVal(10), Refused},
		{enforced("attrs.pages > 10"), unknown, Unknown},
		{bookPolicy("filter = attrs.pages > 10\nenforce {\n condition = false\n}"), cty.NumberIntVal(10), Skipped},
		{bookPolicy("filter = attrs.pages > 10\nenforce {\n condition = false\n}"), unknown, Unknown},
		{bookPolicy("enforce {\n condition = attrs.pages > 10\n}\nenforce {\n condition = false\n}"), unknown, Refused},
		{bookPolicy("enforce {\n condition = false\n}\nenforce {\n condition = attrs.pages > 10\n}"), unknown, Refused},
		{bookPolicy("enforce {\n condition = true\n}\nenforce {\n condition = attrs.pages > 10\n}"), unknown, Unknown},
		{enforced("core::try(attrs.pages > 10, false)"), cty.NullVal(cty.Number), Refused},
		{enforced("core::try(attrs.pages > 10, false)"), unknown, Unknown},
		{enforced("meta.operation == \"create\" && meta.type == \"shelf_book\" && meta.provider_type == \"shelf\""), unknown, Passed},
	} {
		file, err := ParsePolicyFile("a.policy.hcl", []byte(c.policy), shelfSchemas(t))
		require.NoError(t, err, c.policy)

		verdicts, err := file.Evaluate(book(t, map[string]cty.Value{"pages": c.pages}), nil)
		require.NoError(t, err, c.policy)
		require.Len(t, verdicts, 1)
		assert.Equal(t, c.outcome, verdicts[0].Outcome, "%s of %#v", c.policy, c.pages)
	}
}

func TestEvaluationsThatFail(t *testing.T) {
	t.Parallel()
	for policy, reason := range map[string]string{
		enforced("attrs.pages > 10"): "must not be null",
		enforced("attrs.pages"):      "true or false",
		enforced("attrs.title"):      "true or false",
		bookPolicy("enforce {\n condition = false\n error_message = attrs.pages\n}"):                     "a text",
		preamble + "input \"a\" {\n type = number\n}\n" + strings.TrimPrefix(enforced("true"), preamble): "no value",
	} {
		file, err := ParsePolicyFile("a.policy.hcl", []byte(policy), shelfSchemas(t))
		require.NoError(t, err, policy)
		_, err = file.Evaluate(book(t, map[string]cty.Value{"title": cty.StringVal("A")}), nil)
		assert.ErrorContains(t, err, reason, policy)
	}

	file, err := ParsePolicyFile("a.policy.hcl", []byte(enforced("true")), shelfSchemas(t))
	require.NoError(t, err)
	_, err = file.Evaluate(book(t, nil), map[string]cty.Value{"a": cty.True})
	assert.ErrorContains(t, err, "no input a")
}

// A mock that is expected to fail, and passes, is a failure, and so is the contrary. So is a
// mock that no policy looks at.
func TestMocksThatFail(t *testing.T) {
	t.Parallel()
	policy, err := ParsePolicyFile("a.policy.hcl", []byte(enforced("core::try(attrs.pages, 0) == 1")), shelfSchemas(t))
	require.NoError(t, err)

	for mock, reason := range map[string]string{
		"attrs = { pages = 1 }":                        "",
		"expect_failure = true\nattrs = { pages = 2 }": "",
		"expect_failure = true\nattrs = { pages = 1 }": "passed",
		"attrs = { pages = 2 }":                        "refused",
		"prior_attrs = { pages = 1 }":                  "no policy",
	} {
		source := "policytest {\n targets = [\"a.policy.hcl\"]\n}\nresource \"shelf_book\" \"m\" {\n" + mock + "\n}\n"
		test, err := ParseTestFile("a.policytest.hcl", []byte(source), shelfSchemas(t))
		require.NoError(t, err, mock)
		failures, err := test.Run(map[string]*PolicyFile{"a.policy.hcl": policy})
		require.NoError(t, err)
		if reason == "" {
			assert.Empty(t, failures, mock)
			continue
		}
		// As it is written, and with null for what it leaves out.
		require.Len(t, failures, 2, mock)
		assert.Contains(t, failures[0], reason)

		_, err = test.Run(nil)
		assert.ErrorContains(t, err, "no policy file a.policy.hcl")
	}
}

// The documentation does not say whether what a mock leaves out is absent or null.
func TestMocksAreJudgedInBothForms(t *testing.T) {
	t.Parallel()
	policy, err := ParsePolicyFile("a.policy.hcl", []byte(enforced("core::try(attrs.pages, 1) == 1")), shelfSchemas(t))
	require.NoError(t, err)
	test, err := ParseTestFile("a.policytest.hcl", []byte("policytest {\n targets = [\"a.policy.hcl\"]\n}\nresource \"shelf_book\" \"m\" {\n attrs = { title = \"A\" }\n}\n"), shelfSchemas(t))
	require.NoError(t, err)

	failures, err := test.Run(map[string]*PolicyFile{"a.policy.hcl": policy})
	require.NoError(t, err)
	assert.Len(t, failures, 1)
}

func TestPlanned(t *testing.T) {
	t.Parallel()
	const before, after = `{"title": "A", "pages": 1, "id": "1", "chapters": [{"heading": "I", "length": null}]}`, `{"title": "B", "chapters": [{"heading": "I"}, {"heading": "II", "length": 2}]}`
	const unknown = `{"id": true, "pages": true, "chapters": [{"length": true}, {}]}`
	for actions, operations := range map[string][]Operation{
		`["create"]`: {Create}, `["update"]`: {Update}, `["delete"]`: {Delete}, `["no-op"]`: {NoOp},
		`["delete", "create"]`: {Delete, Create}, `["create", "delete"]`: {Delete, Create},
	} {
		document := `{"format_version": "1.2", "resource_changes": [
			{"address": "data.shelf_book.a", "mode": "data", "type": "shelf_book", "change": {"actions": ["read"]}},
			{"address": "shelf_book.a", "mode": "managed", "type": "shelf_book", "change": {"actions": ` + actions + `, "before": ` + before + `, "after": ` + after + `, "after_unknown": ` + unknown + `}}]}`
		subjects, err := Planned(shelfSchemas(t), []byte(document))
		require.NoError(t, err)

		var found []Operation
		for _, subject := range subjects {
			found = append(found, subject.Operation)
			assert.Equal(t, subject.Operation == Create || subject.Operation == NoOp, subject.PriorAttrs.IsNull())
			if subject.Operation == Delete {
				assert.True(t, subject.Attrs.GetAttr("title").IsNull())
				assert.Equal(t, "A", subject.PriorAttrs.GetAttr("title").AsString())
				continue
			}
			assert.Equal(t, "B", subject.Attrs.GetAttr("title").AsString())
			assert.False(t, subject.Attrs.GetAttr("pages").IsKnown())
			chapters := subject.Attrs.GetAttr("chapters").AsValueSlice()
			require.Len(t, chapters, 2)
			assert.False(t, chapters[0].GetAttr("length").IsKnown())
			assert.True(t, chapters[1].GetAttr("length").RawEquals(cty.NumberIntVal(2)))
		}
		assert.Equal(t, operations, found)
	}

	for document, reason := range map[string]string{
		`[]`: "cannot decode the plan",
		`{"format_version": "1.2", "resource_changes": [{"address": "shelf_book.a", "mode": "managed", "type": "shelf_book", "change": {"actions": ["forget"], "before": {"title": "A"}}}]}`: "does not say",
		`{"format_version": "1.2", "resource_changes": [{"address": "shelf_book.a", "mode": "managed", "type": "shelf_book", "change": {"actions": ["create"], "after": {"author": "A"}}}]}`: "no attribute author",
		`{"format_version": "1.2", "resource_changes": [{"address": "shelf_paper.a", "mode": "managed", "type": "shelf_paper", "change": {"actions": ["create"], "after": {}}}]}`:            "shelf_paper",
	} {
		_, err := Planned(shelfSchemas(t), []byte(document))
		assert.ErrorContains(t, err, reason)
	}
}
