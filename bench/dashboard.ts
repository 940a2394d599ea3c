import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { launchBrowser } from '#testing/browser.ts'
import { prepareDataFolder, startService } from '../lab/product.ts'
import { openUserSession } from '../lab/user-session.ts'
import { fillCopies } from './copied-payments.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'
import { fill } from './list-growth-fill.ts'
import { rowsOf } from './list-growth-rows.ts'
import { transactionAccounts } from './list-growth-transactions.ts'

const SMALL_ROWS = 10_000
const USABLE_RATIO_MAX = 1.5
const MAIN_THREAD_MS_MAX = 300
const MEMORY_RATIO_MAX = 1.25
const VISITS = 5
const PAGES = 50
/** When all is loaded and compiled. */
const FIRST_PAGES = 5
const ROW = 'table tbody tr a'

export const dashboard: Benchmark = {
  name: 'dashboard',
  title: 'Showing payments in the dashboard',
  explanation:
    'How long the list of payments takes from the address to its first row in a browser without a cache, with many payments as a ' +
    `multiple of the time with ${SMALL_ROWS.toLocaleString('en')}; two services, each on its own database, in turn. How long the main thread of the ` +
    'browser works from the click on a payment until its page is whole and quiet. The memory of the page, after garbage was ' +
    `collected, when ${PAGES} pages of the list were walked through, as a multiple of that after ${FIRST_PAGES}. In a real Chromium.`,
  isByRows: true,
  run,
}

/** A service with many payments or few, and a user who is signed in. */
type Party = {
  readonly url: string
  readonly cookie: { readonly name: string; readonly value: string }
  readonly close: () => Promise<void>
}

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  const small = await prepare(SMALL_ROWS, progress)
  const large = await prepare(pace.rows, progress)
  const browser = await launchBrowser()
  const usable: { readonly small: number; readonly large: number }[] = []
  const details: number[] = []
  const memory: { readonly first: number; readonly last: number }[] = []
  for (const party of [small, large]) await usableMs(browser, party)
  for (let round = 0; round < pace.rounds; round += 1) {
    progress(`round ${round + 1} of ${pace.rounds}`)
    const times: { small: number[]; large: number[] } = { small: [], large: [] }
    for (let count = 0; count < VISITS; count += 1) {
      times.small.push(await usableMs(browser, small))
      times.large.push(await usableMs(browser, large))
    }
    usable.push({ small: middle(times.small), large: middle(times.large) })
    details.push(await detailMs(browser, large))
    progress(`round ${round + 1} of ${pace.rounds}: ${PAGES} pages`)
    memory.push(await walk(browser, large))
  }
  await browser.close()
  for (const party of [small, large]) await party.close()
  return {
    settings: [
      `${pace.rounds} rounds; in each, ${VISITS} visits to the list of either service, one payment opened, ${PAGES} pages walked through`,
      'databases vacuumed and analyzed, default settings; jobs run elsewhere (`ROLE=api`)',
    ],
    figures: describe({ usable, details, memory }, pace.rows),
  }
}

async function prepare(count: number, progress: (text: string) => void): Promise<Party> {
  const folder = await prepareDataFolder()
  const service = await startService(folder, { env: { ROLE: 'api' } })
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  await fill(connection, rowsOf(count), {
    accounts: transactionAccounts(),
    add: fillCopies,
    progress: (text) => progress(`filling ${count.toLocaleString('en')} rows: ${text}`),
    hasBuyers: false,
  })
  const session = await openUserSession({ url: service.url, token: folder.token })
  const [name = '', value = ''] = String(session.headers[0]?.[1]).split('=')
  const close = async () => {
    await service.stop()
    await folder.remove()
  }
  return { url: service.url, cookie: { name, value }, close }
}

/** A new context has no cache and no open connection. */
async function inNewContext<Result>(
  browser: Browser,
  { url, cookie }: Party,
  work: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  try {
    await context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Strict' }])
    return await work(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

/** Looks once a frame until there is a value. The policy of the page lets no text become a function, so it is evaluated as a whole. */
function untilSeen<Value>(page: Page, expression: string): Promise<Value> {
  return page.evaluate<Value>(`new Promise((resolve) => {
    const look = () => {
      const value = ${expression}
      if (value) resolve(value)
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

/** The time since the address was opened, in the frame in which the first row is there. */
function usableMs(browser: Browser, party: Party): Promise<number> {
  return inNewContext(browser, party, async (page) => {
    await page.goto(`${party.url}/dashboard/transactions`, { waitUntil: 'commit' })
    return untilSeen<number>(page, `document.querySelector('${ROW}') && performance.now()`)
  })
}

/** From the click on a payment in the list, as people open one. */
function detailMs(browser: Browser, party: Party): Promise<number> {
  return inNewContext(browser, party, async (page, context) => {
    const { taskMs } = await meterOf(context, page)
    await openList(page, party)
    const before = await taskMs()
    await page.locator(ROW).first().click()
    await page.waitForURL(/[/]transactions[/][0-9a-f-]{36}/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    return (await taskMs()) - before
  })
}

/** The memory of the page after some pages of the list, and after many. */
function walk(browser: Browser, party: Party): Promise<{ readonly first: number; readonly last: number }> {
  return inNewContext(browser, party, async (page, context) => {
    const { megabytes } = await meterOf(context, page)
    await openList(page, party)
    let first = Number.NaN
    for (let count = 1; count <= PAGES; count += 1) {
      await turnPage(page)
      if (count === FIRST_PAGES) first = await megabytes()
    }
    return { first, last: await megabytes() }
  })
}

async function openList(page: Page, { url }: Party): Promise<void> {
  await page.goto(`${url}/dashboard/transactions`)
  await page.locator(ROW).first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** Until the rows are others. */
async function turnPage(page: Page): Promise<void> {
  const before = await page.locator(ROW).first().getAttribute('href')
  await page.getByRole('button', { name: 'Older' }).click()
  await untilSeen(
    page,
    `(document.querySelector('${ROW}')?.getAttribute('href') ?? '${before}') !== '${before}'`,
  )
}

/** What Chromium counts about a page. */
async function meterOf(context: BrowserContext, page: Page) {
  const client = await context.newCDPSession(page)
  // Processor time of the thread: other programs on the machine do not count.
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    taskMs: async () => 1000 * (await metric(client, 'TaskDuration')),
    megabytes: async () => {
      await client.send('HeapProfiler.collectGarbage')
      return (await metric(client, 'JSHeapUsedSize')) / 1024 ** 2
    },
  }
}

async function metric(client: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

type Measured = {
  readonly usable: readonly { readonly small: number; readonly large: number }[]
  readonly details: readonly number[]
  readonly memory: readonly { readonly first: number; readonly last: number }[]
}

function describe({ usable, details, memory }: Measured, rows: number): Outcome['figures'] {
  const atMost = (limit: number) => ({ is: 'at most', limit }) as const
  const many = rows.toLocaleString('en')
  const few = SMALL_ROWS.toLocaleString('en')
  return [
    figure(
      { name: `list usable, ${many} over ${few}`, unit: '', target: atMost(USABLE_RATIO_MAX) },
      usable.map(({ small, large }) => large / small),
    ),
    figure(
      { name: 'main thread until a payment is shown', unit: 'ms', target: atMost(MAIN_THREAD_MS_MAX) },
      details,
    ),
    figure(
      {
        name: `memory after ${PAGES} pages, over that after ${FIRST_PAGES}`,
        unit: '',
        target: atMost(MEMORY_RATIO_MAX),
      },
      memory.map(({ first, last }) => last / first),
    ),
    figure(
      { name: `list usable with ${many} payments`, unit: 'ms' },
      usable.map(({ large }) => large),
    ),
    figure(
      { name: `list usable with ${few} payments`, unit: 'ms' },
      usable.map(({ small }) => small),
    ),
    figure(
      { name: `memory after ${PAGES} pages`, unit: 'MB' },
      memory.map(({ last }) => last),
    ),
  ]
}
