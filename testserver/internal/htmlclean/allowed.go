package htmlclean

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// allowedTags are the tags that stay; others go and leave what is in them.
var allowedTags = wordSet("a abbr acronym area article aside b bdi bdo blockquote br caption center cite code col colgroup " +
	"data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li " +
	"map mark nav ol p pre q rp rt rtc ruby s samp small span strike strong sub summary sup table tbody td th thead " +
	"time tr tt u ul var wbr")

// voidTags have nothing in them and are not closed.
var voidTags = wordSet("area br col hr img wbr")

// endsItself are the tags of elements that a second one of the kind ends.
var endsItself = wordSet("p li dt dd tr td th tbody thead a")

// endsParagraph are the tags that end a paragraph which is open.
var endsParagraph = wordSet("article aside blockquote center details div dl figcaption figure footer h1 h2 h3 h4 h5 h6 " +
	"header hgroup hr nav ol p pre summary table ul li dd dt")

// breaksOut are the tags that end svg and math.
var breaksOut = wordSet("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
	"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var")

// allowedAttributes are the attributes that stay, by tag; * is every tag.
var allowedAttributes = func() map[string][]string {
	allowed := map[string][]string{}
	const column, cell = "align char charoff ", "abbr align axis bgcolor char charoff colspan headers nowrap rowspan scope valign"
	for tags, attributes := range map[string]string{
		"*": "style lang title width height", "a": "href hreflang target", "bdo": "dir", "blockquote q": "cite",
		"col colgroup": column + "span", "del ins": "cite datetime", "hr": "align size", "img": "align alt src",
		"ol": "start type", "table": "align bgcolor border cellpadding cellspacing frame rules summary",
		"tbody thead": column + "valign", "td th": cell, "tr": column + "bgcolor valign",
	} {
		for tag := range strings.FieldsSeq(tags) {
			allowed[tag] = strings.Fields(attributes)
		}
	}
	return allowed
}()

// allowsAttribute reports whether an attribute of a tag stays. Only in href and src it
// matters what is in it.
func allowsAttribute(tag, name, value string) bool {
	if !slices.Contains(allowedAttributes["*"], name) && !slices.Contains(allowedAttributes[tag], name) {
		return false
	}
	return name != "href" && name != "src" || allowsAddress(value)
}

// allowedSchemes are the schemes of addresses that stay.
var allowedSchemes = strings.Fields("bitcoin ftp ftps geo http https im irc ircs magnet mailto mms mx news nntp " +
	"openpgp4fpr sip sms smsto ssh tel url webcal wtai xmpp")

// hostedSchemes have a host behind them, whatever the number of slashes.
var hostedSchemes = []string{"ftp", "http", "https"}

var schemeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// forbiddenInHost are the characters that no host may hold, with those below the blank.
const forbiddenInHost = " \"#%/:<>?@[\\]^`{|}\x7f"

// allowsAddress reports whether an address stays: a relative one, or an absolute one
// with a known scheme that a browser can read.
func allowsAddress(address string) bool {
	// A browser does not see blanks and control characters around and line breaks inside.
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	prefix := schemeForm.FindString(address)
	if prefix == "" {
		return true
	}
	scheme, rest := strings.ToLower(strings.TrimSuffix(prefix, ":")), address[len(prefix):]
	if !slices.Contains(allowedSchemes, scheme) {
		return false
	}
	if slices.Contains(hostedSchemes, scheme) {
		rest = strings.TrimLeft(rest, `/\`)
		return validAuthority(rest[:indexOrLength(rest, `/\?#`)], false)
	}
	if rest, ok := strings.CutPrefix(rest, "//"); ok {
		return validAuthority(rest[:indexOrLength(rest, "/?#")], true)
	}
	return true
}

// indexOrLength returns the place of the first of some characters, the length when there is none.
func indexOrLength(s, characters string) int {
	if i := strings.IndexAny(s, characters); i >= 0 {
		return i
	}
	return len(s)
}

// validAuthority reports whether a host, with a port and a user perhaps, can be read.
// Where the scheme has no notion of hosts, it may be empty or escaped.
func validAuthority(authority string, opaque bool) bool {
	host := authority[strings.LastIndex(authority, "@")+1:]
	if address, port, ok := strings.Cut(strings.TrimPrefix(host, "["), "]"); ok && host[0] == '[' {
		parsed, err := netip.ParseAddr(address)
		return err == nil && parsed.Is6() && parsed.Zone() == "" && (port == "" || port[0] == ':' && validPort(port[1:]))
	}
	host, port, _ := strings.Cut(host, ":")
	if !validPort(port) {
		return false
	}
	if opaque {
		return !strings.ContainsAny(host, strings.ReplaceAll(forbiddenInHost, "%", "")) && !hasControl(host)
	}
	decoded, err := url.PathUnescape(host)
	return err == nil && decoded != "" && !strings.ContainsAny(decoded, forbiddenInHost) && !hasControl(decoded)
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' })
}

// validPort reports whether a port can be read; none at all can.
func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n <= 65535
}
