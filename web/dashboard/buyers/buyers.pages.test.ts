import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Sealer } from '#resources/audit-logs/seal.ts'
import { eraseDue } from '#resources/buyers/erasure/erase.ts'
import { hasBrowser } from '#testing/browser.ts'
import { openTokenDesk, requestorIds } from '#testing/network-tokens.ts'
import { signIn } from '#testing/sign-in.ts'
import { PAYOUT_CARD } from '#testing/till.ts'
import { type Desk, looksRight, openDesk } from '../../testing/dashboard.ts'

/** What a page must show as text, and never as anything else. */
const HOSTILE = '<img src=x onerror="alert(1)">"\'{{7*7}}'

let desk: Desk

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const read = async (path: string) => (await desk.service.send(`GET ${path}`)).json()
const make = async (path: string, body: object) => {
  const made = await desk.service.send(`POST ${path}`, body)
  expect(made.statusCode, made.body).toBe(201)
  return made.json()
}

describe.skipIf(!hasBrowser)('buyers and what they pay with', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('PUT /merchant-accounts/default', requestorIds('default'))
    await desk.service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  })
  afterAll(() => desk.close())

  test('a person makes a buyer, finds it, edits it, and deletes it', async () => {
    await desk.visit(
      '/buyers',
      async (page) => {
        await page.getByRole('button', { name: 'New buyer' }).first().click()
        await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
        await page.getByLabel('Phone').fill('twelve')
        await page.getByLabel('City').fill('San Jose')
        await page.getByRole('button', { name: 'Create buyer' }).click()
        await page.getByText('Nothing was changed').waitFor()
        await page.getByLabel('Phone').fill('+15550100')
        await page.getByRole('button', { name: 'Create buyer' }).click()
        await heading(page, HOSTILE)

        await page.getByRole('link', { name: 'Buyers' }).first().click()
        await page.getByPlaceholder('Name, e-mail, reference').fill('onerror')
        await page.getByRole('link', { name: HOSTILE }).click()
        await page.getByRole('button', { name: 'Edit' }).click()
        await page.getByLabel('Name', { exact: true }).fill('Ada Park')
        await page.getByLabel('Phone').fill('')
        await page.getByRole('button', { name: 'Save' }).click()
        await heading(page, 'Ada Park')
        const id = page.url().split('/').at(-1) ?? ''
        expect(await read(`/buyers/${id}`)).toMatchObject({
          display_name: 'Ada Park',
          external_identifier: null,
          billing_details: { phone_number: null, address: { city: 'San Jose' }, tax_id: null },
        })

        await page.getByRole('button', { name: 'Delete' }).click()
        const dialog = page.getByRole('dialog', { name: 'Delete Ada Park' })
        await dialog.getByRole('button', { name: 'Delete' }).click()
        await heading(page, 'Buyers')
        expect((await desk.service.send(`GET /buyers/${id}`)).statusCode).toBe(404)
      },
      { errors: [/400/] },
    )
  })

  test('a person exports a buyer who was deleted, and erases the buyer', async () => {
    const details = { email_address: 'nora@example.com', first_name: 'Nora', last_name: 'Lind' }
    const buyer = await make('/buyers', { display_name: 'Nora Lind', billing_details: details })
    const payment = await desk.till.pay({ buyer_id: buyer.id })
    await desk.service.send(`DELETE /buyers/${buyer.id}`)
    await desk.visit(
      `/transactions/${payment.id}`,
      async (page) => {
        const known = page.getByRole('region', { name: 'Buyer' })
        await known.getByText('deleted', { exact: true }).waitFor()
        await known.getByRole('link', { name: 'Nora Lind' }).click()
        await heading(page, 'Nora Lind')
        await page.getByText('This buyer was deleted').waitFor()

        await page.getByRole('button', { name: 'Export' }).click()
        const saved = page.waitForEvent('download')
        await page.getByRole('button', { name: 'Download' }).click()
        const file = JSON.parse(await readFile(await (await saved).path(), 'utf8'))
        expect(file).toMatchObject({ buyer_id: buyer.id, payments: [{ transaction: { id: payment.id } }] })

        await page.getByRole('button', { name: 'Erase' }).click()
        const dialog = page.getByRole('dialog', { name: 'Erase Nora Lind' })
        await dialog.getByRole('button', { name: 'Erase for good' }).click()
        await dialog.getByText(`payment ${payment.id} of this buyer is open`).waitFor()
        await page.keyboard.press('Escape')
        await desk.till.act(payment.id, 'void')

        await page.getByRole('button', { name: 'Erase' }).click()
        await dialog.getByRole('button', { name: 'Erase for good' }).click()
        await heading(page, 'Erased buyer')
        await page.getByText('Erasing personal data…').waitFor()
        const sealer = new Sealer(desk.service.secrets, null)
        await eraseDue({ ...desk.service, sealer }, new AbortController().signal)
        await page.getByText('All personal data was erased').waitFor()
        expect((await desk.till.get(payment.id)).buyer).toBeNull()
      },
      { errors: [/400/, /404/] },
    )
  })

  test('a person adds, edits and deletes shipping details', async () => {
    const buyer = await make('/buyers', { display_name: 'Omar Haddad' })
    const shipping = () => read(`/buyers/${buyer.id}/shipping-details`)
    await desk.visit(`/buyers/${buyer.id}`, async (page) => {
      await page.getByRole('button', { name: 'Add' }).click()
      await page.getByLabel('First name').fill('Omar')
      await page.getByLabel('Country').selectOption('DE')
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
      await page.getByText('Germany').waitFor()
      expect((await shipping()).items).toMatchObject([{ first_name: 'Omar', address: { country: 'DE' } }])

      await page.getByRole('listitem').getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Country').selectOption('')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect((await shipping()).items).toMatchObject([{ first_name: 'Omar', address: null }])

      await page.getByRole('listitem').getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Add a shipping address').waitFor()
      expect((await shipping()).items).toEqual([])
    })
  })

  test('a person suspends the network token of a stored card, resumes it, and deletes the card', async () => {
    const buyer = await make('/buyers', { display_name: 'Chloé Dubois' })
    const card = await make('/payment-methods', { ...PAYOUT_CARD, buyer_id: buyer.id })
    const tokens = openTokenDesk(desk.service, 'default')
    await tokens.provision(card.id)
    await desk.visit(`/buyers/${buyer.id}`, async (page) => {
      await page.getByRole('region', { name: 'Payment methods' }).getByRole('link', { name: '1111' }).click()
      await heading(page, 'Visa •••• 1111')
      for (const [verb, status] of [
        ['Suspend', 'suspended'],
        ['Resume', 'active'],
      ] as const) {
        await page.getByRole('button', { name: verb }).click()
        await page.getByRole('dialog').getByRole('button', { name: verb }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        expect((await tokens.list(card.id))[0].status).toBe(status)
      }
      await page
        .getByRole('banner')
        .or(page.locator('header'))
        .getByRole('button', { name: 'Delete' })
        .click()
      const dialog = page.getByRole('dialog', { name: 'Delete Visa •••• 1111 of Chloé Dubois' })
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await heading(page, 'Payment methods')
      expect((await desk.service.send(`GET /payment-methods/${card.id}`)).statusCode).toBe(404)
    })
  })

  test('a person who may only look finds nothing to press', async () => {
    const user = await signIn(desk.service, { roles: ['analyst'] })
    const buyer = await make('/buyers', { display_name: 'Mateo Rossi' })
    const card = await make('/payment-methods', { ...PAYOUT_CARD, buyer_id: buyer.id })
    await openTokenDesk(desk.service, 'default').provision(card.id)
    const acts = /^(New|Edit|Delete|Erase|Export|Add|Suspend|Resume|Pay out)/
    for (const [path, name] of [
      ['/buyers', 'Buyers'],
      [`/buyers/${buyer.id}`, 'Mateo Rossi'],
      [`/payment-methods/${card.id}`, 'Visa •••• 1111'],
    ] as const)
      await desk.visit(
        path,
        async (page) => {
          await heading(page, name)
          await page.getByRole('region').first().waitFor()
          expect(await page.getByRole('button', { name: acts }).count()).toBe(0)
        },
        { user },
      )
  })

  test('things of another merchant account are not found', async () => {
    const account = { account: 'other' }
    const buyer = (await desk.service.send('POST /buyers', { display_name: 'Hidden' }, account)).json()
    const card = (await desk.service.send('POST /payment-methods', PAYOUT_CARD, account)).json()
    for (const path of [`/buyers/${buyer.id}`, `/payment-methods/${card.id}`])
      await desk.visit(
        `${path}?account=default`,
        async (page) => {
          await page.getByRole('heading', { name: 'Not found' }).waitFor()
          expect(await page.getByText('Hidden').count()).toBe(0)
        },
        { errors: [/404/] },
      )
  })

  test('is right for everybody', async () => {
    const buyer = await make('/buyers', {
      display_name: `${HOSTILE} ${'Long'.repeat(30)}`,
      billing_details: { address: { line1: 'A'.repeat(200), country: 'US' } },
    })
    const card = await make('/payment-methods', { ...PAYOUT_CARD, buyer_id: buyer.id })
    await desk.till.pay({ payment_method: { method: 'id', id: card.id }, buyer_id: buyer.id })
    await openTokenDesk(desk.service, 'default').provision(card.id)
    await make(`/buyers/${buyer.id}/shipping-details`, { first_name: 'Ada', address: { country: 'US' } })
    const row = (page: Page) => page.getByRole('link', { name: '1111' }).first().waitFor()
    await looksRight(desk, '/buyers', (page) => page.getByRole('link', { name: 'Long' }).waitFor())
    await looksRight(desk, `/buyers/${buyer.id}`, row)
    await looksRight(desk, '/payment-methods', row)
    await looksRight(desk, `/payment-methods/${card.id}`, (page) => page.getByText('Suspend').waitFor())
  })
})
