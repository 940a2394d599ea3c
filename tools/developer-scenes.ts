import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { visit } from './area-scenes.ts'
import { signIn } from './dashboard-scenes.ts'
import type { Json, Scene, Shop } from './scene.ts'

/** Monitors look at every minute of it. */
const DAY_PASSES_MS = 240_000

/** Pages without the frame: for people who have not signed in. */
export const DOOR_SCENES: Readonly<Record<string, Scene>> = {
  'door-invitation': async (page, { send }) => {
    const { invitation_url } = await send('POST /users', {
      name: 'Omar Haddad',
      email_address: 'omar@example.com',
      role_ids: ['analyst'],
    })
    await page.goto(invitation_url)
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  },
  'door-sign-in': (page, { url }) => openDoor(page, `${url}/dashboard/sign-in`),
  'door-used-link': (page, { url }) => openDoor(page, `${url}/dashboard/setup`),
  'door-provider': (page, { url }) => openDoor(page, `${url}/dashboard/oidc`),
}

/** Pages that need more than a list with a row. */
export const DEVELOPER_SCENES: Readonly<Record<string, Scene>> = {
  'dashboard-sandbox': async (page, shop) => {
    await visit(page, shop, async () => '/developers/sandbox')
    await page.getByText('The next payment').waitFor()
    await page.getByRole('button', { name: 'a day' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Move the clock' }).click()
    await page.locator('.fell-due').waitFor({ timeout: DAY_PASSES_MS })
    await page.getByText('The clock moves').waitFor({ state: 'detached' })
  },
  'dashboard-delivery': async (page, shop) => {
    await visit(page, shop, () => deliverTwice(page, shop))
    await page.getByText('Attempt 2').waitFor()
  },
  'page-own-role-edit': (page, shop) =>
    visit(page, shop, async () => {
      const { id } = await shop.send('POST /roles', {
        name: 'Refund desk',
        description: 'Finds payments and refunds them.',
        assignable_to: ['user'],
        permissions: { allow: ['transactions.read', 'transactions.write', 'buyers.read'] },
      })
      return `/settings/roles/${id}/edit`
    }),
  'page-unknown': async (page, shop) => {
    const origin = await signIn(page, shop)
    await openDoor(page, `${origin}/dashboard/nothing-here`)
  },
}

async function openDoor(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.waiting, .skeleton').first().waitFor({ state: 'detached' })
}

/** A delivery that a shop refuses at first, and takes when it is replayed. */
async function deliverTwice(page: Page, { send }: Shop): Promise<string> {
  let isReady = false
  const server = createServer((request, response) => {
    request.resume()
    if (isReady) response.end('ok')
    else response.writeHead(503).end('The shop is closed for an update.')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  page.on('close', () => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const { id } = await send('POST /webhook-subscriptions', { url, events: ['buyer.created'] })
  await send('POST /buyers', { display_name: 'Ada Park', external_identifier: 'ada-4711' })
  const list = `/webhook-subscriptions/${id}/deliveries`
  const tried = await until(async () => (await send(`GET ${list}`)).items[0])
  await until(async () => (await send(`GET ${list}/${tried.id}/attempts`)).items[0])
  isReady = true
  await send(`POST ${list}/${tried.id}/replay`)
  await until(async () => (await send(`GET ${list}/${tried.id}`)).status === 'delivered')
  return `/developers/webhooks/${id}/deliveries/${tried.id}`
}

/** Asks until there is an answer. */
async function until(ask: () => Promise<Json>): Promise<Json> {
  for (;;) {
    const answer = await ask()
    if (answer) return answer
  }
}
