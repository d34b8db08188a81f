package code

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is one of several files that are written together.
type File struct {
	Path string
	// Write writes the complete content.
	Write func(io.Writer) error
}

// Content returns a Write function for known content.
func Content(text []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}
}

// WriteFiles replaces all files, and then deletes the files in remove. All content is on disk before it
// replaces the first file. If anything fails, for example because the disk is full, all files stay
// unchanged, and no temporary files remain.
func WriteFiles(files []File, remove []string) error {
	set := set{backups: map[string]string{}}
	defer set.clean()
	set.removeStale(files)
	for _, file := range files {
		if err := set.prepare(file); err != nil {
			return err
		}
	}
	for _, path := range remove {
		if err := set.backUp(path); err != nil {
			return fmt.Errorf("%s was not removed: %w", path, err)
		}
	}

	err := set.replace()
	if err == nil {
		err = set.remove(remove)
	}
	if err != nil {
		return errors.Join(err, set.restore())
	}
	return nil
}

// set holds the state of WriteFiles.
type set struct {
	ready []prepared
	// backups maps paths to the copies of the original files.
	backups map[string]string
	// replaced lists the paths that have new content.
	replaced []string
}

// prepared is a temporary file with the new content for a file.
type prepared struct{ path, target, temporary string }

// removeStale removes temporary files that killed processes left in the files' directories.
func (s *set) removeStale(files []File) {
	isSeen := map[string]bool{}
	for _, file := range files {
		if dir := filepath.Dir(file.Path); !isSeen[dir] {
			isSeen[dir] = true
			RemoveStale(dir)
		}
	}
}

// prepare writes the new content to a temporary file.
func (s *set) prepare(file File) error {
	target, mode, err := resolve(file.Path)
	if err != nil {
		return err
	}
	temporary, err := createTemporary(file.Path, target)
	if err != nil {
		return err
	}
	s.ready = append(s.ready, prepared{file.Path, target, temporary.Name()})

	if err := fill(temporary, mode, file.Write); err != nil {
		return fmt.Errorf("%s was not written, and all files are unchanged: %w", file.Path, err)
	}
	return s.backUp(target)
}

// backUp copies an existing file, with its permissions.
func (s *set) backUp(target string) error {
	info, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var source, copied *os.File
	if err == nil {
		source, err = os.Open(target) //nolint:gosec // a file that is about to be replaced
	}
	if err == nil {
		defer func() { _ = source.Close() }() // opened only for reading
		copied, err = createTemporary(target, target)
	}
	if err == nil {
		s.backups[target] = copied.Name()
		err = fill(copied, info.Mode().Perm(), func(w io.Writer) error { _, err := io.Copy(w, source); return err })
	}
	if err != nil {
		return fmt.Errorf("nothing was written: cannot back up %s: %w", target, err)
	}
	return nil
}

func (s *set) replace() error {
	for _, file := range s.ready {
		if err := os.Rename(file.temporary, file.target); err != nil {
			return fmt.Errorf("%s was not written: %w", file.path, err)
		}
		s.replaced = append(s.replaced, file.target)
	}
	return nil
}

func (s *set) remove(paths []string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("%s was not removed: %w", path, err)
		}
		s.replaced = append(s.replaced, path)
	}
	return nil
}

// restore reverts all replacements and removals.
func (s *set) restore() error {
	var failed error
	for _, target := range s.replaced {
		var err error
		if backup, existed := s.backups[target]; existed {
			err = os.Rename(backup, target)
		} else {
			err = os.Remove(target)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s could not be restored: %w", target, err))
		}
	}
	return failed
}

// clean removes the temporary files.
func (s *set) clean() {
	for _, file := range s.ready {
		_ = os.Remove(file.temporary)
	}
	for _, name := range s.backups {
		_ = os.Remove(name)
	}
}

// newFile is the file mode of new files.
const newFile = 0o644

// WriteFile replaces the file at path with a function's output. If the function fails or the disk is full,
// the file stays unchanged, and no temporary file remains. An existing file keeps its permissions, and a
// symbolic link stays a link.
func WriteFile(path string, write func(io.Writer) error) error {
	return WriteFiles([]File{{path, write}}, nil)
}

// CheckWritable returns an error if the file at path cannot be written.
func CheckWritable(path string) error {
	target, _, err := resolve(path)
	if err != nil {
		return err
	}
	temporary, err := createTemporary(path, target)
	if err != nil {
		return err
	}
	return errors.Join(temporary.Close(), os.Remove(temporary.Name()))
}

// createTemporary creates a temporary file that later replaces target. The file is in the same directory,
// because a rename between file systems is not atomic.
func createTemporary(path, target string) (*os.File, error) {
	temporary, err := os.CreateTemp(filepath.Dir(target), TemporaryPattern("."+filepath.Base(target)+"."))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s was not written: the directory %s does not exist. Create it", path, filepath.Dir(target))
		}
		return nil, fmt.Errorf("%s was not written: %w", path, failed.Err) // hide the temporary name
	}
	return temporary, err
}

// resolve follows symbolic links. It returns the target's permissions, or those for a new file.
func resolve(path string) (string, fs.FileMode, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, newFile, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("%s was not written: %w", path, err)
	}

	info, err := os.Stat(target)
	if err != nil {
		return "", 0, fmt.Errorf("%s was not written: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return "", 0, fmt.Errorf("%s was not written: it is not a regular file", path)
	}
	return target, info.Mode().Perm(), nil
}

// fill writes the complete content to disk, and closes the file.
func fill(file *os.File, mode fs.FileMode, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(file)

	err := write(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = file.Chmod(mode)
	}
	// Without a sync, a machine crash after the rename could leave an empty file.
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
