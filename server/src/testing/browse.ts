import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { isFirefox } from './browser.ts'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** How long a browser may take to report an error that the test expects. */
const ERROR_PATIENCE_MS = 10_000

/** What browsers report of a request without an answer. */
export const UNANSWERED = /net::ERR_|NS_ERROR_/

/** What they report of a page that may not be in a frame. */
export const NOT_FRAMED = /frame-ancestors|X-Frame-Options|FRAME_ANCESTOR|XFO_VIOLATION/

/** Firefox says so of Playwright's own scripts, if a frame has just got another page. */
const REMOTE_NOISE = /^Error: Permission denied to access property "length"$/

type Browsing = BrowserContextOptions & {
  /** Errors that belong to the test. Each must happen; all others fail the test. */
  readonly errors?: readonly RegExp[]
}

/** A page whose errors are heard. */
export type Watched = {
  readonly page: Page
  /** Does some work in the page. Fails if the page breaks its own policy, throws, or writes an error to the console. */
  readonly hold: <Result>(
    work: (page: Page) => Promise<Result>,
    errors?: readonly RegExp[],
  ) => Promise<Result>
  readonly close: () => Promise<void>
}

/** Opens a page with cookies and storage of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Watched> {
  const context = await browser.newContext({ locale: 'en-US', ...options })
  const heard: string[] = []
  listen(context, heard)
  const page = await context.newPage()
  return {
    page,
    hold: async (work, errors = []) => {
      const result = await work(page).catch((error: Error) => {
        throw new Error(`${error.message}\nThe page reported: ${heard.join('\n') || 'no errors'}`, {
          cause: error,
        })
      })
      await refuseErrors(heard, errors)
      return result
    },
    close: () => context.close(),
  }
}

/** Chromium's console also has the requests that failed. */
function listen(context: BrowserContext, heard: string[]): void {
  context.on('console', (message) => {
    if (message.type() === 'error') heard.push(`${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => {
    const text = String(error.error())
    if (!REMOTE_NOISE.test(text)) heard.push(text)
  })
  if (!isFirefox) return
  context.on('response', (response) => {
    if (response.status() >= 400) heard.push(`the server answered ${response.status()} (${response.url()})`)
  })
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // The page left before the answer came.
    if (reason !== 'NS_BINDING_ABORTED') heard.push(`${reason} (${request.url()})`)
  })
}

async function refuseErrors(heard: readonly string[], errors: readonly RegExp[]): Promise<void> {
  const patience = AbortSignal.timeout(ERROR_PATIENCE_MS)
  const isMissing = (pattern: RegExp) => !heard.some((text) => pattern.test(text))
  while (errors.some(isMissing) && !patience.aborted) await sleep(50)
  const unexpected = heard.filter((text) => !errors.some((pattern) => pattern.test(text)))
  const missing = errors.filter(isMissing)
  if (unexpected.length > 0) throw new Error(`the page reported errors:\n${unexpected.join('\n')}`)
  if (missing.length > 0) throw new Error(`the page did not report: ${missing.join(', ')}`)
}

/** Opens a page for a test, and closes it. */
export async function browse<Result>(
  browser: Browser,
  { errors = [], ...options }: Browsing,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const { hold, close } = await openPage(browser, options)
  try {
    return await hold(work, errors)
  } finally {
    await close()
  }
}

type Violation = { readonly id: string; readonly nodes: readonly { readonly html: string }[] }

/**
 * What axe finds wrong for people with disabilities, by the rules of WCAG 2.2 AA. Of whole pages also what is merely good
 * practice, such as a heading, which a frame with one field has no use for.
 */
export function accessibilityProblems(page: Page | Frame): Promise<string[]> {
  return problemsBy('context' in page ? [...WCAG, 'best-practice'] : WCAG, page)
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** Those of the same rules whose outcome depends on colours. */
const COLOURS = ['color-contrast', 'link-in-text-block']

/** The same in both colour schemes. Only colours differ between them, so the dark one is held against those rules alone. */
export async function problemsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await accessibilityProblems(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await problemsBy(COLOURS, page)
  return [...light, ...dark.map((problem) => `in the dark: ${problem}`)]
}

/** Colours that change slowly are, for a moment, ones that the page does not have. */
const TRANSITIONS_END = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
).then(() => {})`

/** By rules, or by tags of rules. */
async function problemsBy(names: readonly string[], page: Page | Frame): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE)
  await page.evaluate(TRANSITIONS_END)
  const options = { runOnly: names, iframes: false, resultTypes: ['violations'] }
  const found = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)})`,
  )
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`)
}
