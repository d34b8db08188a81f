package jsonvalue

// Text is a value that is held as its JSON text, as many attributes are. It is compared by
// what it means; a text that is no JSON, by its characters.
type Text string

func sameText(a, b Text, objects func(a, b map[string]any) bool) bool {
	x, errX := Decode(a)
	y, errY := Decode(b)
	return errX == nil && errY == nil && same(x, y, objects)
}
