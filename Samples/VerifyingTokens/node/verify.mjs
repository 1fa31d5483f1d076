#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
//
// Verifies ID tokens, and session cookies by their ISSUER, with nothing but Node 18 or newer:
// node verify.mjs JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN

import { createPublicKey, verify } from 'node:crypto'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The token is not to be believed: 401. Any other error means that the key set did not come: 503. */
export class Refused extends Error {}

/**
 * Believes ID tokens of one project, or of one tenant in it: of nobody's else, because two tenants may have one id.
 * Keep one while the program runs: it keeps the key set for an hour.
 * With the key set and the issuer of session cookies it believes those, and no ID tokens.
 */
export function idTokenVerifier(keySetURL, project, issuer, tenant) {
  issuer ??= `https://securetoken.google.com/${project}`
  let keys = new Map()
  let fetched = -Infinity
  let asked = -Infinity
  let fetching

  async function fetchKeys(now) {
    const answer = await fetch(keySetURL, { signal: AbortSignal.timeout(10_000) })
    if (!answer.ok) throw new Error(`the key set did not come: ${answer.status}`)
    keys = new Map((await answer.json()).keys.map((key) => [key.kid, key]))
    fetched = now
  }

  /** A set is good for an hour. An unknown kid fetches it anew, at most once a minute. */
  async function keyOf(kid) {
    const now = performance.now() / 1000
    if (now - fetched > 3600) keys = new Map()
    if (!keys.has(kid) && now - asked > 60) {
      asked = now
      fetching = fetchKeys(now)
    }
    if (!keys.has(kid)) await fetching
    return keys.get(kid)
  }

  return async function verifyIDToken(token) {
    const [header, payload, signature, ...more] = token.split('.')
    if (!signature || more.length > 0) throw new Refused('this is no signed token')
    const { alg, kid } = json(header)
    const key = await keyOf(kid)
    if (!key) throw new Refused('the kid is unknown')
    // The key says what algorithm it is for. The token alone never does.
    if (!['RS256', 'ES256'].includes(key.alg) || alg !== key.alg) throw new Refused("the alg is not the key's")
    const publicKey = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }
    const signed = Buffer.from(`${header}.${payload}`)
    const isGood = verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url'))
    if (!isGood) throw new Refused('the signature is wrong')
    const claims = json(payload)
    const [now, minute] = [Date.now() / 1000, 60] // Clocks differ.
    const rules = {
      iss: claims.iss === issuer,
      aud: claims.aud === project,
      exp: Number.isFinite(claims.exp) && claims.exp > now - minute,
      iat: Number.isFinite(claims.iat) && claims.iat < now + minute,
      auth_time: Number.isFinite(claims.auth_time) && claims.auth_time < now + minute,
      sub: typeof claims.sub === 'string' && claims.sub !== '',
      tenant: claims.firebase?.tenant === tenant,
    }
    for (const name in rules) if (!rules[name]) throw new Refused(`the claim ${name} is wrong`)
    return claims
  }
}

function json(part) {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url')))
  } catch {
    throw new Refused('this is no token')
  }
}

const program = process.argv[1] ?? ''
if (existsSync(program) && realpathSync(program) === fileURLToPath(import.meta.url)) {
  const [keySetURL, of, issuer, ...more] = process.argv.slice(2)
  if (!of || more.length > 0) {
    console.error('usage: node verify.mjs JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN')
    process.exit(2)
  }
  const [project, tenant] = of.split('/')
  try {
    const claims = await idTokenVerifier(keySetURL, project, issuer, tenant)(readFileSync(0, 'utf8').trim())
    console.log(claims.sub)
  } catch (error) {
    console.error(`refused: ${error.message}`.replaceAll('\n', ' '))
    process.exitCode = 1
  }
}
