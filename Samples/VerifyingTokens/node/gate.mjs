#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors
//
// Answers nginx's auth_request with nothing but Node 18.3 or newer: 204 and the account's id in X-User-Id, or 401.
// node gate.mjs PORT JWKS_URL PROJECT[/TENANT] [ISSUER]

import { createServer } from 'node:http'
import { Refused, idTokenVerifier } from './verify.mjs'

const [port, keySetURL, of, issuer, ...more] = process.argv.slice(2)
if (!of || more.length > 0) {
  console.error('usage: node gate.mjs PORT JWKS_URL PROJECT[/TENANT] [ISSUER]')
  process.exit(2)
}
const [project, tenant] = of.split('/')
const verifyIDToken = idTokenVerifier(keySetURL, project, issuer, tenant)

/** The account of a request that has one `Authorization: Bearer …`. */
async function accountOf(request) {
  const [text, ...others] = request.headersDistinct.authorization ?? []
  const [, token] = /^Bearer ([\w.-]+)$/i.exec(text ?? '') ?? []
  if (!token || others.length > 0) throw new Refused('there is no token')
  const { sub } = await verifyIDToken(token)
  if (!/^[!-~]+$/.test(sub)) throw new Refused('the id of the account is no value for a header')
  return sub
}

const server = createServer(async (request, response) => {
  try {
    response.writeHead(204, { 'X-User-Id': await accountOf(request) })
  } catch (error) {
    if (error instanceof Refused) {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer' })
    } else {
      console.error(`no answer: ${error.message}`.replaceAll('\n', ' '))
      response.writeHead(503)
    }
  }
  response.end()
})
server.listen(Number(port), '127.0.0.1', () => console.log(`ready ${server.address().port}`))
