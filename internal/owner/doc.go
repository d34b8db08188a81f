// Package owner keeps the pages and paths of a local server to those who own it. A server on
// the loopback interface needs no password, yet every web site that its owner visits can make
// the browser send it requests: with the name of the site, when that name is rebound to
// 127.0.0.1, or across sites, with a form or an image.
package owner
