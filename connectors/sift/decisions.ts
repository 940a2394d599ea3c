import type { Link } from '#connectors/contract/connector.ts'
import { apiOf, isRecord, readJson } from './wire.ts'

/** Merchants name their decisions as they like. Sift knows each by one of three categories. */
const CATEGORIES = ['accept', 'block', 'watch'] as const
export type Category = (typeof CATEGORIES)[number]

/** Merchants change their decisions rarely. One that is not among those we know is looked for at once. */
const FRESH_MS = 10 * 60_000
const PAGE = 100
const PAGES_MAX = 10
const NAME = 'sift-decisions'

/** The merchant has to change something at Sift. */
export class CategoryUnknown extends Error {}

/** Throws if Sift does not answer. */
export async function categoryOf(decisionId: string, link: Link): Promise<Category> {
  const known = categoryIn(await rememberAll(link), decisionId)
  if (known) return known
  await link.forget(NAME)
  const found = categoryIn(await rememberAll(link), decisionId)
  if (found) return found
  throw new CategoryUnknown('the decision is none about orders: set its entity to Orders in Sift’s console')
}

function categoryIn(text: string, decisionId: string): Category | undefined {
  const all: unknown = JSON.parse(text)
  const category = isRecord(all) && Object.hasOwn(all, decisionId) ? all[decisionId] : undefined
  return CATEGORIES.find((one) => one === category)
}

function rememberAll(link: Link): Promise<string> {
  return link.remember(NAME, async () => ({
    value: JSON.stringify(Object.fromEntries(await listAll(link))),
    expiresAt: new Date(link.now().getTime() + FRESH_MS),
  }))
}

async function listAll(link: Link): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = []
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { decisions, hasMore } = await listPage(link, page * PAGE)
    found.push(...decisions)
    if (!hasMore) break
  }
  return found
}

async function listPage(link: Link, from: number) {
  const { account_id: account = '', api_key: key = '' } = link.fields
  const query = `entity_type=order&abuse_types=payment_abuse&limit=${PAGE}&from=${from}`
  const response = await link.fetch(
    `${apiOf(link)}/v3/accounts/${encodeURIComponent(account)}/decisions?${query}`,
    {
      headers: {
        authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
        accept: 'application/json',
      },
    },
  )
  if (response.status === 401 || response.status === 403 || response.status === 404)
    throw new CategoryUnknown('Sift refused the account id with this API key')
  const body = await readJson(response)
  const data = isRecord(body) ? body['data'] : undefined
  if (response.status !== 200 || !isRecord(body) || !Array.isArray(data))
    throw new Error(`Sift listed no decisions: ${response.status}`)
  const decisions = data
    .filter(isRecord)
    .map(({ id, category }) => [String(id), String(category).toLowerCase()] as const)
  return { decisions, hasMore: body['has_more'] === true && decisions.length > 0 }
}
