import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { describeAntiFraudConnector } from '#connectors/contract/anti-fraud-suite.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { judgedOrder, testLink } from '#connectors/contract/samples.ts'
import { createSimulator } from '../../simulator/simulator.ts'
import { mockAntiFraud } from './connector.ts'

const GUIDE = readFileSync('docs/guide/anti-fraud.md', 'utf8')

/** The provider keeps no books, so it needs no database. */
const simulator = createSimulator({ pool: {} as pg.Pool, clock: () => new Date() })

const ORDER = judgedOrder()
const { buyer: BUYER } = ORDER
const WAITED_MS = 50

/** Times out as the server does, only sooner. */
function linkTo(fetch: Link['fetch'] = simulator.fetch, fields: Link['fields'] = {}): Link {
  const signal = AbortSignal.timeout(WAITED_MS)
  return testLink({ fetch: (url, init) => fetch(url, { ...init, signal }), fields })
}

const ask = (emailAddress: string | null, link = linkTo()) =>
  mockAntiFraud.decide({ ...ORDER, ...sentBy(emailAddress) }, link)

const sentBy = (emailAddress: string | null) => ({ buyer: BUYER && { ...BUYER, emailAddress } })

describeAntiFraudConnector(mockAntiFraud, async () => ({
  link: testLink({ fetch: simulator.fetch, fields: { webhook_secret: 'a secret of the merchant' } }),
  orderFor: (decision) => sentBy(`${decision}@example.com`),
  review: async (transaction_id, decision) => {
    const body = Buffer.from(JSON.stringify({ transaction_id, decision }))
    const mac = createHmac('sha256', 'a secret of the merchant').update(body).digest('hex')
    return { headers: { 'x-signature': mac }, body }
  },
}))

describe('what the guide says about addresses', () => {
  const section = GUIDE.split('\n## What the simulator decides\n')[1]?.split('\n## ')[0] ?? ''
  const rows = section
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))

  test('lists every one of them', () => {
    expect(rows.map(([address]) => address)).toEqual(
      ['accept', 'reject', 'review', 'error', 'timeout', 'unavailable'].map((name) => `${name}@example.com`),
    )
  })

  test.each(rows)('%s is decided %s', async (address = '', decision = '') => {
    const outcomes: Record<string, object> = {
      error: { outcome: 'error' },
      exception: { outcome: 'unknown' },
      skipped: { outcome: 'unavailable' },
    }

    const answer = await ask(address)

    expect(answer).toMatchObject(outcomes[decision] ?? { outcome: 'decided', decision })
  })
})

test.each(['REJECT@example.com', 'Reject@shop.example', 'reject@localhost'])(
  'ignores the case and the domain of %s',
  async (address) => {
    expect(await ask(address)).toMatchObject({ outcome: 'decided', decision: 'reject' })
  },
)

test.each(['jane@example.com', 'reject.not@example.com', 'jane@reject.example'])(
  'any other address, such as %s, is accepted',
  async (address) => {
    expect(await ask(address)).toEqual({
      outcome: 'decided',
      decision: 'accept',
      reference: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  },
)

test('a payment without an e-mail address is skipped', async () => {
  const answers = [
    await ask(null),
    await ask(''),
    await mockAntiFraud.decide({ ...ORDER, buyer: null }, linkTo()),
  ]

  expect(answers).toEqual(answers.map(() => ({ outcome: 'skipped', reason: 'no_email_address' })))
})

test('distinguishes what went wrong', async () => {
  expect(await ask('error@example.com')).toEqual({
    outcome: 'error',
    reason: 'the provider answered 500 internal_error',
  })
  expect(await ask('unavailable@example.com')).toEqual({
    outcome: 'unavailable',
    reason: 'the provider could not be reached',
  })
})

test('the provider receives all facts of the payment', async () => {
  let sent: unknown
  const fetch: Link['fetch'] = async (_url, init) => {
    sent = JSON.parse(String(init?.body))
    return Response.json({ status: 'decided', decision: 'accept', reference: 'd1' })
  }

  await mockAntiFraud.decide(ORDER, linkTo(fetch))

  expect(sent).toMatchObject({
    transaction_id: ORDER.transactionId,
    amount: 1299,
    bin: '41111111',
    fingerprint: 'session-of-the-browser',
    buyer: { email_address: 'jane@example.com', external_identifier: 'customer-4711' },
    metadata: { order: '4711' },
  })
})

test.each([
  ['no JSON', new Response(new Uint8Array([0x1f, 0x8b, 0x00, 0xff]))],
  ['a list', Response.json([{ status: 'decided', decision: 'accept', reference: 'd1' }])],
  ['no status', Response.json({ decision: 'accept', reference: 'd1' })],
  ['a decision of its own', Response.json({ status: 'decided', decision: 'ok', reference: 'd1' })],
  ['no reference', Response.json({ status: 'decided', decision: 'accept', reference: '' })],
  [
    'another success',
    Response.json({ status: 'decided', decision: 'accept', reference: 'd1' }, { status: 202 }),
  ],
])('an answer with %s is unknown', async (_name, response) => {
  expect(
    await mockAntiFraud.decide(
      ORDER,
      linkTo(async () => response),
    ),
  ).toMatchObject({ outcome: 'unknown' })
})

test('only the code of an error is repeated', async () => {
  const said = async (body: object) =>
    mockAntiFraud.decide(
      ORDER,
      linkTo(async () => Response.json(body, { status: 422 })),
    )

  expect(await said({ error: 'unknown_merchant' })).toMatchObject({
    outcome: 'error',
    reason: 'the provider answered 422 unknown_merchant',
  })
  expect(await said({ error: 'jane@example.com is unknown' })).toMatchObject({
    outcome: 'error',
    reason: 'the provider answered 422',
  })
})

test('a broken connection is not unreachable', async () => {
  const broken = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })

  const answer = await mockAntiFraud.decide(
    ORDER,
    linkTo(() => Promise.reject(broken)),
  )

  expect(answer).toMatchObject({ outcome: 'unknown' })
})

describe('its notifications', () => {
  const read = (body: unknown) =>
    mockAntiFraud.readNotification?.(
      { headers: {}, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
      linkTo(),
    )

  test.each([
    [{ transaction_id: 't1', decision: 'accept' }, 'accept'],
    [{ transaction_id: 't1', decision: 'reject', reviewer: 'jane' }, 'reject'],
    [{ transactionId: 't1', decision: 'ACCEPT' }, 'accept'],
    [{ transactionId: 't1', decision: 'REJECT' }, 'reject'],
  ])('reads %o', async (message, decision) => {
    expect(await read(message)).toEqual({ outcome: 'read', transactionId: 't1', decision })
  })

  test.each([
    ['{', 'body'],
    ['null', 'body'],
    ['[]', 'body'],
    [{ decision: 'accept' }, 'transaction_id'],
    [{ transaction_id: 4711, decision: 'accept' }, 'transaction_id'],
    [{ transactionId: '', decision: 'ACCEPT' }, 'transactionId'],
    [{ transaction_id: 't1' }, 'decision'],
    [{ transaction_id: 't1', decision: 'review' }, 'decision'],
    [{ transaction_id: 't1', decision: 'ACCEPT' }, 'decision'],
    [{ transactionId: 't1', decision: 'accept' }, 'decision'],
  ])('refuses %o and names the field', async (message, field) => {
    expect(await read(message)).toEqual({ outcome: 'rejected', message: expect.stringContaining(field) })
  })
})
