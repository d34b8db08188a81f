package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

var (
	hexColor = regexp.MustCompile(`^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$`)
	oneWord  = regexp.MustCompile(`^[a-zA-Z]+$`)
)

// colorNames are the named colors of CSS, in small letters, and the words that CSS takes in
// place of any value.
var colorNames = strings.Fields(`
	aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
	cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
	darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
	darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
	firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
	hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
	lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
	lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
	mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
	midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
	palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
	rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue
	slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white
	whitesmoke yellow yellowgreen
	transparent currentcolor inherit initial unset revert none
	accentcolor accentcolortext activetext buttonborder buttonface buttontext canvas canvastext field fieldtext
	graytext highlight highlighttext linktext mark marktext selecteditem selecteditemtext visitedtext`)

// colorShape is a text, and warns of one that no browser takes for a color. Functions such as
// rgb(...), and whatever else is not a word or begins with #, are left to the browser.
func colorShape(p location, v any, found *Findings) {
	text, ok := v.(string)
	if !ok {
		stringShape(p, v, found)
		return
	}

	text = strings.TrimSpace(text)
	isHex, isWord := strings.HasPrefix(text, "#"), oneWord.MatchString(text)
	switch {
	case isHex && !hexColor.MatchString(text):
		found.warnf(p, "Unknown color", "is %q. A color that begins with # has 3, 4, 6 or 8 hexadecimal digits. Browsers ignore this one.", text)
	case isWord && !slices.Contains(colorNames, strings.ToLower(text)):
		hint := ""
		if near, ok := attribute.Nearest(text, colorNames); ok {
			hint = " Did you mean " + near + "?"
		}
		found.warnf(p, "Unknown color", "is %q, which is not a CSS color. Browsers ignore it.%s", text, hint)
	}
}
