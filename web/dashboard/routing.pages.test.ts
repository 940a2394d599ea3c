import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runBackTests } from '#resources/flows/back-tests/run.ts'
import { hasBrowser } from '#testing/browser.ts'
import { signIn } from '#testing/sign-in.ts'
import { CARD } from '#testing/till.ts'
import { type Desk, looksRight, openDesk } from '../testing/dashboard.ts'

const HOSTILE = '<img src=x onerror=alert(1)> "Ada" & =1+1'
const ROUTES = '/flows/card-transaction/actions/route-transaction/rules'
const DECLINES = '/flows/card-transaction/actions/decline-early/rules'
const EUROS = { name: 'currency', operator: 'is_one_of', value: ['EUR'] }
const DECLINE = { conditions: [EUROS], outcome: { type: 'boolean', result: true } }

let desk: Desk
let europe: string
let world: string

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const rule = (page: Page, name: string) => page.locator('.rule', { hasText: name })
const condition = (page: Page, number: number) => page.getByRole('group', { name: `Condition ${number}` })

async function send(route: string, body?: object, account = 'default') {
  const response = await desk.service.send(route, body, { account })
  expect(response.statusCode, response.body).toBeLessThan(300)
  return response.statusCode === 204 ? undefined : response.json()
}

const to = (...ids: string[]) => ({
  type: 'card-routing',
  version: 2,
  result: ids.map((payment_service_id) => ({ payment_service_id, instrument: 'pan' })),
})
type Rule = { readonly id: string; readonly description: string | null; readonly position: number }
const rulesOf = async (
  account: string,
  flow = 'card-transaction',
): Promise<{ items: Rule[]; version: number }> => send(`GET /flows/${flow}`, undefined, account)
const namesOf = async (account: string) =>
  (await rulesOf(account)).items.map(({ description }) => description)

describe.skipIf(!hasBrowser)('routing', () => {
  beforeAll(async () => {
    desk = await openDesk()
    for (const id of ['written', 'raced', 'moved', 'went-on', 'counted', 'bare', 'guarded'])
      await send('POST /merchant-accounts', { id, display_name: id })
    europe = (await desk.till.addService({ merchant_id: 'europe' })).id
    world = (await desk.till.addService({ merchant_id: 'world' })).id
    await send(`PUT /payment-services/${europe}`, { display_name: 'Europe' })
    await send(`PUT /payment-services/${world}`, { display_name: 'World' })
  })
  afterAll(() => desk.close())

  test('an account without rules is told what happens without them', async () => {
    await desk.visit('/routing?account=bare', async (page) => {
      await heading(page, 'Routing')
      await page.getByText('Payments go to the first service').waitFor()
      await page.getByRole('link', { name: /Checkout/ }).click()
      await page.getByText('The checkout shows every method').waitFor()
      await page.getByRole('link', { name: 'History' }).click()
      await page.getByText('The first rule creates the first version.').waitFor()
    })
  })

  test('a rule is written, tried before it is saved, and found again by its payment', async () => {
    await desk.visit('/routing/card-transaction/route-transaction/new?account=default', async (page) => {
      await heading(page, 'New rule')
      await page.getByLabel('Description').fill(HOSTILE)
      await press(page, 'Add condition')
      await press(page, 'Add rule')
      await condition(page, 1).getByText('Fill this in.').waitFor()
      await page.getByText('Add a payment service.').waitFor()
      await condition(page, 1).getByRole('button', { name: 'Value: Choose…' }).click()
      await page.getByLabel('Find in Value').fill('eur')
      await page.getByLabel('EUR', { exact: true }).check()
      await page.keyboard.press('Escape')

      await page.getByLabel('Service selection').selectOption('weighted')
      await press(page, 'Add service')
      await page.getByLabel('Payment service').selectOption({ label: 'Europe' })
      await press(page, 'Add service')
      await page.getByLabel('Payment service').nth(1).selectOption({ label: 'World' })
      await page.getByLabel('Share of service 1 in percent').fill('60')
      await page.getByLabel('Share of service 2 in percent').fill('30')
      await press(page, 'Add rule')
      await page.getByText('They add up to 90 %.').waitFor()
      await page.getByLabel('Share of service 1 in percent').fill('100')
      await page.getByLabel('Share of service 2 in percent').fill('0')

      await press(page, 'Try')
      await page.getByText('It would go to Europe, then to World.').waitFor()
      await page.getByText('With your unsaved changes').waitFor()
      expect((await rulesOf('default')).items).toEqual([])

      await press(page, 'Add rule')
      await heading(page, 'Routing')
      await rule(page, HOSTILE).getByText('100 % to Europe, 0 % to World').waitFor()
    })
    const paid = await desk.till.pay({ amount: 2_500, currency: 'EUR', country: 'NL' })
    await desk.visit(`/transactions/${paid.id}?tab=decision&account=default`, async (page) => {
      await page.getByRole('link', { name: 'Test with the current rules' }).click()
      await heading(page, 'Try rules')
      await page.getByText('It would go to Europe, then to World.').waitFor()
      await page.getByText(`The rule “${HOSTILE}” chose the payment services.`).waitFor()
    })
  })

  test('a rule tells how many payments it decided', async () => {
    const account = 'counted'
    const { id } = await desk.till.addService({}, { account })
    await send(`POST ${ROUTES}`, { description: 'All', conditions: [], outcome: to(id) }, account)
    const payment = { amount: 700, currency: 'EUR', country: 'NL', payment_method: CARD }
    for (let count = 0; count < 3; count += 1) await send('POST /transactions', payment, account)

    await desk.visit(`/routing?account=${account}`, async (page) => {
      await rule(page, 'All').getByText('3', { exact: true }).waitFor()
      await rule(page, 'All').getByText('in the last 7 days').waitFor()
    })
  })

  test('every kind of condition is shown as it was stored, and saved without a change', async () => {
    const is = (name: string, operator: string, value: unknown) => ({ name, operator, value })
    const conditions = [
      is('amount', 'is_between', { currency: 'EUR', min: 100, max: 250_050 }),
      is('card_scheme', 'is_not_one_of', ['visa', null]),
      is('card_bin', 'is_one_of', ['4141', '42420000-42429999']),
      is('merchant_initiated', 'equal_to', false),
      is('metadata', 'includes', { key: 'channel', value: ['app', 'web'] }),
      is('metadata_numeric', 'greater_than', { key: 'items', value: 2.5 }),
      is('payment_method', 'equal_to', 'card'),
      is('split_routing', 'less_than_or_equal_to', 10),
      is('time_of_day', 'is_between', { time_zone: 'Europe/Amsterdam', from: '22:00', to: '06:00' }),
      is('any_of', 'is_true', [
        is('weekday', 'is_one_of', { time_zone: 'UTC', days: ['sunday'] }),
        is('skus', 'includes_none', ['a', 'b']),
      ]),
    ]
    const stored = await send(`POST ${DECLINES}`, { ...DECLINE, conditions }, 'written')

    await desk.visit(`/routing/card-transaction/decline-early/${stored.id}?account=written`, async (page) => {
      await heading(page, 'Rule 1')
      await page.getByLabel('Error code for the declined payment').fill('Wrong')
      await press(page, 'Save')
      await page.getByText('Start with flow_').waitFor()
      await page.getByLabel('Error code for the declined payment').fill('flow_night')
      await press(page, 'Save')
      await heading(page, 'Routing')
      await page.getByText('Amount is between €1.00 and €2,500.50').waitFor()
      await page.getByText('Card scheme is not Visa or not known').waitFor()
    })
    const after = await send(`GET ${DECLINES}/${stored.id}`, undefined, 'written')
    expect(after).toMatchObject({ conditions, error_code: 'flow_night' })
  })

  test('a rule that would decline most payments is not saved without a question', async () => {
    const account = 'guarded'
    await desk.till.addService({}, { account })
    const payment = { amount: 700, currency: 'EUR', country: 'NL', payment_method: CARD }
    for (let count = 0; count < 3; count += 1) await send('POST /transactions', payment, account)
    const chooseCurrency = async (page: Page, code: string) => {
      await condition(page, 1)
        .getByRole('button', { name: /^Value/ })
        .click()
      for (const one of ['EUR', 'USD']) {
        await page.getByLabel('Find in Value').fill(one)
        await page.getByLabel(one, { exact: true }).setChecked(one === code)
      }
      await page.keyboard.press('Escape')
    }

    await desk.visit(`/routing/card-transaction/decline-early/new?account=${account}`, async (page) => {
      await page.getByLabel('Description').fill('Stop')
      await press(page, 'Add rule')
      await page.getByRole('dialog', { name: 'Decline all card payments?' }).waitFor()
      await page.getByText('It would have declined all of your last 3 card payments.').waitFor()
      await inDialog(page, 'Change the rule')

      await press(page, 'Add condition')
      await chooseCurrency(page, 'EUR')
      await press(page, 'Add rule')
      await page.getByRole('dialog', { name: 'Decline most card payments?' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await namesOf(account)).toEqual([])

      await chooseCurrency(page, 'USD')
      await press(page, 'Add rule')
      await heading(page, 'Routing')
      expect(await namesOf(account)).toEqual(['Stop'])

      await page.getByRole('link', { name: 'Stop' }).click()
      await press(page, 'Remove condition 1')
      await press(page, 'Save')
      await inDialog(page, 'Save and decline')
      await heading(page, 'Routing')
      await rule(page, 'Stop').getByText('Always').waitFor()

      // Version 3 has no rules, and version 2 declines everything.
      await page.getByRole('button', { name: 'Delete Stop' }).click()
      await inDialog(page, 'Delete')
      await expect.poll(() => namesOf(account)).toEqual([])
      await page.goto(`${desk.origin}/dashboard/routing/history/2?account=${account}`)
      await press(page, 'Go back to it')
      await inDialog(page, 'Go back')
      const question = page.getByRole('dialog', { name: 'Decline all card payments?' })
      await question.getByText('It would have declined all of your last 3 card payments.').waitFor()
      await question.getByRole('button', { name: 'Keep the current rules' }).click()
      expect(await namesOf(account)).toEqual([])
      await inDialog(page, 'Go back')
      await question.getByRole('button', { name: 'Restore and decline' }).click()
      await heading(page, 'Version 4')
      expect(await namesOf(account)).toEqual(['Stop'])
    })
  })

  test('a person who goes on while a rule moves keeps the focus', async () => {
    const account = 'went-on'
    for (const description of ['First', 'Second', 'Third'])
      await send(`POST ${DECLINES}`, { ...DECLINE, description }, account)
    await desk.visit(`/routing?account=${account}`, async (page) => {
      await rule(page, 'Third').waitFor()
      const isRead = Promise.withResolvers<void>()
      await page.route(/[/]flows/, async (route) => {
        if (route.request().method() === 'GET') await isRead.promise
        await route.continue()
      })
      await page.getByRole('button', { name: 'Move Third up' }).press('Enter')
      await page.getByText('Third is now 2 of 3').waitFor()
      const other = page.getByRole('button', { name: 'Delete First' })
      await other.focus()
      isRead.resolve()
      await page.locator('.rule').nth(1).getByText('Third').first().waitFor()
      expect(await other.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
    })
  })

  test('rules are moved and deleted by keyboard, and history leads back', async () => {
    const account = 'moved'
    for (const description of ['First', 'Second', 'Third'])
      await send(`POST ${DECLINES}`, { ...DECLINE, description }, account)
    await desk.visit(`/routing?account=${account}`, async (page) => {
      await rule(page, 'Third').getByText('never decides: the rule at position 1').waitFor()
      const up = page.getByRole('button', { name: 'Move Third up' })
      await up.press('Enter')
      await expect.poll(() => namesOf(account)).toEqual(['First', 'Third', 'Second'])
      await page.getByText('Third is now 2 of 3').waitFor()
      await expect
        .poll(() => up.evaluate((button) => button === button.ownerDocument.activeElement))
        .toBe(true)

      await page.getByRole('button', { name: 'Delete First' }).press('Enter')
      await inDialog(page, 'Delete')
      await expect.poll(() => namesOf(account)).toEqual(['Third', 'Second'])

      await page.getByRole('link', { name: 'History' }).click()
      await page.getByRole('link', { name: '4', exact: true }).click()
      await heading(page, 'Version 4')
      await page.locator('.changes li', { hasText: 'Third' }).getByText('Moved').waitFor()
      expect(await page.locator('.changes > li').count()).toBe(1)
      await page.getByLabel(/Number of the other version/).fill('5')
      await press(page, 'Compare')
      await page.locator('.changes li', { hasText: 'First' }).getByText('Removed').waitFor()
      await press(page, 'Go back to it')
      await page.getByRole('dialog').locator('.changes li', { hasText: 'First' }).getByText('Added').waitFor()
      await inDialog(page, 'Go back')
      await heading(page, 'Version 6')
    })
    expect(await namesOf(account)).toEqual(['First', 'Third', 'Second'])
  })

  test('two people who write at once both see what happened, and nothing is lost', async () => {
    const account = 'raced'
    const mine = await send(`POST ${DECLINES}`, { ...DECLINE, description: 'Mine' }, account)
    await desk.visit(
      `/routing/card-transaction/decline-early/${mine.id}?account=${account}`,
      async (page) => {
        await page.getByLabel('Description').fill('As I want it')
        await send(`PUT ${DECLINES}/${mine.id}`, { position: 0, description: 'As they want it' }, account)
        await press(page, 'Save')
        await page.getByText('The rules have changed since you opened this').waitFor()
        await page.getByText('Called “As they want it”').waitFor()
        expect(await namesOf(account)).toEqual(['As they want it'])
        await press(page, 'Keep my changes')
        await press(page, 'Save')
        await heading(page, 'Routing')
        expect(await namesOf(account)).toEqual(['As I want it'])

        await page.getByRole('link', { name: 'As I want it' }).click()
        await page.getByLabel('Description').fill('Once more')
        await send(`DELETE ${DECLINES}/${mine.id}`, undefined, account)
        await press(page, 'Save')
        await press(page, 'Save mine as a new rule')
        await press(page, 'Save')
        await heading(page, 'Routing')
        expect(await namesOf(account)).toEqual(['Once more'])
      },
      { errors: [/400/] },
    )
  })

  test('rules are tried on the past, and services tell how they do', async () => {
    await desk.visit('/routing/back-tests?account=counted', async (page) => {
      await page.getByRole('button', { name: 'New back-test' }).first().click()
      await inDialog(page, 'Start')
      await heading(page, 'Back-test of version 1')
      await runBackTests(
        { context: desk.service.context, engine: desk.service.engine },
        new AbortController().signal,
      )
      await page.getByRole('row', { name: /^All/ }).getByText('3', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Back-tests' }).click()
      await page.getByRole('link', { name: 'Health' }).click()
      await page.getByRole('row', { name: /^Till/ }).waitFor()
      await page.getByRole('row', { name: /^Visa, EUR, cards from/ }).waitFor()
    })
  })

  test('what is written is tried on the past before it is saved, and stays on the page', async () => {
    await desk.visit('/routing/card-transaction/decline-early/new?account=counted', async (page) => {
      await page.getByLabel('Description').fill('Not yet saved')
      await press(page, 'Add condition')
      await press(page, 'Start back-test')
      await page.getByText('The rule is incomplete').waitFor()
      await press(page, 'Remove condition 1')
      await press(page, 'Start back-test')
      await inDialog(page, 'Start')
      await page.getByRole('link', { name: 'Open the result in a new tab' }).waitFor()
      await runBackTests(
        { context: desk.service.context, engine: desk.service.engine },
        new AbortController().signal,
      )
      await page.locator('.begun').getByText('Done').waitFor()
      const opened = page.context().waitForEvent('page')
      await page.getByRole('link', { name: 'Open the result in a new tab' }).click()
      const result = await opened
      await heading(result, 'Back-test of unsaved rules')
      await result
        .getByRole('row', { name: /^Not yet saved/ })
        .getByText('3', { exact: true })
        .waitFor()
      expect(await page.getByLabel('Description').inputValue()).toBe('Not yet saved')
    })
    expect(await namesOf('counted')).toEqual(['All'])
  })

  test('a role that may only look sees the rules and changes nothing, and another account sees none', async () => {
    const [own] = (await rulesOf('default')).items
    const reader = await signIn(desk.service, { roles: ['analyst'], merchantAccountIds: ['default'] })
    const path = `/routing/card-transaction/route-transaction/${own?.id}`
    await desk.visit(
      path,
      async (page) => {
        await heading(page, HOSTILE)
        await page.getByText('100 % to Europe, 0 % to World').waitFor()
        expect(await page.getByRole('button', { name: /Save|Delete/ }).count()).toBe(0)
        await page.getByRole('link', { name: 'Routing' }).first().click()
        await heading(page, 'Routing')
        expect(await page.getByRole('link', { name: /New rule/ }).count()).toBe(0)
      },
      { user: reader },
    )
    await desk.visit(`${path}?account=bare`, (page) => page.getByText('There is no such rule').waitFor())
  })

  test('every page is right in both themes and all widths', async () => {
    const [own] = (await rulesOf('default')).items
    await send(`POST ${ROUTES}`, {
      description: 'x'.repeat(200),
      conditions: [EUROS],
      outcome: to(world, europe),
    })
    const text = (one: string) => (page: Page) => page.getByText(one).first().waitFor()
    await looksRight(desk, '/routing?account=default', text('If no rule matches'))
    await looksRight(
      desk,
      `/routing/card-transaction/route-transaction/${own?.id}?account=default`,
      text('Conditions'),
    )
    await looksRight(desk, '/routing/try?account=default', text('Choose a payment'))
    await looksRight(desk, '/routing/health?account=counted', text('Till'))
    await looksRight(desk, '/routing/back-tests?account=counted', text('Done'))
    await looksRight(desk, '/routing/history?account=default', text('Added'))
    await looksRight(desk, '/routing/history/2?against=1&account=default', text('All rules of this version'))
  })
})
