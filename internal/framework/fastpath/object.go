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

// Object is an object, or a map, as Terraform encodes it: the names of its attributes in
// order, and their values undecoded.
type Object []field

type field struct{ name, value []byte }

var errShape = errors.New("not an object as Terraform encodes it")

// objectOf splits the outermost object of a value. Null is an error, and so is JSON, which
// Terraform may send and does not.
func objectOf(value *tfprotov6.DynamicValue) (Object, error) {
	if value == nil {
		return nil, errShape
	}
	return splitMap(value.MsgPack)
}

// splitMap splits a map or an object.
func splitMap(data []byte) (Object, error) {
	in := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(in)

	n, err := d.DecodeMapLen()
	if err != nil || n < 0 || n > len(data) {
		return nil, errShape
	}

	at := func() int { return len(data) - in.Len() }
	fields := make(Object, n)
	for i := range fields {
		length, err := d.DecodeBytesLen()
		begin := at()
		if err != nil || advance(in, length) != nil {
			return nil, errShape
		}
		fields[i].name = data[begin:at()]

		begin = at()
		if err := skip(d, in); err != nil {
			return nil, err
		}
		fields[i].value = data[begin:at()]
	}
	return fields, nil
}

// splitList splits a list.
func splitList(data []byte) ([][]byte, error) {
	in := bytes.NewReader(data)
	d := msgpack.GetDecoder()
	defer msgpack.PutDecoder(d)
	d.Reset(in)

	n, err := d.DecodeArrayLen()
	if err != nil || n < 0 || n > len(data) {
		return nil, errShape
	}

	out := make([][]byte, n)
	for i := range out {
		begin := len(data) - in.Len()
		if err := skip(d, in); err != nil {
			return nil, err
		}
		out[i] = data[begin : len(data)-in.Len()]
	}
	return out, nil
}

// skip moves past a value. The decoder's own method reads what it skips into memory, as
// much as an encoded length claims, which may be false.
func skip(d *msgpack.Decoder, in *bytes.Reader) error {
	code, err := d.PeekCode()
	if err != nil {
		return err
	}

	length, inside := 0, 0
	switch {
	case msgpcode.IsString(code), msgpcode.IsBin(code):
		length, err = d.DecodeBytesLen()
	case msgpcode.IsExt(code):
		_, length, err = d.DecodeExtHeader()
	case isMap(code):
		inside, err = d.DecodeMapLen()
		inside *= 2
	case isList(code):
		inside, err = d.DecodeArrayLen()
	default:
		return d.Skip()
	}
	if err != nil {
		return err
	}

	for range inside {
		if err := skip(d, in); err != nil {
			return err
		}
	}

	return advance(in, length)
}

// advance moves past bytes that must be there.
func advance(in *bytes.Reader, length int) error {
	if length < 0 || length > in.Len() {
		return errShape
	}
	_, err := in.Seek(int64(length), io.SeekCurrent)
	return err
}

func isMap(code byte) bool {
	return msgpcode.IsFixedMap(code) || code == msgpcode.Map16 || code == msgpcode.Map32
}

func isList(code byte) bool {
	return msgpcode.IsFixedArray(code) || code == msgpcode.Array16 || code == msgpcode.Array32
}

// writeDigest feeds a value to a hash, maps in the order of their keys: Terraform sends
// them in order, the framework in any.
func writeDigest(to hash.Hash, value []byte) error {
	switch {
	case len(value) > 0 && isMap(value[0]):
		fields, err := splitMap(value)
		if err != nil {
			return err
		}

		slices.SortFunc(fields, func(a, b field) int { return bytes.Compare(a.name, b.name) })
		to.Write(fmt.Appendf(nil, "object of %d ", len(fields)))
		for _, f := range fields {
			to.Write(fmt.Appendf(nil, "%q ", f.name))
			if err := writeDigest(to, f.value); err != nil {
				return err
			}
		}

	case len(value) > 0 && isList(value[0]):
		list, err := splitList(value)
		if err != nil {
			return err
		}

		to.Write(fmt.Appendf(nil, "list of %d ", len(list)))
		for _, element := range list {
			if err := writeDigest(to, element); err != nil {
				return err
			}
		}

	default:
		to.Write(value)
	}
	return nil
}

// sameMap compares two maps whose keys may be in any order.
func sameMap(a, b []byte) bool {
	left, err := splitMap(a)
	right, errRight := splitMap(b)
	if err != nil || errRight != nil || len(left) != len(right) {
		return false
	}

	for _, f := range left {
		if !bytes.Equal(f.value, right.raw(string(f.name))) {
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

// isString reports whether an encoded value is a string. An unknown value is none.
func isString(value []byte) bool { return len(value) > 0 && msgpcode.IsString(value[0]) }

// raw returns the encoded value of an attribute, nil when there is none of that name.
func (o Object) raw(name string) []byte {
	for _, f := range o {
		if string(f.name) == name {
			return f.value
		}
	}
	return nil
}

// has reports whether an attribute is there and not null.
func (o Object) has(name string) bool {
	value := o.raw(name)
	return value != nil && !isNull(value)
}

// decoded is an attribute of a type, zero when it is of another one.
func decoded[T any](o Object, name string) (value T) {
	if msgpack.Unmarshal(o.raw(name), &value) != nil {
		var none T
		return none
	}
	return value
}

// String returns an attribute that is a string, "" when it is not.
func (o Object) String(name string) string { return decoded[string](o, name) }

// Objects returns the elements of an attribute that is a list of objects, false when it
// is not.
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

// Int64 returns an attribute that is an integer, 0 when it is not.
func (o Object) Int64(name string) int64 { return decoded[int64](o, name) }

// IsFalse reports whether an attribute is false: neither true nor null.
func (o Object) IsFalse(name string) bool {
	value := decoded[*bool](o, name)
	return value != nil && !*value
}

// Object returns an attribute that is an object, without attributes when it is not.
func (o Object) Object(name string) Object {
	inner, err := splitMap(o.raw(name))
	if err != nil {
		return nil
	}
	return inner
}

// encodeOnly encodes an object of some of the attributes.
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
