import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browse, problemsInBothSchemes } from '#testing/browse.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { openTill, type Till } from '#testing/till.ts'
import { type Cashier, openCashier, type ServiceOptions } from './cashier.ts'

/** What runs in the page is typed here: this file runs in Node. */
declare const document: {
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number }
}

type Visit = {
  /** The user who looks. Without it, an administrator; null: no session. */
  readonly user?: SignedInUser | null
  /** Errors in the console that belong to the test. */
  readonly errors?: readonly RegExp[]
  readonly colorScheme?: 'light' | 'dark'
  readonly viewport?: { readonly width: number; readonly height: number }
}

/** A service with a dashboard, and a browser at it. */
export type Desk = Cashier & {
  readonly till: Till
  /** An administrator of all merchant accounts. */
  readonly user: SignedInUser
  /** Opens a page of the dashboard, such as `/transactions`, as a user who has signed in. */
  readonly visit: <Result>(
    path: string,
    work: (page: Page) => Promise<Result>,
    visit?: Visit,
  ) => Promise<Result>
}

const WIDTHS = [320, 768, 1440]

export async function openDesk(options: ServiceOptions = {}): Promise<Desk> {
  const cashier = await openCashier(options)
  const user = await signIn(cashier.service)
  return {
    ...cashier,
    user,
    till: openTill(cashier.service),
    visit: (path, work, { user: other = user, ...options } = {}) =>
      browse(cashier.browser, { reducedMotion: 'reduce', ...options }, async (page) => {
        if (other) await page.context().addCookies([{ ...other.cookie, url: cashier.origin }])
        await page.goto(`${cashier.origin}/dashboard${path}`)
        return work(page)
      }),
  }
}

/**
 * The page at a path is right for people with disabilities in both themes, and never wider than the screen. `isReady` waits
 * for what the page is about.
 */
export async function looksRight(
  desk: Desk,
  path: string,
  isReady: (page: Page) => Promise<unknown>,
): Promise<void> {
  await desk.visit(path, async (page) => {
    await isReady(page)
    expect(await problemsInBothSchemes(page)).toEqual([])
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, await overflow(page)]).toEqual([width, 0])
    }
  })
}

function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
