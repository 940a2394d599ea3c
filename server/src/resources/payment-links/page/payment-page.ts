import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context, Scope } from '#platform/db.ts'
import { type ApiError, errors } from '#platform/errors.ts'
import { answerErrorsAsPages } from '#platform/http-errors.ts'
import { isId } from '#platform/incoming.ts'
import type { BrowserLimit } from '#platform/rate-limit.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { withPayment } from '#resources/transactions/approval/return-url.ts'
import { showTransaction } from '#resources/transactions/show.ts'
import * as transactions from '#resources/transactions/store.ts'
import type { Transaction } from '#resources/transactions/wire/transaction.ts'
import { LinkObstacle } from '../claim.ts'
import { isLinkKey, linkUrl } from '../link-url.ts'
import { payLink } from '../pay.ts'
import { type Obstacle, obstacleTo, statusAt } from '../state.ts'
import * as links from '../store.ts'
import { readForm } from './read-form.ts'
import { type Shown, sendForm, sendState, sendTrouble } from './render.ts'
import { localeFor, type Texts } from './texts.ts'

type Address = {
  readonly merchant_account_id: string
  readonly payment_link_id: string
  readonly key: string
}
type Needs = { readonly engine: Engine; readonly context: Context; readonly limit: BrowserLimit }
type Opened = FastifyRequest<{ Params: Address; Querystring: Readonly<Record<string, unknown>> }>
type Posted = FastifyRequest<{ Params: Address; Body: Readonly<Record<string, unknown>> | null }>

const PATH = '/pay/:merchant_account_id/:payment_link_id/:key'
const FORM_BYTES_MAX = 10_000
const REFRESH_SECONDS = 5
const BACK_SECONDS = 5

/**
 * The page on which a buyer pays a link. It needs no script. A payment is answered with a redirect to the page itself, so
 * that loading it again sends no card again.
 */
export function servePaymentLinks(app: FastifyInstance, { engine, context, limit }: Needs): void {
  app.register((pages, _options, ready) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    answerErrorsAsPages(pages, showError)
    // The link was cut short.
    pages.get('/pay/*', () => Promise.reject(errors.notFound()))
    pages.get(PATH, (request: Opened, reply) => open(request, reply))
    pages.post(PATH, (request: Posted, reply) => pay(request, reply))
    ready()
  })

  async function open(request: Opened, reply: FastifyReply): Promise<FastifyReply> {
    const shown = await find(request)
    const own = await findOwn(shown.link, request.query['transaction_id'])
    const status = statusAt(shown.link, context.clock())
    if (own?.intent_outcome === 'failed' && status === 'active') {
      return sendForm(reply, shown, { note: noteOf(own) })
    }
    if (status === 'active') return sendForm(reply, shown, {})
    if (own?.id !== shown.link.transaction_id) return showObstacle(reply, shown, { obstacle: status })
    const isBack = request.query['transaction_status'] !== undefined
    return own?.intent_outcome === 'pending'
      ? showWaiting(reply, shown, own, isBack)
      : showPaid(reply, shown, own)
  }

  async function pay(request: Posted, reply: FastifyReply): Promise<FastifyReply> {
    const shown = await find(request)
    const { link } = shown
    await limit.count(`payment-link/${link.id}`)
    const form = readForm(request.body ?? {}, context.clock())
    const obstacle = obstacleTo(link, { tries: form.tries, now: context.clock() })
    if (obstacle) return showObstacle(reply, shown, { obstacle, isRefusal: true })
    if ('errors' in form) return sendForm(reply, shown, { note: 'check', errors: form.errors }, 400)
    try {
      const paid = await payLink(
        { ...context, requestId: request.id, startedAt: performance.now() },
        engine,
        link,
        {
          ...form,
          address: request.ip,
        },
      )
      return reply.redirect(`${linkUrl(engine, link)}?transaction_id=${paid.id}`, 303)
    } catch (error) {
      if (!(error instanceof LinkObstacle)) throw error
      return showObstacle(reply, await find(request), { obstacle: error.obstacle, isRefusal: true })
    }
  }

  /** The link that the address names. A wrong address is a guess, and counts against its sender. */
  async function find(request: FastifyRequest<{ Params: Address }>): Promise<Shown> {
    const { merchant_account_id, payment_link_id: id, key } = request.params
    const isRight = isId(id) && isLinkKey(engine.secrets, { merchant_account_id, id }, key)
    const scope = { ...context, merchantAccountId: merchant_account_id }
    const link = isRight ? await links.find(scope, id) : undefined
    if (!link) {
      await limit.countGuess(request.ip)
      throw errors.notFound()
    }
    const merchant = link.document.merchant_name ?? (await displayName(link))
    return { link, merchant, locale: localeFor(link.document.locale, request.headers['accept-language']) }
  }

  async function displayName({ merchant_account_id }: links.StoredLink): Promise<string> {
    const account = await merchantAccounts.find(context, engine.secrets, merchant_account_id)
    return account?.display_name ?? ''
  }

  /** The payment that this browser has just made. Its id came with the redirect; other visitors do not know it. */
  async function findOwn(link: links.StoredLink, id: unknown): Promise<Transaction | undefined> {
    if (typeof id !== 'string' || !isId(id)) return undefined
    const scope: Scope = { ...context, merchantAccountId: link.merchant_account_id }
    const stored = await transactions.find(scope, id)
    return stored?.payment_link_id === link.id ? showTransaction(context, stored) : undefined
  }
}

/** A buyer whose bank asks for approval is sent there once. Back from there, the buyer waits for the outcome. */
function showWaiting(reply: FastifyReply, shown: Shown, own: Transaction, isBack: boolean): FastifyReply {
  const url = own.payment_method?.approval_url ?? null
  if (url === null || isBack) return showObstacle(reply, shown, { obstacle: 'processing' })
  return sendState(reply, shown, {
    title: 'approve',
    text: 'approveText',
    status: 200,
    next: { url, seconds: 0 },
  })
}

function showPaid(reply: FastifyReply, shown: Shown, own: Transaction | undefined): FastifyReply {
  const { return_url } = shown.link.document
  const url = return_url !== null && own ? withPayment(return_url, own) : undefined
  return sendState(reply, shown, {
    title: 'paid',
    text: 'paidText',
    status: 200,
    ...(url !== undefined && { next: { url, seconds: BACK_SECONDS, text: 'goingBack' } }),
  })
}

type Refusal = { readonly obstacle: Obstacle; readonly isRefusal?: boolean }

/** Why the link cannot be paid. `isRefusal`: the buyer has just tried, and is told that nothing was charged for it. */
function showObstacle(
  reply: FastifyReply,
  shown: Shown,
  { obstacle, isRefusal = false }: Refusal,
): FastifyReply {
  const status = isRefusal ? 409 : 200
  switch (obstacle) {
    case 'outdated':
      return sendForm(reply, shown, { note: 'outdated' }, status)
    case 'completed':
      return sendState(reply, shown, { title: 'paid', text: 'paidText', status, isRefusal })
    case 'expired':
      return sendState(reply, shown, { title: 'expired', text: 'expiredText', status: 410, isRefusal })
    case 'processing':
      return sendState(reply, shown, {
        title: 'processing',
        text: 'processingText',
        status,
        isRefusal,
        next: { seconds: REFRESH_SECONDS },
      })
  }
}

const NOTES: Readonly<Record<string, keyof Texts>> = {
  insufficient_funds: 'noFunds',
  expired_payment_method: 'expiredCard',
  incorrect_cvv: 'wrongCode',
  incorrect_expiry_date: 'wrongExpiry',
  failed_buyer_approval: 'notApproved',
  cancelled_buyer_approval: 'notApproved',
  incomplete_buyer_approval: 'notApproved',
}

/** What the buyer is told about a payment that failed. Suspected fraud is not mentioned. */
function noteOf({ error_code, raw_response_code }: Transaction): keyof Texts {
  return NOTES[error_code ?? ''] ?? (raw_response_code === null ? 'failed' : 'declined')
}

function showError(reply: FastifyReply, { status }: ApiError): FastifyReply {
  const locale = localeFor(null, reply.request.headers['accept-language'])
  if (status === 429) return sendTrouble(reply, locale, { title: 'tooMany', text: 'tooManyText', status })
  if (status >= 500) return sendTrouble(reply, locale, { title: 'broken', text: 'brokenText', status })
  return sendTrouble(reply, locale, { title: 'unknown', text: 'unknownText', status })
}
