package sdk

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// ErrTooLarge is the error for a body that is too large once it is unpacked.
var ErrTooLarge = errors.New("the request is too large once it is unpacked")

// maxWrappings is the number of forms that can be inside each other: base64 of gzip in a form.
const maxWrappings = 4

var gzipMagic = []byte{0x1f, 0x8b}

// Unpack returns the text of a body of at most some bytes. SDKs send it plain, as gzip, and in
// base64 as the field data of a form; what it is shows in its content, since browsers call all
// of it text/plain.
func Unpack(body []byte, limit int) ([]byte, error) {
	for range maxWrappings {
		body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
		var err error
		switch {
		case len(body) == 0 || body[0] == '{' || body[0] == '[':
			return body, nil
		case bytes.HasPrefix(body, gzipMagic):
			body, err = gunzip(body, limit)
		case bytes.Contains(body, []byte("=")) && isForm(body):
			body, err = dataOfForm(body)
		default:
			body, err = decodeBase64(body)
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the body is packed too often")
}

func gunzip(body []byte, limit int) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the body is not gzip: %w", err)
	}
	text, err := readAtMost(reader, limit)
	if err != nil && !errors.Is(err, ErrTooLarge) {
		return nil, fmt.Errorf("the body is not gzip: %w", err)
	}
	return text, err
}

// readAtMost reads all there is, unless it is more than limit bytes.
func readAtMost(reader io.Reader, limit int) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(reader, int64(limit)+1))
	if err != nil {
		return nil, err
	}
	if len(text) > limit {
		return nil, ErrTooLarge
	}
	return text, nil
}

// isForm reports whether a body begins with the name of a field: in base64, only the end has
// equals signs.
func isForm(body []byte) bool {
	name, value, _ := bytes.Cut(body, []byte("="))
	return len(bytes.Trim(value, "=")) > 0 && !bytes.ContainsAny(name, "+/")
}

func dataOfForm(body []byte) ([]byte, error) {
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, fmt.Errorf("the body is not a form: %w", err)
	}
	data := values.Get("data")
	if data == "" {
		return nil, errors.New("the form has no field data")
	}
	return []byte(data), nil
}

// decodeBase64 decodes base64 in either alphabet, whose plus signs a form has made blanks.
func decodeBase64(body []byte) ([]byte, error) {
	plain := bytes.Map(func(r rune) rune {
		switch r {
		case ' ', '-':
			return '+'
		case '_':
			return '/'
		case '\r', '\n':
			return -1
		}
		return r
	}, bytes.TrimRight(body, "="))
	text := make([]byte, base64.RawStdEncoding.DecodedLen(len(plain)))
	n, err := base64.RawStdEncoding.Decode(text, plain)
	if err != nil {
		return nil, fmt.Errorf("the body is neither JSON nor base64: %w", err)
	}
	return text[:n], nil
}

// tokenNames are the names by which SDKs send the token.
var tokenNames = []string{"token", "api_key"}

// TokenInQuery returns the token in a query or a form; it is empty if there is none.
func TokenInQuery(values url.Values) string {
	for _, name := range tokenNames {
		if token := values.Get(name); token != "" {
			return token
		}
	}
	return ""
}

// TokenInBody returns the token of a body: its own token, or the token of its first event. It returns
// "" if there is neither.
func TokenInBody(body wire.Value) string {
	if body.IsArray() {
		for _, first := range body.Items() {
			return tokenOfObject(first)
		}
	}
	if token := tokenOfObject(body); token != "" {
		return token
	}
	if batch := body.Get("batch"); batch.IsArray() {
		for _, first := range batch.Items() {
			return tokenOfObject(first)
		}
	}
	return ""
}

// tokenOfObject returns the token of an event or of a batch of them.
func tokenOfObject(object wire.Value) string {
	for _, holder := range []wire.Value{object, object.Get("properties")} {
		for _, name := range tokenNames {
			if token := holder.Get(name); token.IsText() && token.Spelling() != `""` {
				return token.Text()
			}
		}
	}
	return ""
}

// shareToken reports whether all events of a body without a token have the same token.
func shareToken(body wire.Value, events []wire.Value) bool {
	if body.IsObject() && tokenOfObject(body) != "" {
		return true
	}
	for _, event := range events {
		if tokenOfObject(event) != tokenOfObject(events[0]) {
			return false
		}
	}
	return true
}
