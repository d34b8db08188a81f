package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/shard"
)

// defaultQuota is the number of requests a minute that the hosted service allows an API key.
const defaultQuota = 480

// shardFlags are the flags of shard.
type shardFlags struct {
	jobs   int
	format string
	quota  int
	image  string
	name   string
	// parallelism is how many environments are counted at the same time.
	parallelism int
}

// The values of shard's flag --format.
const (
	formatList       = "list"
	formatGitHub     = "github"
	formatKubernetes = "kubernetes"
)

// newShard returns the verb that distributes environments among jobs.
func newShard(p *program) *cobra.Command {
	var f shardFlags
	cmd := &cobra.Command{
		Use:   "shard --jobs N [-- VERB ARGUMENT...]",
		Short: "Distribute all environments among parallel jobs",
		Long: `Distribute the environments of posthog-sync.yaml among jobs, for CI systems and clusters
that run jobs in parallel. The objects of each environment are counted, with one request
for each kind, and every job gets about the same number.

The service counts requests by API key. A job either has its keys to itself, or shares a
single key with other jobs: POSTHOG_REQUESTS_PER_MINUTE is its share of the quota.
POSTHOG_SYNC_ENVIRONMENTS names its environments.

The verb that the jobs run follows --; the default is doctor. Each job runs it with
--all-environments and writes one report; merge-reports joins them.`,
		Example: `  # The jobs, as commands for a shell
  posthog-sync shard --jobs 4 -- diff file:base.json live

  # The matrix of a GitHub Actions workflow
  echo "matrix=$(posthog-sync shard --jobs 8 --format github)" >> "$GITHUB_OUTPUT"

  # An indexed Job of Kubernetes
  posthog-sync shard --jobs 8 --format kubernetes --image registry.example.com/posthog-sync:1 \
    -- diff file:/base/base.json live | kubectl apply -f -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.shard(cmd.Context(), f, args)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.jobs, "jobs", 0, "number of parallel jobs; there may be fewer, never more")
	flags.Var(newChoice(&f.format, formatList, formatList, formatGitHub, formatKubernetes), "format", "of the result: list, github or kubernetes")
	flags.IntVar(&f.quota, "requests-per-minute", 0, fmt.Sprintf("quota of each API key (default: POSTHOG_REQUESTS_PER_MINUTE, else %d)", defaultQuota))
	flags.IntVar(&f.parallelism, "parallelism", 4, "how many environments are counted at the same time")
	flags.StringVar(&f.image, "image", "", "kubernetes: container image with a shell, posthog-sync and what the verb needs")
	flags.StringVar(&f.name, "name", "posthog-sync", "kubernetes: name of the Job, and prefix of the objects that it uses")
	return cmd
}

// shard counts the objects of all environments, packs them into shards and prints those.
func (p *program) shard(ctx context.Context, f shardFlags, command []string) error {
	if len(command) == 0 {
		command = []string{"doctor"}
	}
	switch {
	case f.jobs < 1:
		return errors.New("--jobs is the number of parallel jobs: it must be 1 or more")
	case f.parallelism < 1:
		return fmt.Errorf("--parallelism is %d: it must be 1 or more", f.parallelism)
	case f.quota < 0:
		return fmt.Errorf("--requests-per-minute is %d: it must be 1 or more", f.quota)
	case f.format == formatKubernetes && f.image == "":
		return errors.New("--format kubernetes needs --image: a container image with a shell, posthog-sync and what the verb needs")
	}

	set, err := p.environments()
	if err != nil {
		return err
	}
	counted, err := p.countEnvironments(ctx, set, f.parallelism)
	if err != nil {
		return err
	}
	quota, err := f.quotaOf(set)
	if err != nil {
		return err
	}

	plan := shardPlan{shards: shard.Pack(counted, f.jobs, quota), command: command}
	p.progress.Close()
	switch f.format {
	case formatGitHub:
		return plan.github(p.stdout)
	case formatKubernetes:
		return plan.kubernetes(p.stdout, f, set.Path)
	default:
		return plan.list(p.stdout)
	}
}

// quotaOf is the quota of a key: that of the flag, else of the variable, which all
// environments have, else the default of the hosted service.
func (f shardFlags) quotaOf(set environment.Set) (int, error) {
	if f.quota > 0 {
		return f.quota, nil
	}
	first, err := set.Get(set.Names()[0])
	if err != nil {
		return 0, err
	}
	if first.RequestsPerMinute > 0 {
		return first.RequestsPerMinute, nil
	}
	return defaultQuota, nil
}

// countEnvironments counts the objects of all environments, several at the same time.
func (p *program) countEnvironments(ctx context.Context, set environment.Set, parallelism int) ([]shard.Environment, error) {
	names := set.Names()
	counted, errs := make([]shard.Environment, len(names)), make([]error, len(names))
	sides := make([]*live, len(names))
	for i, name := range names {
		if strings.ContainsAny(name, ",\n") {
			return nil, fmt.Errorf("environment %q: a comma or a line break in the name would divide it in %s", name, environmentsVariable)
		}
		e, err := set.Get(name)
		if err != nil {
			return nil, err
		}
		if sides[i], err = p.live(e, p.selection()); err != nil {
			return nil, err
		}
		counted[i] = shard.Environment{Name: name, Key: strings.TrimSuffix(e.BaseURL, "/") + " " + p.getenv(e.APIKeyVariable)}
	}

	task := p.progress.Task("environments")
	task.SetTotal(int64(len(names)))
	indexes := make(chan int)
	var workers sync.WaitGroup
	for range parallelism {
		workers.Go(func() {
			for i := range indexes {
				counted[i].Objects, errs[i] = sides[i].count(ctx)
				task.Add(1)
			}
		})
	}
	for i := range names {
		indexes <- i
	}
	close(indexes)
	workers.Wait()
	return counted, p.uncounted(ctx, errs)
}

// uncounted returns an error when no environment can be counted: then the cause is most
// likely common to all. An environment that fails alone is distributed as if it had no
// objects, and its job will report the error.
func (p *program) uncounted(ctx context.Context, all []error) error {
	errs := slices.DeleteFunc(slices.Clone(all), func(err error) bool { return err == nil })
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(errs) == 1 && len(all) == 1:
		return errs[0]
	case len(errs) == len(all):
		return fmt.Errorf("%w (and %s more)", errs[0], count(len(errs)-1, "environment"))
	}
	for _, err := range errs {
		p.logf("Warning: %v. Its job will report it.", err)
	}
	return nil
}

// count is the number of objects of the kinds that are selected. It makes one request
// for each kind.
func (l *live) count(ctx context.Context) (int64, error) {
	var surveys, apps int64
	if l.ProjectID != "" && l.selected.surveys {
		for _, err := range l.client.Surveys(l.ProjectID).List(ctx, client.ListOptions{PageSize: 1, Count: func(n int64) { surveys = n }}) {
			if err != nil {
				return 0, fmt.Errorf("environment %q: cannot count the surveys of project %s: %w", l.Name, l.ProjectID, err)
			}
			break
		}
	}
	if l.OrganizationID != "" && l.selected.apps {
		for _, err := range l.client.PipelineImportApps(l.OrganizationID).List(ctx, client.ListOptions{PageSize: 1, Count: func(n int64) { apps = n }}) {
			if client.IsRemoved(err) {
				l.program.noteRemovedApps(err)
				break
			}
			if err != nil {
				return 0, fmt.Errorf("environment %q: cannot count the import apps of organization %s: %w", l.Name, l.OrganizationID, err)
			}
			break
		}
	}
	return surveys + apps, nil
}
