package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// confirm asks on stderr whether to go on, and reports whether the answer is yes. Without a
// terminal it does not ask, and the answer is no.
func (p *program) confirm(ctx context.Context, question string) bool {
	if !p.interactive {
		return false
	}
	p.progress.Close()
	_, _ = fmt.Fprintf(p.stderr, "%s\nOnly \"yes\" is accepted: ", question)

	return p.readLine(ctx) == "yes"
}

// readLine reads a line of the terminal; empty when the run is interrupted.
func (p *program) readLine(ctx context.Context) string {
	if p.lines == nil {
		p.lines = bufio.NewReader(p.stdin)
	}
	typed := make(chan string, 1)
	go func() {
		line, _ := p.lines.ReadString('\n')
		typed <- strings.TrimSpace(line)
	}()
	select {
	case line := <-typed:
		return line
	case <-ctx.Done():
		return ""
	}
}
