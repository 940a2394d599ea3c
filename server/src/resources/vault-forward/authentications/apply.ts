import { createHmac } from 'node:crypto'
import { withItem } from '#payments/store/cards.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inHeader } from '#platform/http/errors.ts'
import type { OutgoingRequest } from '#platform/outgoing/outgoing.ts'
import type { Vault } from '#vault'
import { type Forward, PREFIX } from '../read-request.ts'
import type { StoredAuthentication } from './store.ts'
import * as authentications from './store.ts'

type Proofs = Pick<OutgoingRequest, 'headers' | 'clientCertificate'>

/** Those that the request names. A secret is for one host: for another one nobody gets it to work. */
export async function findAuthentications(
  scope: Scope,
  { url, authenticationIds }: Forward,
): Promise<readonly StoredAuthentication[]> {
  const { host } = new URL(url)
  const refuse = (message: string): never => {
    throw errors.invalid(inHeader(`/${PREFIX}authentications`, 'value_error.not_found', message))
  }
  const found: StoredAuthentication[] = []
  for (const id of authenticationIds) {
    const stored = await authentications.find(scope, id)
    if (!stored) refuse(`there is no authentication ${id}`)
    else if (stored.host !== host) refuse(`${id} is for ${stored.host}, and the request goes to ${host}`)
    else found.push(stored)
  }
  if (found.filter(({ settings }) => settings.kind === 'mutual_tls').length > 1)
    refuse('name one certificate: a connection has one')
  return found
}

/** What proves to the other side who sends this body. The audit log records each secret before it is read. */
export async function proofsOf(
  scope: Scope,
  vault: Vault,
  found: readonly StoredAuthentication[],
  body: Buffer,
): Promise<Proofs> {
  const headers: Record<string, string> = {}
  let clientCertificate: Proofs['clientCertificate']
  for (const { id, host, settings, vault_token: token } of found) {
    const item = { type: 'vault-forward-authentication', id, token, purpose: `vault forward to ${host}` }
    const secret = await withItem(scope, vault, item, async (value) => value?.use(String) ?? '')
    if (settings.kind === 'mutual_tls')
      clientCertificate = { certificate: settings.certificate, privateKey: secret }
    else
      headers[settings.header] = createHmac(settings.algorithm, secret).update(body).digest(settings.encoding)
  }
  return { headers, ...(clientCertificate && { clientCertificate }) }
}
