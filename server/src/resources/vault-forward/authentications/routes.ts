import { createPrivateKey, X509Certificate } from 'node:crypto'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, OneOf, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import type { Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { CollectionOf, pageParameters } from '#platform/listing/pagination.ts'
import { sealValue } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { anyHostOf, Host } from '../host.ts'
import { OURS } from '../read-request.ts'
import type { Settings, StoredAuthentication } from './store.ts'
import * as authentications from './store.ts'

const AUTHENTICATIONS_MAX = 100
const TYPE = 'vault-forward-authentication'

const NAME = Type.String({ minLength: 1, maxLength: 200, description: 'What you call it.' })
const CERTIFICATE = Type.String({ maxLength: 20_000, description: 'The certificate, in PEM.' })
const HMAC = {
  header: Type.String({
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$",
    expected: 'the name of a header',
    description: 'The header with the signature.',
  }),
  algorithm: OneOf(['sha256', 'sha512'], { description: 'The hash of the HMAC.' }),
  encoding: OneOf(['hex', 'base64'], { description: 'How the signature is written.' }),
}

const CreateAuthentication = Strict(
  {
    display_name: NAME,
    host: Host('The one host that it is for, with its port if it is not 443.'),
    kind: OneOf(['mutual_tls', 'hmac'], {
      description:
        '`mutual_tls`: a certificate for the connection. `hmac`: a signature of the body in a header.',
    }),
    certificate: Type.Optional(CERTIFICATE),
    private_key: Type.Optional(
      Type.String({
        maxLength: 20_000,
        description: 'The private key of the certificate, in PEM. It is never shown.',
      }),
    ),
    secret: Type.Optional(
      Type.String({
        minLength: 16,
        maxLength: 1_000,
        description: 'The key of the HMAC, as text. It is never shown.',
      }),
    ),
    header: Type.Optional(HMAC.header),
    algorithm: Type.Optional(HMAC.algorithm),
    encoding: Type.Optional(HMAC.encoding),
  },
  {
    title: 'CreateVaultForwardAuthentication',
    examples: [
      {
        display_name: 'Signature for bookings',
        host: 'api.example.com',
        kind: 'hmac',
        secret: 'a-secret-of-both-sides',
        header: 'x-signature',
      },
    ],
  },
)
type CreateAuthentication = Static<typeof CreateAuthentication>

const Authentication = Strict(
  {
    type: Kind(TYPE),
    id: Uuid(),
    merchant_account_id: Type.String(),
    display_name: NAME,
    host: Type.String(),
    kind: OneOf(['mutual_tls', 'hmac']),
    certificate: Type.Optional(CERTIFICATE),
    header: Type.Optional(HMAC.header),
    algorithm: Type.Optional(HMAC.algorithm),
    encoding: Type.Optional(HMAC.encoding),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'VaultForwardAuthentication',
    examples: [
      {
        type: TYPE,
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0053',
        merchant_account_id: 'default',
        display_name: 'Signature for bookings',
        host: 'api.example.com',
        kind: 'hmac',
        header: 'x-signature',
        algorithm: 'sha256',
        encoding: 'hex',
        created_at: '2026-11-19T09:30:00.000Z',
        updated_at: '2026-11-19T09:30:00.000Z',
      },
    ],
  },
)
type Authentication = Static<typeof Authentication>

const operation = operationsOf({
  tag: 'Vault forward',
  concerns: 'merchant-account',
  scopes: 'vault-forward-authentications',
})

export function authenticationRoutes({ vault }: { readonly vault: Vault }): Operation[] {
  return [
    operation({
      id: 'list_vault_forward_authentications',
      route: 'GET /vault-forward/authentications',
      summary: 'List vault forward authentications',
      description: 'Newest first. Secrets are not shown.',
      isList: true,
      query: Strict(pageParameters()),
      responses: { 200: CollectionOf(Authentication, 'VaultForwardAuthentications') },
      handler: async ({ context, reach, query }) => {
        const page = await authentications.list(context, reach, query)
        return { ...page, items: page.items.map(show) }
      },
    }),

    operation({
      id: 'create_vault_forward_authentication',
      route: 'POST /vault-forward/authentications',
      summary: 'Create vault forward authentication',
      description:
        'Keeps a certificate with its key, or a key for signatures. A forwarded request that names it proves by it who sends it.',
      needsFreshProof: true,
      body: CreateAuthentication,
      check: ({ body }) => [...hostComplaints(body), ...kindComplaints(body)],
      responses: { 201: Authentication },
      handler: (call) => createAuthentication(scopeOf(call), call.once, vault, call.body),
    }),

    operation({
      id: 'delete_vault_forward_authentication',
      route: 'DELETE /vault-forward/authentications/:vault_forward_authentication_id',
      summary: 'Delete vault forward authentication',
      description: 'Its secret leaves the vault.',
      responses: { 204: null },
      handler: (call) =>
        deleteAuthentication(scopeOf(call), vault, call.params.vault_forward_authentication_id),
    }),
  ]
}

const REQUIRED = { mutual_tls: ['certificate', 'private_key'], hmac: ['secret', 'header'] } as const
const OWN = { mutual_tls: REQUIRED.mutual_tls, hmac: [...REQUIRED.hmac, 'algorithm', 'encoding'] } as const
const NAMES = [...OWN.mutual_tls, ...OWN.hmac]

function hostComplaints({ host }: Sound<CreateAuthentication>): ErrorDetail[] {
  if (host === undefined || anyHostOf(host) !== undefined) return []
  return [inBody('/host', 'value_error.str.regex', 'must be a host as in a URL, such as api.example.com')]
}

function kindComplaints(body: Sound<CreateAuthentication>): ErrorDetail[] {
  const { kind, header } = body
  if (!kind) return []
  const missing = REQUIRED[kind].filter((name) => body[name] === undefined)
  const foreign = NAMES.filter((name) => body[name] !== undefined && !OWN[kind].some((own) => own === name))
  return [
    ...missing.map((name) => inBody(`/${name}`, 'value_error.missing', `is required for ${kind}`)),
    ...foreign.map((name) =>
      inBody(`/${name}`, 'value_error.extra', `leave it out: it is not used for ${kind}`),
    ),
    ...(header && OURS.test(header.toLowerCase())
      ? [
          inBody(
            '/header',
            'value_error.conflict',
            'choose another header: this one is set when the request is sent',
          ),
        ]
      : []),
    ...(missing.length === 0 && kind === 'mutual_tls' ? keyComplaints(body) : []),
  ]
}

function keyComplaints({ certificate = '', private_key = '' }: Sound<CreateAuthentication>): ErrorDetail[] {
  const read = <Result>(work: () => Result) => {
    try {
      return work()
    } catch {
      return undefined
    }
  }
  const shown = read(() => new X509Certificate(certificate))
  if (!shown) return [inBody('/certificate', 'value_error.str.regex', 'must be a certificate in PEM')]
  const key = read(() => createPrivateKey(private_key))
  if (!key)
    return [
      inBody('/private_key', 'value_error.str.regex', 'must be a private key in PEM, without a password'),
    ]
  if (shown.checkPrivateKey(key)) return []
  return [inBody('/private_key', 'value_error.conflict', 'must be the key of the certificate')]
}

function settingsOf({
  kind,
  certificate = '',
  header = '',
  algorithm,
  encoding,
}: CreateAuthentication): Settings {
  if (kind === 'mutual_tls') return { kind, certificate }
  return { kind, header: header.toLowerCase(), algorithm: algorithm ?? 'sha256', encoding: encoding ?? 'hex' }
}

async function createAuthentication(
  scope: Scope,
  once: Once,
  vault: Vault,
  body: CreateAuthentication,
): Promise<Finished<Authentication>> {
  const { display_name, host, private_key, secret } = body
  return inFinalTransaction(scope, once, async (tx) => {
    if ((await authentications.count(tx)) >= AUTHENTICATIONS_MAX)
      throw errors.refused(
        `this merchant account already has ${AUTHENTICATIONS_MAX} authentications, the most allowed; delete one first`,
      )
    const stored = await authentications.insert(tx, {
      display_name,
      host: anyHostOf(host) ?? host,
      settings: settingsOf(body),
      vault_token: await sealValue(tx, vault, TYPE, private_key ?? secret ?? ''),
    })
    await auditLogs.record(tx, 'created', { type: TYPE, id: stored.id, name: display_name })
    return show(stored)
  })
}

function deleteAuthentication(scope: Scope, vault: Vault, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const { vault_token, display_name } = orNotFound(await authentications.remove(tx, id))
    await vault.remove(tx.db, tx, vault_token)
    await auditLogs.record(tx, 'deleted', { type: TYPE, id, name: display_name })
  })
}

function show({
  settings,
  created_at,
  updated_at,
  vault_token: _hidden,
  ...row
}: StoredAuthentication): Authentication {
  return {
    type: TYPE,
    ...row,
    ...settings,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
