package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/code"
)

// keysMark marks the position in a page where the keys of JSON attributes belong.
const keysMark = "<!-- keys of JSON attributes -->\n"

// writeKeys replaces the mark in a page with a section for each JSON attribute.
func writeKeys(page string) error {
	text, err := os.ReadFile(page) //nolint:gosec // a page of the documentation
	if err != nil {
		return err
	}
	head, tail, isFound := strings.Cut(string(text), keysMark)
	if !isFound {
		return fmt.Errorf("%s does not contain %q", page, keysMark)
	}
	return code.WriteFile(page, code.Content([]byte(head+keySections()+tail)))
}

// keySections returns Markdown tables of the keys.
func keySections() string {
	var b strings.Builder
	for _, attribute := range check.JSONAttributes() {
		table := check.AttributeKeys(attribute)
		if len(table) == 0 {
			continue
		}
		writeSection(&b, attribute, table)
	}
	writeSection(&b, "questions[].translations", check.QuestionTranslationKeys())
	return b.String()
}

// writeSection writes the table of an attribute's keys.
func writeSection(b *strings.Builder, attribute string, table []check.Key) {
	fmt.Fprintf(b, "### Keys of `%s`\n\n| Key | Type | Meaning | First web SDK |\n|---|---|---|---|\n", attribute)
	writeRows(b, attribute, "", table)
	b.WriteString("\n")
}

// writeRows writes a row for each key, followed by the rows of its nested keys.
func writeRows(b *strings.Builder, attribute, parent string, table []check.Key) {
	for _, key := range table {
		if key.Meaning == "" && len(key.Keys) == 0 && parent == "" {
			continue // flags have these keys, but surveys don't need them
		}
		name := parent + key.Name
		kind, meaning := describeType(key), key.Meaning
		values := key.Values
		if key.Items != nil && len(values) == 0 {
			values = key.Items.Values
		}
		if len(values) > 0 {
			meaning = strings.TrimSpace(meaning + " One of `" + strings.Join(values, "`, `") + "`.")
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, kind, meaning, firstWebSDK(attribute+"."+name))

		writeRows(b, attribute, name+".", key.Keys)
		if key.Items != nil {
			below := map[check.Form]string{check.List: "[].", check.Map: ".*."}[key.Form]
			writeRows(b, attribute, name+below, key.Items.Keys)
		}
	}
}

// describeType describes the type of a key in words.
func describeType(key check.Key) string {
	switch key.Form {
	case check.Text, check.StrictText:
		return "string"
	case check.Percentage:
		return "number, 0 to 100"
	case check.List:
		if key.Items != nil {
			return "list of " + describeType(*key.Items) + "s"
		}
		return "list"
	case check.Map:
		return "object"
	case check.Any:
		return "any"
	case check.Boolean, check.Number, check.Integer, check.Object:
	}
	return string(key.Form)
}

// firstWebSDK returns the first version of posthog-js that supports a setting, or "" if all versions support it.
func firstWebSDK(setting string) string {
	for _, feature := range audience.Features() {
		if slices.Contains(strings.Split(feature.Setting, ", "), strings.ReplaceAll(setting, "[]", "[*]")) {
			return strings.TrimPrefix(feature.Since.In(audience.Web), "yes")
		}
	}
	return ""
}
