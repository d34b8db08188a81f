package protocol

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
)

func TestCut(t *testing.T) {
	t.Parallel()
	root := tftypes.NewAttributePath().WithAttributeName
	question := root("questions").WithElementKeyInt(1)
	responses := question.WithAttributeName("branching").WithAttributeName("response_values")
	for name, c := range map[string]struct{ path, older, exact *tftypes.AttributePath }{
		"none":               {nil, nil, nil},
		"attribute":          {root("name"), root("name"), root("name")},
		"element":            {question, question, question},
		"attribute of one":   {question.WithAttributeName("type"), question, question.WithAttributeName("type")},
		"element of one":     {question.WithAttributeName("choices").WithElementKeyInt(2), question, question.WithAttributeName("choices").WithElementKeyInt(2)},
		"map key":            {responses.WithElementKeyString("0"), question, responses},
		"map key at the top": {root("counts").WithElementKeyString("a"), root("counts"), root("counts")},
		"nested attribute":   {root("timeouts").WithAttributeName("create"), root("timeouts"), root("timeouts").WithAttributeName("create")},
	} {
		assert.True(t, c.older.Equal(cut(c.path, false)), "%s, older: %s", name, cut(c.path, false))
		assert.True(t, c.exact.Equal(cut(c.path, true)), "%s, exact: %s", name, cut(c.path, true))
	}
}

func TestVersionsThatFollowPaths(t *testing.T) {
	t.Parallel()
	for cli, want := range map[string]bool{
		"": false, "unknown": false, "1.0.0": false, "1.11.4": false, "1.12.6": false, "1.15.9": false,
		"1.16.0": true, "1.16.0-dev": true, "1.16.4": true, "1.20.0": true, "2.0.0": true,
	} {
		assert.Equal(t, want, followsPaths(cli), "version %q", cli)
	}
}
