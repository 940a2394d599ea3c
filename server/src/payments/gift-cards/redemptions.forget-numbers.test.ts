import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { Sealer } from '#resources/audit-logs/seal.ts'
import {
  freshNumber,
  openGiftCardShop,
  openGiftCardTill,
  refusedGiftCard,
  type TypedGiftCard,
} from '#testing/gift-cards.ts'
import { expireApprovals } from '../acts/expire.ts'

const CHALLENGED = {
  method: 'card',
  number: '4111111111102011',
  expiration_date: '12/40',
  security_code: '737',
  redirect_url: 'https://shop.example.com/back',
}

const { service, counter, till, line } = await openGiftCardTill()

type Redemption = { readonly status: string; readonly refunded_amount: number }
const statusesOf = ({ gift_card_redemptions: all }: { gift_card_redemptions: Redemption[] }) =>
  all.map(({ status }) => status)
const inVault = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from vault.items where field in ('gift-card-number', 'gift-card-pin')`.execute(
    service.database.db,
  )
  return rows[0]?.count
}
const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}

let cards = 0
/** A card with a PIN that occurs nowhere by chance. */
const secretCard = (): TypedGiftCard => {
  cards += 1
  return { number: freshNumber(), pin: `0${7_700_000_000 + cards}` }
}
const two = () => {
  const both = [secretCard(), secretCard()]
  return { both, parts: both.map((card) => ({ ...card, amount: 100 })) }
}

/** The text itself, in hex and in base64. */
const forms = (value: string) => [
  value,
  Buffer.from(value).toString('hex'),
  Buffer.from(value).toString('base64').replace(/=+$/, ''),
]

/** Searches every table, also those of the vault and of the simulated provider. */
async function findInDatabase(values: readonly string[]): Promise<string[]> {
  await new Sealer(service.secrets, null).seal(service.context)
  const tables = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('public', 'vault', 'simulator')`.execute(service.database.db)
  expect(tables.rows.length).toBeGreaterThan(20)
  const found: string[] = []
  for (const { name } of tables.rows) {
    const rows = await sql
      .raw<{ row: string }>(`select t::text as row from ${name} t`)
      .execute(service.database.db)
    const text = rows.rows.map(({ row }) => row).join('\n')
    if (values.flatMap(forms).some((value) => text.includes(value))) found.push(name)
  }
  return found
}
const secretsOf = (all: readonly TypedGiftCard[]) => all.flatMap(({ number, pin }) => [number, pin])

describe('numbers and PINs that were typed', () => {
  test('are in the vault only while they wait, and gone when they have paid', async () => {
    const { both, parts } = two()
    const key = { headers: { 'idempotency-key': 'waits' } }
    const before = await inVault()
    line.intercept((go, url) =>
      url.endsWith('/redemptions') ? Promise.reject(new TypeError('fetch failed')) : go(),
    )

    const waiting = await counter.pay(parts, { amount: 1000 }, key)
    line.repair()
    const held = await inVault()
    const found = await findInDatabase(secretsOf(both))
    await resolveAfter(61_000)

    expect(waiting.status).toBe('processing')
    expect([before, held]).toEqual([0, 4])
    expect(found).toEqual([])
    expect(await inVault()).toBe(0)
    expect(await findInDatabase(secretsOf(both))).toEqual([])
  })

  test.each([
    ['have paid', {}, 'capture_succeeded'],
    ['have paid beside a card', { amount: 1000 }, 'authorization_succeeded'],
    ['are not asked, as the card is declined', { amount: 200_211 }, 'authorization_declined'],
    [
      'are not asked, as there is no service for the card',
      { amount: 1000, currency: 'XCD', payment_method: { ...CHALLENGED, number: '4111111111104017' } },
      'authorization_failed',
    ],
  ])('are nowhere once they %s', async (_what, body, status) => {
    const { both, parts } = two()

    const paid = await counter.pay(parts, body, { headers: { 'idempotency-key': crypto.randomUUID() } })

    expect(paid.status).toBe(status)
    expect(await inVault()).toBe(0)
    expect(await findInDatabase(secretsOf(both))).toEqual([])
  })

  test('are deleted once one of them was refused', async () => {
    const { both, parts } = two()

    const paid = await counter.pay([...parts, { ...refusedGiftCard(0), amount: 100 }])

    expect(paid.status).toBe('authorization_failed')
    expect(await inVault()).toBe(0)
    expect(await findInDatabase(secretsOf(both))).toEqual([])
  })

  test('stay out of the vault when the request is refused', async () => {
    const { both, parts } = two()

    const answer = await counter.ask([...parts, { ...both[0], amount: 1 }])

    expect(answer.statusCode).toBe(400)
    expect(await inVault()).toBe(0)
    expect(secretsOf(both).some((secret) => answer.body.includes(secret))).toBe(false)
  })

  test('are not shown even if the provider repeats them', async () => {
    const shop = await openGiftCardShop(service)
    const card = { number: freshNumber(), pin: 'echo' }

    const paid = await counter.pay([{ ...card, amount: 100 }], {}, { account: shop.account })

    expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'invalid_gift_card' })
    expect(paid.gift_card_redemptions).toMatchObject([
      { raw_error_code: 'E42', raw_error_message: 'no card *** with PIN ***' },
    ])
    expect(await findInDatabase([card.number])).toEqual([])
  })

  test('are in the audit log each time that they are opened', async () => {
    const { parts } = two()

    const paid = await counter.pay(parts)

    const entries = await service.database.db
      .selectFrom('audit_logs')
      .select('resource_type')
      .where('action', '=', 'revealed')
      .where('resource_id', '=', paid.id)
      .execute()
    // Number and PIN of each card.
    expect(entries.map(({ resource_type }) => resource_type)).toEqual(Array(4).fill('transaction'))
  })

  test('of stored cards stay where they are', async () => {
    const card = secretCard()
    const id = await counter.store(card)
    const before = await inVault()

    await counter.pay([{ id, amount: 100 }])
    await counter.pay([{ id, amount: 100 }], { amount: 200_111 })

    expect(await inVault()).toBe(before)
    expect(await counter.balanceOf({ id })).toBe(Number(card.pin) - 100)
    await counter.send(`DELETE /gift-cards/${id}`)
    expect(await inVault()).toBe(0)
  })
})

describe('gift cards beside a card that the cardholder has to approve', () => {
  const challenge = async (body: object = {}) => {
    const { both, parts } = two()
    const waiting = await counter.pay(parts, { amount: 1000, payment_method: CHALLENGED, ...body })
    expect(waiting.status).toBe('buyer_approval_pending')
    const url = new URL(waiting.payment_method.approval_url).pathname
    const decide = (decision: string) =>
      service.app.inject({
        method: 'POST',
        url,
        payload: `decision=${decision}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const page = () => service.app.inject({ method: 'GET', url })
    const balances = async () =>
      (await Promise.all(both.map(counter.balanceOf))).map(
        (balance, index) => Number(both[index]?.pin) - balance,
      )
    return { id: waiting.id as string, waiting, both, decide, page, balances }
  }

  test('wait with it, and the cardholder approves the card’s part', async () => {
    const { waiting, both, page, balances, decide } = await challenge()

    expect(statusesOf(waiting)).toEqual(['created', 'created'])
    expect(waiting).toMatchObject({ three_d_secure: { amount: 800 }, intent_outcome: 'pending' })
    expect((await page()).body).toContain('$8.00')
    expect(await inVault()).toBe(4)
    expect(await findInDatabase(secretsOf(both))).toEqual([])
    expect(await balances()).toEqual([0, 0])
    await decide('refuse')
  })

  test.each([
    ['authorize', 'authorization_succeeded', 0],
    ['capture', 'capture_succeeded', 800],
  ])('pay when it is approved, with the intent %s', async (intent, status, captured_amount) => {
    const { id, decide, balances } = await challenge({ intent })

    await decide('approve')
    await decide('approve')

    const paid = await counter.get(id)
    expect(paid).toMatchObject({ status, authorized_amount: 800, captured_amount })
    expect(statusesOf(paid)).toEqual(['succeeded', 'succeeded'])
    expect(await balances()).toEqual([100, 100])
    expect(await inVault()).toBe(0)
  })

  test('pay nothing when it is approved and then declined', async () => {
    const { id, decide, balances } = await challenge({ amount: 200_211 })

    await decide('approve')

    const paid = await counter.get(id)
    expect(paid.status).toBe('authorization_declined')
    expect(statusesOf(paid)).toEqual(['skipped', 'skipped'])
    expect(await balances()).toEqual([0, 0])
    expect(await inVault()).toBe(0)
  })

  test.each([
    ['refused', async ({ decide }: Awaited<ReturnType<typeof challenge>>) => decide('refuse')],
    [
      'not approved in time',
      async () => {
        service.moveClock(11 * 60_000)
        await expireApprovals(service.context, service.engine)
      },
    ],
    [
      'approved too late',
      async ({ decide }: Awaited<ReturnType<typeof challenge>>) => {
        service.moveClock(11 * 60_000)
        await decide('approve')
      },
    ],
    [
      'decided by the merchant',
      async ({ id }: Awaited<ReturnType<typeof challenge>>) =>
        counter.send(`PUT /transactions/${id}`, { status: 'authorization_failed' }),
    ],
  ])('are skipped and forgotten when it is %s', async (_what, end) => {
    const waiting = await challenge()

    await end(waiting)

    const failed = await counter.get(waiting.id)
    expect(failed.status).toBe('authorization_failed')
    expect(statusesOf(failed)).toEqual(['skipped', 'skipped'])
    expect(await waiting.balances()).toEqual([0, 0])
    expect(await inVault()).toBe(0)
    expect(await till.books(waiting.id)).toBeNull()
  })

  test('are skipped and deleted when the merchant cancels', async () => {
    const made = await counter.send('POST /payment-services', {
      display_name: 'Can cancel',
      payment_service_definition_id: 'mock-card',
      fields: [
        { key: 'merchant_id', value: 'shop' },
        { key: 'extended', value: 'true' },
      ],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
      three_d_secure_enabled: true,
    })
    const payment_service_id = made.json().id
    const unapproved = await challenge({ payment_service_id })
    const pending = await counter.pay(two().parts, { amount: 600_202, payment_service_id })

    for (const id of [unapproved.id, pending.id]) {
      const cancelled = await counter.act(id, 'cancel')

      expect(cancelled.statusCode, cancelled.body).toBe(200)
      expect(cancelled.json().transaction.error_code).toBe('canceled')
      expect(statusesOf(await counter.get(id))).toEqual(['skipped', 'skipped'])
    }
    expect(await inVault()).toBe(0)
  })
})
