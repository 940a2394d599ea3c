import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browse, problemsInBothSchemes } from '#testing/browse.ts'
import { hasBrowser, launchBrowser } from '#testing/browser.ts'
import { urlOf } from '#testing/database-url.ts'
import { guardedFolder, guardProcess } from '#testing/guard.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { until } from '#testing/receiver.ts'
import { type Running, removeFolder, startHere, tokenOf } from '#testing/service-process.ts'
import { freePort } from '../../lab/processes.ts'

/** The example shop in a process of its own and in a real browser, in front of a service. */

const CARD = '4111111111111111'
const ASKED = '4111111111102011'
const REFUSED = '4111111111104017'
const PASSWORD = randomBytes(9).toString('base64url')

let dataDir: string
let service: Running
let shop: ChildProcess
let settings: Record<string, string>
let shopUrl: string
let browser: Browser

// biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field
async function ask(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${await tokenOf(dataDir)}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.ok, `${method} ${path} ${response.status}`).toBe(true)
  return response.json()
}

const ordersFile = () => join(dataDir, 'orders.json')
// biome-ignore lint/suspicious/noExplicitAny: orders are checked field by field
const keptOrder = (id: string): any => new Map(JSON.parse(readFileSync(ordersFile(), 'utf8'))).get(id)
const paymentsOf = async (order: string): Promise<{ id: string; status: string }[]> =>
  (await ask('GET', `/transactions?external_identifier=${order}`)).items

async function startShop(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('start.mjs', import.meta.url))], { env })
  if (child.pid !== undefined) child.once('exit', guardProcess(child.pid))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  await until(() => output.includes(`${shopUrl}/staff`))
  return child
}

beforeAll(async () => {
  if (!hasBrowser) return
  dataDir = guardedFolder()
  service = await startHere(dataDir, { DATABASE_URL: urlOf(await cloneDatabase()) })
  const port = await freePort()
  shopUrl = `http://localhost:${port}`
  const { items } = await ask('GET', '/payment-services')
  for (const { id, method } of items) {
    if (method === 'card') await ask('PUT', `/payment-services/${id}`, { three_d_secure_enabled: true })
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  await ask('POST', '/api-key-pairs', {
    display_name: 'Example shop',
    role_ids: ['processing'],
    public_key: publicKey.export({ type: 'spki', format: 'pem' }),
  })
  const { secret } = await ask('POST', '/webhook-subscriptions', {
    url: `${shopUrl}/webhooks`,
    events: ['transaction.*', 'refund.*'],
  })
  const keyFile = join(dataDir, 'shop.pem')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  settings = {
    PORT: String(port),
    SWITCHYARD_URL: service.url,
    SWITCHYARD_KEY: keyFile,
    WEBHOOK_SECRET: secret,
    ORDERS: ordersFile(),
    STAFF_PASSWORD: PASSWORD,
  }
  shop = await startShop(settings)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  shop?.kill()
  await service?.end('SIGTERM')
  if (dataDir) removeFolder(dataDir)
})

async function buy(page: Page, quantity = 1): Promise<string> {
  await page.goto(shopUrl)
  await page.getByLabel('How many').fill(String(quantity))
  await page.getByRole('button', { name: 'Buy' }).click()
  await page.waitForURL(/orders/)
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

async function typeCard(page: Page, number: string): Promise<void> {
  const field = (place: string) => page.frameLocator(`${place} iframe`).locator('#field')
  await field('#number').pressSequentially(number)
  await field('#expiry').pressSequentially('1240')
  await field('#code').pressSequentially('737')
}

const pressPay = (page: Page) => page.getByRole('button', { name: /^Pay/ }).click()
const seesTitle = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

describe.skipIf(!hasBrowser)('the example shop', () => {
  test('sells to a buyer who approves, hears the webhooks, and refunds', async () => {
    const order = await browse(browser, {}, async (page) => {
      const sent: string[] = []
      page.on('request', (request) => {
        if (request.url().startsWith(shopUrl)) sent.push(`${request.url()} ${request.postData() ?? ''}`)
      })
      const id = await buy(page, 2)
      await typeCard(page, ASKED)
      await pressPay(page)
      await page.getByRole('button', { name: 'Approve' }).click()
      await seesTitle(page, 'Thank you!')
      expect(sent.length).toBeGreaterThan(5)
      expect(sent.filter((request) => request.includes(ASKED))).toEqual([])
      return id
    })
    const [payment, ...others] = await paymentsOf(order)
    expect(others).toEqual([])
    expect(payment).toMatchObject({ status: 'capture_succeeded', amount: 2598, captured_amount: 2598 })
    expect(readFileSync(ordersFile(), 'utf8')).not.toContain(ASKED)

    // The shop learns of this one by a webhook alone: no page of the order is open.
    await ask('POST', `/transactions/${payment?.id}/refunds`, { amount: 1299 })

    await expect.poll(() => keptOrder(order)).toMatchObject({ state: 'paid', refunded: 1299 })
  })

  test('lets its staff, and no other visitor, give the money back', async () => {
    const id = await browse(browser, {}, async (page) => {
      const placed = await buy(page)
      await typeCard(page, CARD)
      await pressPay(page)
      await seesTitle(page, 'Thank you!')
      return placed
    })
    const httpCredentials = { username: 'staff', password: PASSWORD }
    await browse(browser, { httpCredentials }, async (page) => {
      await page.goto(`${shopUrl}/staff`)
      await page.getByRole('row', { name: id }).getByRole('button', { name: 'Refund $12.99' }).click()
      await page.getByRole('row', { name: id }).getByText('refunded').waitFor()
    })
    expect(await paymentsOf(id)).toMatchObject([{ refunded_amount: 1299 }])
    expect((await fetch(`${shopUrl}/staff`)).status).toBe(401)
    expect((await fetch(`${shopUrl}/staff/${id}/refund`, { method: 'POST' })).status).toBe(401)
  })

  test('takes another card after a decline, and charges once', async () => {
    await browse(browser, {}, async (page) => {
      const id = await buy(page)
      await typeCard(page, REFUSED)
      await pressPay(page)
      await page.getByText('declined this card').waitFor()
      await typeCard(page, CARD)
      await pressPay(page)
      await seesTitle(page, 'Thank you!')
      const payments = await paymentsOf(id)
      // Newest first.
      expect(payments.map(({ status }) => status)).toEqual(['capture_succeeded', 'authorization_failed'])
    })
  })

  test('finds out what became of a payment whose answer was lost on the way to the browser', async () => {
    await browse(browser, { errors: [/ERR_FAILED|Failed to load/] }, async (page) => {
      const id = await buy(page)
      await page.route('**/pay', async (route) => {
        await route.fetch()
        await route.abort()
      })
      await typeCard(page, CARD)
      await pressPay(page)
      await seesTitle(page, 'Thank you!')
      expect(await paymentsOf(id)).toMatchObject([{ status: 'capture_succeeded' }])
    })
  })

  test('asks again with the same key after it died while it asked', async () => {
    const id = await browse(browser, {}, async (page) => {
      const placed = await buy(page)
      await typeCard(page, CARD)
      await pressPay(page)
      await seesTitle(page, 'Thank you!')
      return placed
    })
    shop.kill('SIGKILL')
    await once(shop, 'exit')
    const orders = new Map(JSON.parse(readFileSync(ordersFile(), 'utf8')))
    orders.set(id, { ...keptOrder(id), state: 'waiting', transaction: null })
    writeFileSync(ordersFile(), JSON.stringify([...orders]))
    shop = await startShop(settings)

    await browse(browser, {}, async (page) => {
      await page.goto(`${shopUrl}/orders/${id}`)
      await seesTitle(page, 'Thank you!')
    })

    expect(await paymentsOf(id)).toMatchObject([{ status: 'capture_succeeded' }])
  })

  test('can be used by everyone, in light and in dark colours', async () => {
    const httpCredentials = { username: 'staff', password: PASSWORD }
    await browse(browser, { httpCredentials }, async (page) => {
      await page.goto(shopUrl)
      expect(await problemsInBothSchemes(page)).toEqual([])
      await buy(page)
      expect(await problemsInBothSchemes(page)).toEqual([])
      await page.goto(`${shopUrl}/staff`)
      expect(await problemsInBothSchemes(page)).toEqual([])
      await page.getByRole('main').getByRole('link').last().click()
      await seesTitle(page, 'Refunded')
      expect(await problemsInBothSchemes(page)).toEqual([])
    })
  })

  test.each([
    ['an order of nothing', 'POST /orders', 'quantity=0', 400],
    ['an order of too much', 'POST /orders', 'quantity=10', 400],
    ['an order of words', 'POST /orders', 'quantity=<b>', 400],
    ['an order that does not exist', 'GET /orders/none', undefined, 404],
    ['a payment of an order that does not exist', 'POST /orders/none/pay', '', 404],
    ['a path that is none', 'GET //', undefined, 404],
    ['a webhook without a signature', 'POST /webhooks', '{}', 401],
  ])('refuses %s', async (_name, route, body, status) => {
    const [method = '', path] = route.split(' ')
    const response = await fetch(`${shopUrl}${path}`, { method, ...(body !== undefined && { body }) })

    expect(response.status).toBe(status)
  })

  test('refuses a form of another site', async () => {
    const response = await fetch(`${shopUrl}/orders`, {
      method: 'POST',
      body: 'quantity=1',
      headers: { 'sec-fetch-site': 'cross-site' },
    })

    expect(response.status).toBe(403)
  })
})
