import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { amountText } from '#domain/currency.ts'
import type { Context } from '#platform/db.ts'
import { type ApiError, errors } from '#platform/errors.ts'
import { answerErrorsAsPages } from '#platform/http-errors.ts'
import { isId } from '#platform/incoming.ts'
import { sendFormPage, sendPage } from '#platform/page.ts'
import type { BrowserLimit } from '#platform/rate-limit.ts'
import { html } from '#platform/reference/html.ts'
import { openApproval } from '#processing/attempts/approval.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { hasExpired } from '../conclusions/approval-time.ts'
import { amountForMethod, isBuyerAsked } from '../state.ts'
import * as transactions from '../store.ts'
import { completionUrl, isApprovalKey } from './approval-url.ts'
import { approve } from './approve.ts'
import { sendApproval } from './provider-page.ts'
import { readReturned } from './read-returned.ts'
import { returnUrl } from './return-url.ts'
import { takeReturn } from './take-return.ts'

type Address = { readonly merchant_account_id: string; readonly transaction_id: string; readonly key: string }
type Asked = FastifyRequest<{ Params: Address }>
type Needs = { readonly engine: Engine; readonly context: Context; readonly limit: BrowserLimit }

/**
 * The pages on which a buyer approves a payment. If the issuer asks: the sandbox's stand-in for an issuer's page. If the
 * provider asks: what it wants the buyer to see. All work without scripts. After the decision, the browser returns to the
 * shop.
 */
export function serveApprovals(app: FastifyInstance, { engine, context, limit }: Needs): void {
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    answerErrorsAsPages(pages, showError)
    // The link was cut short.
    pages.get('/approvals/*', () => Promise.reject(errors.notFound()))
    pages.get(PATH, async (request: Asked, reply) => {
      const transaction = await findOwn(request)
      if (!isBuyerAsked(transaction)) return goBack(reply, transaction)
      const attempt = await asking(transaction)
      if (attempt) return askAtProvider(reply, transaction, attempt)
      if (!transaction.document.challenge) throw errors.notFound()
      return sendFormPage(reply, challengePage(transaction))
    })
    // The provider sends the buyer back. We ask it for the outcome first, so that the shop finds it.
    const comeBack = async (request: Asked, reply: FastifyReply) => {
      const transaction = await findOwn(request)
      if (!isBuyerAsked(transaction)) return goBack(reply, transaction)
      await limit.count(`approval/${transaction.id}`)
      const returned = readReturned(request)
      const further = await takeReturn(scopeOf(transaction), engine, transaction, returned)
      return further === null ? goBack(reply, await findOwn(request)) : reply.redirect(further, 303)
    }
    pages.get(`${PATH}/return`, comeBack)
    pages.post(`${PATH}/return`, comeBack)
    pages.post(PATH, async (request: Asked, reply) => {
      const transaction = await findAwaited(request)
      const { decision } = (request.body ?? {}) as { decision?: unknown }
      if (decision !== 'approve' && decision !== 'refuse')
        return sendFormPage(reply, { ...challengePage(transaction), status: 400 })
      const place = { merchantAccountId: transaction.merchant_account_id, id: transaction.id }
      if (!(await asking(transaction)))
        await approve({ ...context, startedAt: performance.now() }, engine, place, decision === 'approve')
      const after = await findAwaited(request)
      const isAskedAgain = isBuyerAsked(after) && (await asking(after)) !== undefined
      const url = isAskedAgain ? after.outcome.approval_url : null
      return url ? reply.redirect(url, 303) : goBack(reply, after)
    })
    ready()
  })

  /** The payment of an address, whatever it waits for. A wrong address is a guess, and counts against its sender. */
  async function findOwn({ params, ip }: Asked) {
    const { merchant_account_id, transaction_id: id, key } = params
    const isRight = isId(id) && isApprovalKey(engine.secrets, { merchant_account_id, id }, key)
    const scope = { ...context, merchantAccountId: merchant_account_id }
    const transaction = isRight ? await transactions.find(scope, id) : undefined
    if (transaction) return transaction
    await limit.countGuess(ip)
    throw errors.notFound()
  }

  async function findAwaited(request: Asked) {
    const transaction = await findOwn(request)
    if (!transaction.document.challenge) throw errors.notFound()
    return transaction
  }

  function scopeOf({ merchant_account_id }: transactions.StoredTransaction) {
    return { ...context, merchantAccountId: merchant_account_id, startedAt: performance.now() }
  }

  /** The attempt whose provider asks the buyer. If the issuer asks, then no provider has been asked yet. */
  async function asking(transaction: transactions.StoredTransaction) {
    const open = await attempts.openOf(scopeOf(transaction), transaction.id)
    return open.find(({ kind }) => kind === 'authorize')
  }

  function askAtProvider(
    reply: FastifyReply,
    transaction: transactions.StoredTransaction,
    attempt: attempts.PaymentAttempt,
  ): FastifyReply {
    if (hasExpired(transaction, context.clock())) return sendPage(reply, 'The time to pay is over', TOO_LATE)
    const approval = openApproval(engine.secrets, attempt)
    if (approval) {
      return sendApproval(reply, transaction, { approval, returnUrl: completionUrl(engine, transaction) })
    }
    const { approval_url: url } = transaction.outcome
    if (!url) throw errors.notFound()
    return reply.redirect(url, 303)
  }
}

const PATH = '/approvals/:merchant_account_id/:transaction_id/:key'
const ASKED = 'Approve this payment'
const TOO_LATE = html`<p>Go back to the shop to pay again. You have paid nothing here.</p>`

function showError(reply: FastifyReply, { status }: ApiError): FastifyReply {
  if (status === 429) {
    return sendPage(reply, 'Too many attempts', html`<p>Open this page again in a minute.</p>`, status)
  }
  if (status >= 500) {
    const text = html`<p>Nothing was decided. Open this page again in a moment.</p>`
    return sendPage(reply, 'This did not work', text, status)
  }
  const text = html`<p>It may be incomplete. Go back to the shop to see what became of your payment.</p>`
  return sendPage(reply, 'This link does not work', text, status)
}

function goBack(reply: FastifyReply, transaction: transactions.StoredTransaction): FastifyReply {
  const url = returnUrl(transaction)
  if (url !== null) return reply.redirect(url, 303)
  return sendPage(reply, DECIDED[transaction.status] ?? 'Not paid', html`<p>You can close this page.</p>`)
}

function challengePage(transaction: transactions.StoredTransaction) {
  const { payment_method: method } = transaction.document
  const content = html`<dl>
<dt>Amount</dt><dd>${amountText(amountForMethod(transaction), transaction.currency)}</dd>
<dt>Card</dt><dd>${method?.scheme ?? ''} •••• ${method?.label ?? ''}</dd>
</dl>
<form method="post">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="refuse">Refuse</button>
</form>
<p><small>A simulated issuer. No money moves.</small></p>`
  return { title: ASKED, content, next: returnUrl(transaction) }
}

const DECIDED: Readonly<Partial<Record<transactions.Row['status'], string>>> = {
  processing: 'Being processed',
  authorization_succeeded: 'Approved',
  capture_pending: 'Approved',
  capture_succeeded: 'Approved',
}
