import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { makeLink } from '#resources/auth/links/make.ts'
import { accessibilityProblems, browse } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { addSession, codeNow, invite, PASSWORD, personWithPassword, sendFromPage } from '#testing/enrol.ts'
import { IdentityProvider } from '#testing/identity-provider.ts'
import { type SignedInUser, signIn } from '#testing/sign-in.ts'
import { type Cashier, openCashier } from '../../testing/cashier.ts'
import { BrowserDevice } from '../../testing/passkey-device.ts'

let cashier: Cashier
let provider: IdentityProvider
/** Has the passkey of the first user. */
const laptop = new BrowserDevice()
let home: string
let usedLink: string

type Visit = {
  readonly errors?: readonly RegExp[]
  readonly user?: SignedInUser
  /** The browser offers passkeys by itself. The one that Chromium plays agrees at once, before a person could press a button. */
  readonly offersPasskeys?: boolean
}

const NO_OFFERS =
  'if (globalThis.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false'

/** Opens an address of the dashboard by name, as passkeys want it. */
function visit(path: string, work: (page: Page) => Promise<void>, visiting: Visit = {}) {
  const { errors = [], user, offersPasskeys } = visiting
  return browse(cashier.browser, { errors, reducedMotion: 'reduce' }, async (page) => {
    if (!offersPasskeys) await page.context().addInitScript(NO_OFFERS)
    if (user) await page.context().addCookies([{ ...user.cookie, url: cashier.namedOrigin }])
    await page.goto(path.startsWith('http') ? path : `${home}${path}`)
    await work(page)
  })
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const codeField = (page: Page) => page.getByRole('textbox', { name: /^Code/ })

async function setupLink(): Promise<string> {
  const { service, origin } = cashier
  const link = await inTransaction(service.context, (tx) =>
    makeLink(tx, { secrets: service.secrets, publicUrl: origin }, { purpose: 'setup', userId: null }),
  )
  return link.url
}

/** The key for an authenticator app, as the page shows it to those who type it. */
async function shownKey(page: Page): Promise<string> {
  const shown = await page.getByRole('button', { name: /^Copy [A-Z2-7 ]+$/ }).textContent()
  return (shown ?? '').replaceAll(/[^A-Z2-7]/g, '')
}

async function typeProof(page: Page, email: string, code: string, password = PASSWORD) {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await codeField(page).fill(code)
  await press(page, 'Sign in')
}

describe.skipIf(!hasBrowser)('signing in to the dashboard', () => {
  beforeAll(async () => {
    provider = await IdentityProvider.start()
    cashier = await openCashier({ oidc: provider.settings() })
    provider.clock = cashier.service.context.clock
    provider.person = {
      sub: 'ada',
      name: 'Ada Park',
      email: 'ada@example.com',
      email_verified: true,
      groups: ['payments-admins'],
    }
    home = `${cashier.namedOrigin}/dashboard`
  })
  afterAll(async () => {
    await cashier.close()
    await provider.close()
  })

  test('leads from the printed link to the dashboard, with a passkey', async () => {
    usedLink = await setupLink()
    await visit(usedLink, async (page) => {
      await heading(page, 'Set up your dashboard')
      // The token is gone from the address before anybody can share it.
      expect(page.url()).toBe(`${home}/setup`)
      expect(await accessibilityProblems(page)).toEqual([])
      const { keepPasskeys } = await laptop.plugInto(page)
      await page.getByLabel('Your name').fill('Mara <b>Lind</b>')
      await page.getByLabel('E-mail address').fill('mara@example.com')
      await press(page, 'Continue')
      await heading(page, 'How will you sign in?')
      expect(await accessibilityProblems(page)).toEqual([])
      await press(page, 'Create a passkey')

      await heading(page, 'Home')
      await page.getByRole('button', { name: 'You: Mara <b>Lind</b>' }).waitFor()
      await keepPasskeys()
    })
  })

  test('refuses a link that was used, is old or was guessed, all alike', async () => {
    const oldLink = (await invite(cashier.service)).url
    cashier.service.moveClock(73 * 3_600_000)
    for (const link of [usedLink, oldLink, `${home}/setup#guessed`, `${home}/invitation#guessed`]) {
      await visit(
        link,
        async (page) => {
          if (link.includes('/setup')) {
            await page.getByLabel('Your name').fill('Eve')
            await page.getByLabel('E-mail address').fill('eve@example.com')
            await press(page, 'Continue')
          }
          await heading(page, 'This link does not work')
        },
        { errors: [/404/] },
      )
    }
    await visit('/invitation', (page) => heading(page, 'This link does not work'))
  })

  test('signs in with a passkey, and comes back to the address that was asked for', async () => {
    await visit(
      '/transactions?status=capture_pending',
      async (page) => {
        await heading(page, 'Sign in')
        expect(await accessibilityProblems(page)).toEqual([])
        await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')

        await heading(page, 'Transactions')
        expect(page.url()).toBe(`${home}/transactions?status=capture_pending`)
      },
      { errors: [/401/] },
    )
  })

  test('lets the browser offer passkeys in the field for the e-mail address', async () => {
    await visit(
      '/transactions',
      async (page) => {
        await laptop.plugInto(page)
        await page.reload()
        await heading(page, 'Transactions')
      },
      { errors: [/401/], offersPasskeys: true },
    )
  })

  test('chooses a password with an app, keeps recovery codes, and signs in with both kinds of codes', async () => {
    const email = 'omar@example.com'
    let key = ''
    let recovery = ''
    const { url } = await invite(cashier.service, { emailAddress: email, name: 'Omar Haddad' })
    await visit(
      url,
      async (page) => {
        await heading(page, 'You are invited')
        expect(page.url()).toBe(`${home}/invitation`)
        await press(page, 'Continue')
        await press(page, 'Use a password')
        key = await shownKey(page)
        await page.getByText('At least 12 characters, with letters and digits.').waitFor()
        await page.getByLabel('Password').fill('long, without any digit')
        await codeField(page).fill('000000')
        await press(page, 'Finish')
        await page.getByText('Type at least 12 characters, with letters and digits.').waitFor()

        await page.getByLabel('Password').fill(PASSWORD)
        await press(page, 'Finish')
        await page.getByText('This is not the code that the app shows now.').waitFor()
        // The key is still the one that was scanned.
        expect(await shownKey(page)).toBe(key)
        await codeField(page).fill(codeNow(cashier.service, key))
        await press(page, 'Finish')

        await heading(page, 'Keep these codes')
        expect(await accessibilityProblems(page)).toEqual([])
        const codes = await page.getByRole('listitem').allTextContents()
        expect(codes).toHaveLength(10)
        recovery = codes[0] ?? ''
        await press(page, 'I have stored them')
        await heading(page, 'Home')
      },
      { errors: [/401/] },
    )
    // Each code counts once.
    cashier.service.moveClock(30_000)
    await visit('/sign-in?next=/me', async (page) => {
      await typeProof(page, email, codeNow(cashier.service, key))
      await heading(page, 'Your settings')
    })
    await visit('/sign-in', async (page) => {
      await typeProof(page, email.toUpperCase(), recovery)
      await heading(page, 'Home')
    })
  })

  test('does not say what was wrong, and says until when an address is locked', async () => {
    await visit(
      '/sign-in',
      async (page) => {
        await typeProof(page, 'lena@example.com', '123456')
        await page.getByText('No user fits these.').waitFor()
        for (let count = 0; count < 9; count += 1) {
          const answer = page.waitForResponse((response) => response.url().endsWith('/auth/sessions'))
          await typeProof(page, 'lena@example.com', '123456')
          await answer
          await expect.poll(() => codeField(page).inputValue()).toBe('')
        }
        await typeProof(page, 'lena@example.com', '123456')
        await page.getByText(/Try again at \d\d:\d\d, in 30 minutes/).waitFor()
      },
      { errors: [/401/, /429/] },
    )
  })

  test('asks for a fresh proof when the last is old, and then does what was asked', async () => {
    await visit(
      '/me',
      async (page) => {
        await heading(page, 'Sign in')
        await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')
        await heading(page, 'Your settings')
        cashier.service.moveClock(11 * 60_000)
        await press(page, 'Remove')
        await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
        await page.getByRole('heading', { name: 'Is it still you?' }).waitFor()
        expect(await accessibilityProblems(page)).toEqual([])
        await press(page, 'Use your passkey')

        // The server was asked again, and refuses for a reason of its own.
        await page.getByText('add another passkey first: this is your only way to sign in').waitFor()
      },
      { errors: [/401/, /403/, /400/] },
    )
  })

  test('covers the page at once when a user is disabled, and keeps what was typed', async () => {
    const user = await signIn(cashier.service, { roles: ['administrator'] })
    await visit(
      '/transactions',
      async (page) => {
        await heading(page, 'Transactions')
        await cashier.service.send(`PUT /users/${user.userId}`, { status: 'disabled' })
        await page.getByRole('link', { name: 'Declined' }).click()

        await page.getByText('Your session has ended.').waitFor()
        expect(page.url()).toContain('status=authorization_declined')
      },
      { user, errors: [/401/] },
    )
  })

  test('hides what a role allowed when it is taken away while the page is open', async () => {
    const user = await signIn(cashier.service, { roles: ['administrator'] })
    await visit(
      '/transactions',
      async (page) => {
        await heading(page, 'Transactions')
        await cashier.service.send(`PUT /users/${user.userId}`, { role_ids: ['user-manager'] })
        await page.getByRole('link', { name: 'Declined' }).click()

        await page.getByRole('heading', { name: 'Not allowed' }).waitFor()
        await expect
          .poll(() => page.getByRole('navigation').getByRole('link', { name: 'Transactions' }).count())
          .toBe(0)
      },
      { user, errors: [/403/] },
    )
  })

  test('signs out in all tabs, and back in over the page, which keeps its state', async () => {
    await visit(
      '/transactions?status=capture_pending',
      async (page) => {
        await heading(page, 'Sign in')
        const { unplug } = await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')
        await heading(page, 'Transactions')
        await unplug()
        const other = await page.context().newPage()
        await other.goto(`${home}/me`)
        await heading(other, 'Your settings')
        await other.getByRole('button', { name: /^You: / }).click()
        await other.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
        await heading(other, 'Sign in')
        await page.getByText('Your session has ended.').waitFor()
        expect(await accessibilityProblems(page)).toEqual([])

        await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')
        await expect.poll(() => page.getByText('Your session has ended.').count()).toBe(0)
        await heading(page, 'Transactions')
        expect(page.url()).toBe(`${home}/transactions?status=capture_pending`)
      },
      { errors: [/401/] },
    )
  })

  test('keeps a form whose session ended, without the error of that time', async () => {
    await visit(
      '/settings/users',
      async (page) => {
        await heading(page, 'Sign in')
        const { unplug } = await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')
        await press(page, 'Invite a user')
        await unplug()
        const dialog = page.getByRole('dialog', { name: 'Invite a user' })
        await dialog.getByLabel('Name', { exact: true }).fill('Omar Haddad')
        await dialog.getByLabel('E-mail address').fill('omar-late@example.com')
        await dialog.getByLabel('Analyst').check()
        await dialog.getByLabel('All merchant accounts').check()
        await page.context().clearCookies()
        await dialog.getByRole('button', { name: 'Create link' }).click()
        await page.getByText('Your session has ended.').waitFor()
        await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')
        await expect.poll(() => page.getByText('Your session has ended.').count()).toBe(0)

        expect(await dialog.getByText('no token was found').count()).toBe(0)
        await dialog.getByRole('button', { name: 'Create link' }).click()
        await page.getByRole('heading', { name: 'Send this link to Omar Haddad' }).waitFor()
      },
      { errors: [/401/] },
    )
  })

  test('says that it waits while the server does not answer', async () => {
    const { url } = await invite(cashier.service)
    const user = await signIn(cashier.service)
    await visit(
      '/transactions',
      async (page) => {
        await heading(page, 'Transactions')
        await page.route('**/users/me', () => undefined)
        await page.route('**/auth/invitations/options', () => undefined)
        await page.reload()
        await page.getByText('The server has not answered yet.').waitFor()
        await page.goto(url)
        await page.getByText('Your link is being checked.').waitFor()
      },
      { user },
    )
  })

  test('leaves nothing of one user to the next who signs in over their page', async () => {
    const user = await signIn(cashier.service, { name: 'Chloé Dubois' })
    await visit(
      '/transactions',
      async (page) => {
        await page.getByRole('button', { name: 'You: Chloé Dubois' }).waitFor()
        await page.context().clearCookies()
        await page.getByRole('link', { name: 'Declined' }).click()
        await page.getByText('Your session has ended.').waitFor()
        const isLoadedAgain = page.waitForEvent('load')
        await laptop.plugInto(page)
        await press(page, 'Sign in with a passkey')
        await isLoadedAgain
        await page.getByRole('button', { name: 'You: Mara <b>Lind</b>' }).waitFor()
      },
      { user, errors: [/401/] },
    )
  })

  test('waits for a service that is started again under the page, and stays signed in', async () => {
    const user = await signIn(cashier.service)
    await visit(
      '/transactions',
      async (page) => {
        await heading(page, 'Transactions')
        await page.context().setOffline(true)
        await page.getByRole('link', { name: 'Declined' }).click()
        await page.getByRole('heading', { name: 'No connection' }).waitFor()
        await page.context().setOffline(false)
        await press(page, 'Try again')

        await page.getByText('No results for these filters').waitFor()
        expect(page.url()).toContain('status=authorization_declined')
      },
      { user, errors: [/ERR_INTERNET_DISCONNECTED/] },
    )
  })

  test('covers a page that is left alone when its session ends, in every tab', async () => {
    const user = await signIn(cashier.service)
    await visit(
      '/transactions',
      async (page) => {
        const other = await page.context().newPage()
        for (const one of [page, other]) {
          await one.clock.install()
          await one.goto(`${home}/me`)
          await heading(one, 'Your settings')
        }
        cashier.service.moveClock(16 * 60_000)
        // Of two tabs, one is asleep: it hears from the other.
        await page.clock.runFor(16 * 60_000)

        await page.getByText('Your session has ended.').waitFor()
        await other.getByText('Your session has ended.').waitFor()
      },
      { user, errors: [/401/] },
    )
  })

  test('covers a page whose session has become too old, although it is used', async () => {
    const user = await signIn(cashier.service)
    const { context } = cashier.service
    const soon = new Date(context.clock().getTime() + 60_000)
    await context.db
      .updateTable('user_sessions')
      .set({ expires_at: soon })
      .where('id', '=', user.sessionId)
      .execute()
    await visit(
      '/transactions',
      async (page) => {
        await page.clock.install({ time: context.clock() })
        await page.goto(`${home}/me`)
        await heading(page, 'Your settings')
        cashier.service.moveClock(70_000)
        await page.clock.runFor(70_000)

        await page.getByText('Your session has ended.').waitFor()
      },
      { user, errors: [/401/] },
    )
  })

  test('signs in with a company account, and comes back to the address that was asked for', async () => {
    await visit(
      '/transactions?status=capture_pending',
      async (page) => {
        provider.signInNow()
        await press(page, 'Sign in with Example Inc.')

        await heading(page, 'Transactions')
        expect(page.url()).toBe(`${home}/transactions?status=capture_pending`)
        await page.getByRole('button', { name: 'You: Ada Park' }).waitFor()
        await page.goto(`${home}/me`)
        await page.getByText('With your company account, which').waitFor()
        expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
      },
      { errors: [/401/] },
    )
  })

  test('signs out of the company account, too, for a person who wants it', async () => {
    provider.signInNow()
    await visit(
      '/sign-in',
      async (page) => {
        await press(page, 'Sign in with Example Inc.')
        await press(page, 'You: Ada Park')
        await press(page, 'Sign out of your company account, too')
        await heading(page, 'Sign in')
        await expect.poll(() => provider.left.length).toBe(1)
        await page.goto(`${home}/me`)
        await heading(page, 'Sign in')
      },
      { errors: [/401/] },
    )
  })

  test('asks the company account for a fresh proof, in a window beside the page', async () => {
    provider.signInNow()
    await visit(
      '/sign-in?next=/settings/users',
      async (page) => {
        await press(page, 'Sign in with Example Inc.')
        await heading(page, 'Users')
        cashier.service.moveClock(11 * 60_000)
        await press(page, 'Invite a user')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('E-mail address').fill('beside@example.com')
        await dialog.getByLabel('Name').fill('Beside')
        await dialog.getByLabel('Analyst').check()
        await dialog.getByLabel('All merchant accounts').check()
        await dialog.getByRole('button', { name: 'Create link' }).click()
        await page.getByRole('heading', { name: 'Is it still you?' }).waitFor()
        expect(await accessibilityProblems(page)).toEqual([])
        const beside = page.waitForEvent('popup')
        await press(page, 'Confirm with Example Inc.')
        await beside

        await page.getByRole('heading', { name: 'Send this link to Beside' }).waitFor()
      },
      { errors: [/403/] },
    )
  })

  test('says what to do if the company account gives no role, or was asked by another browser', async () => {
    provider.person['groups'] = []
    await visit(
      '/sign-in',
      async (page) => {
        await press(page, 'Sign in with Example Inc.')
        await page.getByText('Ask an administrator of Example Inc. for a role').waitFor()
        expect(page.url()).toBe(`${home}/oidc`)
        expect(await accessibilityProblems(page)).toEqual([])
        await press(page, 'Begin again')
        await heading(page, 'Sign in')
      },
      { errors: [/403/] },
    )
    provider.person['groups'] = ['payments-admins']
    const begun = (await sendFromPage(cashier.service, 'POST /auth/oidc/options')).json()
    const stolen = new URLSearchParams(await provider.visit(begun.authorization_url))
    await visit(
      `/oidc?${stolen}`,
      async (page) => {
        await page.getByText('This sign-in was begun in another browser').waitFor()
        expect(await page.context().cookies()).toEqual([])
      },
      { errors: [/401/] },
    )
    await visit('/oidc?error=access_denied&state=x', async (page) => {
      await page.getByText('The identity provider says: access_denied.').waitFor()
    })
  })

  test('changes name, password and recovery codes, renames a passkey, and ends all other sessions', async () => {
    const { headers, url } = await personWithPassword(cashier.service, { name: 'Noa Levi' })
    const [name = '', value = ''] = headers.cookie.split('=')
    const user = { cookie: { name, value, httpOnly: true, sameSite: 'Strict' } } as SignedInUser
    expect(url).toContain('/invitation#')
    await visit(
      '/me',
      async (page) => {
        await press(page, 'Change your name')
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel('Your name').fill('Noa Cohen')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('button', { name: 'You: Noa Cohen' }).waitFor()
        await press(page, 'Change password')
        await dialog.getByLabel('New password').fill(PASSWORD)
        await dialog.getByRole('button', { name: 'Change password' }).click()
        const field = dialog.locator('.field', { hasText: 'New password' })
        await field.getByText('was one of your last four passwords: choose another').waitFor()
        await dialog.getByLabel('New password').fill('a newer, longer password 8')
        await dialog.getByRole('button', { name: 'Change password' }).click()
        await page.getByText('Your password was changed').waitFor()
        await press(page, 'New recovery codes')
        await dialog.getByRole('button', { name: 'Make new codes' }).click()
        await expect.poll(() => dialog.getByRole('listitem').count()).toBe(10)
        expect(await accessibilityProblems(page)).toEqual([])
        await page.keyboard.press('Escape')
        await new BrowserDevice().plugInto(page)
        await press(page, 'Add a passkey')
        await press(page, 'Rename')
        await dialog.getByLabel('Name').fill('Kitchen laptop')
        await dialog.getByRole('button', { name: 'Rename' }).click()
        await page.getByRole('region', { name: 'Passkeys' }).getByText('Kitchen laptop').waitFor()
        await press(page, 'Remove password')
        await dialog.getByRole('button', { name: 'Remove password' }).click()
        await press(page, 'Set a password')
        await press(page, 'Continue')
        const key = await shownKey(page)
        await dialog.getByLabel('Password').fill('the newest password 9')
        await codeField(page).fill(codeNow(cashier.service, key))
        await press(page, 'Finish')
        await expect.poll(() => dialog.getByRole('listitem').count()).toBe(10)
      },
      // One of the last four passwords is refused.
      { user, errors: [/400/] },
    )
  })

  test('lists sessions and passkeys, ends another session, and adds a passkey', async () => {
    const user = await signIn(cashier.service)
    await addSession(cashier.service, user.userId)
    await visit(
      '/me',
      async (page) => {
        await page.getByText('This browser', { exact: true }).waitFor()
        expect(await accessibilityProblems(page)).toEqual([])
        await press(page, 'End')
        await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
        await page.getByText('The session was ended').waitFor()
        const own = { token: null, headers: user.headers }
        expect((await cashier.service.send('GET /auth/sessions', undefined, own)).json().items).toHaveLength(
          1,
        )

        await new BrowserDevice().plugInto(page)
        await press(page, 'Add a passkey')
        const passkeys = page.getByRole('region', { name: 'Passkeys' })
        await passkeys.getByText('Chrome on Linux').waitFor()
      },
      { user },
    )
  })
})
