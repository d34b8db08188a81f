package snapshot

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// people replaces each person by a numbered one, the same throughout a document.
type people struct {
	// numbers are the numbers of people by id.
	numbers map[string]int
	// words are the replacements by what identifies a person in a text: an e-mail address in
	// lower case, a distinct id, a UUID.
	words map[string]string
	// phones are the replacements of phone numbers by their digits.
	phones map[string]string
}

// anonymize replaces the people who created surveys, and those named in any text.
func (b *Builder) anonymize() {
	p := people{numbers: map[string]int{}, words: map[string]string{}, phones: map[string]string{}}
	p.countCreators(b.creators)
	for _, survey := range b.surveys {
		if creator, ok := survey["created_by"].(map[string]any); ok {
			survey["created_by"] = p.replacement(creator)
		}
	}

	p.countAddresses(b.surveys, b.apps)
	for i := range b.surveys {
		b.surveys[i] = p.inObject(b.surveys[i])
	}
	for i := range b.apps {
		b.apps[i] = p.inObject(b.apps[i])
	}
	for id := range b.flags {
		b.flags[id] = p.inObject(b.flags[id])
	}
}

// countCreators numbers the people who created surveys in the order of their ids.
func (p *people) countCreators(creators map[string]map[string]any) {
	ids := slices.SortedFunc(maps.Keys(creators), func(a, b string) int {
		return compareIDs(creators[a]["id"], creators[b]["id"])
	})
	for i, id := range ids {
		number := i + 1
		p.numbers[id] = number
		for key, word := range map[string]string{"email": address(number), "distinct_id": distinctID(number), "uuid": personUUID(number)} {
			if value, ok := creators[id][key].(string); ok && value != "" {
				p.words[strings.ToLower(value)] = word
			}
		}
	}
}

// countAddresses numbers the e-mail addresses and the phone numbers of texts, each in
// alphabetical order.
func (p *people) countAddresses(lists ...[]map[string]any) {
	found, phones := map[string]bool{}, map[string]bool{}
	for _, list := range lists {
		for _, object := range list {
			eachText(object, func(text string) {
				for _, match := range emailAddress.FindAllString(text, -1) {
					found[plainAddress(match)] = true
				}
				for _, match := range phoneNumber.FindAllString(text, -1) {
					phones[notDigit.ReplaceAllString(match, "")] = true
				}
			})
		}
	}

	for _, digits := range slices.Sorted(maps.Keys(phones)) {
		if !isReplacement(digits) {
			p.phones[digits] = phone(len(p.phones) + 1)
		}
	}
	number := len(p.numbers)
	for _, email := range slices.Sorted(maps.Keys(found)) {
		if p.words[email] == "" && !strings.HasSuffix(email, "@example.com") {
			number++
			p.words[email] = address(number)
		}
	}
}

// replacement is the numbered person in place of the creator of a survey.
func (p *people) replacement(creator map[string]any) map[string]any {
	number := p.numbers[fmt.Sprint(creator["id"])]
	return map[string]any{
		"id": json.Number(fmt.Sprint(number)), "uuid": personUUID(number), "distinct_id": distinctID(number),
		"first_name": "Person", "last_name": fmt.Sprint(number), "email": address(number),
	}
}

func (p *people) inObject(object map[string]any) map[string]any {
	replaced := make(map[string]any, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) {
		name := p.text(key)
		_, taken := replaced[name]
		for n := 2; taken; n++ { // two spellings of one address
			name = fmt.Sprint(p.text(key), " ", n)
			_, taken = replaced[name]
		}
		replaced[name] = p.in(object[key])
	}
	return replaced
}

// in returns a JSON value with all people in its texts replaced.
func (p *people) in(value any) any {
	switch value := value.(type) {
	case string:
		return p.text(value)
	case []any:
		replaced := make([]any, len(value))
		for i, element := range value {
			replaced[i] = p.in(element)
		}
		return replaced
	case map[string]any:
		return p.inObject(value)
	}
	return value
}

// eachText calls visit for each string of a JSON value, and for the keys of its objects.
func eachText(value any, visit func(string)) {
	switch value := value.(type) {
	case string:
		visit(value)
	case []any:
		for _, element := range value {
			eachText(element, visit)
		}
	case map[string]any:
		for key, member := range value {
			visit(key)
			eachText(member, visit)
		}
	}
}

func address(number int) string    { return fmt.Sprintf("person-%d@example.com", number) }
func distinctID(number int) string { return fmt.Sprintf("person-%d", number) }

// personUUID is derived from the number, so that every snapshot has the same.
func personUUID(number int) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(address(number))).String()
}
