// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

// Verifies ID tokens, and session cookies by their ISSUER, with Go's standard library alone:
// go run verify.go JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Verifier believes ID tokens of one project, or of one Tenant in it: of nobody's else, because two tenants may have one
// id. Issuer is https://securetoken.google.com/PROJECT unless the project says otherwise. With the key set and the issuer of session cookies it believes those, and no ID tokens. Keep one
// while the program runs: it keeps the key set for an hour.
type Verifier struct {
	KeySetURL, Project, Issuer, Tenant string

	mutex          sync.Mutex
	keys           map[string]key
	fetched, asked time.Time
}

type key struct{ Kid, Alg, N, E, X, Y string }

// Refused is why a token is not to be believed: 401. Any other error means that the key set did not come: 503.
type Refused string

func (reason Refused) Error() string { return "refused: " + string(reason) }

// Verify returns the claims of a token.
func (v *Verifier) Verify(token string) (map[string]any, error) {
	parts := strings.Split(token, ".")
	var header struct{ Alg, Kid string }
	if len(parts) != 3 || json.Unmarshal(decode(parts[0]), &header) != nil {
		return nil, Refused("this is no token")
	}
	key, err := v.key(header.Kid)
	if err != nil {
		return nil, err
	}
	// The key says what algorithm it is for. The token alone never does.
	if header.Alg != key.Alg || !key.signed(parts[0]+"."+parts[1], decode(parts[2])) {
		return nil, Refused("the kid is unknown, the alg is not the key's, or the signature is wrong")
	}
	var claims map[string]any // Not a struct: its fields would take a claim "Sub" for "sub".
	if err := json.Unmarshal(decode(parts[1]), &claims); err != nil {
		return nil, Refused(err.Error())
	}
	subject, _ := claims["sub"].(string)
	firebase, _ := claims["firebase"].(map[string]any)
	tenant, hasTenant := firebase["tenant"]
	now, minute := float64(time.Now().Unix()), 60.0 // Clocks differ.
	for name, holds := range map[string]bool{
		"iss":       claims["iss"] == v.Issuer,
		"aud":       claims["aud"] == v.Project,
		"exp":       number(claims["exp"]) > now-minute,
		"iat":       number(claims["iat"]) < now+minute,
		"auth_time": number(claims["auth_time"]) < now+minute,
		"sub":       subject != "",
		"tenant":    v.Tenant == "" && !hasTenant || v.Tenant != "" && tenant == v.Tenant,
	} {
		if !holds {
			return nil, Refused("the claim " + name + " is wrong")
		}
	}
	return claims, nil
}

// A set is good for an hour. An unknown kid fetches it anew, at most once a minute.
func (v *Verifier) key(kid string) (key, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if time.Since(v.fetched) > time.Hour {
		v.keys = nil
	}
	if _, known := v.keys[kid]; !known && time.Since(v.asked) > time.Minute {
		v.asked = time.Now()
		client := http.Client{Timeout: 10 * time.Second}
		answer, err := client.Get(v.KeySetURL)
		if err != nil {
			return key{}, err
		}
		defer answer.Body.Close()
		var set struct{ Keys []key }
		if err := json.NewDecoder(answer.Body).Decode(&set); err != nil || answer.StatusCode != http.StatusOK {
			return key{}, fmt.Errorf("the key set did not come: %s", answer.Status)
		}
		v.keys, v.fetched = map[string]key{}, time.Now()
		for _, key := range set.Keys {
			v.keys[key.Kid] = key
		}
	}
	return v.keys[kid], nil
}

// No algorithm, no signature: so it is with the empty key of an unknown kid.
func (k key) signed(text string, signature []byte) bool {
	hash := sha256.Sum256([]byte(text))
	switch {
	case k.Alg == "RS256":
		public := rsa.PublicKey{N: integer(decode(k.N)), E: int(integer(decode(k.E)).Int64())}
		return rsa.VerifyPKCS1v15(&public, crypto.SHA256, hash[:], signature) == nil
	case k.Alg == "ES256" && len(signature) == 64:
		public := ecdsa.PublicKey{Curve: elliptic.P256(), X: integer(decode(k.X)), Y: integer(decode(k.Y))}
		return ecdsa.Verify(&public, hash[:], integer(signature[:32]), integer(signature[32:]))
	}
	return false
}

// What is not base64url becomes nothing, which is neither JSON nor a signature.
func decode(text string) []byte {
	if bytes, err := base64.RawURLEncoding.DecodeString(text); err == nil {
		return bytes
	}
	return nil
}

func integer(bytes []byte) *big.Int { return new(big.Int).SetBytes(bytes) }

// What is not a number is neither past nor future.
func number(claim any) float64 {
	if number, ok := claim.(float64); ok {
		return number
	}
	return math.NaN()
}

func main() {
	if len(os.Args) != 3 && len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: verify JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN")
		os.Exit(2)
	}
	token, _ := io.ReadAll(os.Stdin)
	project, tenant, _ := strings.Cut(os.Args[2], "/")
	verifier := Verifier{KeySetURL: os.Args[1], Project: project, Tenant: tenant}
	verifier.Issuer = append(os.Args, "https://securetoken.google.com/"+verifier.Project)[3]
	claims, err := verifier.Verify(strings.TrimSpace(string(token)))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(claims["sub"])
}
