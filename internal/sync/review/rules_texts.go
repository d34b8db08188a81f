package review

import (
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// translatedTexts lists the question texts that each translation must contain if the question has them.
var translatedTexts = []struct{ attribute, key string }{
	{"question", "question"}, {"description", "description"}, {"button_text", "buttonText"},
	{"lower_bound_label", "lowerBoundLabel"}, {"upper_bound_label", "upperBoundLabel"},
}

// thankYouTexts lists the texts in appearance that the survey's translations contain.
var thankYouTexts = []string{"thankYouMessageHeader", "thankYouMessageDescription", "thankYouMessageCloseButtonText"}

// incompleteTranslations finds texts without a translation. If the survey or one of its questions is
// translated into a language, all questions need that translation. Variants of the survey's main language,
// such as en-GB, are exempt, because they contain only texts that differ.
func incompleteTranslations(s surveyFacts) []string {
	surveyTranslations, _ := s.Attributes["translations"].(map[string]any)
	base, _ := s.Attributes["base_language"].(string)
	languages := map[string]bool{}
	note := func(language string) {
		if base == "" || primary(language) != primary(base) {
			languages[language] = true
		}
	}
	for language := range surveyTranslations {
		note(language)
	}
	for _, q := range s.questions {
		for language := range q.Translations {
			note(language)
		}
	}

	var messages []string
	for i, q := range s.questions {
		for _, language := range slices.Sorted(maps.Keys(languages)) {
			for _, text := range q.missingTranslations(language) {
				messages = append(messages, fmt.Sprintf("questions[%d] %s", i, text))
			}
		}
	}
	for _, language := range slices.Sorted(maps.Keys(languages)) {
		translation, _ := inLanguage(surveyTranslations, language).(map[string]any)
		for _, key := range s.thankYouTexts() {
			if isBlank(translation[key]) {
				messages = append(messages, fmt.Sprintf("appearance.%s is not translated into %q", key, language))
			}
		}
	}
	return messages
}

// inLanguage returns the translation that the SDKs use for a language. They look for the language and then
// for its base language, such as fr for fr-CA. They ignore case.
func inLanguage[T any](translations map[string]T, language string) T {
	for _, candidate := range []string{language, primary(language)} {
		for _, key := range slices.Sorted(maps.Keys(translations)) {
			if strings.EqualFold(key, candidate) {
				return translations[key]
			}
		}
	}
	var none T
	return none
}

// primary returns a variant's base language, such as fr for fr-CA.
func primary(language string) string {
	first, _, _ := strings.Cut(strings.ToLower(language), "-")
	return first
}

// missingTranslations lists a question's texts that are not translated into a language.
func (q Question) missingTranslations(language string) []string {
	translation := inLanguage(q.Translations, language)
	var missing []string
	for _, text := range translatedTexts {
		if !isBlank(q.attributes[text.attribute]) && isBlank(translation[text.key]) {
			missing = append(missing, fmt.Sprintf("has no %s in %q", text.key, language))
		}
	}
	choices, _ := translation["choices"].([]any)
	switch {
	case len(q.Choices) > 0 && len(choices) != len(q.Choices):
		missing = append(missing, fmt.Sprintf("has %d choices, and %d in %q", len(q.Choices), len(choices), language))
	case slices.ContainsFunc(choices, isBlank):
		missing = append(missing, fmt.Sprintf("has an empty choice in %q", language))
	}
	return missing
}

// thankYouTexts returns the keys of the texts that the survey shows at its end.
func (s surveyFacts) thankYouTexts() []string {
	appearance, _ := s.Attributes["appearance"].(map[string]any)
	if appearance["displayThankYouMessage"] == false {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(thankYouTexts), func(key string) bool { return isBlank(appearance[key]) })
}

func isBlank(value any) bool {
	text, _ := value.(string)
	return strings.TrimSpace(text) == ""
}

// roles lists mailbox names that do not belong to one person.
var roles = []string{
	"abuse", "account", "accounts", "accessibility", "admin", "answers", "beta", "billing", "bugs", "care", "careers", "community", "compliance",
	"contact", "customers?", "datenschutz", "design", "developers?", "docs", "dpo", "events", "experience", "feedback", "finance", "gdpr",
	"hallo", "hello", "help", "helpdesk", "hey", "hi", "hr", "ideas", "info", "insights", "interviews?", "invoices?", "jobs", "kontakt", "kundenservice",
	"legal", "mail", "marketing", "members", "name", "news", "newsletter", "noreply", "no-reply", "office", "onboarding", "orders?", "panel", "partners?",
	"press", "pricing", "privacy", "product", "recruiting", "research", "sales", "security", "service", "shop", "status", "studies", "success", "suggestions",
	"support", "surveys?", "team", "training", "umfragen?", "user", "ux", "vip", "webinars?", "you", "your?name", "yourname",
}

var (
	emailAddress = regexp.MustCompile(`(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b`)
	// notOfAPerson matches role mailboxes, such as support and ux-research, and placeholder addresses,
	// such as you@acme.com and all addresses at example.com.
	notOfAPerson = regexp.MustCompile(`(?i)^([a-z0-9]+[._+-])*(` + strings.Join(roles, "|") + `)([._+-][a-z0-9]+)*@|@(.*\.)?example\.[a-z]+$`)
)

// internalTexts finds internal hosts and personal e-mail addresses in texts that respondents see.
func internalTexts(s surveyFacts) []string {
	var messages []string
	check := func(path string, value any) {
		eachText(path, value, func(path, text string) {
			if host := findInternalHost(text); host != "" {
				messages = append(messages, fmt.Sprintf("%s contains the internal host %s", path, host))
			}
			if address := emailAddress.FindString(text); address != "" && !notOfAPerson.MatchString(address) {
				messages = append(messages, fmt.Sprintf("%s contains the e-mail address %s", path, address))
			}
		})
	}
	for i, q := range s.questions {
		attributes := maps.Clone(q.attributes)
		delete(attributes, "id")
		check(fmt.Sprintf("questions[%d]", i), attributes)
	}
	check("appearance", s.Attributes["appearance"])
	check("translations", s.Attributes["translations"])
	return messages
}

// eachText calls visit for each string in a JSON value, with its path.
func eachText(path string, value any, visit func(path, text string)) {
	switch value := value.(type) {
	case string:
		visit(path, value)
	case []any:
		for i, element := range value {
			eachText(fmt.Sprintf("%s[%d]", path, i), element, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			eachText(path+"."+key, value[key], visit)
		}
	}
}

var (
	hostName    = regexp.MustCompile(`(?i)[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+`)
	localHost   = regexp.MustCompile(`(?i)(?:://|\b)localhost:[0-9]+|://localhost\b`)
	ipv6Address = regexp.MustCompile(`(?i)\[[0-9a-f:.]+\]`)
)

// internalSuffixes lists top-level domains that only internal networks use.
var internalSuffixes = []string{"internal", "local", "corp", "lan"}

// findInternalHost returns a host or IP address in a text that respondents cannot reach, or an empty
// string.
func findInternalHost(text string) string {
	if host := localHost.FindString(text); host != "" {
		return strings.TrimPrefix(host, "://")
	}
	for _, host := range hostName.FindAllString(text, -1) {
		labels := strings.Split(strings.ToLower(host), ".")
		if slices.Contains(internalSuffixes, labels[len(labels)-1]) || isPrivate(host) {
			return host
		}
	}
	for _, host := range ipv6Address.FindAllString(text, -1) {
		if isPrivate(strings.Trim(host, "[]")) {
			return host
		}
	}
	return ""
}

// isPrivate reports whether a host or an IP address is not on the public internet.
func isPrivate(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast())
}
