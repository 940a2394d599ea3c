import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import type { Answer, Link, Message } from '#connectors/contract/connector.ts'
import type { Contact, Operation } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { type Bench, describeConnector } from '#connectors/contract/suite.ts'
import { FAULTS } from '#connectors/simulators/options.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { reportLink } from '#processing/report-link.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { FAULT_KINDS } from '../../simulator/faults.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { mockCard } from './connector.ts'
import { events } from './notification.ts'

const SECRET = 'whsec-canary-41'
const FIELDS = { merchant_id: 'Müller & Söhne', extended: 'true', webhook_secret: SECRET }
const GUIDE = readFileSync('docs/guide/simulator.md', 'utf8')

let database: Database
let simulator: Simulator
let movedMs = 0
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  const { rows } = await database.pool.query("select to_regclass('simulator.entries') as found")
  if (rows[0].found === null) {
    for (const name of readdirSync('sandbox/simulator/migrations').toSorted())
      await database.pool.query(readFileSync(`sandbox/simulator/migrations/${name}`, 'utf8'))
  }
  simulator = createSimulator({ pool: database.pool, clock: () => new Date(Date.now() + movedMs) })
})
afterAll(() => database.close())

function linkWith(fields: Record<string, string> = {}, options: Link['options'] = {}): Link {
  return samples.testLink({ fetch: simulator.fetch, fields: { ...FIELDS, ...fields }, options })
}

function message(body: object, key = SECRET): Message {
  const bytes = Buffer.from(JSON.stringify(body))
  return {
    headers: { 'x-signature': createHmac('sha256', key).update(bytes).digest('hex') },
    body: bytes,
  }
}

async function books(query: string) {
  const response = await simulator.handle(new Request(`https://processor.simulator.invalid/books?${query}`))
  return (await response.json()) as {
    entries: { operation: string; status: string; amount: number }[]
    sums: { authorized: number; captured: number; refunded: number; voided: number }[]
    effects: Record<string, number>
  }
}

const effectsOf = async (attemptId: string) =>
  (await books(`attempt_id=${attemptId}`)).effects[attemptId] ?? 0

/** The connector has all functions; its type does not say so. */
const {
  authorize,
  capture,
  void: voidIt,
  cancel,
  refund,
  increment,
  payout,
  sync,
  verify,
  readNotification,
} = mockCard as Required<typeof mockCard>

const referenceOf = (answer: Answer | { outcome: string }) =>
  'reference' in answer && typeof answer.reference === 'string' ? answer.reference : ''

async function authorized(over: Parameters<typeof samples.authorizeOrder>[0] = {}, link = linkWith()) {
  const order = samples.authorizeOrder(over)
  const answer = await authorize(order, link)
  return { order, answer, reference: referenceOf(answer) }
}

const notify = (link: Link, body: object) => readNotification(message(body), link)
const heard = (notification: object) => ({ outcome: 'read', notifications: [notification] })

/** Ends what is pending by a notification, as a merchant's developer would. */
async function finish(link: Link, operation: Operation, reference: string): Promise<void> {
  const about = operation === 'authorize' ? 'authorization' : operation
  const { rows } = await database.pool.query(
    'select coalesce(authorization_reference, reference) as root from simulator.entries where reference = $1',
    [reference],
  )
  const body =
    about === 'refund' || about === 'payout'
      ? { [`payment_service_${about}_id`]: reference }
      : { payment_service_transaction_id: rows[0].root }
  expect(await notify(link, { ...body, event: `${about}.succeeded` })).toMatchObject({ outcome: 'read' })
}

async function openBench(asynchronous: 'true' | 'false'): Promise<Bench> {
  const link = linkWith({ asynchronous })
  return {
    link,
    effectsOf,
    declined: { amount: 200011 },
    partly: async () => ({ amount: 600001 }),
    pending: { amount: 600002 },
    finish: async (operation, reference) => {
      await finish(link, operation, reference)
      return undefined
    },
    notify: async () => {
      const later = linkWith({ asynchronous: 'true' })
      const sale = await authorized({}, later)
      const answer = await capture(samples.captureOrder(sale), later)
      const body = { payment_service_transaction_id: sale.reference, event: 'capture.succeeded' }
      return { message: message(body), about: 'capture', reference: referenceOf(answer) }
    },
    reports: {
      link: reportLink(
        { fetch: simulator.fetch, timeoutMs: 10_000, environment: 'sandbox' },
        linkWith().fields,
      ),
      publish: async () => {
        const now = linkWith()
        const { reference } = await authorized({ intent: 'capture' }, now)
        await refund(
          samples.refundOrder({ order: samples.authorizeOrder(), reference }, { amount: 300 }),
          now,
        )
        movedMs += 24 * 3_600_000
        return undefined
      },
    },
  }
}

describe('at once', () => describeConnector(mockCard, () => openBench('false')))
describe('answering later', () => describeConnector(mockCard, () => openBench('true')))

/** The rows of the table below a heading of the guide. */
function rowsOf(heading: string): string[][] {
  const section = GUIDE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

describe('amounts', () => {
  const refusals = rowsOf('Amounts that are refused').map(
    ([operation = '', amount, code, outcome, retriable]) => ({
      operation,
      amount: Number(amount),
      code: code as ErrorCode,
      outcome,
      isRetriable: retriable === 'yes',
    }),
  )

  test('the guide lists a refusal for every code of the contract', () => {
    const authorizations = refusals.filter(({ operation }) => operation === 'authorization')

    // Only for refunds.
    const codes = Object.keys(ERROR_CODES).filter((code) => code !== 'refund_already_satisfied')
    expect(new Set(authorizations.map(({ code }) => code))).toEqual(new Set(codes))
    expect(refusals.length).toBe(64)
  })

  test.each(refusals)('$operation of $amount is refused: $code', async (row) => {
    const { operation, amount, code, outcome, isRetriable } = row
    const link = linkWith()
    const ask = async () => {
      if (operation === 'authorization') return (await authorized({ amount })).answer
      if (operation === 'payout') return payout(samples.payoutOrder({ amount }), link)
      const sale = await authorized({ amount, intent: operation === 'refund' ? 'capture' : 'authorize' })
      expect(sale.answer.outcome).toBe('approved')
      if (operation === 'capture') return capture(samples.captureOrder(sale), link)
      if (operation === 'void') return voidIt(samples.voidOrder(sale), link)
      return refund(samples.refundOrder(sale), link)
    }

    const answer = await ask()

    expect(answer).toMatchObject({
      outcome,
      code,
      isRetriable,
      facts: { rawCode: String(amount), rawDescription: code, schemeTransactionId: null },
    })
  })

  test.each([
    [500001, 'failed', 'service_network_error'],
    [500002, 'declined', 'refused_transaction'],
  ] as const)('a sale of %i is refused as its capture would be', async (amount, outcome, code) => {
    const { order, answer } = await authorized({ amount, intent: 'capture' })

    expect(answer).toMatchObject({ outcome, code })
    expect(await effectsOf(order.attemptId)).toBe(0)
  })

  test.each([50, 100_000, 200_000, 200_023, 500_001, 510_001, 520_001, 530_001, 99_999_999])(
    'an authorization of %i is approved',
    async (amount) => {
      const { answer } = await authorized({ amount })

      expect(answer).toEqual({
        outcome: 'approved',
        reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
        amount,
        facts: {
          rawCode: '00',
          rawDescription: 'Approved',
          authResponseCode: '00',
          isoResponseCode: '00',
          avsResponseCode: null,
          cvvResponseCode: 'match',
          merchantAdviceCode: null,
          schemeTransactionId: expect.stringMatching(/^\d{15}$/),
        },
      })
    },
  )

  test('a part is approved only if the merchant allowed it', async () => {
    const whole = await authorized({ amount: 600001 })
    const part = await authorized({ amount: 600001, isPartialAllowed: true })

    expect(whole.answer).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
    expect(part.answer).toMatchObject({ outcome: 'approved', amount: 300000 })
    expect((await books(`attempt_id=${part.order.attemptId}`)).sums).toMatchObject([{ authorized: 300000 }])
  })

  test.each([
    [200011, '51'],
    [200012, '05'],
    [200005, '54'],
    [200019, '14'],
    [300014, '91'],
    [400001, '96'],
  ])('%i has the ISO code %s', async (amount, iso) => {
    expect((await authorized({ amount })).answer).toMatchObject({
      facts: { isoResponseCode: iso, authResponseCode: iso },
    })
  })

  test('an increment is answered like an authorization of its amount', async () => {
    const sale = await authorized()

    const answer = await increment(samples.incrementOrder(sale, { amount: 200011 }), linkWith())

    expect(answer).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
  })
})

describe('other inputs decide, too', () => {
  const billing = (postal_code: string): Contact => ({
    first_name: null,
    last_name: null,
    email_address: null,
    phone_number: null,
    address: {
      city: null,
      country: null,
      postal_code,
      state: null,
      state_code: null,
      house_number_or_name: null,
      line1: null,
      line2: null,
      organization: null,
    },
  })

  test.each([
    ['10077', 'no_match'],
    ['10088', 'partial_match_postcode'],
    ['10099', 'partial_match_address'],
    ['99 77', 'no_match'],
    ['10115', 'match'],
    ['', null],
  ])('the postal code %s: %s', async (postalCode, avsResponseCode) => {
    const { answer } = await authorized({ billing: billing(postalCode) })

    expect(answer).toMatchObject({ outcome: 'approved', facts: { avsResponseCode } })
  })

  test.each([
    ['222', 'not_provided'],
    ['333', 'no_match'],
    ['123', 'match'],
    [null, 'not_provided'],
  ])('the security code %s: %s', async (code, cvvResponseCode) => {
    const instrument = samples.card({ securityCode: code === null ? null : secret(code) })

    expect((await authorized({ instrument })).answer).toMatchObject({ facts: { cvvResponseCode } })
  })

  test.each([
    [{ result: '03', account_number: null }, '03'],
    [{ result: '03', account_number: samples.CARD_NUMBER }, '03'],
    [{ result: '03', account_number: '5555555555554444' }, null],
    [{ result: '03' }, null],
    [null, null],
  ])('the advice code %o: %s', async (option, merchantAdviceCode) => {
    const { answer } = await authorized({}, linkWith({}, { merchant_advice_code: option }))

    expect(answer).toMatchObject({ facts: { merchantAdviceCode } })
  })

  test('skip_retry, also in an inquiry', async () => {
    const link = linkWith({}, { skip_retry: true, fault: { on: 'authorize', kind: 'lose-answer' } })
    const order = samples.authorizeOrder({ amount: 200012 })
    await authorize(order, link)

    const answer = await sync(samples.inquiryAbout('authorize', order), linkWith())

    expect(answer).toMatchObject({ outcome: 'declined', code: 'issuer_decline', isRetriable: false })
  })

  test('a network token and a wallet are charged like a card', async () => {
    const token = {
      kind: 'network-token',
      source: 'network-token',
      token: secret('4900000000000086'),
      expirationDate: '12/35',
      cryptogram: secret('cryptogram'),
      eci: '05',
      scheme: 'visa',
      cardholderName: 'Ada Lovelace',
      cardSource: 'apple-pay',
    } as const
    const wallet = {
      kind: 'wallet',
      wallet: 'paze',
      token: secret('opaque'),
      checkoutToken: secret('checkout'),
      cardholderName: 'Ada Lovelace',
      cardScheme: 'VISA',
      cardType: 'CREDIT',
      assurance: null,
    } as const

    expect((await authorized({ instrument: token })).answer.outcome).toBe('approved')
    expect((await authorized({ instrument: wallet })).answer.outcome).toBe('approved')
  })

  test.each([{ fault: { on: 'capture', kind: 'loose-answer' } }, { fault: 'stall' }, { skip_retry: 'yes' }])(
    'an unknown option fails the payment: %o',
    async (options) => {
      const { order, answer } = await authorized({}, linkWith({}, options))

      expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
      expect(await effectsOf(order.attemptId)).toBe(0)
    },
  )
})

describe('the processor’s own rules reach the merchant', () => {
  test('an unknown reference', async () => {
    const unknown = { order: samples.authorizeOrder(), reference: crypto.randomUUID() }

    expect(await capture(samples.captureOrder(unknown), linkWith())).toMatchObject({
      outcome: 'failed',
      code: 'unknown_service_resource',
    })
  })

  test('an unknown merchant', async () => {
    const { order, answer } = await authorized({}, linkWith({ merchant_id: 'invalid' }))

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_service_credentials' })
    expect(await effectsOf(order.attemptId)).toBe(0)
  })

  test('a void after a capture', async () => {
    const sale = await authorized({ intent: 'capture' })

    expect(await voidIt(samples.voidOrder(sale), linkWith())).toMatchObject({
      outcome: 'failed',
      code: 'invalid_operation',
      facts: { rawCode: 'already_captured' },
    })
  })

  test('a refund of a refunded payment', async () => {
    const sale = await authorized({ intent: 'capture' })
    await refund(samples.refundOrder(sale), linkWith())

    expect(await refund(samples.refundOrder(sale, { amount: 1 }), linkWith())).toMatchObject({
      outcome: 'failed',
      code: 'refund_already_satisfied',
    })
  })

  test('an attempt id of another operation is unknown', async () => {
    const { order } = await authorized()

    const answer = await authorize({ ...order, amount: order.amount + 1 }, linkWith())

    expect(answer).toMatchObject({ outcome: 'unknown' })
    expect((await books(`attempt_id=${order.attemptId}`)).sums).toMatchObject([{ authorized: 1299 }])
  })
})

describe('cancel', () => {
  test('cancels a pending payment without its reference', async () => {
    const sale = await authorized({ amount: 600002 })
    expect(sale.answer.outcome).toBe('pending')

    const answer = await cancel(samples.cancelOrder(sale, { reference: null }), linkWith())

    expect(answer.outcome).toBe('approved')
    const inquiry = samples.inquiryAbout('authorize', sale.order)
    expect(await sync(inquiry, linkWith())).toMatchObject({ outcome: 'failed' })
  })

  test('is refused when the payment is not pending', async () => {
    const sale = await authorized()

    expect(await cancel(samples.cancelOrder(sale), linkWith())).toMatchObject({
      outcome: 'failed',
      code: 'invalid_operation',
    })
  })
})

describe('verify', () => {
  test.each([
    ['', 'rejected'],
    ['invalid', 'rejected'],
    ['unreachable', 'unreachable'],
    ['anything else', 'accepted'],
  ])('the merchant id "%s": %s', async (merchant_id, outcome) => {
    expect(await verify(linkWith({ merchant_id }))).toMatchObject({ outcome })
  })
})

describe('notifications', () => {
  const later = () => linkWith({ asynchronous: 'true' })

  test.each([
    ['succeeded', { outcome: 'approved' }],
    ['declined', { outcome: 'declined', code: 'refused_transaction' }],
    ['failed', { outcome: 'failed', code: 'service_error' }],
  ])('end a pending capture: %s', async (result, answer) => {
    const sale = await authorized({}, later())
    const order = samples.captureOrder(sale)
    const pending = await capture(order, later())
    expect(pending.outcome).toBe('pending')
    const body = { payment_service_transaction_id: sale.reference, event: `capture.${result}` }

    const notification = await notify(later(), body)
    const repeated = await notify(later(), body)
    const asked = await sync(samples.inquiryAbout('capture', order, { reference: sale.reference }), later())

    expect(notification).toMatchObject(heard({ about: 'capture', reference: referenceOf(pending), answer }))
    expect(repeated).toEqual(notification)
    expect(asked).toMatchObject(answer)
    expect(await effectsOf(order.attemptId)).toBe(result === 'succeeded' ? 1 : 0)
  })

  test('end the captures of one payment in their order, or the one that is named', async () => {
    const sale = await authorized({}, later())
    const captures = []
    for (const amount of [100, 200, 300]) {
      const order = samples.captureOrder(sale, { amount, isFinal: false })
      // Like ours: in the order in which they were made, also within a millisecond.
      const answer = await capture({ ...order, attemptId: `${amount}-${order.attemptId}` }, later())
      captures.push(referenceOf(answer))
    }
    const event = 'capture.succeeded'

    const named = await notify(later(), { payment_service_capture_id: captures[2], event })
    const first = await notify(later(), { payment_service_transaction_id: sale.reference, event })
    const second = await notify(later(), { payment_service_transaction_id: sale.reference, event })

    expect([named, first, second]).toMatchObject([
      heard({ reference: captures[2] }),
      heard({ reference: captures[0] }),
      heard({ reference: captures[1] }),
    ])
  })

  test('end a sale, which is one entry', async () => {
    const sale = await authorized({ intent: 'capture' }, later())
    expect(sale.answer.outcome).toBe('pending')

    const body = { payment_service_transaction_id: sale.reference, event: 'capture.succeeded' }

    expect(await notify(later(), body)).toMatchObject(
      heard({
        about: 'authorization',
        reference: sale.reference,
        answer: { outcome: 'approved', facts: { rawCode: '00' } },
      }),
    )
  })

  test('that contradict the outcome are rejected', async () => {
    const sale = await authorized({}, later())
    await capture(samples.captureOrder(sale), later())
    await notify(later(), { payment_service_transaction_id: sale.reference, event: 'capture.succeeded' })

    const body = { payment_service_transaction_id: sale.reference, event: 'capture.failed' }

    expect(await notify(later(), body)).toMatchObject({ outcome: 'rejected' })
  })

  test.each([
    [
      { payment_service_transaction_id: 'x', event: 'capture.exploded' },
      /event must be one of .*capture\.succeeded/,
    ],
    [{ payment_service_transaction_id: 'x', event: 'constructor.succeeded' }, /event must be one of/],
    [{ payment_service_transaction_id: 'x', event: 7 }, /event must be one of/],
    [{ payment_service_transaction_id: 'x', event: 'capture.succeeded.x' }, /event must be one of/],
    [{ payment_service_transaction_id: 'x', event: 'refund.succeeded' }, /needs payment_service_refund_id/],
    [{ payment_service_refund_id: 7, event: 'refund.succeeded' }, /needs payment_service_refund_id/],
    [{ payment_service_transaction_id: 'x', event: 'capture.succeeded' }, /knows nothing/],
    [{ payment_service_payout_id: crypto.randomUUID(), event: 'payout.failed' }, /knows nothing/],
    [[], /event must be one of/],
  ])('%j is rejected', async (body, why) => {
    expect(await notify(linkWith(), body)).toEqual({
      outcome: 'rejected',
      message: expect.stringMatching(why),
    })
  })

  test('text that is no JSON is rejected', async () => {
    const link = linkWith({ webhook_secret: '' })

    expect(await readNotification({ headers: {}, body: Buffer.from('no') }, link)).toMatchObject({
      outcome: 'rejected',
      message: 'the body is not a JSON object',
    })
  })

  test('need no signature if no secret is set', async () => {
    const link = linkWith({ webhook_secret: '', asynchronous: 'true' })
    const sale = await authorized({}, link)
    await voidIt(samples.voidOrder(sale), link)
    const body = { payment_service_transaction_id: sale.reference, event: 'void.succeeded' }

    const notification = await readNotification(
      { headers: {}, body: Buffer.from(JSON.stringify(body)) },
      link,
    )

    expect(notification).toMatchObject(heard({ about: 'void', answer: { outcome: 'approved' } }))
  })

  test('of another merchant are rejected', async () => {
    const sale = await authorized({ amount: 600002 })
    const body = { payment_service_transaction_id: sale.reference, event: 'authorization.succeeded' }

    expect(await notify(linkWith({ merchant_id: 'another' }), body)).toMatchObject({ outcome: 'rejected' })
    expect(await notify(linkWith(), body)).toMatchObject(heard({ about: 'authorization' }))
  })
})

describe('the guide', () => {
  test('lists every event', () => {
    const listed = rowsOf('Notifications').flatMap(([names = '']) => names.split(', '))

    expect(listed).toEqual(events())
  })

  test('lists every fault, and connector and processor have the same ones', () => {
    expect(rowsOf('Faults').map(([kind]) => kind)).toEqual([...FAULTS])
    expect(FAULT_KINDS).toEqual(FAULTS)
  })

  test('lists every field', () => {
    expect(rowsOf('A payment service').map(([key]) => key)).toEqual(
      mockCard.manifest.fields.map(({ key }) => key),
    )
  })
})
