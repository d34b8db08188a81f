package snapshot

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	// emailAddress matches e-mail addresses in a text, also with a quoted local part, and as
	// they are written in a URL.
	emailAddress = regexp.MustCompile(`(?:\\?"[^"\r\n]{1,64}"|[A-Za-z0-9._%+-]+)(?:@|%40)[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)

	// phoneNumber matches phone numbers: with a country code, after tel:, in the form of North
	// America, and with an area code that begins with 0. Ids and dates have none of these forms.
	phoneNumber = regexp.MustCompile(`\+\d[\d ().\-/]{6,18}\d|(?i:\btel:)[\d().\-]{6,20}|(?:\(\d{3}\) ?|\b\d{3}[ .-])\d{3}[ .-]\d{4}\b|\b0\d{2,4}[ /]\d{3,}(?:[ -]?\d{2,})*\b`)
	notDigit    = regexp.MustCompile(`\D`)
)

// plainAddress is an address as it is counted: in lower case, and not encoded for a URL.
func plainAddress(match string) string {
	if !strings.Contains(match, "@") {
		at := strings.LastIndex(match, "%40")
		match = match[:at] + "@" + match[at+len("%40"):]
	}
	return strings.ToLower(match)
}

// text is a text, or a key of an object, with all people in it replaced.
func (p *people) text(text string) string {
	if word := p.words[strings.ToLower(text)]; word != "" {
		return word
	}
	return p.inText(text)
}

// inText replaces the addresses and phone numbers in a text.
func (p *people) inText(text string) string {
	text = emailAddress.ReplaceAllStringFunc(text, func(match string) string {
		word := p.words[plainAddress(match)]
		switch {
		case word == "":
			return match
		case !strings.Contains(match, "@"):
			return strings.Replace(word, "@", "%40", 1)
		}
		return word
	})

	return phoneNumber.ReplaceAllStringFunc(text, func(match string) string {
		digits := notDigit.ReplaceAllString(match, "")
		if isReplacement(digits) {
			return match
		}

		if prefix, _, isURL := strings.Cut(match, ":"); isURL {
			return prefix + ":" + p.phones[digits]
		}
		return p.phones[digits]
	})
}

// phone is a number that nobody has: 555 is no area code.
func phone(number int) string { return fmt.Sprintf("+1555%07d", number) }

// isReplacement reports whether the digits are those of a phone number of an earlier snapshot.
func isReplacement(digits string) bool {
	return len(digits) == len("15550000000") && strings.HasPrefix(digits, "1555")
}
