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

// ErrTooLarge is the error for a body that is too large after decompression.
var ErrTooLarge = errors.New("the request is too large after decompression")

// maxWrappings is the maximum number of nested encodings, such as gzip in base64 in a form.
const maxWrappings = 4

var gzipMagic = []byte{0x1f, 0x8b}

// Unpack decodes a body of at most limit bytes. SDKs send bodies as plain text, as gzip, or as base64 in
// the field data of a form. Unpack detects the encoding from the content, because browsers send every
// encoding as text/plain.
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
	return nil, errors.New("the body has too many nested encodings")
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

// readAtMost reads all bytes of a reader. It fails if there are more than limit bytes.
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

// isForm reports whether a body begins with the name of a form field. Base64 contains equals signs only
// at its end.
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
		return nil, errors.New("the form does not contain the field data")
	}
	return []byte(data), nil
}

// decodeBase64 decodes standard and URL-safe base64. It also accepts spaces, because decoding a form turns
// plus signs into spaces.
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

// tokenNames are the names under which SDKs send the token.
var tokenNames = []string{"token", "api_key"}

// TokenInQuery returns the token in a query or a form, or "" if there is none.
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

// tokenOfObject returns the token of an event or a batch.
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
