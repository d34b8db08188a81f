package evaluation

// outcome is what comes of one property, or of a cohort or a condition.
type outcome struct {
	isMatch bool
	// unknown says why nothing could be decided; empty when it could.
	unknown string
	// isFinal is set on what nobody but the service can decide, whatever else matches.
	isFinal bool
}

// miss is the outcome of what does not match.
var miss = outcome{}

func matches(is bool) outcome { return outcome{isMatch: is} }

func unknown(why string) outcome { return outcome{unknown: why} }

// isDecided reports whether an outcome is a match or none.
func (o outcome) isDecided() bool { return o.unknown == "" }
