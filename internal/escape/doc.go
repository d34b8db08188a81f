// Package escape writes text that comes from outside, such as the names and questions of
// surveys, into the media in which people and programs read it. There is one function for
// each medium, and no other package escapes for it by hand: a test finds those that do.
// What HCL needs stands in package hclfile, since it makes tokens, not text.
package escape
