import { inventId, type Json, type PaymentToken, type SetupToken, type Source } from './books.ts'
import { readCard, viewCard } from './cards.ts'
import type { Asked, Desk } from './desk.ts'
import type { Answer } from './idempotency.ts'
import { Problem } from './problem.ts'
import { link, self } from './views.ts'

/** Payment Method Tokens v3: a setup token lives three days and pays nothing; a payment token pays. */

type Made = { readonly first: Answer; readonly later: () => Answer }

const SETUP_TOKEN_LIFE = 3 * 24 * 3_600_000

export function createSetupToken(desk: Desk, { clientId, body }: Asked): Made {
  const { books, url } = desk
  requireVault(desk, clientId)
  const wire = (body['payment_source'] ?? {}) as Json
  const source = readNewSource(desk, wire)
  const token: SetupToken = {
    id: inventId(),
    clientId,
    customerId: customerOf(body),
    status: source.kind === 'card' ? 'APPROVED' : 'PAYER_ACTION_REQUIRED',
    source,
    createdAt: books.now(),
  }
  books.setupTokens.set(token.id, token)
  const view = () => viewSetupToken(url(), token)
  return { first: { status: 201, body: view() }, later: () => ({ status: 200, body: view() }) }
}

export function getSetupToken(desk: Desk, clientId: string, id: string): Answer {
  return { status: 200, body: viewSetupToken(desk.url(), findSetupToken(desk, clientId, id)) }
}

/** From a setup token that the buyer has approved, or from a card at once. */
export function createPaymentToken(desk: Desk, { clientId, key, body }: Asked): Made {
  const { books, url } = desk
  requireVault(desk, clientId)
  const wire = (body['payment_source'] ?? {}) as Json
  const named = wire['token'] as Json | undefined
  const setup = named ? findSetupToken(desk, clientId, String(named['id'])) : null
  if (named && named['type'] !== 'SETUP_TOKEN') throw new Problem(400, 'INVALID_PARAMETER_VALUE')
  if (setup && setup.status !== 'APPROVED') {
    throw new Problem(
      422,
      setup.status === 'VAULTED' ? 'SETUP_TOKEN_ALREADY_USED' : 'SETUP_TOKEN_NOT_APPROVED',
    )
  }
  const source = setup?.source ?? readNewSource(desk, wire)
  if (source.kind === 'paypal' && !source.payer) throw new Problem(422, 'SETUP_TOKEN_NOT_APPROVED')
  const token: PaymentToken = {
    id: inventId(),
    clientId,
    customerId: setup?.customerId ?? customerOf(body),
    source,
  }
  books.paymentTokens.set(token.id, token)
  if (setup) setup.status = 'VAULTED'
  books.note(key)
  const view = () => viewPaymentToken(url(), token)
  desk.events.tell(clientId, 'VAULT.PAYMENT-TOKEN.CREATED', { type: 'payment_token', body: view() })
  return { first: { status: 201, body: view() }, later: () => ({ status: 200, body: view() }) }
}

export function getPaymentToken(desk: Desk, clientId: string, id: string): Answer {
  return { status: 200, body: viewPaymentToken(desk.url(), findPaymentToken(desk, clientId, id)) }
}

/** 204 also for a token that is gone: deleting is idempotent in HTTP. */
export function deletePaymentToken(desk: Desk, { clientId, key }: Asked, id: string): Answer {
  const { books } = desk
  const token = books.paymentTokens.get(id)
  if (token?.clientId === clientId) {
    books.paymentTokens.delete(id)
    books.note(key)
    desk.events.tell(clientId, 'VAULT.PAYMENT-TOKEN.DELETED', { type: 'payment_token', body: { id } })
  }
  return { status: 204, body: null }
}

function requireVault({ books }: Desk, clientId: string): void {
  const client = books.clients.find(({ id }) => id === clientId)
  if (!client?.features.includes('vault')) throw new Problem(403, 'PERMISSION_DENIED')
}

function readNewSource({ books }: Desk, wire: Json): Source {
  if (wire['card']) return readCard(wire['card'] as Json, books.now())
  if (!wire['paypal']) throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field: '/payment_source' })
  const part = wire['paypal'] as Json
  const context = (part['experience_context'] ?? {}) as Json
  const { return_url: returnUrl, cancel_url: cancelUrl } = context
  if (typeof returnUrl !== 'string' || typeof cancelUrl !== 'string') {
    throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', {
      field: '/payment_source/paypal/experience_context',
    })
  }
  if (part['usage_type'] !== 'MERCHANT' && part['usage_type'] !== 'PLATFORM') {
    throw new Problem(400, 'MISSING_REQUIRED_PARAMETER', { field: '/payment_source/paypal/usage_type' })
  }
  return {
    kind: 'paypal',
    payer: null,
    returnUrl,
    cancelUrl,
    storesOnSuccess: false,
    vaultId: null,
    isECheck: false,
  }
}

function customerOf(body: Json): string {
  const id = ((body['customer'] ?? {}) as Json)['id']
  return typeof id === 'string' ? id : inventId(10)
}

function viewSetupToken(url: string, { id, status, customerId, source }: SetupToken): Json {
  const approve =
    status === 'PAYER_ACTION_REQUIRED'
      ? [link(url, `/agreements/approve?approval_session_id=${id}`, 'approve', 'GET')]
      : []
  return {
    id,
    status,
    customer: { id: customerId },
    payment_source: viewStored(source),
    links: [self(url, `/v3/vault/setup-tokens/${id}`), ...approve],
  }
}

function viewPaymentToken(url: string, { id, customerId, source }: PaymentToken): Json {
  return {
    id,
    customer: { id: customerId },
    payment_source: viewStored(source),
    links: [self(url, `/v3/vault/payment-tokens/${id}`)],
  }
}

function viewStored(source: Source): Json {
  if (source.kind === 'card') {
    return { card: { ...viewCard(source), verification_status: 'VERIFIED' } }
  }
  const { payer } = source
  return {
    paypal: {
      usage_type: 'MERCHANT',
      ...(payer && { email_address: payer.email, payer_id: payer.id, account_id: payer.id }),
    },
  }
}

export function findSetupToken({ books }: Desk, clientId: string | null, id: string): SetupToken {
  const token = books.setupTokens.get(id)
  const isGone = token && books.now().getTime() - token.createdAt.getTime() > SETUP_TOKEN_LIFE
  if (!token || isGone || (clientId !== null && token.clientId !== clientId)) {
    throw new Problem(404, 'INVALID_RESOURCE_ID')
  }
  return token
}

function findPaymentToken({ books }: Desk, clientId: string, id: string): PaymentToken {
  const token = books.paymentTokens.get(id)
  if (token?.clientId !== clientId) throw new Problem(404, 'INVALID_RESOURCE_ID')
  return token
}
