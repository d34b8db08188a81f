package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/shard"
)

// shardPlan are the shards and the command that their jobs run.
type shardPlan struct {
	shards  []shard.Shard
	command []string
}

// part is the part I/N of a shard.
func (s shardPlan) part(i int) string { return shard.Part{Index: i + 1, Of: len(s.shards)}.String() }

// list writes a command line for a shell for each shard.
func (s shardPlan) list(w io.Writer) error {
	var b strings.Builder
	for i, one := range s.shards {
		fmt.Fprintf(&b, "# %s: %s, %s\n", s.part(i), count(len(one.Environments), "environment"), count(one.Objects(), "object"))
		fmt.Fprintf(&b, "%s=%s POSTHOG_REQUESTS_PER_MINUTE=%d posthog-sync %s --all-environments --shard %s\n",
			environmentsVariable, escape.Shell(strings.Join(one.Names(), ",")), one.RequestsPerMinute, s.shellCommand(), s.part(i))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// github writes the matrix of a GitHub Actions workflow, on one line.
func (s shardPlan) github(w io.Writer) error {
	type job struct {
		Shard             string `json:"shard"`
		Environments      string `json:"environments"`
		RequestsPerMinute int    `json:"requests_per_minute"`
		Objects           int64  `json:"objects"`
	}
	matrix := struct {
		Include []job `json:"include"`
	}{[]job{}}
	for i, one := range s.shards {
		matrix.Include = append(matrix.Include, job{s.part(i), strings.Join(one.Names(), ","), one.RequestsPerMinute, one.Objects()})
	}

	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(matrix)
}

// shellCommand is the command of the jobs, quoted for a shell.
func (s shardPlan) shellCommand() string {
	words := make([]string, len(s.command))
	for i, word := range s.command {
		words[i] = escape.Shell(word)
	}
	return strings.Join(words, " ")
}
