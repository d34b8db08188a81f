package escape

import (
	"html"
	"strings"
)

// XML is a text between the tags of XML, such as SVG, or as the value of an attribute in
// quotes.
func XML(text string) string { return html.EscapeString(Printable(text)) }

// mermaidEntities are the characters that Mermaid reads in a quoted label, as its own
// entities: a label is Markdown and HTML, and a directive, %%{...}%%, counts everywhere. What
// it reads after the entities (a formula, an icon, a line break) is parted by a space without
// width, since there is no other way to write it.
var mermaidEntities = strings.NewReplacer(
	"$$", "$#8203;$#8203;", ":fa-", ":#8203;fa-", `\n`, "#92;#8203;n",
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "%", "#37;",
	"`", "#96;", "*", "#42;", "_", "#95;", "\\", "#92;", "\n", " ",
)

// Mermaid is a text in a quoted label of Mermaid, in one line.
func Mermaid(text string) string { return mermaidEntities.Replace(Printable(text)) }
