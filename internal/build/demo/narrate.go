package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// narrator describes what the demo does, in plain lines. What a program printed is
// indented below the step that called it.
type narrator struct{ out io.Writer }

// print drops the error: what the demo checks does not depend on what is shown.
func (n narrator) print(text string) { _, _ = io.WriteString(n.out, text) }

// step starts a new step.
func (n narrator) step(text string) { n.print("\n" + text + "\n") }

// line adds to the current step.
func (n narrator) line(format string, args ...any) {
	n.print(fmt.Sprintf("  "+format+"\n", args...))
}

// quote shows a text as it is, indented.
func (n narrator) quote(text string) {
	for line := range strings.Lines(strings.Trim(text, "\n") + "\n") {
		n.print(strings.TrimRight("  | "+line, " \n") + "\n")
	}
}

// all shows the whole output of a program.
func (n narrator) all() io.Writer { return &lineFilter{show: n.quote} }

// only shows the lines of a program's output that start with prefix, such as its summary,
// without the listing of every attribute. It shows warnings too.
func (n narrator) only(prefix string) io.Writer {
	return &lineFilter{show: n.quote, prefix: prefix}
}

// lineFilter passes on complete lines that start with a prefix or warn.
type lineFilter struct {
	show    func(string)
	prefix  string
	pending []byte
}

// Write never fails: the demo does not depend on what is shown.
func (f *lineFilter) Write(p []byte) (int, error) {
	f.pending = append(f.pending, p...)
	for {
		end := bytes.IndexByte(f.pending, '\n')
		if end < 0 {
			return len(p), nil
		}
		line := string(f.pending[:end])
		f.pending = f.pending[end+1:]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if strings.HasPrefix(line, f.prefix) || strings.Contains(line, "Warning: ") {
			f.show(line)
		}
	}
}
