package code

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Key identifies an object in PostHog by its resource type and import ID.
type Key struct{ Type, ImportID string }

// Exported is an object in an exported file.
type Exported struct {
	Key
	Address
	// File is the name of the file. Text is the source of the object's blocks, or nil if the export
	// must not reuse them because the file was edited.
	File string
	Text []byte
}

// Directory contains the declarations in the files of a directory.
type Directory struct {
	Path string
	// Ownership maps each configuration file to its ownership.
	Ownership map[string]Ownership
	// Owned maps each exported file to its text, with Unix line endings.
	Owned map[string][]byte
	// Exported contains the objects in owned files.
	Exported map[Key]Exported
	// Moved maps the new address in each moved block of an owned file to the old address.
	Moved map[Address]Address
	// Unknown maps resource addresses to files that the export overwrites although they were edited.
	// It contains the resources whose objects no import block identifies.
	Unknown map[Address]string
	// Written contains the statements of all other files.
	Written Statements
	// FlagIDs contains the default of the variable for feature flags, if an owned file declares it.
	FlagIDs map[string]int64
}

// ReadDirectory reads the configuration files of a directory. If force is set, exported files count
// as owned even after edits.
func ReadDirectory(path string, force bool) (*Directory, error) {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the directory %s does not exist: create it, or use another one: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	d := &Directory{
		Path: path, Ownership: map[string]Ownership{}, Owned: map[string][]byte{}, Exported: map[Key]Exported{}, Moved: map[Address]Address{},
		Unknown: map[Address]string{}, Written: newStatements(), FlagIDs: map[string]int64{},
	}
	for _, entry := range entries {
		if entry.IsDir() || !IsConfiguration(entry.Name()) {
			continue
		}
		if err := CheckSource(filepath.Join(path, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if err := d.read(entry.Name(), force); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *Directory) read(name string, force bool) error {
	path := filepath.Join(d.Path, name)
	text, err := os.ReadFile(path) //nolint:gosec // the directory that the user named
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is a link to a file that does not exist", path)
	}
	if err != nil {
		return err
	}

	text = unixLines(text)
	d.Ownership[name] = detectOwnership(text)
	if d.Ownership[name] == Owned {
		d.Owned[name] = text
		return d.index(name, path, text)
	}
	statements, err := parse(path)
	if err != nil {
		return err
	}
	if d.Ownership[name] == ByHand && force {
		d.replaces(name, statements)
		return nil
	}
	d.Written.add(name, statements)
	return nil
}

// replaces adds the objects of an edited file that the export overwrites.
func (d *Directory) replaces(name string, statements fileStatements) {
	d.Ownership[name] = Owned
	for _, address := range statements.resources {
		d.Unknown[address] = name
	}
	for key, address := range statements.imports {
		d.Exported[key] = Exported{Key: key, Address: address, File: name}
		delete(d.Unknown, address)
	}
	for _, move := range statements.moved {
		d.Moved[move[1]] = move[0]
	}
	maps.Copy(d.FlagIDs, statements.flagIDs)
}

// Former returns an object's former addresses, oldest first.
func (d *Directory) Former(address Address) []Address {
	var former []Address
	for isVisited := map[Address]bool{}; !isVisited[address]; {
		isVisited[address] = true
		earlier, ok := d.Moved[address]
		if !ok {
			break
		}
		former = append(former, earlier)
		address = earlier
	}
	slices.Reverse(former)
	return former
}

// index reads an exported file that was not edited. It does not parse the file, because parsing
// thousands of objects would need gigabytes of memory. In an exported file, only blocks begin and
// end in the first column.
func (d *Directory) index(name, path string, text []byte) error {
	scan := scanner{directory: d, name: name, text: text}
	for line := range bytes.Lines(text) {
		scan.line(strings.TrimSuffix(string(line), "\n"))
		scan.offset += len(line)
	}

	// An export writes blocks of other types only into small files.
	if scan.others {
		statements, err := parse(path)
		if err != nil {
			return err
		}
		maps.Copy(d.FlagIDs, statements.flagIDs)
	}
	return nil
}

// scanner holds the state while a file is read.
type scanner struct {
	directory *Directory
	name      string
	text      []byte
	offset    int
	// block is the type of the current block. It is empty between blocks.
	block string
	// object is the object of the latest import block, and start is the offset of the object's first
	// block.
	object Exported
	start  int
	from   Address
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

// argument parses a line of an import block or a moved block.
func (s *scanner) argument(line string) {
	name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	typ, label, _ := strings.Cut(value, ".")
	address := Address{Type: typ, Label: label}
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
