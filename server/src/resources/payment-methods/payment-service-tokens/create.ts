import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { concludeHeld } from '#processing/attempts/conclude.ts'
import type { Attempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { ItemGone, Masked, type Vault } from '#vault'
import { openStored } from '../open-stored.ts'
import { codeComplaints } from '../read-card.ts'
import { reveal } from '../reveal.ts'
import * as paymentMethods from '../store.ts'
import { findTokenizer } from './find-tokenizer.ts'
import { requestToken } from './request-token.ts'
import { overwriteToken, resolveNow, TOKENIZATION } from './resolve.ts'
import type { CreatePaymentServiceToken, PaymentServiceToken } from './schemas.ts'
import type { StoredToken } from './store.ts'
import * as tokens from './store.ts'

/** Asks a payment service to store a payment method: commits the request, asks, commits the answer. */
export async function createToken(
  scope: Scope,
  engine: Engine,
  once: Once,
  asked: { readonly paymentMethodId: string; readonly request: CreatePaymentServiceToken },
): Promise<Finished<PaymentServiceToken>> {
  if (once.begun) return takeUp(scope, engine, once, once.begun)
  const { paymentMethodId, request } = asked
  const method = orNotFound(await paymentMethods.find(scope, paymentMethodId))
  refuseUnusable(method, request)
  const tokenizer = await findTokenizer(scope, engine, method, request.payment_service_id)
  const { attempt, answer } = await requestToken(scope, engine, once, {
    tokenizer,
    begin: async (tx) => {
      // Locked, so that the method is not deleted without its token.
      if (!(await paymentMethods.lock(tx, method.id))) throw errors.notFound()
      return tokens.insert(tx, {
        payment_method_id: method.id,
        payment_service_id: tokenizer.service.id,
        is_first: false,
        redirect_url: request.redirect_url,
      })
    },
    open: (work) =>
      openStored(
        scope,
        engine.vault,
        {
          method,
          securityCode: request.security_code ? new Masked(request.security_code) : null,
          purpose: 'payment service token',
        },
        work,
      ),
  }).catch((error: unknown) => refuseSecond(scope, error, method.id, request))
  return finish(scope, engine, once, { attempt, answer })
}

/** What no service could store: a method that the buyer has not approved, a code of a wrong length. */
function refuseUnusable(
  { status, scheme }: paymentMethods.StoredMethod,
  { security_code }: CreatePaymentServiceToken,
): void {
  if (status !== 'succeeded')
    throw errors.refused(`The payment method is not usable: its status is ${status}.`)
  if (scheme === null && security_code) {
    const message = 'leave it out: only cards have a security code'
    throw errors.invalid(inBody('/security_code', 'value_error.conflict', message))
  }
  const complaints = scheme === null ? [] : codeComplaints(scheme, security_code, '')
  if (complaints.length > 0) throw errors.invalid(...complaints)
}

/** The second commit. Without a decision, the token stays as it is, and the job asks again. */
async function finish(
  scope: Scope,
  engine: Engine,
  once: Once,
  told: { readonly attempt: Attempt; readonly answer: SyncAnswer },
): Promise<Finished<PaymentServiceToken>> {
  const { answer } = told
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const { subject } = await concludeHeld(tx, engine, TOKENIZATION, told)
      const text = answer.outcome === 'approved' ? answer.token?.value.use(String) : undefined
      return toToken(subject, subject.status === 'succeeded' ? (text ?? null) : null)
    })
  } finally {
    overwriteToken(answer)
  }
}

/** A process that died had begun the request. It is not begun again: we inquire about it. */
async function takeUp(
  scope: Scope,
  engine: Engine,
  once: Once,
  id: string,
): Promise<Finished<PaymentServiceToken>> {
  await resolveNow(scope, engine, id)
  const token = await tokens.find(scope, id)
  if (!token || token.deleted_at !== null) throw errors.notFound()
  const shown = await showToken(scope, engine.vault, token)
  return inTransaction(scope, (tx) => once.finish(tx, shown))
}

async function refuseSecond(
  scope: Scope,
  error: unknown,
  payment_method_id: string,
  { payment_service_id }: CreatePaymentServiceToken,
): Promise<never> {
  if (violatedUnique(error) !== tokens.ONE_AT_A_SERVICE) throw error
  const twin = await tokens.liveAt(scope, { payment_method_id, payment_service_id })
  const message = 'the payment service has a token for this payment method; delete it first'
  throw errors.duplicate(twin?.id, inBody('/payment_service_id', 'value_error.duplicate', message))
}

/** With the provider's token. The audit log records that it was read. */
export async function showToken(
  scope: Scope,
  vault: Vault,
  stored: StoredToken,
): Promise<PaymentServiceToken> {
  const { vault_token: token, payment_method_id: paymentMethodId, status } = stored
  if (token === null || status !== 'succeeded') return toToken(stored, null)
  const access = { token, fingerprint: null, paymentMethodId, purpose: 'payment service token' }
  const text = await reveal(scope, vault, access, async (value) => value.use(String)).catch(unlessDeleted)
  return toToken(stored, text)
}

/** The token was deleted after we had read its row. */
function unlessDeleted(error: unknown): null {
  if (!(error instanceof ItemGone)) throw error
  return null
}

function toToken(stored: StoredToken, text: string | null): PaymentServiceToken {
  return {
    type: 'payment-service-token',
    id: stored.id,
    payment_method_id: stored.payment_method_id,
    payment_service_id: stored.payment_service_id,
    status: stored.status,
    approval_url: stored.approval_url,
    token: text,
    created_at: stored.created_at.toISOString(),
    updated_at: stored.updated_at.toISOString(),
  }
}
