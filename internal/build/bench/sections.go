package main

import "strings"

// heading begins a section of the document.
const heading = "## "

// withSections returns a document with the sections of a newer one in place of its own. What
// was not measured again stays.
func withSections(document, newer string) string {
	introduction, old := sectionsOf(document)
	_, measured := sectionsOf(newer)
	parts := []string{introduction}
	for _, s := range sections {
		switch {
		case measured[s.title] != "":
			parts = append(parts, measured[s.title])
		case old[s.title] != "":
			parts = append(parts, old[s.title])
		}
	}
	return strings.Join(parts, "\n")
}

// sectionsOf takes a document apart: what stands before its sections, and each by its title.
func sectionsOf(document string) (introduction string, byTitle map[string]string) {
	introduction, rest, _ := strings.Cut(document, "\n"+heading)
	byTitle = map[string]string{}
	for part := range strings.SplitSeq(rest, "\n"+heading) {
		title, _, _ := strings.Cut(part, "\n")
		byTitle[title] = heading + part
	}
	return introduction, byTitle
}
