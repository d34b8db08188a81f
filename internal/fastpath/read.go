package fastpath

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/providerdata"
)

// seenKey is the key of the private state that remembers what a read found: a hash of
// the service's answer, of the state that it led to, and of the rest of the private
// state. A read that finds the same again leads to the same state again.
const seenKey = "seen"

// ReadResource implements tfprotov6.ResourceServer.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	n, ok := s.nouns[req.TypeName]
	if !ok {
		return s.framework.ReadResource(ctx, req)
	}
	resp, err := s.readNoun(ctx, n, req)
	if err == nil {
		n.fresh.keep(resp.NewState)
		if state, err := objectOf(resp.NewState); err == nil {
			n.exists(s.data(), state)
		}
	}
	return resp, err
}

// readNoun always asks the service; only what follows from its answer is known when
// it is the one that was seen before.
func (s *Server) readNoun(ctx context.Context, n *noun, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	configured := s.ready()
	if configured == nil {
		return s.framework.ReadResource(ctx, req)
	}
	state, err := objectOf(req.CurrentState)
	private, known := privateOf(req.Private)
	identity, isOwn := n.identity(state, req.CurrentIdentity)
	if err != nil || !known || !isOwn || state.has(providerdata.TimeoutsName) {
		return s.framework.ReadResource(ctx, req)
	}
	var diags diag.Diagnostics
	operation, end := providerdata.DefaultOperation(ctx, "read", &diags)
	answer, err := n.Read(operation, configured, state)
	end()
	if seen := private.seen(); err == nil && seen != "" && n.fingerprint(req.CurrentState, private, answer) == seen {
		resp := &tfprotov6.ReadResourceResponse{
			NewState: req.CurrentState, NewIdentity: identity, Private: req.Private, Diagnostics: told(diags),
		}
		return resp, nil
	}
	resp, slowErr := s.framework.ReadResource(client.WithPrefetched(ctx, answer, err), req)
	if err == nil && slowErr == nil && len(resp.Diagnostics) == 0 {
		n.remember(answer, resp)
	}
	if slowErr == nil {
		resp.Diagnostics = append(told(diags), resp.Diagnostics...)
	}
	return resp, slowErr
}

// remember writes what a read found to the private state that it returns.
func (n *noun) remember(answer json.RawMessage, resp *tfprotov6.ReadResourceResponse) {
	private, known := privateOf(resp.Private)
	if !known || resp.NewState == nil || resp.Deferred != nil {
		return
	}
	// Text always encodes.
	private[seenKey], _ = json.Marshal(n.fingerprint(resp.NewState, private, answer))
	resp.Private, _ = json.Marshal(private)
}

// fingerprint is a hash of all that a read follows from, "" when there is none.
func (n *noun) fingerprint(state *tfprotov6.DynamicValue, private Private, answer json.RawMessage) string {
	rest := maps.Clone(private)
	delete(rest, seenKey)
	// A map of bytes always encodes.
	others, _ := json.Marshal(rest)
	hash := sha256.New()
	for _, part := range [][]byte{n.edition[:], others, answer} {
		sum := sha256.Sum256(part)
		hash.Write(sum[:])
	}
	if digest(hash, state.MsgPack) != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18])
}

// identity is that of the object that a state holds, and whether it is the one that
// came with it. None came from a CLI that knew of none.
func (n *noun) identity(state Object, came *tfprotov6.ResourceIdentityData) (*tfprotov6.ResourceIdentityData, bool) {
	names := []string{n.Parent, "id"}
	if n.Parent > "id" {
		names = []string{"id", n.Parent}
	}
	data, err := state.only(names...)
	isOwn := err == nil && (came == nil || came.IdentityData != nil && sameMap(came.IdentityData.MsgPack, data))
	return &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: data}}, isOwn
}

// Private is the private state of an object as the framework writes it: JSON by key.
type Private map[string][]byte

// privateOf reads private state. What the framework keeps there for itself, under
// keys with a dot in front, is for the framework to look at: false.
func privateOf(data []byte) (Private, bool) {
	p := Private{}
	if len(data) > 0 && json.Unmarshal(data, &p) != nil {
		return nil, false
	}
	for key := range p {
		if strings.HasPrefix(key, ".") {
			return nil, false
		}
	}
	return p, true
}

func (p Private) seen() string {
	var hash string
	if json.Unmarshal(p[seenKey], &hash) != nil {
		return ""
	}
	return hash
}

// told are the framework's diagnostics as the protocol sends them.
func told(diags diag.Diagnostics) []*tfprotov6.Diagnostic {
	var out []*tfprotov6.Diagnostic
	for _, d := range diags {
		severity := tfprotov6.DiagnosticSeverityError
		if d.Severity() == diag.SeverityWarning {
			severity = tfprotov6.DiagnosticSeverityWarning
		}
		out = append(out, &tfprotov6.Diagnostic{Severity: severity, Summary: d.Summary(), Detail: d.Detail()})
	}
	return out
}
