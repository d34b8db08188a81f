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

	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(p.stdin).ReadString('\n')
		answer <- strings.TrimSpace(line)
	}()
	select {
	case line := <-answer:
		return line == "yes"
	case <-ctx.Done():
		return false
	}
}
