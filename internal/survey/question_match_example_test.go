package survey

import (
	"fmt"
	"strings"
)

// What becomes of a question whose text is another one in the code: the rules 5 to 7 of
// [Match]. Each case has the lists that the service held, the last apply first; what the code
// says now; and the id that each of its questions gets, - for a new one.
func Example_editedQuestions() {
	for _, c := range []struct{ rule, service, code string }{
		{"the same type between the same neighbours", "open:a#1 open:b#2 open:c#3", "open:a open:x open:c"},
		{"the same type at the same place, where neighbours moved", "open:a#1 open:b#2 open:c#3", "open:c open:x open:a"},
		{"half of the text counts more than the place", "open:why-not#1 open:b#2", "open:new open:why-not? open:b"},
		{"less than half does not: the first one between the neighbours", "open:why-not#1 open:b#2", "open:new open:when open:b"},
		{"half of the text between other neighbours is another question", "open:why-not#1 open:b#2", "open:b open:why-not?"},
		{"another type is a new question", "open:a#1 open:b#2", "open:a link:x"},
		{"the text of one with another type: that was retyped", "open:a#1 link:b#2", "open:b"},
		{"half of that text: retyped and edited", "open:one#1 link:why-not#2", "rating:new open:why-not?"},
		{"that text, of one that was deleted in the web interface", "open:a#1 link:b#2 / link:b#2", "link:a"},
		{"the same type and text as in no one list: retyped there and here, rewritten there", "open:a#1 open:b#2 / link:z#1 open:b#2", "link:a open:b"},
		{"the same, and half of the text", "open:why-not#1 open:b#2 / link:z#1 open:b#2", "link:why-not? open:b"},
		{"at the place of one that was deleted in the web interface", "open:a#1 open:b#2 / open:a#1", "open:a open:x"},
		{"at the place of one that was created there, unknown to the code", "open:a#1 / open:a#1 open:c#2", "open:a open:x"},
		{"at the place of one that was created there, after it was taken over", "open:a#1 / open:a#1 open:c#2 / open:a#1 open:c#2", "open:a open:x"},
		{"half of the text of one that was created there, unknown to the code", "open:a#1 / open:a#1 open:why-not#2", "open:a open:why-not?"},
	} {
		lists := strings.Split(c.service, " / ")
		ids := matchedIDs(list(lists[len(lists)-1]), historyOf(lists...), list(c.code))
		fmt.Printf("%s\n    %s -> %s: %s\n", c.rule, c.service, c.code, strings.Join(ids, " "))
	}
	// Output:
	// the same type between the same neighbours
	//     open:a#1 open:b#2 open:c#3 -> open:a open:x open:c: 1 2 3
	// the same type at the same place, where neighbours moved
	//     open:a#1 open:b#2 open:c#3 -> open:c open:x open:a: 3 2 1
	// half of the text counts more than the place
	//     open:why-not#1 open:b#2 -> open:new open:why-not? open:b: - 1 2
	// less than half does not: the first one between the neighbours
	//     open:why-not#1 open:b#2 -> open:new open:when open:b: 1 - 2
	// half of the text between other neighbours is another question
	//     open:why-not#1 open:b#2 -> open:b open:why-not?: 2 -
	// another type is a new question
	//     open:a#1 open:b#2 -> open:a link:x: 1 -
	// the text of one with another type: that was retyped
	//     open:a#1 link:b#2 -> open:b: -
	// half of that text: retyped and edited
	//     open:one#1 link:why-not#2 -> rating:new open:why-not?: - -
	// that text, of one that was deleted in the web interface
	//     open:a#1 link:b#2 / link:b#2 -> link:a: -
	// the same type and text as in no one list: retyped there and here, rewritten there
	//     open:a#1 open:b#2 / link:z#1 open:b#2 -> link:a open:b: 1 2
	// the same, and half of the text
	//     open:why-not#1 open:b#2 / link:z#1 open:b#2 -> link:why-not? open:b: 1 2
	// at the place of one that was deleted in the web interface
	//     open:a#1 open:b#2 / open:a#1 -> open:a open:x: 1 -
	// at the place of one that was created there, unknown to the code
	//     open:a#1 / open:a#1 open:c#2 -> open:a open:x: 1 -
	// at the place of one that was created there, after it was taken over
	//     open:a#1 / open:a#1 open:c#2 / open:a#1 open:c#2 -> open:a open:x: 1 -
	// half of the text of one that was created there, unknown to the code
	//     open:a#1 / open:a#1 open:why-not#2 -> open:a open:why-not?: 1 -
}
