package tfpolicy

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// Directory is a directory with policies and their tests.
type Directory struct {
	// Policies are the policy files by name.
	Policies map[string]*PolicyFile
	Tests    []*TestFile
}

// Load reads all policies and tests of a directory.
func Load(files fs.FS, schemas Schemas) (*Directory, error) {
	d := &Directory{Policies: map[string]*PolicyFile{}}
	err := eachFile(files, "*.policy.hcl", func(name string, source []byte) (err error) {
		d.Policies[name], err = ParsePolicyFile(name, source, schemas)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = eachFile(files, "*.policytest.hcl", func(name string, source []byte) error {
		test, err := ParseTestFile(name, source, schemas)
		d.Tests = append(d.Tests, test)
		return err
	})
	return d, err
}

// eachFile calls a function for each file that matches a pattern, of which there is one.
func eachFile(files fs.FS, pattern string, do func(name string, source []byte) error) error {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("no file matches %s", pattern)
	}
	for _, name := range names {
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if err := do(name, source); err != nil {
			return err
		}
	}
	return nil
}

// Test runs all tests, and returns which of them fail and why.
func (d *Directory) Test() ([]string, error) {
	var failures []string
	for _, test := range d.Tests {
		more, err := test.Run(d.Policies)
		if err != nil {
			return nil, err
		}
		failures = append(failures, more...)
	}
	return failures, nil
}

// Evaluate is what all policies say of resources, with the default of each input.
func (d *Directory) Evaluate(subjects []Subject) ([]Verdict, error) {
	var all []Verdict
	for _, name := range slices.Sorted(maps.Keys(d.Policies)) {
		for _, subject := range subjects {
			verdicts, err := d.Policies[name].Evaluate(subject, nil)
			if err != nil {
				return nil, err
			}
			all = append(all, verdicts...)
		}
	}
	return all, nil
}
