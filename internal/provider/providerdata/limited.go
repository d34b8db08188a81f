package providerdata

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/list"
)

// Limited passes on the results of a list resource up to the limit of the list block, and
// warns when there are more. Terraform reads nothing after the result that reaches the
// limit, so that result has the warning, and waits for it.
type Limited struct {
	// Limit is that of the request; 0 for none.
	Limit int64
	// Plural is what is listed: surveys.
	Plural string
	// Push passes a result to the stream.
	Push func(list.ListResult) bool

	pushed int64
	last   *list.ListResult
}

// Add passes a result on, and reports whether more are wanted.
func (l *Limited) Add(result list.ListResult) bool {
	if l.last != nil {
		l.stop()
		return false
	}

	if l.pushed++; l.pushed == l.Limit {
		l.last = &result
		return true
	}
	return l.Push(result)
}

// Fail passes an error on. After the last result that is wanted it only means that others
// were not read.
func (l *Limited) Fail(result list.ListResult) bool {
	if l.last != nil {
		l.stop()
		return false
	}
	return l.Push(result)
}

// End passes on the last result where there was none after it, and reports whether more
// results may follow.
func (l *Limited) End() bool {
	if l.last != nil {
		l.Push(*l.last)
		return false
	}
	return true
}

// stop passes on the last result, with the warning.
func (l *Limited) stop() {
	l.last.Diagnostics.AddWarning(
		fmt.Sprintf("List of %s stopped at its limit", l.Plural),
		fmt.Sprintf("The list block has %d, its limit, and there are more. Set a higher limit in the block: without one, Terraform stops at 100.", l.Limit),
	)
	l.Push(*l.last)
}
