import type { Answer, Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type { Inquiry, InquiryAbout } from '#connectors/contract/orders.ts'
import { again, lost } from '#connectors/contract/requests.ts'
import { authorize, lookUp, readMandate, tokenize } from './billing-request.ts'
import { cancel, forgetToken, readEnd, refund } from './follow-ups.ts'
import type { MethodRow } from './methods.ts'
import { statusOf } from './payment.ts'
import { isId, list, markOf, momentIn, show } from './wire.ts'

/** GoCardless does not say how long it remembers keys, only that it is not for ever. */
export const KEYS_LIVE_MS = 86_400_000

/** How far back billing requests and payments are looked through. GoCardless cannot be asked for a mark. */
const PAGE_SIZE = '500'
const PAGES_MAX = 4
/** A billing request cannot be older than the request for it, but for the difference of two clocks. */
const MARGIN_MS = 3_600_000

/** What GoCardless shows decides. What it does not show may be on its way, and is sent again under the same key while that lives. */
export async function sync(inquiry: Inquiry, link: Link, row: MethodRow): Promise<SyncAnswer> {
  switch (inquiry.operation) {
    case 'authorize':
      return syncAuthorization(inquiry, link, row)
    case 'cancel':
      return syncCancel(inquiry, link)
    case 'tokenize':
      return syncMandate(inquiry, link, row)
    case 'forgetToken':
      return replay(inquiry, link, forgetToken)
    case 'refund':
      return (await findRefund(inquiry, link)) ?? replay(inquiry, link, refund)
    default:
      return lost('GoCardless is not asked for such operations')
  }
}

async function syncAuthorization(
  inquiry: InquiryAbout<'authorize'>,
  link: Link,
  row: MethodRow,
): Promise<SyncAnswer> {
  const { attemptId, reference, order, sentAt } = inquiry
  if (reference !== null) return lookUp(reference, again(link), attemptId)
  if (order !== null) return replay(inquiry, link, (one, line) => authorize(one, line, row))
  const found =
    (await find(link, 'billing_requests', { attemptId, since: sentAt })) ??
    (await find(link, 'payments', { attemptId, since: sentAt }))
  return found === null ? lost(NOT_SHOWN) : lookUp(found, again(link), attemptId)
}

async function syncMandate(
  { attemptId, reference, order, sentAt }: InquiryAbout<'tokenize'>,
  link: Link,
  row: MethodRow,
): Promise<SyncAnswer> {
  if (reference === null && order !== null)
    return replay({ order, sentAt }, link, (one, line) => tokenize(one, line, row))
  const found = reference ?? (await find(link, 'billing_requests', { attemptId, since: sentAt }))
  if (found === null) return lost(NOT_SHOWN)
  return readMandate(await show(again(link), 'billing_requests', found), attemptId)
}

const NOT_SHOWN = 'GoCardless does not show this attempt'

type Sought = { readonly attemptId: string; readonly since: Date }

/** The id of the newest with our mark. */
async function find(
  link: Link,
  resource: 'billing_requests' | 'payments',
  { attemptId, since }: Sought,
): Promise<string | null> {
  let after: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const listed: Awaited<ReturnType<typeof list>> = await list(link, resource, {
      limit: PAGE_SIZE,
      ...(after !== null && { after }),
    })
    const id = listed?.items.find((one) => markOf(one, 'attempt') === attemptId)?.['id']
    if (isId('BRQ', id) || isId('PM', id)) return id
    const oldest = momentIn(listed?.items.at(-1)?.['created_at'])
    after = listed?.after ?? null
    if (after === null || (oldest !== null && oldest.getTime() < since.getTime() - MARGIN_MS)) return null
  }
  return null
}

async function syncCancel(inquiry: InquiryAbout<'cancel'>, link: Link): Promise<SyncAnswer> {
  const { reference } = inquiry
  if (reference === null) return replay(inquiry, link, cancel)
  const resource = isId('PM', reference) ? 'payments' : 'billing_requests'
  const shown = readEnd(await show(link, resource, reference))
  return shown.outcome === 'approved' ? shown : replay(inquiry, link, cancel)
}

/** Null: GoCardless shows none with our mark, or none yet. */
async function findRefund({ reference, attemptId }: InquiryAbout<'refund'>, link: Link) {
  if (!isId('PM', reference)) return null
  const page = await list(link, 'refunds', { payment: reference, limit: PAGE_SIZE })
  if (!page) return lost('GoCardless did not list the refunds')
  const made = page.items.find((one) => markOf(one, 'attempt') === attemptId)
  return made ? statusOf('refund', made) : null
}

async function replay<Order, Result>(
  { order, sentAt }: { readonly order: Order | null; readonly sentAt: Date },
  link: Link,
  ask: (order: Order, link: Link) => Promise<Result>,
): Promise<Result | Answer> {
  if (order === null) return lost(NOT_SHOWN)
  // After that, the order would be carried out a second time.
  if (link.now().getTime() - sentAt.getTime() >= KEYS_LIVE_MS)
    return lost('GoCardless may have forgotten the key of this attempt')
  return ask(order, again(link))
}
