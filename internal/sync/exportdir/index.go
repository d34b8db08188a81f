package exportdir

import (
	"bytes"
	"maps"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// index reads a file of an export that was not edited. It does not parse the file, which
// for thousands of objects takes gigabytes: only blocks begin and end at the first column.
func (d *Directory) index(name, path string, text []byte) error {
	scan := scanner{directory: d, name: name, text: text}
	for line := range bytes.Lines(text) {
		scan.line(strings.TrimSuffix(string(line), "\n"))
		scan.offset += len(line)
	}

	// The other blocks of an export are in small files.
	if scan.others {
		stated, err := parse(path)
		if err != nil {
			return err
		}
		maps.Copy(d.FlagIDs, stated.flagIDs)
	}
	return nil
}

// scanner is the state of reading a file.
type scanner struct {
	directory *Directory
	name      string
	text      []byte
	offset    int
	// block is the type of the block that the line is in, "" outside of blocks.
	block string
	// object is the one of the last import block, start is where its blocks begin.
	object Exported
	start  int
	from   hclfile.Address
	others bool
}

func (s *scanner) line(line string) {
	switch {
	case s.block == "" && strings.HasSuffix(line, "{") && !strings.HasPrefix(line, "#"):
		s.block, _, _ = strings.Cut(line, " ")
		if s.block == "import" {
			s.object, s.start = Exported{File: s.name}, s.offset
		}
		s.others = s.others || s.block == "variable"
	case line == "}":
		if s.block == "resource" {
			s.object.Text = s.text[s.start : s.offset+len("}")]
			s.directory.Exported[s.object.Key] = s.object
		}
		s.block = ""
	case s.block == "import" || s.block == "moved":
		s.argument(line)
	}
}

// argument reads a line of an import or moved block.
func (s *scanner) argument(line string) {
	name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	typ, label, _ := strings.Cut(value, ".")
	address := hclfile.Address{Type: typ, Label: label}
	if name != "id" && !isOurs(address) {
		return
	}

	switch s.block + " " + name {
	case "import to":
		s.object.Address, s.object.Key.Type = address, typ
	case "import id":
		s.object.ImportID, _ = strconv.Unquote(value)
	case "moved from":
		s.from = address
	case "moved to":
		s.directory.Moved[address] = s.from
	}
}
