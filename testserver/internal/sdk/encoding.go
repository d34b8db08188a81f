package sdk

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// zlibMagic is how a zlib stream begins, which tells it from deflate without a frame.
const zlibMagic = 0x78

// maxZstdWindow is the largest window of zstd in HTTP (RFC 9659), and so the memory that a decoder takes.
const maxZstdWindow = 8 << 20

// decoders are the content encodings of capture v1, by their names.
var decoders = map[string]func(body []byte) (io.ReadCloser, error){
	"gzip": func(body []byte) (io.ReadCloser, error) { return gzip.NewReader(bytes.NewReader(body)) },
	"deflate": func(body []byte) (io.ReadCloser, error) {
		if len(body) > 0 && body[0] == zlibMagic {
			return zlib.NewReader(bytes.NewReader(body))
		}
		return flate.NewReader(bytes.NewReader(body)), nil
	},
	"zstd": func(body []byte) (io.ReadCloser, error) {
		decoder, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	},
}

// decodeContent decodes a body of at most limit bytes. The body is as it is without an encoding.
func decodeContent(body []byte, encoding string, limit int) ([]byte, error) {
	if encoding == "" {
		return body, nil
	}
	open, ok := decoders[encoding]
	if !ok {
		return nil, fmt.Errorf("the encoding %q is not supported", encoding)
	}

	decoder, err := open(body)
	if err != nil {
		return nil, err
	}
	text, err := readAtMost(decoder, limit)
	return text, errors.Join(err, decoder.Close())
}
