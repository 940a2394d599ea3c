import type { Answer, AuthorizeAnswer, Link, SyncAnswer, Unknown } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Inquiry } from '#connectors/contract/orders.ts'
import { again, lost } from '#connectors/contract/requests.ts'
import { authorize, lookUp } from './authorize.ts'
import { capture, increment, markOf, readAction, refund, release } from './follow-ups.ts'
import { lookUpPayout, payout, readPayout } from './payout.ts'
import { readPayment } from './read-payment.ts'
import { forgetToken, tokenize } from './tokens.ts'
import { isObject, isPage, type Json, type Reply, send } from './wire.ts'

/**
 * Pages of Checkout.com say 24 hours, newer ones 72, and older ones two minutes in the sandbox. So a lost answer is looked for
 * first, and only what Checkout.com does not show is sent again.
 */
export const KEYS_LIVE_MS = 24 * 3_600_000

const ACTS = { authorize, capture, void: release, refund, increment, payout, tokenize, forgetToken }

export async function sync(inquiry: Inquiry, link: Link): Promise<SyncAnswer> {
  switch (inquiry.operation) {
    case 'authorize':
      return (await findPayment(inquiry, inquiry.order, link)) ?? replay(inquiry, link)
    case 'payout':
      return (await findPayout(inquiry, link)) ?? replay(inquiry, link)
    case 'capture':
    case 'void':
    case 'refund':
    case 'increment':
      return syncAction(inquiry, inquiry.reference, link)
    default:
      return replay(inquiry, link)
  }
}

async function replay({ operation, order, sentAt }: Inquiry, link: Link): Promise<SyncAnswer> {
  const ask = Object.hasOwn(ACTS, operation)
    ? (ACTS[operation as keyof typeof ACTS] as (order: object, link: Link) => Promise<SyncAnswer>)
    : null
  if (!ask || order === null) return lost('Checkout.com does not show this attempt')
  // After that, the order would be carried out a second time.
  if (link.now().getTime() - sentAt.getTime() >= KEYS_LIVE_MS) {
    return lost('Checkout.com may have forgotten the key of this attempt')
  }
  return ask(order, again(link))
}

/** Null: Checkout.com shows no such payment, or does not show payments to this key. */
async function findPayment(
  { attemptId, reference }: Inquiry,
  order: AuthorizeOrder | null,
  link: Link,
): Promise<AuthorizeAnswer | null> {
  if (order === null) return null
  if (reference !== null) return lookUp(link, reference, order)
  const made = await findMarked(link, order, { [markOf('authorize')]: attemptId })
  return made && ('outcome' in made ? made : readPayment(made.payment, order))
}

/** The same of a payout. */
async function findPayout(
  { attemptId, reference, order }: Extract<Inquiry, { operation: 'payout' }>,
  link: Link,
): Promise<Answer | null> {
  if (reference !== null) return lookUpPayout(link, reference, attemptId)
  if (order === null) return null
  const made = await findMarked(link, order, { [markOf('payout')]: attemptId })
  return made && ('outcome' in made ? made : readPayout(made.payment, attemptId))
}

/** Among the payments with our reference, the one with our mark. */
async function findMarked(
  link: Link,
  { reconciliationId }: { readonly reconciliationId: string },
  mark: Readonly<Record<string, string>>,
): Promise<{ readonly payment: Json } | Unknown | null> {
  const query = new URLSearchParams({ reference: reconciliationId, limit: '10' })
  const reply = await send(link, { method: 'GET', path: `payments?${query}` })
  if (reply.kind !== 'answer') return problemOf(reply)
  if (!isPage(reply.body)) return lost('Checkout.com answered with something else than a list')
  const payment = reply.body.data
    .filter(isObject)
    .find(
      ({ metadata }) =>
        isObject(metadata) && Object.entries(mark).every(([name, id]) => metadata[name] === id),
    )
  return payment ? { payment } : null
}

/** An action is known by our mark. A receipt that comes again names it, too. */
async function syncAction(inquiry: Inquiry, payment: string | null, link: Link): Promise<SyncAnswer> {
  const reply =
    payment === null
      ? null
      : await send(link, { method: 'GET', path: `payments/${encodeURIComponent(payment)}/actions` })
  const problem = reply && reply.kind !== 'answer' ? problemOf(reply) : null
  if (problem) return problem
  const items = reply?.kind === 'answer' ? reply.body['items'] : []
  if (!Array.isArray(items)) return lost('Checkout.com answered with something else than a list')
  const actions = items.filter(isObject)
  const mark = markOf(inquiry.operation)
  const done = actions.find(({ metadata }) => isObject(metadata) && metadata[mark] === inquiry.attemptId)
  if (done) return readAction(done['id'], done)
  const answer = await replay(inquiry, link)
  const named = actions.find(({ id }) => answer.outcome === 'pending' && id === answer.reference)
  return named ? readAction(named['id'], named) : answer
}

/** A key may be allowed to pay and not to look. Then the order is sent again. */
function problemOf(reply: Exclude<Reply, { kind: 'answer' }>): Unknown | null {
  if (reply.kind === 'lost') return lost(reply.reason)
  return reply.status === 403 || reply.status === 404
    ? null
    : lost('Checkout.com did not let the question in')
}
