package fastpath

import (
	"bytes"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// Object is an object or a map in Terraform's encoding. It contains the attribute names in order, and the encoded
// values.
type Object []field

type field struct{ name, value []byte }

var errShape = errors.New("not an object as Terraform encodes it")

// splitObject splits the outermost object of a value. It returns an error for null, and for JSON, which the protocol
// allows but Terraform does not use.
func splitObject(value *tfprotov6.DynamicValue) (Object, error) {
	if value == nil {
		return nil, errShape
	}
	return splitMap(value.MsgPack)
}

// splitMap splits a map or an object.
func splitMap(data []byte) (Object, error) {
	reader := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(reader)

	n, err := d.DecodeMapLen()
	if err != nil || n < 0 || n > len(data) {
		return nil, errShape
	}

	offset := func() int { return len(data) - reader.Len() }
	fields := make(Object, n)
	for i := range fields {
		length, err := d.DecodeBytesLen()
		begin := offset()
		if err != nil || advance(reader, length) != nil {
			return nil, errShape
		}
		fields[i].name = data[begin:offset()]

		begin = offset()
		if err := skip(d, reader); err != nil {
			return nil, err
		}
		fields[i].value = data[begin:offset()]
	}
	return fields, nil
}

// splitList splits a list.
func splitList(data []byte) ([][]byte, error) {
	reader := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(reader)

	n, err := d.DecodeArrayLen()
	if err != nil || n < 0 || n > len(data) {
		return nil, errShape
	}

	out := make([][]byte, n)
	for i := range out {
		begin := len(data) - reader.Len()
		if err := skip(d, reader); err != nil {
			return nil, err
		}
		out[i] = data[begin : len(data)-reader.Len()]
	}
	return out, nil
}

// skip moves past a value. The decoder's own method allocates as much memory as an encoded length requests, and the
// length may be wrong.
func skip(d *msgpack.Decoder, reader *bytes.Reader) error {
	code, err := d.PeekCode()
	if err != nil {
		return err
	}

	length, elements := 0, 0
	switch {
	case msgpcode.IsString(code), msgpcode.IsBin(code):
		length, err = d.DecodeBytesLen()
	case msgpcode.IsExt(code):
		_, length, err = d.DecodeExtHeader()
	case isMap(code):
		elements, err = d.DecodeMapLen()
		elements *= 2
	case isList(code):
		elements, err = d.DecodeArrayLen()
	default:
		return d.Skip()
	}
	if err != nil {
		return err
	}

	for range elements {
		if err := skip(d, reader); err != nil {
			return err
		}
	}

	return advance(reader, length)
}

// advance moves past a number of bytes. It returns an error if fewer remain.
func advance(reader *bytes.Reader, length int) error {
	if length < 0 || length > reader.Len() {
		return errShape
	}
	_, err := reader.Seek(int64(length), io.SeekCurrent)
	return err
}

func isMap(code byte) bool {
	return msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32
}

func isList(code byte) bool {
	return msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32
}

// writeDigest writes a value to a hash. It sorts map keys, because the framework sends them in any order, while
// Terraform sorts them.
func writeDigest(h hash.Hash, value []byte) error {
	switch {
	case len(value) > 0 && isMap(value[0]):
		fields, err := splitMap(value)
		if err != nil {
			return err
		}

		slices.SortFunc(fields, func(a, b field) int { return bytes.Compare(a.name, b.name) })
		h.Write(fmt.Appendf(nil, "object of %d ", len(fields)))
		for _, f := range fields {
			h.Write(fmt.Appendf(nil, "%q ", f.name))
			if err := writeDigest(h, f.value); err != nil {
				return err
			}
		}

	case len(value) > 0 && isList(value[0]):
		list, err := splitList(value)
		if err != nil {
			return err
		}

		h.Write(fmt.Appendf(nil, "list of %d ", len(list)))
		for _, element := range list {
			if err := writeDigest(h, element); err != nil {
				return err
			}
		}

	default:
		h.Write(value)
	}
	return nil
}

// sameMap compares two maps, and ignores the order of their keys.
func sameMap(a, b []byte) bool {
	leftMap, err := splitMap(a)
	rightMap, errRight := splitMap(b)
	if err != nil || errRight != nil || len(leftMap) != len(rightMap) {
		return false
	}

	for _, f := range leftMap {
		if !bytes.Equal(f.value, rightMap.raw(string(f.name))) {
			return false
		}
	}
	return true
}

func isNull(value []byte) bool { return len(value) == 1 && value[0] == msgpcode.Nil }

// isEmpty reports whether an encoded value is null, "", false or an empty list.
func isEmpty(value []byte) bool {
	if len(value) != 1 {
		return false
	}
	switch value[0] {
	case msgpcode.Nil, msgpcode.False, msgpcode.FixedStrLow, msgpcode.FixedArrayLow:
		return true
	}
	return false
}

// isString reports whether an encoded value is a string. It returns false for an unknown value.
func isString(value []byte) bool { return len(value) > 0 && msgpcode.IsString(value[0]) }

// raw returns the encoded value of an attribute, or nil if the attribute does not exist.
func (o Object) raw(name string) []byte {
	for _, f := range o {
		if string(f.name) == name {
			return f.value
		}
	}
	return nil
}

// has reports whether an attribute exists and is not null.
func (o Object) has(name string) bool {
	value := o.raw(name)
	return value != nil && !isNull(value)
}

// decodeAttribute decodes an attribute. It returns the zero value if the attribute has a different type.
func decodeAttribute[T any](o Object, name string) (value T) {
	if msgpack.Unmarshal(o.raw(name), &value) != nil {
		var none T
		return none
	}
	return value
}

// String returns a string attribute, or "" if the attribute is not a string.
func (o Object) String(name string) string { return decodeAttribute[string](o, name) }

// Objects returns the elements of a list of objects. It returns false for any other attribute.
func (o Object) Objects(name string) ([]Object, bool) {
	value := o.raw(name)
	if value == nil || isNull(value) {
		return nil, value != nil
	}

	list, err := splitList(value)
	if err != nil {
		return nil, false
	}

	out := make([]Object, len(list))
	for i, element := range list {
		if out[i], err = splitMap(element); err != nil {
			return nil, false
		}
	}
	return out, true
}

// Int64 returns an integer attribute, or 0 if the attribute is not an integer.
func (o Object) Int64(name string) int64 { return decodeAttribute[int64](o, name) }

// IsFalse reports whether an attribute is false. It returns false for null.
func (o Object) IsFalse(name string) bool {
	value := decodeAttribute[*bool](o, name)
	return value != nil && !*value
}

// Object returns an object attribute. It returns an empty object for any other attribute.
func (o Object) Object(name string) Object {
	inner, err := splitMap(o.raw(name))
	if err != nil {
		return nil
	}
	return inner
}

// encodeOnly encodes an object with only the named attributes.
func (o Object) encodeOnly(names ...string) ([]byte, error) {
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	if err := e.EncodeMapLen(len(names)); err != nil {
		return nil, err
	}

	for _, name := range names {
		value := o.raw(name)
		if value == nil {
			return nil, errShape
		}
		if err := e.EncodeString(name); err != nil {
			return nil, err
		}
		out.Write(value)
	}
	return out.Bytes(), nil
}
