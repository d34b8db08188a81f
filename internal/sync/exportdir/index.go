package exportdir

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// index reads a file of an export that was not edited. It does not parse the file, which
// for thousands of objects takes gigabytes: only blocks begin and end at the first column.
func (d *Directory) index(name string) (err error) {
	path := filepath.Join(d.Path, name)
	file, err := os.Open(path) //nolint:gosec // the directory that the user named
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	scan := scanner{directory: d, name: name}
	reader := bufio.NewReader(file)
	for {
		line, err := reader.ReadString('\n')
		scan.line(strings.TrimRight(line, "\r\n"))
		scan.offset += int64(len(line))
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, err)
		}
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
	offset    int64
	// block is the type of the block that the line is in, "" outside of blocks.
	block string
	// object is the one of the last import block, start is where its blocks begin.
	object Exported
	from   hclfile.Address
	others bool
}

func (s *scanner) line(line string) {
	switch {
	case s.block == "" && strings.HasSuffix(line, "{") && !strings.HasPrefix(line, "#"):
		s.block, _, _ = strings.Cut(line, " ")
		if s.block == "import" {
			s.object = Exported{File: s.name, Offset: s.offset}
		}
		s.others = s.others || s.block == "variable"
	case line == "}":
		if s.block == "resource" {
			s.object.Length = s.offset + int64(len("}")) - s.object.Offset
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
