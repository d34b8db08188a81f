package evaluation

// equals compares in any letter case: with one value, or with those of a list. A boolean
// or the word for one is equal to all that is as true as it is: what is not true equals
// false.
func equals(p *property, have value, _ clock) outcome {
	want := p.want
	if want.isSwitch() {
		return matches(want.isOn() == have.isOn())
	}

	text := lower(have.text)
	if want.kind != arrayKind {
		return matches(lower(want.text) == text)
	}
	for _, item := range want.items {
		if lower(item.text) == text {
			return matches(true)
		}
	}
	return miss
}
