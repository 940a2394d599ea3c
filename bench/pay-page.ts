import type { Browser } from 'playwright-core'
import { launchBrowser } from '#testing/browser.ts'
import { prepareDataFolder, send, startService } from '../lab/product.ts'
import { type Benchmark, figure, type Outcome, type Pace } from './figures.ts'

const PAINT_MAX = 3
const USABLE_MAX = 5
const VISITS = 5
/** A line of text, from the same server: what a browser needs to show anything at all. */
const FLOOR_PATH = '/health/live'
const CARD_NUMBER = 'input[autocomplete="cc-number"]'

export const payPage: Benchmark = {
  name: 'pay-page',
  title: 'Showing the page on which buyers pay',
  explanation:
    'How long a browser that has never been here takes from the click to the first text or picture (first contentful ' +
    'paint), and until the field for the card number can be typed into. The floor is a line of text from the same ' +
    `server. Medians of ${VISITS} visits a round, in turn, in a real Chromium without a cache.`,
  run,
}

type Visit = { readonly paintMs: number; readonly usableMs: number }

async function run(pace: Pace, progress: (text: string) => void): Promise<Outcome> {
  progress('starting the service and a browser')
  const folder = await prepareDataFolder()
  const service = await startService(folder)
  const place = { url: service.url, token: folder.token }
  const browser = await launchBrowser()
  const url = await openPage(place)
  await visit(browser, url, CARD_NUMBER)
  const rounds: { readonly page: Visit; readonly floor: Visit }[] = []
  for (let index = 0; index < pace.rounds; index += 1) {
    progress(`round ${index + 1} of ${pace.rounds}`)
    const pages: Visit[] = []
    const floors: Visit[] = []
    for (let count = 0; count < VISITS; count += 1) {
      floors.push(await visit(browser, `${service.url}${FLOOR_PATH}`, 'pre'))
      pages.push(await visit(browser, url, CARD_NUMBER))
    }
    rounds.push({ page: median(pages), floor: median(floors) })
  }
  await browser.close()
  await service.stop()
  await folder.remove()
  return {
    settings: [`${pace.rounds} rounds of ${VISITS} visits to each, after one to warm up`],
    figures: describe(
      rounds.map(({ page }) => page),
      rounds.map(({ floor }) => floor),
    ),
  }
}

async function openPage(place: { readonly url: string; readonly token: string }): Promise<string> {
  const order = { amount: 2598, currency: 'USD', country: 'US', cart_items: CART }
  const session = (await (await send(place, 'POST /checkout/sessions', order)).json()) as { id: string }
  const page = await send(place, `PUT /checkout/sessions/${session.id}/page`, {})
  return ((await page.json()) as { url: string }).url
}

const CART = [{ name: 'Canvas bag', quantity: 2, unit_amount: 1299 }]

/** Marks the moment at which the element is there. */
const noteUsable = (selector: string) => `
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)})) performance.mark('usable')
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)`

const TIMES = `(() => {
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  const [usable] = performance.getEntriesByName('usable')
  return paint && usable && { paintMs: paint.startTime, usableMs: usable.startTime }
})()`

/** A new context has no cache and no open connection. */
async function visit(browser: Browser, url: string, selector: string): Promise<Visit> {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript({ content: noteUsable(selector) })
    await page.goto(url)
    const times = await page.waitForFunction(TIMES)
    return (await times.jsonValue()) as Visit
  } finally {
    await context.close()
  }
}

function median(visits: readonly Visit[]): Visit {
  const middle = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
  return {
    paintMs: middle(visits.map(({ paintMs }) => paintMs)),
    usableMs: middle(visits.map(({ usableMs }) => usableMs)),
  }
}

function describe(pages: readonly Visit[], floors: readonly Visit[]): Outcome['figures'] {
  const ratios = (of: (visit: Visit) => number) =>
    pages.map((page, index) => of(page) / (floors[index]?.paintMs ?? Number.NaN))
  const atMost = (limit: number) => ({ is: 'at most', limit }) as const
  return [
    figure(
      { name: 'first paint, over the floor', unit: '', target: atMost(PAINT_MAX) },
      ratios((v) => v.paintMs),
    ),
    figure(
      { name: 'form usable, over the floor', unit: '', target: atMost(USABLE_MAX) },
      ratios((v) => v.usableMs),
    ),
    figure(
      { name: 'first paint', unit: 'ms' },
      pages.map(({ paintMs }) => paintMs),
    ),
    figure(
      { name: 'form usable', unit: 'ms' },
      pages.map(({ usableMs }) => usableMs),
    ),
    figure(
      { name: 'floor: first paint', unit: 'ms' },
      floors.map(({ paintMs }) => paintMs),
    ),
  ]
}
