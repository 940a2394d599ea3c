import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, browse, NOT_FRAMED } from '#testing/browse.ts'
import { hasBrowser, isFirefox } from '#testing/browser.ts'
import { openHostedPage } from '#testing/hosted-page.ts'
import { type BankWithPages, openBankWithPages } from '../testing/bank.ts'
import { type Cashier, openCashier } from '../testing/cashier.ts'
import { formIn, openFor, payIn, SHOP, show, toldIn, until } from '../testing/drop-in.ts'
import { visitShop } from '../testing/shop.ts'

const CHALLENGED = '4111111111102011'
const AT_BANK = { currency: 'EUR', country: 'BE' }

let cashier: Cashier
let atBank: BankWithPages

describe.skipIf(!hasBrowser)('the page of a bank, in a frame of ours', () => {
  beforeAll(async () => {
    cashier = await openCashier()
    atBank = await openBankWithPages(cashier.service)
  })
  afterAll(async () => {
    atBank.close()
    await cashier.close()
  })

  const paymentsOf = async (id: string) =>
    (await cashier.service.send(`GET /transactions?checkout_session_id=${id}`)).json().items
  const latestOf = async (sessionId: string) => {
    const [{ id }] = await paymentsOf(sessionId)
    return (await cashier.service.send(`GET /transactions/${id}`)).json()
  }
  const challengeIn = (place: Page | FrameLocator) => place.frameLocator('.challenge iframe')
  const bankIn = (place: Page | FrameLocator) => challengeIn(place).frameLocator('iframe')
  const heading = (place: Page | FrameLocator, text: string) =>
    place.locator('.notice h1').filter({ hasText: text })

  async function pay(page: Page, number = CHALLENGED): Promise<void> {
    await page.getByLabel('Card number', { exact: true }).pressSequentially(number)
    await page.getByLabel('Expiry date').pressSequentially('1240')
    await page.getByLabel('Security code').pressSequentially('737')
    await page.locator('button.pay').click()
  }

  type Visit = { readonly order?: object; readonly settings?: object; readonly errors?: readonly RegExp[] }
  async function visit(
    { order = {}, settings = {}, ...options }: Visit,
    work: (page: Page, sessionId: string) => Promise<void>,
  ): Promise<void> {
    const { sessionId, path } = await openHostedPage(cashier.service, order, settings)
    await browse(cashier.browser, options, async (page) => {
      await page.goto(`${cashier.origin}${path}`)
      await work(page, sessionId)
    })
  }

  describe('on the page for paying', () => {
    test('takes an approval, and the page never leaves', async () => {
      await visit({}, async (page, sessionId) => {
        const left: string[] = []
        await pay(page)
        page.on('framenavigated', (frame) => {
          if (frame === page.mainFrame()) left.push(frame.url())
        })
        const approve = challengeIn(page).getByRole('button', { name: 'Approve' })
        await approve.waitFor()
        expect(await accessibilityProblems(page)).toEqual([])
        expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Approve your payment')
        await approve.click()
        await heading(page, 'Paid').waitFor()

        expect(await page.locator('.challenge').count()).toBe(0)
        expect(left.filter((url) => url.includes('/approvals/'))).toEqual([])
        expect(await paymentsOf(sessionId)).toHaveLength(1)
      })
    })

    test('takes a refusal, and the buyer pays with another card', async () => {
      await visit({}, async (page, sessionId) => {
        await pay(page)
        await challengeIn(page).getByRole('button', { name: 'Refuse' }).click()
        await page.getByRole('alert').getByText('The payment was not approved.').waitFor()
        // What was typed is still there, and never the code.
        expect(await page.getByLabel('Card number', { exact: true }).inputValue()).toBe('4111 1111 1110 2011')
        expect(await page.getByLabel('Expiry date').inputValue()).toBe('12 / 40')
        expect(await page.getByLabel('Security code').inputValue()).toBe('')
        for (const name of ['Card number', 'Expiry date'])
          await page.getByLabel(name, { exact: true }).fill('')
        await pay(page, '4111111111111111')
        await heading(page, 'Paid').waitFor()

        expect(await paymentsOf(sessionId)).toHaveLength(2)
      })
    })

    test('can be cancelled, and then asks for nothing more', async () => {
      await visit({}, async (page, sessionId) => {
        await pay(page)
        await page.getByRole('button', { name: 'Pay another way' }).click()
        await page.getByRole('alert').getByText('The payment was not approved.').waitFor()
        expect(await page.getByLabel('Card number', { exact: true }).inputValue()).toBe('4111 1111 1110 2011')

        expect(await latestOf(sessionId)).toMatchObject({
          status: 'authorization_failed',
          error_code: 'cancelled_buyer_approval',
          three_d_secure: { status: 'cancelled' },
        })
      })
    })

    test('is there again when the page is loaded again in the middle', async () => {
      await visit({}, async (page, sessionId) => {
        await pay(page)
        await challengeIn(page).getByRole('button', { name: 'Approve' }).waitFor()
        await page.reload()
        await challengeIn(page).getByRole('button', { name: 'Approve' }).click()
        await heading(page, 'Paid').waitFor()

        expect(await paymentsOf(sessionId)).toHaveLength(1)
      })
    })

    test('is there again in a new tab, with who asks for how much and until when, and a way out', async () => {
      await visit({}, async (page, sessionId) => {
        const address = page.url()
        await pay(page)
        await challengeIn(page).getByRole('button', { name: 'Approve' }).waitFor()
        const other = await page.context().newPage()
        await page.close()
        await other.goto(address)
        await challengeIn(other).getByRole('button', { name: 'Approve' }).waitFor()

        const text = await other.locator('.challenge').textContent()
        expect(text).toMatch(/ · \$25\.98\. You can approve it until \d/)
        expect(await accessibilityProblems(other)).toEqual([])
        await other.getByRole('button', { name: 'Pay another way' }).click()
        await other.locator('button.pay').waitFor()
        await pay(other, '4111111111111111')
        await heading(other, 'Paid').waitFor()
        expect((await paymentsOf(sessionId)).map(({ status }: { status: string }) => status)).toEqual([
          'authorization_succeeded',
          'authorization_failed',
        ])
      })
    })

    test('is told to another browser, without the payment of the buyer', async () => {
      await visit({}, async (page) => {
        const address = page.url()
        await pay(page)
        await challengeIn(page).getByRole('button', { name: 'Approve' }).waitFor()
        await browse(cashier.browser, {}, async (other) => {
          await other.goto(address)
          await other.getByText('waits for approval in another window').waitFor()

          expect(await other.locator('.due').textContent()).toContain('$25.98')
          expect(await other.locator('iframe, .notice a, .notice button').count()).toBe(0)
        })
      })
    })

    test('can have the whole window, and leads back to the page', async () => {
      await visit({}, async (page, sessionId) => {
        await pay(page)
        await page.getByRole('link', { name: 'Open in the whole window' }).click()
        await page.waitForURL('**/approvals/**')
        await page.getByRole('button', { name: 'Approve' }).click()
        await heading(page, 'Paid').waitFor()

        expect(await paymentsOf(sessionId)).toHaveLength(1)
      })
    })

    test('speaks the language of the page', async () => {
      await visit({ settings: { locale: 'de' } }, async (page) => {
        await page.locator('[name=number]').fill(CHALLENGED)
        await page.locator('[name=expiry]').fill('12/40')
        await page.locator('[name=code]').fill('737')
        await page.locator('button.pay').click()

        await challengeIn(page).getByRole('button', { name: 'Freigeben' }).waitFor()
      })
    })

    test('is the bank’s own, where its page is made for frames, and comes back through ours', async () => {
      await visit({ order: AT_BANK }, async (page, sessionId) => {
        await page.getByLabel('Bancontact').check()
        await page.locator('button.pay').click()
        await bankIn(page).getByRole('link', { name: 'approve' }).click()
        await heading(page, 'Paid').waitFor()

        expect((await latestOf(sessionId)).status).toBe('authorization_succeeded')
      })
    })

    test('can be cancelled at the bank', async () => {
      await visit({ order: AT_BANK }, async (page, sessionId) => {
        await page.getByLabel('Bancontact').check()
        await page.locator('button.pay').click()
        await bankIn(page).getByRole('link', { name: 'approve' }).waitFor()
        await page.getByRole('button', { name: 'Pay another way' }).click()
        await page.locator('button.pay').waitFor()

        expect((await latestOf(sessionId)).intent_outcome).toBe('failed')
        expect(atBank.bank.outcomeOf(atBank.bank.authorized.at(-1)?.attemptId ?? '')).toBe('canceled')
      })
    })

    test('that refuses frames gets the whole window', async () => {
      atBank.refuseFrames(true)
      try {
        await visit({ order: AT_BANK, errors: [NOT_FRAMED] }, async (page, sessionId) => {
          await page.getByLabel('Bancontact').check()
          // The report comes once the frame has loaded. A window that leaves before would end that.
          const refused = isFirefox
            ? page.waitForEvent('requestfailed')
            : page.waitForEvent('console', (message) => NOT_FRAMED.test(message.text()))
          await page.locator('button.pay').click()
          await refused
          await page.getByRole('link', { name: 'Open in the whole window' }).click()
          await page.getByRole('link', { name: 'approve' }).click()
          await heading(page, 'Paid').waitFor()

          expect(await paymentsOf(sessionId)).toHaveLength(1)
        })
      } finally {
        atBank.refuseFrames(false)
      }
    })
  })

  describe('in a page of a shop', () => {
    const inShop = (work: (page: Page, heard: string[]) => Promise<void>) =>
      visitShop(cashier.browser, { html: GUARDED }, work)
    /** The policy of this shop names our server, and no bank. */
    const GUARDED = SHOP.replace(
      '<meta charset="utf-8">',
      `<meta charset="utf-8"><meta http-equiv="content-security-policy" content="frame-src http://127.0.0.1:3000">`,
    )

    test.each([
      ['Approve', 'paid', 'Visa •••• 2011'],
      ['Refuse', 'declined', 'The payment was not approved'],
    ] as const)('takes “%s”, and the window of the shop never leaves', async (answer, event, text) => {
      await inShop(async (page, heard) => {
        const { url } = await openFor(cashier, page)
        const address = page.url()
        await show(page, url)
        await payIn(page, CHALLENGED)
        await challengeIn(formIn(page)).getByRole('button', { name: answer }).click()
        await until(page, event)
        await formIn(page).getByText(text).first().waitFor()

        expect((await toldIn(page)).map(({ name }) => name)).toEqual(['ready', 'waiting', event])
        expect(page.url()).toBe(address)
        expect(heard.join('\n')).not.toContain('/approvals/')
      })
    })

    test('shows the bank’s own page within ours', async () => {
      await inShop(async (page) => {
        const { url } = await openFor(cashier, page, { order: AT_BANK })
        await show(page, url)
        await formIn(page).getByLabel('Bancontact').check()
        await formIn(page).locator('button.pay').click()
        await bankIn(formIn(page)).getByRole('link', { name: 'approve' }).click()
        await until(page, 'paid')
      })
    })

    test('is not shown by a shop that the merchant has not allowed', async () => {
      const { path } = await openHostedPage(cashier.service, {}, { allowed_origins: [] })
      const paid = await cashier.service.app.inject({
        method: 'POST',
        url: `${path}/payments`,
        payload: {
          tries: 0,
          attempt: 'a-secret-of-this-test-alone',
          amount: 2598,
          currency: 'USD',
          payment_method: {
            method: 'card',
            number: CHALLENGED,
            expiration_date: '12/40',
            security_code: '737',
          },
        },
      })
      const { pathname } = new URL(paid.json().own.approval_frame_url)
      const shown = await cashier.service.app.inject({
        url: pathname,
        headers: { 'sec-fetch-dest': 'iframe' },
      })

      expect(shown.headers['x-frame-options']).toBe('SAMEORIGIN')
    })

    test('is there again when the shop is loaded again in the middle', async () => {
      await inShop(async (page) => {
        const { url } = await openFor(cashier, page)
        await show(page, url)
        await payIn(page, CHALLENGED)
        await challengeIn(formIn(page)).getByRole('button', { name: 'Approve' }).waitFor()
        await page.reload()
        await show(page, url)
        await challengeIn(formIn(page)).getByRole('button', { name: 'Approve' }).click()
        await until(page, 'paid')
        // Opened once more, the form shows its receipt.
        await page.reload()
        await show(page, url)
        await formIn(page).getByText('Visa •••• 2011').waitFor()
      })
    })
  })
})
