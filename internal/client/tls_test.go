package client

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/testca"
)

// The client reaches a private service with its certificate authority, and with a client certificate if the service
// requires one.
func TestPrivateService(t *testing.T) {
	t.Parallel()
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	for name, c := range map[string]struct {
		mutual bool
		tls    TLS
	}{
		"authority":             {false, TLS{CACert: ca.PEM}},
		"several authorities":   {false, TLS{CACert: "# ours\n" + testca.New(t).PEM + ca.PEM}},
		"unverified":            {false, TLS{InsecureSkipVerify: true}},
		"certificate for both":  {true, TLS{CACert: ca.PEM, ClientCert: cert, ClientKey: key}},
		"certificate, not seen": {false, TLS{CACert: ca.PEM, ClientCert: cert, ClientKey: key}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ca.Serve(t, found, c.mutual)
			client, err := New(Options{BaseURL: s.URL, APIKey: testKey, TLS: c.tls})
			require.NoError(t, err)
			_, err = client.Surveys("1").Retrieve(t.Context(), surveyID)
			require.NoError(t, err)
		})
	}
}

// A TLS error contains the missing or wrong setting, nothing is sent again, and the service never receives the
// request.
func TestTLSSettingsAreAdvised(t *testing.T) {
	t.Parallel()
	ca, other := testca.New(t), testca.New(t)
	otherCert, otherKey := other.Pair(t)
	for name, c := range map[string]struct {
		mutual bool
		tls    TLS
		want   string
	}{
		"no authority":      {false, TLS{}, "set ca_cert (POSTHOG_CA_CERT) to the certificate of the authority"},
		"another authority": {false, TLS{CACert: other.PEM}, "set ca_cert (POSTHOG_CA_CERT) to the certificate of the authority"},
		"no certificate":    {true, TLS{CACert: ca.PEM}, "check client_cert (POSTHOG_CLIENT_CERT) and client_key (POSTHOG_CLIENT_KEY)"},
		"another's certificate": {true, TLS{CACert: ca.PEM, ClientCert: otherCert, ClientKey: otherKey},
			"check client_cert (POSTHOG_CLIENT_CERT)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ca.Serve(t, found, c.mutual)
			client, err := New(Options{BaseURL: s.URL, APIKey: testKey, TLS: c.tls})
			require.NoError(t, err)
			k := stop(client)

			_, err = client.Surveys("1").CreateOnce(t.Context(), surveyBody)
			var e *ConnectionError
			require.ErrorAs(t, err, &e)
			assert.ErrorContains(t, err, c.want)
			assert.False(t, e.Sent)
			assert.Empty(t, k.waits)
		})
	}
}

// Unusable TLS settings are refused before anything is sent, and the error omits their values.
func TestRefusedTLS(t *testing.T) {
	t.Parallel()
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	_, otherKey := ca.Pair(t)

	for name, c := range map[string]struct {
		tls           TLS
		setting, want string
	}{
		"no PEM":             {TLS{CACert: testKey}, "ca_cert", "does not contain a PEM certificate"},
		"key as authority":   {TLS{CACert: key}, "ca_cert", "does not contain a PEM certificate"},
		"certificate alone":  {TLS{ClientCert: cert}, "client_key", "is not set, but client_cert is"},
		"key alone":          {TLS{ClientKey: key}, "client_cert", "is not set, but client_key is"},
		"of another":         {TLS{ClientCert: cert, ClientKey: otherKey}, "client_cert", "must be a PEM certificate and its private key"},
		"swapped":            {TLS{ClientCert: key, ClientKey: cert}, "client_cert", "must be a PEM certificate and its private key"},
		"key that is no PEM": {TLS{ClientCert: cert, ClientKey: testKey}, "client_cert", "must be a PEM certificate and its private key"},
	} {
		_, err := New(Options{BaseURL: "https://posthog.invalid", APIKey: testKey, TLS: c.tls})
		var e *SettingError
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, c.setting, e.Setting, name)
		assert.ErrorContains(t, err, c.want, name)

		for _, secret := range []string{testKey, strings.Split(key, "\n")[1], strings.Split(otherKey, "\n")[1]} {
			assert.NotContains(t, err.Error(), secret, name)
		}
	}
}

const pemText = "# ours\n-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n"

func TestPEMText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "ca.pem"), []byte(pemText), 0o600))
	for name, value := range map[string]string{"text": pemText, "relative": "ca.pem", "absolute": filepath.Join(dir, "ca.pem")} {
		read, err := PEMText(value, dir)
		require.NoError(t, err, name)
		assert.Equal(t, pemText, read, name)
	}

	none, err := PEMText("", dir)
	require.NoError(t, err)
	assert.Empty(t, none)
}

// Text that isn't PEM is refused and not repeated, because it may be a key without its first line.
func TestPEMTextRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "empty"), nil, 0o600))
	for value, want := range map[string]string{
		"c2VjcmV0\nc2VjcmV0\n": "is neither PEM text, which contains a line that starts with -----BEGIN, nor the path of a file",
		"c2VjcmV0":             "is the path of a file that cannot be read: ",
		"empty":                "is the path of a file without PEM text",
		".":                    "is the path of a file that cannot be read: ",
	} {
		_, err := PEMText(value, dir)
		require.ErrorContains(t, err, want)
		assert.NotContains(t, err.Error(), "c2VjcmV0")
	}
}
