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

// zlibMagic is the first byte of a zlib stream. It distinguishes zlib from raw deflate.
const zlibMagic = 0x78

// maxZstdWindow is the maximum window size of zstd in HTTP (RFC 9659). It bounds the decoder's memory.
const maxZstdWindow = 8 << 20

// decoders maps the content encodings of capture v1 to their decoders.
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

// decodeContent decodes a body of at most limit bytes. It returns a body without an encoding unchanged.
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
