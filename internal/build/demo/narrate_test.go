package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestOnlyShowsTheVerdictAndWarnings(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	show := narrator{&out}.only("Plan:")
	// A program writes in pieces that know nothing of lines.
	for _, piece := range []string{"  # one\n  + na", "me\nPl", "an: 1 to add\n", "\n│ Warning: mind this\n", "Plan: cut off"} {
		if _, err := fmt.Fprint(show, piece); err != nil {
			t.Fatal(err)
		}
	}
	want := "  | Plan: 1 to add\n  | │ Warning: mind this\n"
	if out.String() != want {
		t.Errorf("shown:\n%swant:\n%s", out.String(), want)
	}
}

func TestAllShowsEveryLineWithText(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if _, err := fmt.Fprint(narrator{&out}.all(), "one\n\n  two\n"); err != nil {
		t.Fatal(err)
	}
	if want := "  | one\n  |   two\n"; out.String() != want {
		t.Errorf("shown:\n%swant:\n%s", out.String(), want)
	}
}
