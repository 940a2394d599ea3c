import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { amountText } from '#domain/currency.ts'
import { localeFor } from '#domain/locale.ts'
import { approve } from '#payments/acts/approve.ts'
import { takeReturn } from '#payments/acts/take-return.ts'
import { approvalUrl, completionUrl, hasExpired, isApprovalKey } from '#payments/approval.ts'
import { amountForMethod, isBuyerAsked } from '#payments/state.ts'
import type { StoredTransaction } from '#payments/store/payments.ts'
import * as transactions from '#payments/store/payments.ts'
import type { BrowserLimit } from '#platform/access/rate-limit.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { type ApiError, errors } from '#platform/http/errors.ts'
import { answerErrorsAsPages } from '#platform/http/http-errors.ts'
import { isId } from '#platform/http/incoming.ts'
import { type Dress, sendDressedPage, sendFramePage, sendScriptedPage } from '#platform/http/page.ts'
import { type Html, html } from '#platform/reference/html.ts'
import { openApproval, type Returned } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as checkoutPages from '#resources/checkout/sessions/page/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { lookOf } from '#resources/merchant-accounts/theme/look.ts'
import * as themes from '#resources/merchant-accounts/theme/store.ts'
import { WORDS } from '#words/words.ts'
import { sendApproval } from './provider-page.ts'
import { browserOf, isAtIssuer, isSentByUs } from './read-browser.ts'
import { returnUrl } from './return-url.ts'
import { sendChallenge } from './three-ds-page.ts'

type Address = { readonly merchant_account_id: string; readonly transaction_id: string; readonly key: string }
type Asked = FastifyRequest<{ Params: Address }>
type Needs = { readonly engine: Engine; readonly context: Context; readonly limit: BrowserLimit }

/**
 * The pages on which a buyer approves a payment. If the issuer asks: the sandbox's stand-in for an issuer's page. If the
 * provider asks: what it wants the buyer to see. All work without scripts. After the decision, the browser returns to the
 * shop.
 */
export function serveApprovals(app: FastifyInstance, needs: Needs): void {
  const { engine, context, limit } = needs
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
      if (!isBuyerAsked(transaction)) return goBack(reply, transaction, await dressOf(request, transaction))
      const attempt = await asking(scopeOf(transaction), transaction)
      if (attempt)
        return askAtProvider(needs, reply, {
          scope: scopeOf(transaction),
          transaction,
          attempt,
          dress: await dressOf(request, transaction),
        })
      if (!transaction.document.challenge) throw errors.notFound()
      return showChallenge(request, reply, transaction)
    })
    // The provider sends the buyer back. We ask it for the outcome first, so that the shop finds it.
    const comeBack = async (request: Asked, reply: FastifyReply) => {
      const transaction = await findOwn(request)
      if (!isBuyerAsked(transaction)) return goBack(reply, transaction, await dressOf(request, transaction))
      await limit.count(`approval/${transaction.id}`)
      const returned = readReturned(request)
      if (isAtIssuer(engine, transaction) && !(await asking(scopeOf(transaction), transaction))) {
        await goOn(needs, request, transaction, returned)
        return afterwards(request, reply)
      }
      const further = await takeReturn(scopeOf(transaction), engine, transaction, returned)
      const after = await findOwn(request)
      const next = further === null ? null : nextUrl(reply, after)
      if (next !== null) return reply.redirect(next, 303)
      return goBack(reply, after, await dressOf(request, transaction))
    }
    pages.get(`${PATH}/return`, comeBack)
    pages.post(`${PATH}/return`, comeBack)
    pages.post(PATH, async (request: Asked, reply) => {
      const transaction = await findOwn(request)
      if (!transaction.document.challenge) throw errors.notFound()
      const sent = readReturned(request)
      // The buyer may have decided already, in another window.
      const isOurs = !isBuyerAsked(transaction) || isSentByUs(engine, transaction, sent)
      if (!isOurs) return showChallenge(request, reply, transaction, 400)
      await limit.count(`approval/${transaction.id}`)
      if (!(await asking(scopeOf(transaction), transaction))) await goOn(needs, request, transaction, sent)
      return afterwards(request, reply)
    })
    ready()
  })

  /** To the shop, or to what is wanted of the buyer next. */
  async function afterwards(request: Asked, reply: FastifyReply): Promise<FastifyReply> {
    const after = await findOwn(request)
    const dress = await dressOf(request, after)
    if (!isBuyerAsked(after)) return goBack(reply, after, dress)
    const url = (await asking(scopeOf(after), after)) ? nextUrl(reply, after) : approvalUrl(engine, after)
    return url ? reply.redirect(url, 303) : goBack(reply, after, dress)
  }

  async function showChallenge(request: Asked, reply: FastifyReply, asked: StoredTransaction, status = 200) {
    const dress = await dressOf(request, asked)
    if (asked.document.challenge?.sealed !== undefined && hasExpired(asked, context.clock()))
      return sendTooLate(reply, dress)
    const summary = await summarize(scopeOf(asked), engine, asked, dress)
    return sendChallenge(reply, engine, asked, { dress, summary, status })
  }

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

  function scopeOf({ merchant_account_id }: transactions.StoredTransaction) {
    return { ...context, merchantAccountId: merchant_account_id, startedAt: performance.now() }
  }

  function dressOf(request: Asked, transaction: transactions.StoredTransaction) {
    return findDress(scopeOf(transaction), transaction, request.headers['accept-language'])
  }
}

const PATH = '/approvals/:merchant_account_id/:transaction_id/:key'

/** The attempt whose provider asks the buyer. If the issuer asks, then no provider has been asked yet. */
async function asking(scope: Scope, { id }: StoredTransaction) {
  const open = await attempts.openOf(scope, id)
  return open.find(({ kind }) => kind === 'authorize')
}

function goOn(
  { engine, context }: Needs,
  request: Asked,
  asked: StoredTransaction,
  sent: Returned,
): Promise<void> {
  const place = { merchantAccountId: asked.merchant_account_id, id: asked.id }
  const now = { ...context, startedAt: performance.now() }
  return approve(now, engine, place, { sent, browser: browserOf(request, sent) })
}

type Asking = {
  readonly scope: Scope
  readonly transaction: transactions.StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly dress: Dress
}

async function askAtProvider(
  { engine, context }: Needs,
  reply: FastifyReply,
  { scope, transaction, attempt, dress }: Asking,
): Promise<FastifyReply> {
  if (hasExpired(transaction, context.clock())) {
    return sendTooLate(reply, dress)
  }
  const approval = openApproval(engine.secrets, attempt)
  if (approval) {
    const summary = await summarize(scope, engine, transaction, dress)
    const returnUrl = completionUrl(engine, transaction)
    return sendApproval(reply, transaction, { approval, returnUrl, summary, dress })
  }
  const { approval_url: url } = transaction.outcome
  if (!url) throw errors.notFound()
  return isFramed(reply) ? sendInFrame(reply, url, dress) : reply.redirect(url, 303)
}

function sendTooLate(reply: FastifyReply, dress: Dress): FastifyReply {
  const { tooLate, tooLateText } = WORDS[dress.locale].approval
  return sendDressedPage(reply, { title: tooLate, content: html`<p>${tooLateText}</p>`, dress })
}

/** Where the buyer approves further. Null in a frame if that needs the whole window: the page around it leads there. */
function nextUrl(reply: FastifyReply, { outcome }: transactions.StoredTransaction): string | null {
  return (isFramed(reply) ? outcome.approval_frame_url : outcome.approval_url) ?? null
}

function showError(reply: FastifyReply, { status }: ApiError): FastifyReply {
  const locale = localeFor(null, reply.request.headers['accept-language'])
  const text = WORDS[locale].approval
  const dress = { locale, look: lookOf(undefined) }
  const send = (title: string, sentence: string) =>
    sendDressedPage(reply, { title, content: html`<p>${sentence}</p>`, status, dress })
  if (status === 429) return send(text.tooMany, text.tooManyText)
  return status >= 500 ? send(text.broken, text.brokenText) : send(text.unknown, text.unknownText)
}

function goBack(
  reply: FastifyReply,
  transaction: transactions.StoredTransaction,
  dress: Dress,
): FastifyReply {
  const text = WORDS[dress.locale].approval
  const title = text[DECIDED[transaction.status] ?? 'notPaid']
  if (isFramed(reply)) return sendDone(reply, title, dress)
  const url = returnUrl(transaction)
  if (url !== null) return reply.redirect(url, 303)
  return sendDressedPage(reply, { title, content: html`<p>${text.close}</p>`, dress })
}

const DECIDED: Readonly<Partial<Record<transactions.Row['status'], 'processing' | 'approved'>>> = {
  processing: 'processing',
  authorization_succeeded: 'approved',
  capture_pending: 'approved',
  capture_succeeded: 'approved',
}

/**
 * The look of the shop, and the language of the page on which the buyer pays, or else the one that the browser asks for. A
 * shop that shows that page in a frame shows this one within it.
 */
async function findDress(
  scope: Scope,
  { checkout_session_id: id }: StoredTransaction,
  acceptLanguage: string | undefined,
): Promise<Dress> {
  const page = id === null ? undefined : await checkoutPages.find(scope, id)
  return {
    locale: localeFor(page?.locale ?? null, acceptLanguage),
    look: lookOf(await themes.find(scope)),
    framedBy: page?.allowed_origins ?? [],
  }
}

/** Whether the browser shows our answer in a frame. Only our own pages, and shops that show these, can do so. */
function isFramed({ request }: FastifyReply): boolean {
  return request.headers['sec-fetch-dest'] === 'iframe'
}

/** What the page for paying hears when the buyer has decided. It then asks how the payment stands. */
const TELL = "parent.postMessage('switchyard-approval', location.origin)"
/** Only our own pages are heard: when the bank sends the buyer back, our page takes the place of the bank's. */
const PASS_ON = `addEventListener('message', ({ origin, data }) => {
  if (origin === location.origin && data === 'switchyard-approval') ${TELL}
})`

/** The end of an approval in a frame. The page around it goes on. */
function sendDone(reply: FastifyReply, title: string, dress: Dress): FastifyReply {
  return sendScriptedPage(reply, {
    title,
    content: html`<p>${WORDS[dress.locale].approval.close}</p>`,
    dress,
    script: TELL,
    policy: ["form-action 'none'"],
  })
}

/**
 * Shows the provider's page in a frame of ours. So the page for paying, and the policy of the shop around it, name only us. A
 * bank leads to others, so the policy of this page names the scheme and no host.
 */
function sendInFrame(reply: FastifyReply, url: string, dress: Dress): FastifyReply {
  const title = WORDS[dress.locale].approval.approve
  const { protocol } = new URL(url)
  return sendFramePage(reply, {
    title,
    dress,
    body: html`<iframe src="${url}" title="${title}" allow="payment; publickey-credentials-get"></iframe>`,
    script: PASS_ON,
    policy: [`frame-src ${protocol === 'http:' ? 'http: https:' : 'https:'}`, "form-action 'none'"],
  })
}

/** Providers bring back a handful of parameters. The longest are messages of 3-D Secure. */
const COUNT_MAX = 50
const BYTES_MAX = 32 * 1024

/**
 * What the browser brings back from a provider: the parameters of the address, and those of a form. Of a parameter that
 * comes twice, the last one counts, and a form's counts more.
 */
function readReturned({ url, body }: Pick<FastifyRequest, 'url' | 'body'>): Returned {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  const form = (body ?? {}) as Returned
  const entries = [...query, ...Object.entries(form)]
  const returned = Object.fromEntries(entries)
  const bytes = Buffer.byteLength(JSON.stringify(returned))
  if (entries.length > COUNT_MAX || bytes > BYTES_MAX) {
    throw errors.refused('The provider has sent back too many parameters.')
  }
  return returned
}

/**
 * Who asks for the payment, and how much it is. Names of shops are isolated, so that marks for the direction of text
 * change no line but their own.
 */
async function summarize(
  scope: Scope,
  { secrets }: Pick<Engine, 'secrets'>,
  transaction: StoredTransaction,
  { locale }: Dress,
): Promise<Html> {
  const text = WORDS[locale].approval
  const account = await merchantAccounts.find(scope, secrets, transaction.merchant_account_id)
  const amount = amountText(amountForMethod(transaction), transaction.currency, locale)
  return html`<dt>${text.shop}</dt><dd><bdi>${account?.display_name ?? ''}</bdi></dd>
<dt>${text.amount}</dt><dd><bdi>${amount}</bdi></dd>`
}
