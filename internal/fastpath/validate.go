package fastpath

import (
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ValidateResourceConfig implements tfprotov6.ResourceServer. In a plan Terraform asks
// it of an object that was just read. What the service holds is accepted, so there is
// nothing to look at in a configuration that says the same.
//
// It can't wait for PlanResourceChange: that isn't asked of a resource which a test
// overrides, and where changes are ignored it is shown another configuration.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if n, ok := s.nouns[req.TypeName]; ok {
		config, err := objectOf(req.Config)
		if err == nil && quiet(ctx, n.rules, config, n.fresh.take(config)) {
			return &tfprotov6.ValidateResourceConfigResponse{}, nil
		}
	}
	return s.framework.ValidateResourceConfig(ctx, req)
}

// justRead are the objects of one noun that were read and not validated since, by
// name. Of two with one name it knows the last: the other is slow, not wrong.
type justRead struct {
	mu     sync.Mutex
	byName map[string]Object
}

func (j *justRead) keep(state *tfprotov6.DynamicValue) {
	o, err := objectOf(state)
	if err != nil { // gone
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.byName[o.String("name")] = o
}

// take gives the object that a configuration names, once; nil when there is none.
func (j *justRead) take(config Object) Object {
	name := config.String("name")
	j.mu.Lock()
	defer j.mu.Unlock()
	o := j.byName[name]
	delete(j.byName, name)
	return o
}
