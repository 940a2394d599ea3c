import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '#resources/api-key-pairs/sign-token.ts'
import { browse } from '#testing/browse.ts'
import { hasBrowser } from '#testing/browser.ts'
import { codeNow, PASSWORD, personWithPassword } from '#testing/enrol.ts'
import { type Receiver, startDelivering, startReceiver } from '#testing/receiver.ts'
import { signIn } from '#testing/sign-in.ts'
import { type Desk, looksRight, openDesk } from '../testing/dashboard.ts'

const HOSTILE = '<img src=x onerror=alert(1)> "Ada" & Söhne'
const MISSING = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0001'

/** What runs in the page is typed here: this file runs in Node. */
declare const localStorage: object
declare const sessionStorage: object

let desk: Desk
let receiver: Receiver
let delivering: ReturnType<typeof startDelivering>
let subscriptionPath: string
let deliveryPath: string

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()
const pathOf = (page: Page) => new URL(page.url()).pathname.replace('/dashboard', '')

async function read(route: string) {
  return (await desk.service.send(route)).json()
}

describe.skipIf(!hasBrowser)('the pages for developers', () => {
  beforeAll(async () => {
    desk = await openDesk()
    await desk.service.send('POST /merchant-accounts', { id: 'harbour', display_name: 'Harbour Goods' })
    receiver = await startReceiver()
    delivering = startDelivering(desk.service)
  })
  afterAll(async () => {
    await delivering.stop()
    await receiver.close()
    await desk.close()
  })

  test('make a subscription, whose secret is shown and kept nowhere', async () => {
    subscriptionPath = await desk.visit('/developers/webhooks', async (page) => {
      await press(page, 'New subscription')
      await dialog(page).getByLabel('Address', { exact: true }).fill(`${receiver.url}/hooks`)
      await dialog(page).getByLabel('buyer.*').check()
      await dialog(page).getByLabel('Single events').fill('transaction.captured')
      await dialog(page).getByLabel('Authentication').selectOption('User name and password')
      await dialog(page).getByLabel('User name').fill('switchyard')
      await dialog(page).getByLabel('Password').fill('correct-horse')
      await inDialog(page, 'Subscribe')
      await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
      const secret = (await page.locator('.secret-text').textContent()) ?? ''
      await inDialog(page, 'Done')
      await heading(page, `${new URL(receiver.url).host}/hooks`)
      expect(await page.content()).not.toContain(secret)
      const path = pathOf(page)
      const made = await read(`GET /webhook-subscriptions/${path.split('/').at(-1)}`)
      expect(made).toMatchObject({ secret, events: ['buyer.*', 'transaction.captured'], active: true })
      expect(made.authentication).toMatchObject({ kind: 'basic', username: 'switchyard' })
      await page.getByText('Show it').click()
      expect(await page.locator('.secret-text').textContent()).toBe(secret)
      return path
    })
  })

  test('read why a delivery failed, and replay it to a receiver that takes it', async () => {
    receiver.answer((response) => {
      response.statusCode = 503
      response.end(`out of order: ${HOSTILE}`)
    })
    await desk.service.send('POST /buyers', { display_name: HOSTILE })
    await receiver.waitFor(1)

    await desk.visit(subscriptionPath, async (page) => {
      await page.getByRole('link', { name: 'buyer.created' }).click()
      await page.getByText('Refused, 503').first().waitFor()
      await page.getByText(`out of order: ${HOSTILE}`).first().waitFor()
      await page.getByText(JSON.stringify(HOSTILE)).waitFor()
      deliveryPath = pathOf(page)

      // It waits for its next try, so there is nothing to replay yet.
      expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0)

      receiver.answer((response) => void response.end('{"thanks": true}'))
      await page.locator('.under').getByText('Delivered').waitFor()
      const before = receiver.received.length
      await press(page, 'Replay')
      await inDialog(page, 'Replay')
      await receiver.waitFor(before + 1)
      await page.getByText('Taken, 200').last().waitFor()
    })

    const [failed] = receiver.received
    const taken = receiver.received.at(-1)
    expect(taken?.event).toEqual(failed?.event)
    expect(taken?.headers.authorization).toBe(`Basic ${btoa('switchyard:correct-horse')}`)
  })

  test('see which receiver takes nothing, and since when', async () => {
    const broken = await startReceiver()
    broken.answer((response) => void response.writeHead(500).end())
    const url = `${broken.url}/hooks/broken`
    const { id } = (await desk.service.send('POST /webhook-subscriptions', { url })).json()
    const path = `GET /webhook-subscriptions/${id}`
    await desk.service.send(`POST /webhook-subscriptions/${id}/test`)
    await expect.poll(async () => (await read(path)).failing_since, { timeout: 30_000 }).not.toBeNull()

    await desk.visit('/developers/webhooks', async (page) => {
      await page.getByText('Failing', { exact: true }).waitFor()
      await page.getByRole('link', { name: url }).click()
      await heading(page, `${new URL(url).host}/hooks/broken`)
      await page.getByText('The receiver takes nothing').waitFor()
      await page.getByText('Failed, tried again later').waitFor()
    })
    await desk.service.send(`DELETE /webhook-subscriptions/${id}`)
    await broken.close()
  })

  test('replay what was given up, and everything since a time', async () => {
    await desk.visit(subscriptionPath, async (page) => {
      await press(page, 'More')
      await press(page, 'Disable')
      await inDialog(page, 'Disable')
      await page.getByText('Nothing is sent while the subscription is disabled').waitFor()
      await desk.service.send('POST /buyers', { display_name: 'Missed' })
      await press(page, 'More')
      await press(page, 'Enable')
      await inDialog(page, 'Enable')

      await press(page, 'Replay failed')
      await inDialog(page, 'Replay')
      await page.getByText('There was nothing to replay').waitFor()

      const before = receiver.received.length
      await press(page, 'Replay since…')
      await inDialog(page, 'Replay')
      await page.getByText('2 events are on their way').waitFor()
      await receiver.waitFor(before + 2)
    })
    expect(receiver.received.map(({ event }) => event.target.display_name)).toContain('Missed')
  })

  test('rotate the secret, send a test event, and edit', async () => {
    const id = subscriptionPath.split('/').at(-1)
    const { secret } = await read(`GET /webhook-subscriptions/${id}`)
    const before = receiver.received.length
    await desk.visit(subscriptionPath, async (page) => {
      await press(page, 'More')
      await press(page, 'Rotate the secret')
      await inDialog(page, 'Rotate')
      await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
      expect(await page.locator('.secret-text').textContent()).not.toBe(secret)
      await inDialog(page, 'Done')
      await page.getByText('The former secret signs, too').waitFor()

      await press(page, 'Send a test event')
      await inDialog(page, 'Send')
      await receiver.waitFor(before + 1)

      await press(page, 'Edit')
      await dialog(page).getByLabel('buyer.*').uncheck()
      await dialog(page).getByLabel('Single events').fill('')
      await inDialog(page, 'Save')
      await page.getByText('All events').waitFor()
    })
    // The dialog says the same words before the change is saved.
    await expect
      .poll(() => read(`GET /webhook-subscriptions/${id}`))
      .toMatchObject({ events: null, authentication: { kind: 'basic', password: '********' } })
  })

  test('find an event, what it is about, and where it was sent', async () => {
    await desk.visit('/developers/events?name=buyer.created', async (page) => {
      await page.getByRole('link', { name: 'buyer.created' }).last().click()
      await heading(page, 'buyer.created')
      await page.getByText(JSON.stringify(HOSTILE)).waitFor()
      await page.getByRole('link', { name: `${receiver.url}/hooks` }).waitFor()
      await page.getByRole('link', { name: 'Buyer', exact: true }).click()
      await heading(page, HOSTILE)
    })
  })

  test('make a key that works, and keep its private key nowhere', async () => {
    const pem = await desk.visit('/developers/keys', async (page) => {
      await press(page, 'New API key')
      await dialog(page).getByLabel('Name', { exact: true }).fill(HOSTILE)
      await dialog(page).getByLabel('Processing').check()
      await dialog(page).getByLabel('Harbour Goods').check()
      await inDialog(page, 'Create key')
      await page.getByRole('heading', { name: `Private key of ${HOSTILE}` }).waitFor()
      const [file] = await Promise.all([page.waitForEvent('download'), inDialog(page, 'Download')])
      const saved = readFileSync(await file.path(), 'utf8')
      expect(await page.locator('.private-key').textContent()).toBe(saved)
      await inDialog(page, 'Done')
      await page.getByRole('link', { name: HOSTILE }).waitFor()

      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
      expect(stored + (await page.content())).not.toContain('PRIVATE KEY')
      await page.getByRole('link', { name: HOSTILE }).click()
      await heading(page, HOSTILE)
      expect(await page.content()).not.toContain('PRIVATE KEY')
      return saved
    })
    const token = await signToken(pem, { scopes: ['*.read', '*.write'] }, { from: new Date(), seconds: 60 })
    const used = await desk.service.send('POST /buyers', { display_name: 'By key' }, { token })
    expect([used.statusCode, used.json().merchant_account_id]).toEqual([201, 'harbour'])

    await desk.visit('/developers/keys?account=harbour', async (page) => {
      await page.getByRole('link', { name: HOSTILE }).click()
      await page.getByText('POST /buyers').waitFor()
      await press(page, 'Disable')
      await inDialog(page, 'Disable')
      await page.locator('.under').getByText('Disabled').waitFor()
    })
    expect((await desk.service.send('GET /buyers', undefined, { token })).statusCode).toBe(401)
  })

  test('lead from an error to its entry in the request log', async () => {
    await desk.visit(
      `/transactions/${MISSING}`,
      async (page) => {
        await page.getByRole('heading', { name: 'Not found' }).waitFor()
        await page.getByRole('link', { name: 'Look it up' }).click()
        await page.getByRole('link', { name: /^GET \/transactions\/./ }).click()
        await page.getByRole('heading', { name: 'Why it was refused' }).waitFor()
        await page.getByRole('link', { name: 'Mara Lind' }).waitFor()
      },
      { errors: [/404/] },
    )
    await desk.service.send('POST /transactions', { currency: 'USD' })
    await desk.visit(
      '/developers/requests?status_class=4xx&path_prefix=/transactions&method=POST',
      async (page) => {
        await page.getByRole('link', { name: 'POST /transactions' }).click()
        await page.getByText('body /amount').waitFor()
      },
    )
  })

  test('hide what a user may not do, and what belongs to another account', async () => {
    const [, , , id] = subscriptionPath.split('/')
    const { items } = await read('GET /events?name=buyer.created')
    const user = await signIn(desk.service, { roles: ['administrator'], merchantAccountIds: ['harbour'] })
    for (const path of [subscriptionPath, deliveryPath, `/developers/events/${items.at(-1).id}`])
      await desk.visit(
        path,
        async (page) => {
          await page.getByRole('heading', { name: 'Not found' }).waitFor()
        },
        { user, errors: [/404/] },
      )
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const analyst = await signIn(desk.service, { roles: ['analyst'] })
    await desk.visit(
      '/developers/events',
      async (page) => {
        await heading(page, 'Events')
        expect(await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).count()).toBe(0)
      },
      { user: analyst },
    )
  })

  test('let customer support replay events, and name the right that a page needs', async () => {
    const user = await signIn(desk.service, { roles: ['customer-support'] })
    await desk.visit(
      subscriptionPath,
      async (page) => {
        await heading(page, `${new URL(receiver.url).host}/hooks`)
        expect(await page.getByRole('button', { name: /^(Edit|Show it)$/ }).count()).toBe(0)
        await press(page, 'Replay failed')
        await inDialog(page, 'Replay')
        await page.getByText(/nothing to replay|on (its|their) way/).waitFor()
      },
      { user },
    )
    await desk.visit(
      '/payouts/new',
      async (page) => {
        await page.getByText('This page needs the permission payouts.write.').waitFor()
        expect(await page.locator('form').count()).toBe(0)
      },
      { user },
    )
  })

  test('ask for a fresh proof before a secret is shown or replaced, and go on', async () => {
    const { headers, secret } = await personWithPassword(desk.service)
    const [name = '', value = ''] = headers.cookie.split('=')
    desk.service.moveClock(11 * 60_000)
    await browse(desk.browser, { errors: [/403/] }, async (page) => {
      await page.context().addCookies([{ name, value, url: desk.origin }])
      await page.goto(`${desk.origin}/dashboard${subscriptionPath}`)
      await press(page, 'Show it')
      await page.getByRole('heading', { name: 'Is it still you?' }).waitFor()
      await inDialog(page, 'Close')

      await press(page, 'More')
      await press(page, 'Rotate the secret')
      await inDialog(page, 'Rotate')
      const proof = page.getByRole('dialog', { name: 'Is it still you?' })
      await proof.getByLabel('Password').fill(PASSWORD)
      await proof.getByLabel('Code', { exact: true }).fill(codeNow(desk.service, secret))
      await proof.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
      expect(await page.locator('.secret-text').textContent()).toMatch(/^\S{20,}$/)
    })
  })

  test('are right for everybody', { timeout: 120_000 }, async () => {
    const host = new URL(receiver.url).host
    const key = (await read('GET /api-key-pairs')).items[0]
    const event = (await read('GET /events')).items[0]
    const request = (await read('GET /api-logs?status_class=4xx')).items[0]
    const routes: readonly (readonly [string, string | RegExp])[] = [
      ['/developers/webhooks', 'Webhooks'],
      [subscriptionPath, `${host}/hooks`],
      [deliveryPath, 'buyer.created'],
      ['/developers/events', 'Events'],
      [`/developers/events/${event.id}`, event.name],
      ['/developers/keys', 'API keys'],
      [`/developers/keys/${key.id}`, key.display_name],
      ['/developers/requests', 'Request log'],
      [`/developers/requests/${request.id}`, `${request.method} ${request.path}`],
    ]
    for (const [path, title] of routes)
      await looksRight(desk, path, async (page) => {
        await heading(page, title)
        await expect.poll(() => page.locator('.skeleton').count()).toBe(0)
      })
  })
})
