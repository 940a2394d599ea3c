import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandIn, SECRET_KEY } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { ACCESS_KEY } from '#sandbox/stand-ins/checkout/vault-services.ts'
import { entriesOf, startInProduction } from '#testing/in-production.ts'
import { useOwnFolder } from '#testing/own-folder.ts'
import type { Running } from '#testing/service-process.ts'

/** A service in production, in a process of its own, whose stored cards get new details and network tokens from Checkout.com. */

const own = useOwnFolder()
const standIn = createStandIn({ now: () => new Date() })
let vault: Awaited<ReturnType<typeof standIn.listen>>
beforeAll(async () => {
  vault = await standIn.listen(0)
})
afterAll(() => vault.close())

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const startHere = () =>
  startInProduction(own, {
    'https://access.checkout.com': vault.origin,
    'https://api.checkout.com': vault.origin,
  })

test('production finds the new details of replaced cards at Checkout.com', async () => {
  standIn.vault.publicKey = keys.publicKey
  const service = await startHere()
  const account = { account_updater_enabled: true }
  const enabled = await fetchJson(service, 'PUT /merchant-accounts/default', account)
  const early = await inquire(service, await store(service, '4111111111111111'))
  const fields = entriesOf({ ...ACCESS_KEY, private_key: keys.privateKey })
  const updater = await fetchJson(service, '/account-updater-services', {
    display_name: 'Checkout.com',
    account_updater_service_definition_id: 'checkout-account-updater',
    fields,
  })
  const [renumbered, renewed] = [
    await store(service, '4111111100011116'),
    await store(service, '4111111100021115'),
  ]

  const asked = await inquire(service, renumbered, renewed)

  expect([enabled.status, early.status, updater.status, asked.status]).toEqual([200, 400, 201, 201])
  expect(early.body.message).toContain('Create an account updater service first')
  const read = async (id: string) => (await fetchJson(service, `/payment-methods/${id}`)).body
  await expect
    .poll(() => read(renumbered), { timeout: 30_000 })
    .toMatchObject({ has_replacement: true, expiration_date: '12/30' })
  await expect
    .poll(() => read(renewed), { timeout: 30_000 })
    .toMatchObject({ has_replacement: false, expiration_date: '12/34' })
  const definitions = await fetchJson(service, '/account-updater-service-definitions')
  // The simulator is not there, and no field leads elsewhere.
  expect(definitions.body.items).toMatchObject([{ id: 'checkout-account-updater' }])
  expect(JSON.stringify(definitions.body)).not.toContain('stand_in_url')
  expect(standIn.violations).toEqual([])
})

test('production gives a stored card a network token at Checkout.com, and pays with it', async () => {
  const service = await startHere()
  const card = await store(service, '4242424242424242')
  const tokens = `/payment-methods/${card}/network-tokens`
  const wanted = { merchant_initiated: false, is_subsequent_payment: false }
  const early = await fetchJson(service, tokens, wanted)
  const maker = await fetchJson(service, '/network-token-services', {
    display_name: 'Checkout.com',
    network_token_service_definition_id: 'checkout-network-token',
    fields: entriesOf(ACCESS_KEY),
  })
  const charger = await fetchJson(service, '/payment-services', {
    display_name: 'Checkout.com',
    payment_service_definition_id: 'checkout-card',
    fields: entriesOf({ secret_key: SECRET_KEY }),
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    open_loop: true,
    network_tokens_enabled: true,
  })

  const made = await fetchJson(service, tokens, wanted)
  const paid = await fetchJson(service, '/transactions', {
    amount: 1299,
    currency: 'USD',
    country: 'US',
    payment_method: { method: 'id', id: card },
  })
  const removed = await own.call(service, `DELETE ${tokens}/${made.body.id}`)

  expect([early.status, maker.status, charger.status, made.status]).toEqual([400, 201, 201, 201])
  expect(early.body.message).toContain('Create a network token service first')
  expect(made.body).toMatchObject({ status: 'active', expiration_date: '11/38' })
  expect(paid.body).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'network_token' })
  expect(removed.status).toBe(204)
  expect(standIn.vault.tokens.size).toBe(0)
  const definitions = await fetchJson(service, '/network-token-service-definitions')
  expect(definitions.body.items).toMatchObject([
    { id: 'checkout-network-token' },
    { id: 'worldpay-network-token' },
  ])
  expect(standIn.violations).toEqual([])
})

async function store(service: Running, number: string): Promise<string> {
  const card = { method: 'card', number, expiration_date: '12/30' }
  const stored = await fetchJson(service, '/payment-methods', card)
  expect(stored.status, JSON.stringify(stored.body)).toBe(201)
  return String(stored.body.id)
}

function inquire(service: Running, ...payment_method_ids: string[]) {
  return fetchJson(service, '/account-updater/jobs', { payment_method_ids })
}

async function fetchJson(service: Running, path: string, body?: object) {
  const response = await own.call(service, path, body)
  const told = (await response.json()) as { id?: string; message?: string; items?: object[] }
  return { status: response.status, body: told }
}
