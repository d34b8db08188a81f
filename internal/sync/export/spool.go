package export

import (
	"fmt"
	"io"
	"os"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/atomicfile"
)

// spool is a temporary file for the texts of objects.
type spool struct {
	file *os.File
	size int64
}

// span is a text in a spool.
type span struct{ offset, length int64 }

func (s *spool) open() (err error) {
	atomicfile.RemoveStale(os.TempDir())
	if s.file, err = os.CreateTemp("", atomicfile.Pattern("")); err != nil {
		return err
	}
	// It has all texts. Where a name may go before the file does, a kill leaves nothing.
	_ = os.Remove(s.file.Name())
	return nil
}

// close removes the file.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

func (s *spool) append(text []byte) (span, error) {
	if _, err := s.file.Write(text); err != nil {
		return span{}, fmt.Errorf("nothing was written: %w", err)
	}
	added := span{s.size, int64(len(text))}
	s.size += added.length
	return added, nil
}

// copyTo writes a text to w.
func (s *spool) copyTo(w io.Writer, text span) error {
	_, err := io.Copy(w, io.NewSectionReader(s.file, text.offset, text.length))
	return err
}
