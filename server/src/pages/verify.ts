import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BuiltPages } from './built-pages.ts'
import { FRAMES } from './fields.ts'
import { INVENTORY, inventoryOf, isForBuyers } from './inventory.ts'
import { pageHeaders, withoutData } from './send-page.ts'

/** The page on which buyers pay, with an example order. It is the same for everyone. */
export const EXAMPLE_PATH = '/pay/example'
const PAY_PAGE = 'pay/index.html'

/** Something that a buyer's browser received, and that differs from what was built. */
export type Finding = { readonly address: string; readonly problem: string }

type Verified = {
  readonly address: string
  readonly integrity: string
  /** Whether the page holds data, which is no part of the build. */
  readonly hasData?: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** Long enough for a slow network, and short enough for a job. */
const PATIENCE_MS = 10_000
/** Headers that would widen or narrow what a page may do, or what it tells, unless the page has them itself. */
const UNWANTED = ['set-cookie', 'x-frame-options', 'content-security-policy-report-only', 'link', 'refresh']

/**
 * Fetches the payment pages, their scripts and styles as a buyer's browser does, and compares headers and contents with
 * the build (PCI DSS 11.6.1). What stands between us and buyers, such as a proxy or a cache, is part of what is compared.
 */
export async function verifyPages(built: BuiltPages, url: string): Promise<Finding[]> {
  const found = await Promise.all(listOf(built, url).map((item) => verifyOne(url, item)))
  return [...found.flat(), ...(await verifyInventory(built, url))]
}

function listOf({ manifest }: BuiltPages, url: string): Verified[] {
  const { origin } = new URL(url)
  const headers = { 'x-content-type-options': 'nosniff' }
  const frames = Object.entries(FRAMES).map(([address, { page: name, shop }]) => ({
    address: `${address}?${shop}=${encodeURIComponent(origin)}`,
    integrity: manifest.pages[name]?.integrity ?? '',
    headers: { ...headers, ...pageHeaders(manifest, name, { frameAncestors: [origin] }) },
  }))
  const payPage = {
    address: EXAMPLE_PATH,
    integrity: manifest.pages[PAY_PAGE]?.integrity ?? '',
    headers: { ...headers, ...pageHeaders(manifest, PAY_PAGE, { frameAncestors: [] }) },
    hasData: true,
  }
  const files = [
    ...Object.keys(manifest.files)
      .filter((name) => isForBuyers(name) && !name.startsWith('google-pay/'))
      .map((name) => [name, name] as const),
    ...Object.entries(manifest.loaders),
  ].map(([address, name]) => {
    const { type = '', integrity = '' } = manifest.files[name] ?? {}
    return { address: `/${address}`, integrity, headers: { ...headers, 'content-type': type } }
  })
  return [...frames, payPage, ...files]
}

async function verifyOne(
  url: string,
  { address, integrity, headers, hasData }: Verified,
): Promise<Finding[]> {
  const response = await get(url, address)
  if (typeof response === 'string') return [{ address, problem: response }]
  const received = Buffer.from(await response.arrayBuffer())
  const body = hasData ? withoutData(received) : received
  const digest = `sha384-${createHash('sha384').update(body).digest('base64')}`
  const changed = Object.entries(headers).filter(([name, value]) => response.headers.get(name) !== value)
  const added = UNWANTED.filter((name) => response.headers.has(name) && !(name in headers))
  return [
    ...(digest === integrity ? [] : [`its content is ${digest} instead of ${integrity}`]),
    ...changed.map(
      ([name, value]) =>
        `its header ${name} is ${quote(response.headers.get(name))} instead of ${quote(value)}`,
    ),
    ...added.map((name) => `it has a header ${name}, which this page does not have`),
  ].map((problem) => ({ address, problem }))
}

async function verifyInventory({ manifest }: BuiltPages, url: string): Promise<Finding[]> {
  const response = await get(url, INVENTORY)
  if (typeof response === 'string') return [{ address: INVENTORY, problem: response }]
  const told: unknown = await response.json().catch(() => null)
  const expected = { build: manifest.source, scripts: inventoryOf(manifest) }
  return isDeepStrictEqual(told, expected)
    ? []
    : [{ address: INVENTORY, problem: 'it does not list the scripts of this build' }]
}

/** The answer, or why there is none. */
async function get(url: string, address: string): Promise<Response | string> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    // The built page is in English.
    const headers = { 'accept-language': 'en' }
    const response = await fetch(new URL(address, url), { redirect: 'manual', headers, signal })
    return response.status === 200 ? response : `it is answered with status ${response.status} instead of 200`
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `it cannot be fetched: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

function quote(text: string | null): string {
  return text === null ? 'missing' : JSON.stringify(text.slice(0, 500))
}
