import type { Link, Unknown } from '#connectors/contract/connector.ts'
import { type Intent, NOT_OURS, readIntent } from './intent.ts'
import { isObject, send, unknown } from './wire.ts'

/** Our clocks may differ, and a request may be under way for as long as Stripe works on it. */
const BEFORE_SECONDS = 120
const AFTER_SECONDS = 300
const PAGE = 100
/** A merchant with 1000 payments in seven minutes: then the search, or Stripe's message, has to find it. */
const PAGES_MAX = 10

type List = 'payment_intents' | 'setup_intents' | 'refunds'

/**
 * Objects that Stripe made around a time, with our mark in their metadata. The list is read-after-write, unlike the search.
 * Source: https://docs.stripe.com/search#data-freshness
 */
export async function findMade(
  link: Link,
  list: List,
  { sentAt, attemptId }: { readonly sentAt: Date; readonly attemptId: string },
): Promise<object | null | Unknown> {
  const at = Math.floor(sentAt.getTime() / 1_000)
  const created = { gte: at - BEFORE_SECONDS, lte: at + AFTER_SECONDS }
  const expand = list === 'payment_intents' ? ['data.latest_charge'] : undefined
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const form = { created, limit: PAGE, starting_after: after, expand }
    const found = await readPage(link, `/v1/${list}`, form)
    if ('outcome' in found) return found
    const made = found.data.find(({ metadata }) => isObject(metadata) && metadata['attempt'] === attemptId)
    if (made) return made
    const last = found.data.at(-1)
    if (!found.hasMore || typeof last?.['id'] !== 'string') return null
    after = last['id']
  }
  return null
}

/** By our metadata. Stripe's search shows a payment a minute after it was made, sometimes later. */
export async function searchIntents(
  link: Link,
  wanted: Readonly<Record<string, string>>,
): Promise<readonly Intent[] | Unknown> {
  const query = Object.entries(wanted)
    .map(([name, value]) => `metadata["${name}"]:"${value}"`)
    .join(' AND ')
  const form = { query, limit: PAGE, expand: ['data.latest_charge'] }
  const found = await readPage(link, '/v1/payment_intents/search', form)
  if ('outcome' in found) return found
  return found.data.flatMap((item) => readIntent(item, {}) ?? [])
}

/** As Stripe shows it now. */
export async function retrieve(link: Link, reference: string): Promise<Intent | Unknown> {
  const isSetup = reference.startsWith('seti_')
  const path = `/v1/${isSetup ? 'setup_intents' : 'payment_intents'}/${encodeURIComponent(reference)}`
  const form = isSetup ? {} : { expand: ['latest_charge'] }
  const reply = await send(link, { method: 'GET', path, form })
  if (reply.kind === 'lost') return unknown(reply.reason)
  if (reply.kind === 'refusal') return unknown(`Stripe answered ${reply.status} to a question`)
  return readIntent(reply.body, { id: reference }) ?? NOT_OURS
}

type Item = Readonly<Record<string, unknown>>

async function readPage(
  link: Link,
  path: string,
  form: object,
): Promise<{ readonly data: readonly Item[]; readonly hasMore: boolean } | Unknown> {
  const reply = await send(link, { method: 'GET', path, form })
  if (reply.kind === 'lost') return unknown(reply.reason)
  if (reply.kind === 'refusal') return unknown(`Stripe answered ${reply.status} to a question`)
  const { object, data, has_more: hasMore } = reply.body
  const isList = object === 'list' || object === 'search_result'
  if (!isList || !Array.isArray(data) || typeof hasMore !== 'boolean') {
    return unknown('Stripe answered with something else than a list')
  }
  return { data: data.filter(isObject), hasMore }
}
