import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStandIn as standInForStripe, TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import {
  STAND_IN_ACCOUNT,
  createStandIn as standInForWorldpay,
} from '#sandbox/stand-ins/worldpay/stand-in.ts'
import { switchyard } from '#testing/command-line.ts'
import { useOwnFolder } from '#testing/own-folder.ts'
import { productionSettings, type Running } from '#testing/service-process.ts'

/**
 * A service in production, in a process of its own, with a real 3-D Secure server and a real payment provider configured. Production
 * offers no address of a stand-in, so what leads to the providers' own hosts is led to the stand-ins below the program.
 */

const now = () => new Date()
const own = useOwnFolder()
const worldpay = standInForWorldpay({ now })
let issuer: Awaited<ReturnType<typeof worldpay.listen>>
let stripe: Awaited<ReturnType<ReturnType<typeof standInForStripe>['listen']>>
const folder = mkdtempSync(join(tmpdir(), 'switchyard-hosts-'))
const preload = join(folder, 'hosts.mjs')

beforeAll(async () => {
  issuer = await worldpay.listen(0)
  stripe = await standInForStripe({ now }).listen(0)
  const hosts = { 'https://access.worldpay.com': issuer.origin, 'https://api.stripe.com': stripe.origin }
  writeFileSync(
    preload,
    `const hosts = ${JSON.stringify(hosts)}
const real = globalThis.fetch
globalThis.fetch = (url, init) => {
  const { origin } = new URL(url)
  if (!(origin in hosts)) throw new Error('the service asks ' + origin)
  return real(hosts[origin] + String(url).slice(origin.length), init)
}`,
  )
})
afterAll(async () => {
  await issuer.close()
  await stripe.close()
  rmSync(folder, { recursive: true })
})

const entries = (fields: object) => Object.entries(fields).map(([key, value]) => ({ key, value }))

test('production authenticates a buyer at Worldpay, and charges the card at Stripe with the proof', async () => {
  const settings = productionSettings()
  const env = { ...settings, DATA_DIR: own.dataDir }
  const key = [
    '--display-name',
    'Admin',
    '--role',
    'administrator',
    '--out',
    join(own.dataDir, 'admin-key.pem'),
  ]
  const first = await own.start(settings)
  await first.end('SIGTERM')
  const created = await switchyard(['keys', 'create', ...key], env)
  expect(created.code, created.stderr).toBe(0)
  const service = await own.startProcess({ ...settings, NODE_OPTIONS: `--import=${pathToFileURL(preload)}` })
  await connect(service)

  const simple = await pay(service, '4000000000000077')
  await send(simple.url, { told: '{"MessageType":"profile.completed","SessionId":"0_1","Status":true}' })
  const challenged = await pay(service, '4111111111102011')
  const waiting = await send(challenged.url, { told: '' })
  const page = await (await fetch(challenged.url)).text()
  const [reference] = [...worldpay.challenges.keys()]
  const returned = await send(`${challenged.url}/return`, worldpay.decide(reference ?? '', 'approve'))
  const definitions = await read(service, '/three-ds-service-definitions')

  expect(simple.status).toBe('buyer_approval_pending')
  expect(await read(service, `/transactions/${simple.id}`)).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: { status: 'complete', method: 'frictionless', response_data: { eci: '05' } },
  })
  expect(waiting.status).toBe(303)
  expect(page).toContain(`action="${issuer.origin}/challenge" target="issuer"`)
  expect(returned.headers.get('location')).toContain('https://shop.example.com/back')
  expect(await read(service, `/transactions/${challenged.id}`)).toMatchObject({
    status: 'authorization_succeeded',
    three_d_secure: { status: 'complete', method: 'challenge' },
  })
  // The simulator is not there, and no field leads elsewhere.
  expect(definitions.items).toMatchObject([{ id: 'worldpay-three-ds' }])
  expect(JSON.stringify(definitions)).not.toContain('stand_in_url')
})

async function connect(service: Running): Promise<void> {
  const cards = await own.call(service, '/payment-services', {
    display_name: 'Stripe',
    payment_service_definition_id: 'stripe-card',
    fields: entries({ secret_key: TEST_KEY }),
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
    three_d_secure_enabled: true,
  })
  expect(cards.status, await cards.text()).toBe(201)
  const server = await own.call(service, '/three-ds-services', {
    display_name: 'Worldpay',
    three_ds_service_definition_id: 'worldpay-three-ds',
    fields: entries(STAND_IN_ACCOUNT),
  })
  expect(server.status, await server.text()).toBe(201)
}

async function pay(service: Running, number: string) {
  const response = await own.call(service, '/transactions', {
    amount: 1299,
    currency: 'USD',
    country: 'US',
    payment_method: {
      method: 'card',
      number,
      expiration_date: '12/40',
      security_code: '123',
      redirect_url: 'https://shop.example.com/back',
    },
  })
  const payment = (await response.json()) as {
    id: string
    status: string
    payment_method: { approval_url: string }
  }
  return { id: payment.id, status: payment.status, url: payment.payment_method?.approval_url, payment }
}

async function read(service: Running, path: string) {
  return (await (await own.call(service, path)).json()) as { readonly items?: readonly object[] }
}

function send(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
}
