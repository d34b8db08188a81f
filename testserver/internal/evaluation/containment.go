package evaluation

import "strings"

// onText compares texts in which the letters A to Z have lost their case.
func onText(has func(text, part string) bool) func(*property, value, clock) outcome {
	return func(p *property, have value, _ clock) outcome {
		return matches(has(lowerASCII(have.text), lowerASCII(p.want.text)))
	}
}

// containsAny reports whether a text contains one of a list of texts.
func containsAny(p *property, have value, _ clock) outcome {
	wanted := p.want.items
	if p.want.kind != arrayKind {
		wanted = []value{p.want}
	}

	text := lowerASCII(have.text)
	for _, want := range wanted {
		if strings.Contains(text, lowerASCII(want.text)) {
			return matches(true)
		}
	}
	return miss
}
