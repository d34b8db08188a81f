package fastpath

import (
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// justRead holds the objects of one resource type that were read and not validated since,
// by name. Of two with one name it holds the last: the other is slow, not wrong.
type justRead struct {
	mu     sync.Mutex
	byName map[string]Object
}

func (j *justRead) add(state *tfprotov6.DynamicValue) {
	o, err := objectOf(state)
	if err != nil { // deleted
		return
	}

	j.mu.Lock()
	defer j.mu.Unlock()
	j.byName[o.String("name")] = o
}

// take removes and returns the object that a configuration names, nil for none.
func (j *justRead) take(config Object) Object {
	name := config.String("name")

	j.mu.Lock()
	defer j.mu.Unlock()
	o := j.byName[name]
	delete(j.byName, name)
	return o
}
