import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { amountText } from '../../../domain/currency.ts'
import type { Context } from '../../../platform/db.ts'
import { errors } from '../../../platform/errors.ts'
import { Html, html } from '../../../platform/reference/html.ts'
import type { Engine } from '../../../processing/engine.ts'
import * as attempts from '../attempts/store.ts'
import * as transactions from '../store.ts'
import { isApprovalKey } from './approval-url.ts'
import { approve } from './approve.ts'
import { returnUrl } from './return-url.ts'

type Address = { readonly merchant_account_id: string; readonly transaction_id: string; readonly key: string }
type Needs = { readonly engine: Engine; readonly context: Context }

/**
 * The page on which a card's holder approves or refuses a payment: the sandbox's stand-in for an issuer's. It needs no
 * script. When the holder has decided, the browser goes back to the shop.
 */
export function serveApprovals(app: FastifyInstance, { engine, context }: Needs): void {
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    pages.get<{ Params: Address }>(PATH, async ({ params }, reply) => {
      const transaction = await findAwaited(params)
      if (transaction.status !== 'buyer_approval_pending') return goBack(reply, transaction)
      const url = await askedElsewhere(transaction)
      return url === null ? send(reply, challengePage(transaction)) : reply.redirect(url, 303)
    })
    pages.post<{ Params: Address; Body: unknown }>(PATH, async ({ params, body }, reply) => {
      const transaction = await findAwaited(params)
      const { decision } = (body ?? {}) as { decision?: unknown }
      if (decision !== 'approve' && decision !== 'refuse') return send(reply, challengePage(transaction), 400)
      const place = { merchantAccountId: transaction.merchant_account_id, id: transaction.id }
      if ((await askedElsewhere(transaction)) === null) {
        await approve(context, engine, place, decision === 'approve')
      }
      const after = await findAwaited(params)
      const url = await askedElsewhere(after)
      return url === null ? goBack(reply, after) : reply.redirect(url, 303)
    })
    ready()
  })

  async function findAwaited({ merchant_account_id, transaction_id: id, key }: Address) {
    const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
    if (!isId || !isApprovalKey(engine.secrets, { merchant_account_id, id }, key)) throw errors.notFound()
    const scope = { ...context, merchantAccountId: merchant_account_id }
    const transaction = await transactions.find(scope, id)
    if (!transaction?.document.challenge) throw errors.notFound()
    return transaction
  }

  /** Where a provider asks the holder once more, after we did. */
  async function askedElsewhere({ id, status, outcome, ...row }: transactions.StoredTransaction) {
    const scope = { ...context, merchantAccountId: row.merchant_account_id }
    const isAsked = status === 'buyer_approval_pending' && (await attempts.openOf(scope, id)).length > 0
    return isAsked ? (outcome.approval_url ?? null) : null
  }
}

const PATH = '/approvals/:merchant_account_id/:transaction_id/:key'

function goBack(reply: FastifyReply, transaction: transactions.StoredTransaction): FastifyReply {
  const url = returnUrl(transaction)
  return url === null ? send(reply, decidedPage(transaction)) : reply.redirect(url, 303)
}

function send(reply: FastifyReply, page: Html, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('x-frame-options', 'SAMEORIGIN')
    .send(`<!doctype html>${page.text}`)
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; display: grid; place-items: center; min-height: 100vh;
  background: #f4f5f5; color: #1c2423 }
main { background: #fff; padding: 2rem; border-radius: 12px; max-width: 24rem; box-shadow: 0 1px 6px #0002 }
h1 { font-size: 1.25rem; margin: 0 0 1rem }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; margin: 0 0 1.5rem }
dt { color: #5a6665 } dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums }
form { display: grid; gap: .5rem }
button { font: inherit; padding: .75rem; border-radius: 8px; border: 1px solid #0b7a6f; cursor: pointer }
button[value=approve] { background: #0b7a6f; color: #fff } button[value=refuse] { background: #fff; color: #0b7a6f }
small { color: #5a6665 }
@media (prefers-color-scheme: dark) {
  body { background: #0d1314; color: #e4ecea } main { background: #141c1d }
  dt, small { color: #9dafab }
  button[value=refuse] { background: #141c1d; color: #62cdbd; border-color: #62cdbd }
}`

/** Forms may lead anywhere: the answer to one is the way back to the shop. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
].join('; ')

function challengePage({ currency, document, ...row }: transactions.StoredTransaction): Html {
  const amount = row.amount - row.gift_card_amount
  const { payment_method: method } = document
  return frame(
    'Approve this payment',
    html`<dl>
<dt>Amount</dt><dd>${amountText(amount, currency)}</dd>
<dt>Card</dt><dd>${method?.scheme ?? ''} •••• ${method?.label ?? ''}</dd>
</dl>
<form method="post">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="refuse">Refuse</button>
</form>
<p><small>A simulated issuer. No money moves.</small></p>`,
  )
}

function decidedPage({ status }: transactions.StoredTransaction): Html {
  return frame(DECIDED[status] ?? 'Not paid', html`<p>You can close this page.</p>`)
}

const DECIDED: Readonly<Partial<Record<transactions.Row['status'], string>>> = {
  processing: 'Being processed',
  authorization_succeeded: 'Approved',
  capture_pending: 'Approved',
  capture_succeeded: 'Approved',
}

function frame(title: string, content: Html): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>${new Html(STYLE)}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>`
}
