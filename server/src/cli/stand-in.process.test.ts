import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#platform/process/clock.ts'
import { STAND_INS } from '#sandbox/stand-ins/stand-ins.ts'
import { startSwitchyard, switchyard } from '#testing/command-line.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** A card that each provider documents for tests. */
const CARDS: Readonly<Record<string, object>> = {
  adyen: { ...CARD, number: '4111111145551142', expiration_date: '03/30' },
  checkout: { ...CARD, number: '4242424242424242' },
  cybersource: { ...CARD, number: '4111111111111111' },
  paypal: { ...CARD, number: '4868719196829038' },
  stripe: { ...CARD, number: '4242424242424242' },
  worldpay: { ...CARD, number: '4444333322221111' },
}

test.each(Object.keys(CARDS))(
  'a card is charged with what the stand-in for %s says to enter',
  async (provider) => {
    const standIn = await STAND_INS[provider]?.(0, systemClock)
    const made = await service.send('POST /payment-services', {
      display_name: provider,
      payment_service_definition_id: `${provider}-card`,
      fields: Object.entries(standIn?.fields ?? {}).map(([key, value]) => ({ key, value })),
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    })
    expect(made.statusCode, made.body).toBe(201)

    const paid = await order(service, {
      country: 'US',
      payment_service_id: made.json().id,
      payment_method: CARDS[provider],
    })

    expect(paid.json()).toMatchObject({ status: 'authorization_succeeded' })
    await standIn?.close()
  },
)

test.each(Object.keys(STAND_INS))('the stand-in for %s explains itself to a browser', async (provider) => {
  const standIn = await STAND_INS[provider]?.(0, systemClock)
  const page = await fetch(`${standIn?.origin}/`)
  const text = await page.text()
  const [, books = ''] = /href="([^"]*books)"/.exec(text) ?? []
  const shown = await fetch(new URL(books, standIn?.origin))
  await standIn?.close()

  expect(page.headers.get('content-type')).toContain('text/html')
  expect(text).toContain('A stand-in for')
  for (const value of Object.values(standIn?.fields ?? {})) expect(text).toContain(value)
  expect(shown.status).toBe(200)
})

test('the command says where it listens and what to enter, and answers there', async () => {
  const child = startSwitchyard(['stand-in', 'adyen', '--port', '0'], {})
  let text = ''
  const said = Promise.withResolvers<void>()
  child.stdout?.on('data', (chunk) => {
    text += chunk
    if (text.includes('Ctrl-C ends it')) said.resolve()
  })
  child.once('exit', () => said.resolve())
  await said.promise

  const origin = /listens at (http:\S+)/.exec(text)?.[1]
  const answer = await fetch(`${origin}/v71/paymentMethods`, { method: 'POST', body: '{}' })

  expect(answer.status).toBe(401)
  expect(text).toContain(`"value": "${origin}"`)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await ended
})

test.each([
  [
    ['nobody'],
    'must be one of adyen, checkout, cybersource, gocardless, mollie, paypal, sift, signifyd, stripe, worldpay, and not "nobody"',
  ],
  [['adyen', '--port', '70000'], '--port must be a number from 0 to 65535'],
  [
    [],
    '"switchyard stand-in" needs adyen|checkout|cybersource|gocardless|mollie|paypal|sift|signifyd|stripe|worldpay',
  ],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await switchyard(['stand-in', ...args])

  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test.each(Object.keys(STAND_INS))('the stand-in for %s says that its port is busy', async (provider) => {
  const other = await STAND_INS[provider]?.(0, systemClock)
  const port = new URL(other?.origin ?? '').port

  const { code, stderr } = await switchyard(['stand-in', provider, '--port', port])
  await other?.close()

  expect([code, stderr]).toEqual([
    1,
    `The stand-in cannot listen: port ${port} is busy, perhaps with another stand-in. ` +
      `Choose another port: --port ${Number(port) + 1}, or --port 0 for any free one.\n`,
  ])
})
