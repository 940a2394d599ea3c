import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import type { PresentedCard } from '#connectors/contract/gift-card.ts'
import { activateOrder, issueOrder, redeemOrder } from '#connectors/contract/gift-card-samples.ts'
import type { GiftCardBench } from '#connectors/contract/gift-card-stage.ts'
import { describeGiftCardConnector } from '#connectors/contract/gift-card-suite.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { createIssuer, type Issuer } from '#issuer/issuer.ts'
import { verifyLedger } from '#issuer/verify.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { switchyardGiftCard } from './connector.ts'

const FIELDS = { program: 'Müller & Söhne', program_key: 'canary-program-key-41' }
const PUBLIC_URL = 'https://pay.example.com'

const { balance, redeem, activate, issue } = switchyardGiftCard as Required<typeof switchyardGiftCard>

let database: Database
let issuer: Issuer
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  issuer = createIssuer({
    pool: database.pool,
    clock: () => new Date(),
    secrets: secretsFrom(randomBytes(32)),
    publicUrl: PUBLIC_URL,
  })
})
afterAll(async () => {
  const findings = await verifyLedger(database.pool)
  await database.close()
  expect(findings).toEqual([])
})

function linkWith(fields: Record<string, string> = {}): Link {
  return testLink({ fetch: issuer.fetch, fields: { ...FIELDS, ...fields } })
}

/** Reads the card as its buyer does: on the page that shows it. */
async function see(url: string): Promise<PresentedCard> {
  const page = url.replace(`${PUBLIC_URL}/gift-cards/`, 'https://gift-cards.switchyard.invalid/')
  const shown = await (await issuer.handle(new Request(page, { method: 'POST' }))).json()
  const { card } = shown as { card: { number: string; pin: string } }
  return { number: secret(card.number), pin: secret(card.pin) }
}

async function cardWith(amount: number, over: object = {}, link = linkWith()): Promise<PresentedCard> {
  const answer = await issue(issueOrder({ amount, currency: 'EUR', ...over }), link)
  if (answer.outcome !== 'approved') throw new Error(`no card was issued: ${JSON.stringify(answer)}`)
  return see(answer.url)
}

async function openBench(): Promise<GiftCardBench> {
  return {
    link: linkWith(),
    currency: 'EUR',
    effectsOf: async (attemptId) => {
      const { rows } = await database.pool.query(
        `select count(*)::int as count from issuer.operations o join issuer.entries e on e.operation_id = o.id
         where o.attempt_id = $1`,
        [attemptId],
      )
      return rows[0].count
    },
    card: (amount) => cardWith(amount),
    refused: async () => ({ number: (await cardWith(100)).number, pin: secret('no-such-pin') }),
    blank: () => cardWith(0),
  }
}

describeGiftCardConnector(switchyardGiftCard, openBench)

test('a card is issued with 16 digits and a PIN, and its address shows them', async () => {
  const answer = await issue(issueOrder({ currency: 'EUR' }), linkWith())

  const url = answer.outcome === 'approved' ? answer.url : ''
  expect(url).toMatch(/^https:\/\/pay\.example\.com\/gift-cards\/issued\/[0-9a-f-]{36}\/[\w-]{43}$/)
  const card = await see(url)
  expect(card.number.use(String)).toMatch(/^9000\d{12}$/)
  expect(card.pin?.use(String)).toMatch(/^\d{6}$/)
})

test('a card is valid for five years, or as long as the merchant says', async () => {
  const years = async (fields: Record<string, string>) => {
    const answer = await balance({ card: await cardWith(100, {}, linkWith(fields)) }, linkWith())
    return answer.outcome === 'known' ? new Date(answer.expiresAt ?? '').getUTCFullYear() : answer
  }

  const now = new Date().getUTCFullYear()
  expect([await years({}), await years({ valid_months: '24' })]).toEqual([now + 5, now + 2])
})

test.each(['0', '601', '1.5', '-1', 'many'])('%s is no number of months', async (months) => {
  const link = linkWith({ valid_months: months })

  const answers = [
    await issue(issueOrder(), link),
    await activate(activateOrder({ number: secret('9000000000000001'), pin: null }), link),
  ]

  const refusal = { outcome: 'refused', code: 'invalid_service_configuration', rawCode: 'valid_months' }
  expect(answers).toMatchObject([refusal, refusal])
})

test('a blank card is inactive before its activation', async () => {
  const card = await cardWith(0)
  const before = [
    await balance({ card }, linkWith()),
    await redeem(redeemOrder(card, { currency: 'EUR' }), linkWith()),
  ]

  const activated = await activate(activateOrder(card, { amount: 2500, currency: 'EUR' }), linkWith())

  const inactive = { outcome: 'refused', code: 'inactive_card' }
  expect(before).toMatchObject([inactive, inactive])
  expect(activated).toMatchObject({ outcome: 'approved', expiresAt: expect.any(String) })
  expect(await balance({ card }, linkWith())).toMatchObject({ balance: 2500, currency: 'EUR' })
})

test('a card is activated once, by its number alone, without an amount', async () => {
  const card = await cardWith(0)
  const byNumber = { ...card, pin: null }

  const first = await activate(activateOrder(byNumber), linkWith())
  const second = await activate(activateOrder(byNumber, { amount: 100, currency: 'EUR' }), linkWith())

  expect(first).toMatchObject({ outcome: 'approved' })
  expect(second).toMatchObject({ outcome: 'refused', code: 'unexpected_state', rawCode: 'already_active' })
  expect(await balance({ card }, linkWith())).toMatchObject({ balance: 0 })
})

describe('the program', () => {
  test.each([
    ['another name', { program: 'Somebody else' }],
    ['another key', { program_key: 'another-key-of-16-letters' }],
  ])('with %s is another program without cards', async (_name, fields) => {
    const card = await cardWith(5000)
    const other = linkWith(fields)

    const answers = [await balance({ card }, other), await redeem(redeemOrder(card), other)]

    const refusal = { outcome: 'refused', code: 'invalid_service_credentials', rawCode: 'empty_program' }
    expect(answers).toMatchObject([refusal, refusal])
  })

  test('knows neither cards nor attempts of other programs', async () => {
    const card = await cardWith(5000)
    const order = redeemOrder(card, { currency: 'EUR' })
    const answer = await redeem(order, linkWith())
    const other = linkWith({ program: 'Somebody else with cards' })
    await cardWith(100, {}, other)
    const reference = answer.outcome === 'approved' ? answer.reference : ''
    const giveBack = { ...order, attemptId: randomUUID(), reference, redeemAttemptId: order.attemptId }

    expect(await balance({ card }, other)).toMatchObject({ outcome: 'refused', code: 'invalid_gift_card' })
    expect(await switchyardGiftCard.refund(giveBack, other)).toMatchObject({ code: 'unexpected_state' })
    expect(await switchyardGiftCard.sync({ attemptId: order.attemptId, operation: 'redeem' }, other)).toEqual(
      {
        outcome: 'not_found',
      },
    )
    expect(await balance({ card }, linkWith())).toMatchObject({ balance: 5000 - order.amount })
  })

  test.each([
    ['no name', { program: '' }, 'invalid_service_credentials'],
    ['no key', { program_key: '' }, 'invalid_service_credentials'],
    ['a key of few letters', { program_key: 'fifteen-letters' }, 'invalid_service_configuration'],
  ])('with %s is refused', async (_name, fields, code) => {
    const card = { number: secret('9000000000000001'), pin: secret('123456') }
    const link = linkWith(fields)

    const answers = [
      await issue(issueOrder(), link),
      await redeem(redeemOrder(card), link),
      await balance({ card }, link),
    ]

    expect(answers).toMatchObject(Array(3).fill({ outcome: 'refused', code }))
  })
})

test('an attempt id of another operation is not mistaken for this one', async () => {
  const card = await cardWith(5000)
  const order = redeemOrder(card, { currency: 'EUR' })
  await redeem(order, linkWith())

  const other = await redeem({ ...order, amount: order.amount + 1 }, linkWith())

  expect(other.outcome).toBe('unknown')
  expect(await balance({ card }, linkWith())).toMatchObject({ balance: 5000 - order.amount })
})
