import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { browse, openPage, problemsInBothSchemes, type Watched } from '#testing/browse.ts'
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
  readonly locale?: string
  readonly timezoneId?: string
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
  /** The same as an administrator, in one window for all pages: loading the program again takes half the time there. */
  readonly look: (path: string, work: (page: Page) => Promise<void>) => Promise<void>
}

const WIDTHS = [320, 768, 1440]
/** Of a window that has just been opened. */
const FIRST_SIZE = { width: 1280, height: 720 }

export async function openDesk(options: ServiceOptions = {}): Promise<Desk> {
  const cashier = await openCashier(options)
  const user = await signIn(cashier.service)
  return {
    ...cashier,
    user,
    till: openTill(cashier.service),
    look: lookingAs(cashier, user),
    visit: (path, work, { user: other = user, ...options } = {}) =>
      browse(cashier.browser, { reducedMotion: 'reduce', ...options }, async (page) => {
        if (other) await page.context().addCookies([{ ...other.cookie, url: cashier.origin }])
        await page.goto(`${cashier.origin}/dashboard${path}`)
        return work(page)
      }),
  }
}

/** After a failure, the next page gets a new window. */
function lookingAs({ browser, origin }: Cashier, user: SignedInUser): Desk['look'] {
  let open: Watched | undefined
  return async (path, work) => {
    const window = open ?? (await openPage(browser, { reducedMotion: 'reduce' }))
    open = undefined
    try {
      await window.page.context().addCookies([{ ...user.cookie, url: origin }])
      await window.page.setViewportSize(FIRST_SIZE)
      await window.page.emulateMedia({ colorScheme: 'light' })
      await window.page.goto(`${origin}/dashboard${path}`)
      await window.hold(work)
      open = window
    } finally {
      if (!open) await window.close()
    }
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
  await desk.look(path, async (page) => {
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
