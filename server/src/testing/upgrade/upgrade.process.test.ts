import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Connection } from '#platform/database/open-database.ts'
import { readConfig } from '../../config.ts'
import { type Service, startService } from '../../start.ts'
import { disagreements } from '../books.ts'
import { switchyard } from '../command-line.ts'
import { urlOf } from '../database-url.ts'
import { giftCardDisagreements } from '../gift-card-books.ts'
import { forgetFolder, guardedFolder } from '../guard.ts'
import { signToken } from '../harness.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { removeDataFolder } from '../remove-data-folder.ts'
import { tablesOf } from './dump.ts'
import { type Facts, factsOf, type Request, restore } from './restore.ts'
import { reportOldPayments, settleOldPayments, useNewSettings, useStoredCard } from './use-new-resources.ts'

/*
 * Databases as earlier versions left them when they were killed amid work, made by `faults/upgrade-dump/make.ts`. Each is
 * upgraded by starting this version on it. It was seen to fail for a migration that deletes attempts, for one that deletes
 * what waits for a webhook, and for one that moves attempts from `sent` to `failed`.
 */
const DUMPS = readdirSync(import.meta.dirname).flatMap((name) => /^(.*)[.]sql$/.exec(name)?.[1] ?? [])

/** Due work and its times. The test makes it due at once, instead of in minutes or days. */
const DUE = [
  { table: 'attempts', column: 'due_at', isOpen: 'due_at is not null' },
  { table: 'webhook_deliveries', column: 'next_attempt_at', isOpen: "status = 'waiting'" },
]
/** Their attempts say when they are due. */
const OPEN = [
  ...DUE,
  { table: 'gift_card_operations', isOpen: "state = 'sent'" },
  { table: 'account_updater_inquiries', isOpen: "status = 'pending'" },
]

/**
 * The account updater is asked six times about a card without an answer, by a job that runs every two
 * seconds.
 */
const RESOLVED_MS_MAX = 60_000

/** Operations that end when the processor decides, by its own books. */
const PENDING = `
  select transaction_id, operation, coalesce(authorization_reference, reference) as reference
  from simulator.entries where status = 'pending'`

/** Tables that lose rows in daily work: counted, used up, answered, sealed, or deleted on purpose. */
const PASSING = new Set([
  'public.audit_waiting',
  'public.gift_card_uses',
  'public.payment_method_uses',
  'public.rate_limits',
  'public.transaction_cards',
  'public.transaction_marks',
  'vault.items',
])

describe.each(DUMPS)('%s', (dump) => {
  let facts: Facts
  let folder: string
  let connection: Connection
  let database: pg.Client
  let receiver: Receiver
  let service: Service
  let before: Map<string, string[]>
  let openBefore: Map<string, number>
  let token: string

  beforeAll(async () => {
    facts = factsOf(dump)
    folder = guardedFolder()
    connection = await restore({ host: inject('databaseHost'), user: 'switchyard' }, dump, folder)
    database = new pg.Client(connection)
    await database.connect()
    receiver = await startReceiver()
    await database.query('update webhook_subscriptions set url = $1', [receiver.url])
    before = await keysOf(database)
    openBefore = await countOpen(database)
    const { SECRET_KEY, VAULT_KEY, admin } = facts.keys
    const config = readConfig({
      DATA_DIR: folder,
      DATABASE_URL: urlOf(connection),
      SECRET_KEY,
      VAULT_KEY,
      LOG_LEVEL: 'silent',
    })
    service = await startService(config, () => {}, new AbortController().signal)
    const madeAt = Math.floor(Date.parse(facts.madeAt) / 1000)
    const publicKey = { thumbprint: admin.kid, signatureAlgorithm: admin.algorithm } as never
    token = await signToken({ privateKey: admin.pem, publicKey }, { nbf: madeAt - 60, exp: madeAt + 3_600 })
  })
  afterAll(async () => {
    await service?.stop()
    await receiver.close()
    await database.end()
    removeDataFolder(folder)
    forgetFolder(folder)
  })

  function send(method: string, route: string, options: Partial<Request> = {}) {
    return fetch(new URL(route, service.publicUrl), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(options.key && { 'idempotency-key': options.key }),
        ...(options.account && { 'x-service-merchant-account-id': options.account }),
        ...(options.body && { 'content-type': 'application/json' }),
      },
      ...(options.body && { body: JSON.stringify(options.body) }),
    })
  }

  /** The body of an answer, which must be a success. */
  // biome-ignore lint/suspicious/noExplicitAny: what answers look like is for other tests
  async function ask(method: string, route: string, options?: Partial<Request>): Promise<any> {
    const response = await send(method, route, options)
    const text = await response.text()
    expect(response.status, `${method} ${route}: ${text}`).toBeLessThan(300)
    return text === '' ? undefined : JSON.parse(text)
  }

  async function paymentOf(order: string, account = 'default') {
    const { items } = await ask('GET', `/transactions?external_identifier=${encodeURIComponent(order)}`, {
      account,
    })
    expect(items, order).toHaveLength(1)
    return items[0]
  }

  test('the dump has rows in every table that could be filled, and unfinished work of every kind', () => {
    const empty = [...before].filter(([, keys]) => keys.length === 0).map(([name]) => name)
    expect(empty).toEqual(facts.empty ?? [])
    expect([...openBefore].filter(([, count]) => count === 0)).toEqual([])
    expect(facts.unanswered.length).toBeGreaterThan(10)
  })

  test('open decisions of providers and buyers can still be made', async () => {
    const pending = await database.query(PENDING)
    for (const { transaction_id, reference, operation } of pending.rows) {
      const { payment_service } = await ask('GET', `/transactions/${transaction_id}`)
      const { webhook_url } = await ask('GET', `/payment-services/${payment_service.id}`)
      const event = `${operation === 'authorize' ? 'authorization' : operation}.succeeded`
      const body = { payment_service_transaction_id: reference, event }
      await ask('POST', new URL(webhook_url).pathname, { body })
    }
    const approval = await paymentOf('approval', 'approved')
    const { pathname } = new URL(approval.payment_method.approval_url)
    const approved = await fetch(new URL(pathname, service.publicUrl), {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
      redirect: 'manual',
    })
    const review = await paymentOf('review', 'reviewed')
    const { items } = await ask('GET', '/anti-fraud-services', { account: 'reviewed' })
    const body = { transaction_id: review.id, decision: 'accept' }
    await ask('POST', new URL(items[0].webhook_url).pathname, { body })

    expect(pending.rows.map(({ operation }) => operation).sort()).toEqual(['authorize', 'capture', 'void'])
    expect(approved.status).toBe(303)
    expect(await paymentOf('approval', 'approved')).toMatchObject({ status: 'authorization_succeeded' })
    expect(await paymentOf('review', 'reviewed')).toMatchObject({ status: 'capture_succeeded' })
  })

  test(
    'what was open is decided, as the books of the providers say',
    async () => {
      const isOpen = async () => [...(await countOpen(database)).values()].some((count) => count > 0)
      while (await isOpen()) {
        await makeDue(database)
        await sleep(100)
      }

      const undecided = await database.query(
        `select id, status from transactions where status ~ 'processing|pending'
         union all select id, status from refunds where status = 'processing'`,
      )
      expect(undecided.rows).toEqual([])
      expect(await disagreements(database)).toEqual([])
      expect(await giftCardDisagreements(database)).toEqual([])
    },
    RESOLVED_MS_MAX,
  )

  test('every waiting webhook has arrived', async () => {
    const waited = before.get('public.webhook_deliveries') ?? []
    const received = new Set(receiver.received.map(({ event }) => event.id))

    expect(waited.filter((key) => !received.has(key.split(' ').at(-1)))).toEqual([])
  })

  test('an unanswered request is answered when it is repeated, and nothing is done twice', async () => {
    await database.query('update idempotency_keys set leased_until = $1 where status is null', [facts.madeAt])
    for (const request of facts.unanswered) {
      const response = await send('POST', request.route, request)
      const answer = JSON.parse(await response.text())
      const told = (answer.items ?? [answer.transaction ?? answer]).map(
        ({ status }: { status?: string }) => status,
      )
      // If the provider does not know the attempt, it was not done, and cannot be done any more.
      expect([200, 201, 400], `${request.key}: ${JSON.stringify(answer)}`).toContain(response.status)
      expect(`${request.key}: ${told}`).not.toMatch(/processing|pending/)
    }

    expect(await disagreements(database)).toEqual([])
    expect(await giftCardDisagreements(database)).toEqual([])
  })

  test('a request that was answered gets the same answer again', async () => {
    for (const { request, answer } of facts.answered) {
      const response = await send('POST', request.route, request)

      expect(await response.json()).toEqual(answer)
      expect(response.headers.get('idempotent-replayed')).toBe('true')
    }
  })

  test('stored and entered cards can be opened, and pay', async () => {
    const { items: methods } = await ask('GET', '/payment-methods')
    const order = { amount: 700, currency: 'USD', country: 'US' }
    const statuses = []
    for (const { id } of methods) {
      const paid = await ask('POST', '/transactions', {
        body: { ...order, payment_method: { method: 'id', id } },
      })
      statuses.push(paid.status)
    }
    const { items: giftCards } = await ask('GET', '/gift-cards')
    const cards = giftCards.map(({ id }: { id: string }) => ({ id }))
    const balances = await ask('POST', '/gift-cards/balances', { body: { items: cards } })
    const sessions = await database.query('select id from checkout_sessions where number_token is not null')
    const payment_method = { method: 'checkout-session', id: sessions.rows[0].id }
    const paid = await ask('POST', '/transactions', { body: { ...order, amount: 1_299, payment_method } })

    expect(methods.length).toBeGreaterThan(2)
    expect(new Set(statuses)).toEqual(new Set(['authorization_succeeded']))
    expect(cards.length).toBeGreaterThan(1)
    expect(balances.items.filter(({ balance }: { balance: unknown }) => balance === null)).toEqual([])
    expect(paid.status).toBe('authorization_succeeded')
    expect(await disagreements(database)).toEqual([])
  })

  test('the audit log is intact, and the ledger of gift cards adds up', async () => {
    const { SECRET_KEY, VAULT_KEY } = facts.keys
    const settings = { DATA_DIR: folder, DATABASE_URL: urlOf(connection), SECRET_KEY, VAULT_KEY }

    const { code, stderr } = await switchyard(['verify'], settings)

    expect(code, stderr).toBe(0)
  })

  test('no row is lost', async () => {
    const after = await keysOf(database)
    const lost = [...before].flatMap(([table, keys]) => {
      const kept = new Set(after.get(table))
      return PASSING.has(table) ? [] : keys.filter((key) => !kept.has(key)).map((key) => `${table}: ${key}`)
    })

    expect(lost).toEqual([])
  })

  describe('what is new works with what was there before', () => {
    test('payouts and tokens with stored cards', () => useStoredCard(ask))
    test('links, scenarios and monitoring in an old account', () => useNewSettings(ask))
    const soldUntil = () => facts.clock ?? facts.madeAt
    test('reports and charts of old payments', () => reportOldPayments(ask, soldUntil()))
    // It moves the clock, so it comes last.
    test('settlements and chargebacks of old payments', () => settleOldPayments(ask, soldUntil()))
  })
})

async function countOpen(database: pg.Client): Promise<Map<string, number>> {
  const open = new Map<string, number>()
  for (const { table, isOpen } of OPEN) {
    const { rows } = await database.query(`select count(*)::int as count from ${table} where ${isOpen}`)
    open.set(table, rows[0].count)
  }
  return open
}

/** A job keeps what it has taken for a while. */
async function makeDue(database: pg.Client): Promise<void> {
  for (const { table, column, isOpen } of DUE) {
    await database.query(
      `update ${table} set ${column} = clock_timestamp()
       where ${isOpen} and ${column} > clock_timestamp() + interval '40 seconds'`,
    )
  }
}

/** The primary keys of all rows, by table. */
async function keysOf(database: pg.Client): Promise<Map<string, string[]>> {
  const keys = new Map<string, string[]>()
  for (const { name } of await tablesOf(database)) {
    const columns = await database.query(
      `select quote_ident(attname) as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any (indkey)
       where indrelid = $1::regclass and indisprimary order by attnum`,
      [name],
    )
    const key = columns.rows.map((column) => `${column.name}::text`).join(` || ' ' || `)
    const { rows } = await database.query(`select ${key} as key from ${name} order by 1`)
    keys.set(
      name,
      rows.map((row) => row.key),
    )
  }
  return keys
}
