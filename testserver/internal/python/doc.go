// Package python has what Python does with JSON: how it reads and spells values, which of
// them are true, and what its types are called. The hosted service is written in it, and its
// errors and rules show that.
package python
