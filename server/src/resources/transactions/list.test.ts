import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createdAt, firstIdOf, newId } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Document } from '#payments/document.ts'
import * as marks from '#payments/store/marks.ts'
import type { Row, StoredTransaction } from '#payments/store/payments.ts'
import * as transactions from '#payments/store/payments.ts'
import { inTransaction } from '#platform/database/db.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { writeByHand } from '#testing/model/guard.ts'
import type { TransactionFilters } from './filters/schemas.ts'

const ROWS = 1_100
const START = Date.parse('2026-01-01T00:00:00Z')
const ACCOUNTS = ['default', 'second-shop', 'tiny-shop'] as const
const NAMES = ['Anna Berg', 'Anna Lund', 'Bo Berg', 'Zoë Strand', 'Carl Å']

type Filters = Partial<TransactionFilters>
type Stored = StoredTransaction & {
  readonly created: Date
  readonly isSettled: boolean
  readonly giftCard: string | null
  readonly buyerText: string | null
}

let service: TestService
let stored: Stored[]
let buyers: { readonly id: string; readonly account: string; readonly name: string }[]
let confinedToken: string
beforeAll(async () => {
  service = await startTestService()
  for (const id of ACCOUNTS.slice(1)) await service.send('POST /merchant-accounts', { id, display_name: id })
  confinedToken = await signToken(await service.addKey({ merchantAccountIds: ['default', 'tiny-shop'] }))
  buyers = await addBuyers()
  stored = await fill()
})
afterAll(() => service.close())

describe('every filter alone', () => {
  const cases: [name: string, filters: () => Filters][] = [
    ['nothing', () => ({})],
    ['id', () => ({ id: some('id') })],
    ['an id that no payment has', () => ({ id: newId(START) })],
    ['an id in capitals', () => ({ id: some('id').toUpperCase() })],
    ['reconciliation_id', () => ({ reconciliation_id: reconciliationId(some('id')) })],
    ['created_at_gte', () => ({ created_at_gte: at(600) })],
    ['created_at_lte', () => ({ created_at_lte: at(600) })],
    ['created_at, both the same', () => ({ created_at_gte: at(600), created_at_lte: at(600) })],
    ['created_at, the wrong way round', () => ({ created_at_gte: at(600), created_at_lte: at(500) })],
    ['created_at before all', () => ({ created_at_lte: '0001-01-01T00:00:00Z' })],
    ['updated_at_gte', () => ({ updated_at_gte: at(800) })],
    ['updated_at_lte', () => ({ updated_at_lte: at(500) })],
    ['updated_at, a short while', () => ({ updated_at_gte: at(300), updated_at_lte: at(310) })],
    ['updated_at before all', () => ({ updated_at_lte: '0000-01-01T00:00:00+05:00' })],
    ['updated_at after all', () => ({ updated_at_gte: '9999-12-31T23:59:59.999Z' })],
    ['buyer_id', () => ({ buyer_id: some('buyer_id') })],
    ['buyer_external_identifier', () => ({ buyer_external_identifier: 'buyer-1' })],
    ['buyer_email_address', () => ({ buyer_email_address: 'buyer-2@shop.example' })],
    ['ip_address', () => ({ ip_address: '10.0.0.3' })],
    ['ip_address, version 6', () => ({ ip_address: '2001:DB8:0::1' })],
    ['checkout_session_id', () => ({ checkout_session_id: some('checkout_session_id') })],
    ['payment_link_id', () => ({ payment_link_id: some('payment_link_id') })],
    ['external_identifier', () => ({ external_identifier: some('external_identifier') })],
    ['external_identifier with odd characters', () => ({ external_identifier: `50% \\ 'quoted' "{,}" Ω` })],
    ['a part of an external_identifier', () => ({ external_identifier_contains: 'RDER-1' })],
    ['a part with odd characters', () => ({ external_identifier_contains: `\\ 'quoted' "{,}" ω` })],
    ['a part that no payment has', () => ({ external_identifier_contains: 'absent' })],
    ['an external_identifier that no payment has', () => ({ external_identifier: 'absent' })],
    ['payment_method_id', () => ({ payment_method_id: some('payment_method_id') })],
    ['payment_method_label', () => ({ payment_method_label: '1111' })],
    ['payment_method_scheme', () => ({ payment_method_scheme: ['visa', 'elo'] })],
    ['payment_method_country', () => ({ payment_method_country: 'US' })],
    ['payment_method_fingerprint', () => ({ payment_method_fingerprint: 'f'.repeat(64) })],
    ['payment_method_bin', () => ({ payment_method_bin: '41111111' })],
    ['payment_method_bin of seven digits', () => ({ payment_method_bin: '4111111' })],
    ['payment_method_bin of six digits', () => ({ payment_method_bin: '411111' })],
    ['payment_method_bin of a short number', () => ({ payment_method_bin: '371449' })],
    ['payment_method_bin of more than is known', () => ({ payment_method_bin: '37144963' })],
    ['payment_service_id', () => ({ payment_service_id: [some('payment_service_id')] })],
    ['payment_service_transaction_id', () => ({ payment_service_transaction_id: 'psp-17' })],
    ['a long payment_service_transaction_id', () => ({ payment_service_transaction_id: 'long'.repeat(50) })],
    [
      'reauthorized_from_transaction_id',
      () => {
        return { reauthorized_from_transaction_id: some('reauthorized_from_transaction_id') }
      },
    ],
    ['currency', () => ({ currency: ['EUR'] })],
    ['several currencies', () => ({ currency: ['USD', 'ISK', 'XAF', 'USD'] })],
    ['a rare currency', () => ({ currency: ['ISK'] })],
    ['country', () => ({ country: ['DE', 'IS'] })],
    ['method', () => ({ method: ['card'] })],
    ['payment_source', () => ({ payment_source: ['recurring', 'moto'] })],
    ['is_subsequent_payment', () => ({ is_subsequent_payment: true })],
    ['not is_subsequent_payment', () => ({ is_subsequent_payment: false })],
    ['merchant_initiated', () => ({ merchant_initiated: true })],
    ['not merchant_initiated', () => ({ merchant_initiated: false })],
    ['has_gift_card_redemptions', () => ({ has_gift_card_redemptions: true })],
    ['no gift card redemptions', () => ({ has_gift_card_redemptions: false })],
    ['gift_card_id', () => ({ gift_card_id: giftCard(1) })],
    ['gift_card_last4', () => ({ gift_card_last4: '0001' })],
    ['amount_eq', () => ({ amount_eq: 1_299 })],
    ['amount_gte', () => ({ amount_gte: 4_000 })],
    ['a large amount_gte', () => ({ amount_gte: 2_147_483_647 })],
    ['amount_lte', () => ({ amount_lte: 20 })],
    ['amount_gte and amount_lte', () => ({ amount_gte: 1_200, amount_lte: 1_300 })],
    ['status', () => ({ status: ['capture_succeeded'] })],
    ['several statuses', () => ({ status: ['processing', 'authorization_declined'] })],
    ['error_code', () => ({ error_code: ['insufficient_funds', 'other'] })],
    ['has_refunds', () => ({ has_refunds: true })],
    ['no refunds', () => ({ has_refunds: false })],
    ['has_settlements', () => ({ has_settlements: true })],
    ['no settlements', () => ({ has_settlements: false })],
    ['pending_review', () => ({ pending_review: true })],
    ['no pending_review', () => ({ pending_review: false })],
    ['disputed', () => ({ disputed: true })],
    ['not disputed', () => ({ disputed: false })],
    ['used_3ds', () => ({ used_3ds: true })],
    ['not used_3ds', () => ({ used_3ds: false })],
    ['metadata', () => ({ metadata: ['{"channel":"app"}'] })],
    ['metadata of two pairs', () => ({ metadata: ['{"channel":"app","batch":"3"}'] })],
    ['metadata in two objects', () => ({ metadata: ['{"channel":"app"}', '{"batch":"3"}'] })],
    ['metadata with a key given twice', () => ({ metadata: ['{"channel":"web"}', '{"channel":"app"}'] })],
    [
      'metadata of more pairs than any payment has',
      () => {
        return { metadata: Array.from({ length: 9 }, (_none, at) => `{"key-${at}":"value"}`) }
      },
    ],
    ['metadata of many pairs', () => ({ metadata: [JSON.stringify(MANY_PAIRS)] })],
    ['metadata without pairs', () => ({ metadata: ['{}'] })],
    ['search for an id', () => ({ search: some('id') })],
    ['search for an external_identifier', () => ({ search: some('external_identifier') })],
    ['search for a buyer_id', () => ({ search: some('buyer_id') })],
    ['search for a buyer_external_identifier', () => ({ search: 'buyer-1' })],
    ['search for an id at the payment service', () => ({ search: 'psp-17' })],
    ['search for what is in several places', () => ({ search: 'everywhere' })],
    ['search for part of something', () => ({ search: 'buyer-' })],
    ['search for nothing', () => ({ search: '' })],
    ['buyer_search', () => ({ buyer_search: ['berg'] })],
    ['buyer_search in capitals', () => ({ buyer_search: ['ZOË'] })],
    ['buyer_search for an e-mail address', () => ({ buyer_search: ['buyer-1@'] })],
    ['buyer_search for either of two texts', () => ({ buyer_search: ['anna', 'zoë'] })],
    ['buyer_search for one buyer among unknown texts', () => ({ buyer_search: ['nobody', 'zoë', ''] })],
    ['buyer_search for an id', () => ({ buyer_search: [some('buyer_id').toUpperCase()] })],
    ['buyer_search for an id or a text', () => ({ buyer_search: [some('buyer_id'), 'zoë'] })],
    ['buyer_search for part of an id', () => ({ buyer_search: [some('buyer_id').slice(0, -1)] })],
    [
      'buyer_search for one of many texts',
      () => ({ buyer_search: ['zoë', ...Array.from({ length: 20 }, (_none, at) => `nobody-${at}`)] }),
    ],
    ['buyer_search for one character', () => ({ buyer_search: ['å'] })],
    ['buyer_search for an unknown text', () => ({ buyer_search: ['nobody'] })],
    ['buyer_search for nothing', () => ({ buyer_search: [''] })],
  ]

  test.each(cases)('%s', async (_name, make) => {
    const filters = make()
    const expected = matching(filters, ['default'])

    const found = await pages({ ...filters, limit: Math.max(2, Math.ceil(expected.length / 4)) })

    expect(found).toEqual(expected)
  })

  test('a country in small letters', async () => {
    expect(await pages({ country: ['de'], limit: 40 })).toEqual(matching({ country: ['DE'] }, ['default']))
  })

  test('over all accounts and over several', async () => {
    const every: Filters[] = [
      {},
      { currency: ['EUR', 'ISK'] },
      { status: ['authorization_declined', 'processing'] },
      { amount_gte: 4_900 },
      { search: 'everywhere' },
      { buyer_search: ['berg'] },
      { has_refunds: false, currency: ['EUR'] },
    ]
    for (const filters of every) {
      const all = await pages({ ...filters, limit: 40 }, { account: '*' })
      const two = await pages({ ...filters, limit: 40 }, { account: '*', token: confinedToken })

      expect(all).toEqual(matching(filters, ACCOUNTS))
      expect(two).toEqual(matching(filters, ['default', 'tiny-shop']))
    }
  })
})

describe('filters together', () => {
  test('agree with a plain reading of all payments, in pages of any size, forwards and back', async () => {
    const roll = dice(7)
    for (let round = 0; round < 100; round += 1) {
      const filters = combine(roll)
      const accounts = roll() < 0.2 ? ACCOUNTS : (['default'] as const)
      const expected = matching(filters, accounts)
      const limit = [1, 2, 5, 20, 500][Math.floor(roll() * 5)] ?? 20
      const found = await pages(
        { ...filters, limit: Math.max(limit, Math.ceil(expected.length / 12)) },
        {
          ...(accounts === ACCOUNTS && { account: '*' }),
        },
      )

      expect({ filters, found }).toEqual({ filters, found: expected })
    }
  }, 120_000)

  test('find one payment among many that nearly match', async () => {
    // Each of the two filters matches many payments. Together they match one, at the far end of the list.
    const filters: Filters = { currency: ['USD'], payment_method_country: 'DE' }

    expect(matching(filters, ['default'])).toHaveLength(1)
    expect(await pages({ ...filters, limit: 1 })).toEqual(matching(filters, ['default']))
  })
})

describe('pages', () => {
  test('neither skip nor repeat a payment while others are added', async () => {
    const expected = matching({ currency: ['EUR'] }, ['second-shop'])
    const first = await read({ currency: ['EUR'], limit: 5 }, { account: 'second-shop' })
    const added = await add('second-shop', { currency: 'EUR' })
    const second = await read(
      { currency: ['EUR'], limit: 5, cursor: first.next_cursor },
      { account: 'second-shop' },
    )
    const back = await read(
      { currency: ['EUR'], limit: 5, cursor: second.previous_cursor },
      { account: 'second-shop' },
    )
    const newer = await read(
      { currency: ['EUR'], limit: 5, cursor: back.previous_cursor },
      { account: 'second-shop' },
    )

    expect([...first.items, ...second.items].map(idOf)).toEqual(expected.slice(0, 10))
    expect(back.items.map(idOf)).toEqual(expected.slice(0, 5))
    expect(newer.items.map(idOf)).toEqual([added])
  })

  test('of another list are refused', async () => {
    const { next_cursor } = (await service.send('GET /buyers?limit=1')).json()

    const response = await service.send(`GET /transactions?cursor=${next_cursor}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0]).toMatchObject({ location: 'query', pointer: '/cursor' })
  })

  test('hold 20 payments unless told otherwise, and at most 500', async () => {
    expect((await read({})).items).toHaveLength(20)
    expect((await read({ limit: 500 })).items).toHaveLength(500)
    expect((await service.send('GET /transactions?limit=501')).statusCode).toBe(400)
    expect((await service.send('GET /transactions?limit=0')).statusCode).toBe(400)
  })
})

describe('refuses values that it cannot read', () => {
  test.each([
    ['metadata', 'channel=app', 'value_error.jsondecode'],
    ['metadata', '["app"]', 'type_error.object'],
    ['metadata', 'null', 'type_error.object'],
    ['metadata', '{"channel":1}', 'type_error.string'],
    ['ip_address', '10.0.0.256', 'value_error.str.regex'],
    ['ip_address', 'fe80::1%eth0', 'value_error.str.regex'],
    ['created_at_gte', '2026-01-01T00:00:00', 'type_error.datetime'],
    ['currency', 'euro', 'value_error.str.regex'],
    ['buyer_id', '17', 'type_error.uuid'],
  ])('%s=%s', async (name, value, type) => {
    const response = await service.send(`GET /transactions?${name}=${encodeURIComponent(value)}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0]).toMatchObject({ location: 'query', type })
    expect(response.json().details[0].pointer).toMatch(new RegExp(`^/${name}`))
  })

  test.each(['2016-12-31T23:59:60Z', '2026-01-01T00:00:00+05', '2026-01-01 00:00:00.1234567Z'])(
    'but every moment of the standard is read: %s',
    async (moment) => {
      const response = await service.send(
        `GET /transactions?created_at_gte=${encodeURIComponent(moment)}&updated_at_lte=${encodeURIComponent(moment)}`,
      )

      expect(response.statusCode).toBe(200)
    },
  )

  test('accepts text that matches no payment', async () => {
    expect((await read({ reconciliation_id: 'not base 62!' })).items).toEqual([])
    expect((await read({ reconciliation_id: 'z'.repeat(22) })).items).toEqual([])
  })
})

describe('a moment within a millisecond', () => {
  test('counts payments created at its beginning as before it', async () => {
    const [row] = stored.filter(({ merchant_account_id }) => merchant_account_id === 'default')
    const time = row?.created.toISOString() ?? ''
    const after = time.replace('Z', '4Z')

    const gte = await read({ created_at_gte: after, created_at_lte: time })
    const lte = await read({ created_at_gte: time, created_at_lte: after })

    expect(gte.items).toEqual([])
    expect(lte.items.map(idOf)).toContain(row?.id)
  })
})

test('shows the very text that the payment itself shows, but less of it', async () => {
  const { items } = await read({ limit: 60 })
  const shown = items.map(async (item) => {
    const answer = await service.send(`GET /transactions/${item.id}`)
    const fields = Object.entries(answer.json()).filter(([name]) => name in item)
    return JSON.stringify(Object.fromEntries(fields))
  })

  expect(items.map((item) => JSON.stringify(item))).toEqual(await Promise.all(shown))
  for (const name of ['payment_method', 'buyer', 'shipping_details'])
    expect(new Set(items.map((item) => item[name] === null))).toEqual(new Set([true, false]))
})

test('a list that would take too long is refused with a hint', async () => {
  const slow = await startTestService()
  await slow.send('POST /merchant-accounts', { id: 'busy', display_name: 'Busy' })
  await sql`
    insert into transactions (merchant_account_id, id, intent, amount, currency, payment_source, merchant_initiated,
      is_subsequent_payment, status, updated_at)
    select 'busy', ('019a0000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid, 'capture', 1, 'USD', 'ecommerce',
      false, false, 'processing', now() from generate_series(1, 900) as number
  `.execute(slow.context.db)
  await sql`insert into transaction_marks select merchant_account_id, 'settled:', id from transactions`.execute(
    slow.context.db,
  )
  // From here on, each read of a mark takes as long as on a machine with a hundred million marks.
  await sql`alter table transaction_marks rename to all_marks`.execute(slow.context.db)
  await sql`
    create view transaction_marks as select * from all_marks where pg_sleep(0.01) is not null
  `.execute(slow.context.db)

  const response = await slow.send('GET /transactions?has_settlements=false&limit=1', undefined, {
    account: 'busy',
  })

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toEqual([
    {
      location: 'query',
      pointer: '/created_at_gte',
      type: 'value_error.missing',
      message: 'query too broad: add created_at_gte or a more selective filter',
    },
  ])
  await slow.close()
})

const MANY_PAIRS = Object.fromEntries(Array.from({ length: 8 }, (_none, at) => [`note-${at}`, `${at}`]))

async function addBuyers() {
  const added: { id: string; account: string; name: string }[] = []
  for (const account of ACCOUNTS) {
    for (const [at, name] of NAMES.entries()) {
      const response = await service.send(
        'POST /buyers',
        {
          display_name: name,
          external_identifier: `buyer-${at}`,
          billing_details: { email_address: `buyer-${at}@shop.example` },
        },
        { account },
      )
      added.push({ id: response.json().id, account, name })
    }
  }
  return added
}

async function fill(): Promise<Stored[]> {
  const rows = Array.from({ length: ROWS }, (_none, index) => payment(index))
  for (let first = 0; first < ROWS; first += 100) {
    await inTransaction({ ...service.context, merchantAccountId: '' }, async (tx) => {
      for (const row of rows.slice(first, first + 100)) await write(tx, row)
    })
  }
  return rows.toSorted((one, other) => (one.id < other.id ? 1 : -1))
}

async function write(tx: Parameters<typeof transactions.insert>[0], one: Stored): Promise<void> {
  const { document, created: _created, isSettled, giftCard: card, buyerText: _text, ...row } = one
  await writeByHand(tx.db)
  await transactions.insert(tx, row, document)
  const more = isSettled ? [marks.markOf('settled')] : []
  if (card !== null) {
    more.push(marks.markOf('gift-card', card), marks.markOf('gift-card-last4', card.slice(-4)))
  }
  await marks.insert(tx, row, more)
}

async function add(account: string, changes: Partial<Row>): Promise<string> {
  const one = { ...payment(ROWS), ...changes, merchant_account_id: account }
  await inTransaction({ ...service.context, merchantAccountId: account }, (tx) => write(tx, one))
  return one.id
}

/** A payment that depends only on its number. Several share a millisecond. */
function payment(index: number): Stored {
  const roll = dice(index)
  const pick = <Value>(...values: readonly Value[]): Value =>
    values[Math.floor(roll() * values.length)] as Value
  const often = (chance: number) => roll() < chance
  const account = often(0.8) ? ACCOUNTS[0] : often(0.9) ? ACCOUNTS[1] : ACCOUNTS[2]
  const created = new Date(START + Math.floor(index / 3) * 60_000)
  const updated = new Date(created.getTime() + Math.floor(often(0.05) ? roll() * 2e7 : roll() * 30_000))
  const currency = index % 400 === 9 ? 'ISK' : pick('USD', 'USD', 'EUR')
  const status = pick('capture_succeeded', 'capture_succeeded', 'authorization_declined', 'processing')
  const amount = often(0.1) ? 1_299 : 10 + Math.floor(roll() * 5_000)
  const captured = status === 'capture_succeeded' ? amount : 0
  const buyer = often(0.6) ? pick(...buyers.filter((one) => one.account === account)) : undefined
  const number = buyers.filter((one) => one.account === account).indexOf(buyer ?? (buyers[0] as never))
  const source = pick('ecommerce', 'ecommerce', 'recurring', 'moto')
  const card = often(0.05) ? giftCard(index % 3) : null
  const row: Row = {
    merchant_account_id: account,
    id: `${firstIdOf(created).slice(0, 13)}-7000-8000-${String(index).padStart(12, '0')}`,
    intent: 'capture',
    amount,
    currency,
    country: currency === 'ISK' ? 'IS' : often(0.1) ? null : currency === 'EUR' ? pick('DE', 'FR') : 'US',
    method: often(0.8) ? 'card' : 'paypal',
    payment_source: source,
    merchant_initiated: source === 'recurring',
    is_subsequent_payment: source === 'recurring' && often(0.7),
    has_gift_card_redemptions: card !== null,
    gift_card_amount: 0,
    has_gift_card_refunds: false,
    external_identifier:
      index === 77 ? `50% \\ 'quoted' "{,}" Ω` : index % 211 === 5 ? 'everywhere' : `order-${index}`,
    buyer_id: buyer?.id ?? null,
    buyer_external_identifier: index % 199 === 3 ? 'everywhere' : buyer ? `buyer-${number}` : null,
    buyer_email_address: buyer ? `buyer-${number}@shop.example` : null,
    ip_address: index % 300 === 1 ? '2001:db8::1' : often(0.5) ? `10.0.0.${index % 9}` : null,
    checkout_session_id: often(0.3) ? identifier(1, index - (index % 2)) : null,
    payment_link_id: often(0.2) ? identifier(2, index % 4) : null,
    payment_method_id: often(0.4) ? identifier(3, index % 50) : null,
    payment_method_label: often(0.7) ? pick('1111', '4242') : null,
    payment_method_scheme: index % 350 === 9 ? 'elo' : pick('visa', 'mastercard', null),
    payment_method_country: index === 2 ? 'DE' : currency === 'USD' ? pick('US', null) : pick('DE', null),
    payment_method_fingerprint: often(0.1) ? 'f'.repeat(64) : 'a'.repeat(64),
    payment_method_bin: pick('41111111', '41111122', '41111199', '55555555', '371449', null),
    reauthorized_from_transaction_id: often(0.02) ? identifier(4, index % 5) : null,
    payment_service_id: pick(identifier(5, 0), identifier(5, 1), null),
    status,
    authorized_amount: captured,
    capture_limit: captured,
    captured_amount: captured,
    capturing_amount: 0,
    refunded_amount: captured > 0 && often(0.1) ? 1 : 0,
    refunding_amount: 0,
    released_amount: 0,
    is_capture_final: false,
    pending_review: often(0.02),
    disputed: often(0.02),
    settled_amount: '0',
    settled_currency: null,
    uncollected_amount: 0,
    error_code: status === 'authorization_declined' ? pick('insufficient_funds', 'expired', 'other') : null,
    payment_service_transaction_id:
      index === 90
        ? 'long'.repeat(50)
        : index % 223 === 7
          ? 'everywhere'
          : often(0.9)
            ? `psp-${index}`
            : null,
    outcome: often(0.3) ? { three_d_secure: null as never, raw_response_code: '00' } : {},
    updated_at: updated,
  }
  const is3ds = often(0.3)
  return {
    ...row,
    ...(index === 2 && { merchant_account_id: ACCOUNTS[0], currency: 'USD' }),
    outcome: { ...row.outcome, ...(is3ds && { three_d_secure: THREE_D_SECURE }) },
    document: documentOf(index, pick('web', 'app', 'kiosk')),
    created,
    isSettled: captured > 0 && often(0.9),
    giftCard: card,
    buyerText: buyer ? `${buyer.name}\nbuyer-${number}@shop.example\nbuyer-${number}`.toLowerCase() : null,
  }
}

const THREE_D_SECURE = {
  version: '2.2.0',
  status: 'setup_error',
  method: null,
  response_data: null,
  error_data: null,
  amount: null,
} as const

const PAYMENT_METHOD = {
  id: null,
  method: 'card',
  mode: 'card',
  label: '1111',
  scheme: 'visa',
  expiration_date: '12/30',
  fingerprint: 'a'.repeat(64),
  country: null,
  currency: null,
  external_identifier: `50% \\ 'quoted' "{,}": Ω\u2028\n`,
  last_replaced_at: null,
  details: { bin: '41111111', card_type: 'credit', card_issuer_name: 'Zoë’s Bank' },
} as const
const BUYER = {
  display_name: 'Zoë "Z" Strand',
  external_identifier: null,
  account_number: null,
  billing_details: null,
}
const SHIPPING = {
  id: null,
  buyer_id: null,
  first_name: 'Zoë',
  last_name: null,
  email_address: null,
  phone_number: null,
  address: null,
}

function documentOf(index: number, channel: string): Document {
  const metadata = index % 500 === 4 ? { ...MANY_PAIRS, more: 'x' } : { channel, batch: String(index % 7) }
  return {
    payment_method: index % 4 === 0 ? null : PAYMENT_METHOD,
    instrument_type: index % 4 === 0 ? null : 'pan',
    buyer: index % 3 === 0 ? null : { ...BUYER, id: index % 3 === 1 ? null : identifier(7, index) },
    shipping_details: index % 5 === 0 ? SHIPPING : null,
    metadata: index % 10 === 1 ? null : metadata,
    three_d_secure_data: null,
    challenge: null,
    holds_card: false,
    redirect_url: null,
    connection_options: null,
    previous_scheme_transaction_id: null,
    previous_transaction_link_id: null,
    order: {},
  }
}

function giftCard(number: number): string {
  return identifier(6, number)
}

function identifier(kind: number, number: number): string {
  return `01900000-000${kind}-7000-8000-${String(number).padStart(12, '0')}`
}

/** The ids of the matching payments by a plain reading, newest first. */
function matching(filters: Filters, accounts: readonly string[]): string[] {
  return stored
    .filter((row) => accounts.includes(row.merchant_account_id) && meets(row, filters))
    .map(({ id }) => id)
}

const EQUAL = [
  'buyer_external_identifier',
  'buyer_email_address',
  'external_identifier',
  'payment_method_label',
  'payment_method_country',
  'payment_method_fingerprint',
  'payment_service_transaction_id',
  'is_subsequent_payment',
  'merchant_initiated',
  'has_gift_card_redemptions',
  'pending_review',
  'disputed',
  'buyer_id',
  'checkout_session_id',
  'payment_link_id',
  'payment_method_id',
  'reauthorized_from_transaction_id',
] as const
const ONE_OF = [
  'currency',
  'country',
  'method',
  'payment_method_scheme',
  'payment_source',
  'status',
  'error_code',
  'payment_service_id',
] as const

function meets(row: Stored, filters: Filters): boolean {
  const same = EQUAL.every((name) => filters[name] === undefined || row[name] === filters[name])
  const among = ONE_OF.every(
    (name) => filters[name] === undefined || (filters[name] as readonly unknown[]).includes(row[name]),
  )
  const at = (text: string | undefined, other: number) => (text === undefined ? other : Date.parse(text))
  const is = (wanted: boolean | undefined, value: boolean) => wanted === undefined || wanted === value
  const id = filters.id?.toLowerCase().replace('urn:uuid:', '') ?? row.id
  const pairs = Object.assign({}, ...(filters.metadata ?? []).map((text) => JSON.parse(text)))
  const places = [
    row.id,
    row.external_identifier,
    row.buyer_id,
    row.buyer_external_identifier,
    row.payment_service_transaction_id,
  ]
  return (
    same &&
    among &&
    row.id === id &&
    (filters.payment_method_bin === undefined ||
      row.payment_method_bin?.startsWith(filters.payment_method_bin) === true) &&
    (filters.reconciliation_id ?? reconciliationId(row.id)) === reconciliationId(row.id) &&
    row.created.getTime() >= at(filters.created_at_gte, -Infinity) &&
    row.created.getTime() <= at(filters.created_at_lte, Infinity) &&
    row.updated_at.getTime() >= at(filters.updated_at_gte, -Infinity) &&
    row.updated_at.getTime() <= at(filters.updated_at_lte, Infinity) &&
    row.amount === (filters.amount_eq ?? row.amount) &&
    row.amount >= (filters.amount_gte ?? 0) &&
    row.amount <= (filters.amount_lte ?? Infinity) &&
    (filters.ip_address === undefined ||
      row.ip_address === filters.ip_address.toLowerCase().replace(':0::', '::')) &&
    is(filters.has_refunds, row.refunded_amount > 0) &&
    is(filters.has_settlements, row.isSettled) &&
    is(filters.used_3ds, Boolean(row.outcome.three_d_secure)) &&
    (filters.gift_card_id ?? row.giftCard) === row.giftCard &&
    (filters.gift_card_last4 === undefined || row.giftCard?.slice(-4) === filters.gift_card_last4) &&
    Object.entries(pairs).every(([key, value]) => row.document.metadata?.[key] === value) &&
    (filters.search === undefined || places.includes(filters.search)) &&
    (filters.external_identifier_contains === undefined ||
      row.external_identifier?.toLowerCase().includes(filters.external_identifier_contains.toLowerCase()) ===
        true) &&
    hasBuyerWith(
      row,
      (filters.buyer_search ?? []).filter((text) => text !== ''),
    )
  )
}

function hasBuyerWith({ buyer_id, buyerText }: Stored, texts: readonly string[]): boolean {
  const wanted = texts.map((text) => text.toLowerCase())
  return wanted.length === 0 || wanted.some((text) => text === buyer_id || buyerText?.includes(text))
}

/** Two to four random filters that sometimes all match one payment. */
function combine(roll: () => number): Filters {
  const pick = <Value>(...values: readonly Value[]): Value =>
    values[Math.floor(roll() * values.length)] as Value
  const one = stored[Math.floor(roll() * stored.length)] as Stored
  const bool = () => roll() < 0.5
  const choices: (() => Filters)[] = [
    () => ({ currency: pick(['USD'], ['EUR'], ['ISK'], ['EUR', 'ISK'], [one.currency]) }),
    () => ({ status: pick(['processing'], ['authorization_declined', 'processing'], [one.status]) }),
    () => ({ method: pick(['card'], ['paypal'], ['card', 'paypal']) as never }),
    () => ({ payment_method_country: pick('US', 'DE', 'IS') }),
    () => ({ payment_method_scheme: pick(['elo'], ['visa', 'elo'], ['mastercard']) }),
    () => ({ amount_gte: pick(100, 4_000, 4_990) }),
    () => ({ amount_lte: pick(30, 1_299, 4_000) }),
    () => ({ amount_eq: 1_299 }),
    () => ({ updated_at_gte: one.updated_at.toISOString() }),
    () => ({ created_at_lte: one.created.toISOString() }),
    () => ({ created_at_gte: one.created.toISOString() }),
    () => ({ updated_at_lte: one.updated_at.toISOString() }),
    () => ({ has_refunds: bool() }),
    () => ({ has_settlements: bool() }),
    () => ({ used_3ds: bool() }),
    () => ({ pending_review: bool() }),
    () => ({ disputed: bool() }),
    () => ({ merchant_initiated: bool() }),
    () => ({ is_subsequent_payment: bool() }),
    () => ({
      metadata: pick(['{"channel":"app"}'], ['{"batch":"2"}'], ['{"channel":"web"}', '{"batch":"4"}']),
    }),
    () => ({ search: pick('everywhere', 'buyer-1', one.id) }),
    () => ({ buyer_search: pick(['berg'], ['anna', 'lund'], ['zoë']) }),
    () => ({ ...(one.buyer_id && { buyer_id: one.buyer_id }) }),
    () => ({ error_code: pick(['other'], ['expired', 'insufficient_funds']) }),
    () => ({ payment_service_id: pick([identifier(5, 0)], [identifier(5, 0), identifier(5, 1)]) }),
    () => ({ payment_method_label: pick('1111', '4242') }),
    () => ({ ip_address: '10.0.0.3' }),
  ]
  const count = 2 + Math.floor(roll() * 3)
  return Object.assign({}, ...Array.from({ length: count }, () => pick(...choices)()))
}

type Page = {
  readonly items: readonly { readonly id: string; readonly [name: string]: unknown }[]
  readonly next_cursor: string | null
  readonly previous_cursor: string | null
}
type Options = { readonly account?: string; readonly token?: string }

/** Walks all pages forward, then back to the first, and returns the ids of the way forward. */
async function pages(filters: Filters, options: Options = {}): Promise<string[]> {
  const forward: string[][] = []
  let page = await read(filters, options)
  forward.push(page.items.map(idOf))
  while (page.next_cursor !== null) {
    page = await read({ ...filters, cursor: page.next_cursor }, options)
    forward.push(page.items.map(idOf))
  }
  for (const expected of forward.slice(0, -1).reverse()) {
    page = await read({ ...filters, cursor: page.previous_cursor as string }, options)
    expect(page.items.map(idOf)).toEqual(expected)
  }
  expect(page.previous_cursor).toBeNull()
  return forward.flat()
}

async function read(
  filters: Omit<Filters, 'cursor'> & { readonly cursor?: string | null },
  options: Options = {},
): Promise<Page> {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    [value].flat().map((item): [string, string] => [name, String(item)]),
  )
  const response = await service.send(`GET /transactions?${new URLSearchParams(given)}`, undefined, options)
  expect({ status: response.statusCode, body: response.statusCode === 200 ? '' : response.body }).toEqual({
    status: 200,
    body: '',
  })
  return response.json()
}

function idOf({ id }: { readonly id: string }): string {
  return id
}

/** A value of a payment of the default account that has one. */
function some(name: keyof Row): string {
  const rows = stored.filter((row) => row.merchant_account_id === 'default' && row[name] !== null)
  return String(rows[Math.floor(rows.length / 3)]?.[name])
}

function at(index: number): string {
  return createdAt(stored[stored.length - 1 - index]?.id ?? '').toISOString()
}

function dice(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
