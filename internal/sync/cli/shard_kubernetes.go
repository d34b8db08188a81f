package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// manifest is a mapping of YAML.
type manifest = map[string]any

// kubernetes writes the manifests of an indexed Job and of its ConfigMap, which has a file of
// variables for each index, and posthog-sync.yaml. The keys come from the Secret NAME-keys,
// and the reports go to the PersistentVolumeClaim NAME-reports.
func (s shardPlan) kubernetes(w io.Writer, f shardFlags, config string) error {
	data := manifest{}
	configFlag := ""
	if config != "" {
		text, err := os.ReadFile(config)
		if err != nil {
			return err
		}
		data["posthog-sync.yaml"], configFlag = string(text), " --config /shards/posthog-sync.yaml"
	}
	for i, shard := range s.shards {
		data[fmt.Sprintf("%d.env", i)] = fmt.Sprintf("export %s=%s\nexport POSTHOG_REQUESTS_PER_MINUTE=%d\nSHARD=%s\n",
			environmentsVariable, escape.Shell(strings.Join(shard.Names(), ",")), shard.RequestsPerMinute, s.part(i))
	}

	script := fmt.Sprintf(`. "/shards/$JOB_COMPLETION_INDEX.env"
exec posthog-sync %s%s --all-environments --shard "$SHARD" --format json > "/reports/$JOB_COMPLETION_INDEX.json"
`, s.shellCommand(), configFlag)

	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	for _, object := range []manifest{
		{"apiVersion": "v1", "kind": "ConfigMap", "metadata": manifest{"name": f.name + "-shards"}, "data": data},
		{"apiVersion": "batch/v1", "kind": "Job", "metadata": manifest{"name": f.name}, "spec": s.job(f, script)},
	} {
		if err := encoder.Encode(object); err != nil {
			return err
		}
	}
	return encoder.Close()
}

// job is the spec of the Job. Failed and killed pods are retried, except those that report
// differences or a refusal: a retry would end the same.
func (s shardPlan) job(f shardFlags, script string) manifest {
	container := manifest{
		"name": "posthog-sync", "image": f.image, "command": []string{"/bin/sh", "-ec", script},
		"envFrom":      []manifest{{"secretRef": manifest{"name": f.name + "-keys"}}},
		"volumeMounts": []manifest{{"name": "shards", "mountPath": "/shards", "readOnly": true}, {"name": "reports", "mountPath": "/reports"}},
	}
	return manifest{
		"completionMode": "Indexed", "completions": len(s.shards), "parallelism": len(s.shards), "backoffLimitPerIndex": 2,
		"podFailurePolicy": manifest{"rules": []manifest{
			{"action": "Ignore", "onPodConditions": []manifest{{"type": "DisruptionTarget"}}},
			{"action": "FailIndex", "onExitCodes": manifest{"containerName": "posthog-sync", "operator": "In", "values": []int{codeDifferences, codeRefused}}},
		}},
		"template": manifest{"spec": manifest{
			"restartPolicy": "Never", "containers": []manifest{container},
			"volumes": []manifest{
				{"name": "shards", "configMap": manifest{"name": f.name + "-shards"}},
				{"name": "reports", "persistentVolumeClaim": manifest{"claimName": f.name + "-reports"}},
			},
		}},
	}
}
