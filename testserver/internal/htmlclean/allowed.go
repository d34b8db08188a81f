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

// allowedTags are the tags that Clean keeps. It removes other tags, but keeps their contents.
var allowedTags = wordSet("a abbr acronym area article aside b bdi bdo blockquote br caption center cite code col colgroup " +
	"data dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li " +
	"map mark nav ol p pre q rp rt rtc ruby s samp small span strike strong sub summary sup table tbody td th thead " +
	"time tr tt u ul var wbr")

// voidTags are elements without contents and without an end tag.
var voidTags = wordSet("area br col hr img wbr")

// endsItself are tags whose start tag closes an open element with the same tag.
var endsItself = wordSet("p li dt dd tr td th tbody thead a")

// endsParagraph are tags whose start tag closes an open paragraph.
var endsParagraph = wordSet("article aside blockquote center details div dl figcaption figure footer h1 h2 h3 h4 h5 h6 " +
	"header hgroup hr nav ol p pre summary table ul li dd dt")

// breaksOut are tags whose start tag closes svg and math.
var breaksOut = wordSet("b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li " +
	"listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var")

// allowedAttributes are the attributes that Clean keeps, by tag. The key * stands for every tag.
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

// allowsAttribute reports whether Clean keeps an attribute of a tag. The value matters only for href and
// src.
func allowsAttribute(tag, name, value string) bool {
	if !slices.Contains(allowedAttributes["*"], name) && !slices.Contains(allowedAttributes[tag], name) {
		return false
	}
	return name != "href" && name != "src" || allowsAddress(value)
}

// allowedSchemes are the URL schemes that Clean keeps.
var allowedSchemes = strings.Fields("bitcoin ftp ftps geo http https im irc ircs magnet mailto mms mx news nntp " +
	"openpgp4fpr sip sms smsto ssh tel url webcal wtai xmpp")

// hostedSchemes are schemes whose URLs contain a host after any number of slashes.
var hostedSchemes = []string{"ftp", "http", "https"}

var schemeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// forbiddenInHost are characters that a host must not contain, in addition to control characters.
const forbiddenInHost = " \"#%/:<>?@[\\]^`{|}\x7f"

// allowsAddress reports whether Clean keeps a URL. It keeps relative URLs, and absolute URLs that have
// an allowed scheme and that a browser can parse.
func allowsAddress(address string) bool {
	// Browsers ignore spaces and control characters around a URL, and tabs and line breaks in it.
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

// indexOrLength returns the index of the first of the characters in s, or len(s) if s contains none.
func indexOrLength(s, characters string) int {
	if i := strings.IndexAny(s, characters); i >= 0 {
		return i
	}
	return len(s)
}

// validAuthority reports whether a URL's authority is valid: a host with an optional user and port. The
// host of an opaque URL, whose scheme does not define hosts, may be empty or escaped.
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

// validPort reports whether a port is valid. An empty port is valid.
func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n <= 65535
}
