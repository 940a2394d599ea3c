import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AccountUpdaterConnector } from '#connectors/contract/account-updater.ts'
import { secret } from '#connectors/contract/secret.ts'
import { registriesFor } from '#processing/connectors.ts'
import { registryOf } from '#processing/service-accounts/registry.ts'
import * as services from '#resources/account-updater-services/store.ts'
import { replaceExpired, replaceIfDue } from '#resources/payment-methods/replace.ts'
import { reveal } from '#resources/payment-methods/reveal.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { mockAccountUpdater } from '#sandbox/connectors/mock-account-updater/connector.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { asked } from '#testing/test-account-updater-connector.ts'
import { JOBS } from '../../app.ts'
import { findActiveUpdater } from './find-updater.ts'

/** The ninth to twelfth digit decide what the simulator finds. */
const NEW_NUMBER = '4111111100011116'
const NEW_DATE = '4111111100021115'
const CLOSED = '4111111100031114'
const NO_ANSWER = '4111111100041113'
const UNCHANGED = '4111111111111111'
const DAY_MS = 86_400_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('PUT /merchant-accounts/default', { account_updater_enabled: true })
  await service.send('POST /merchant-accounts', { id: 'plain', display_name: 'Plain' })
})
afterAll(() => service.close())

const scope = () => ({ ...service.context, merchantAccountId: 'default' })
const read = async (id: string) => (await service.send(`GET /payment-methods/${id}`)).json()
/** Asks what is due. A test may let the simulator answer otherwise. */
const ask = (findUpdate?: AccountUpdaterConnector['findUpdate']) => {
  const { providers } = service.engine
  if (!findUpdate) return service.resolveDue()
  const accountUpdaters = registryOf([{ ...mockAccountUpdater, findUpdate }])
  return service.resolveDue({ engine: { ...service.engine, providers: { ...providers, accountUpdaters } } })
}
const createJob = (ids: readonly string[], options = {}) =>
  service.send('POST /account-updater/jobs', { payment_method_ids: ids }, options)

async function created(id: string): Promise<void> {
  const response = await createJob([id])
  expect(response.statusCode, response.body).toBe(201)
}

async function storeCard(number: string, expiration_date = '12/30'): Promise<string> {
  const response = await service.send('POST /payment-methods', { method: 'card', number, expiration_date })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

async function numberOf(id: string): Promise<string> {
  const method = await paymentMethods.find(scope(), id)
  const access = { token: method?.vault_token ?? '', fingerprint: null, paymentMethodId: id, purpose: 'test' }
  return reveal(scope(), service.vault, access, async (number) => number.use(String))
}

async function askedAbout(number: string, expirationDate?: string): Promise<string> {
  const id = await storeCard(number, expirationDate)
  await created(id)
  await ask()
  return id
}

describe('a job', () => {
  test('asks about the cards that qualify and leaves out the others', async () => {
    const [visa, jcb, missing] = [
      await storeCard(UNCHANGED),
      await storeCard('3566002020360505'),
      '01900000-0000-7000-8000-0000000000ff',
    ]
    const deleted = await storeCard(UNCHANGED)
    await service.send(`DELETE /payment-methods/${deleted}`)

    const response = await createJob([visa, jcb, missing, deleted])

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      type: 'account-updater-job',
      merchant_account_id: 'default',
      inquiries: [{ type: 'account-updater-inquiry', payment_method_id: visa }],
    })
  })

  test('with no qualifying card answers 204, also to a retry', async () => {
    const jcb = await storeCard('3566002020360505')
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const [first, again] = [await createJob([jcb], { headers }), await createJob([jcb], { headers })]

    expect([first.statusCode, first.body]).toEqual([204, ''])
    expect([again.statusCode, again.body, again.headers['idempotent-replayed']]).toEqual([204, '', 'true'])
  })

  test('does not ask twice about a card with an open inquiry', async () => {
    const id = await storeCard(UNCHANGED)

    expect((await createJob([id])).statusCode).toBe(201)
    expect((await createJob([id])).statusCode).toBe(204)
    await ask()
    expect((await createJob([id])).statusCode).toBe(201)
    await ask()
  })

  test('is refused unless the account has it enabled', async () => {
    const response = await createJob(['01900000-0000-7000-8000-0000000000ff'], { account: 'plain' })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('account_updater_enabled')
  })

  test.each([
    [[], 'value_error.list.min_items'],
    [['x'], 'type_error.uuid'],
    [
      ['01900000-0000-7000-8000-0000000000ff', '01900000-0000-7000-8000-0000000000ff'],
      'value_error.duplicate',
    ],
    [Array.from({ length: 101 }, () => crypto.randomUUID()), 'value_error.list.max_items'],
  ])('refuses %j', async (ids, type) => {
    const response = await createJob(ids)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].type).toBe(type)
  })
})

describe('what is found', () => {
  test('a new number waits, and the existing details stay', async () => {
    const id = await storeCard(NEW_NUMBER)
    const before = await read(id)
    await created(id)

    await ask()

    const { updated_at: _before, ...rest } = before
    expect(await read(id)).toMatchObject({
      ...rest,
      has_replacement: true,
      last_replaced_at: null,
      label: '1116',
      expiration_date: '12/30',
    })
    expect(await numberOf(id)).toBe(NEW_NUMBER)
  })

  test('a new number survives a commit that the database aborts and the service repeats', async () => {
    const id = await storeCard(NEW_NUMBER)
    await created(id)
    // A sequence is not rolled back, so that the trigger aborts the first commit only.
    await sql`create sequence aborted`.execute(service.database.db)
    await sql`
      create function abort_once() returns trigger language plpgsql as $$
      begin
        if nextval('aborted') = 1 then raise exception 'try again' using errcode = '40001'; end if;
        return null;
      end $$`.execute(service.database.db)
    await sql`
      create constraint trigger abort_once after update on account_updater_inquiries
      deferrable initially deferred for each row execute function abort_once()`.execute(service.database.db)

    await ask()
    await sql`drop function abort_once() cascade`.execute(service.database.db)

    await replaceIfDue(scope(), service.vault, id, { kind: 'expired' })
    const found = await sql<{ calls: string }>`select last_value as calls from aborted`.execute(
      service.database.db,
    )
    expect(Number(found.rows[0]?.calls)).toBe(2)
    expect((await read(id)).label).toBe((await numberOf(id)).slice(-4))
    expect(await numberOf(id)).toMatch(/^[1-9]\d{15}$/)
  })

  test('a new date alone applies at once', async () => {
    const id = await askedAbout(NEW_DATE)

    expect(await read(id)).toMatchObject({
      has_replacement: false,
      expiration_date: '12/34',
      label: '1115',
      last_replaced_at: expect.any(String),
    })
    expect(await numberOf(id)).toBe(NEW_DATE)
  })

  test.each([
    ['nothing new', UNCHANGED],
    ['a closed account', CLOSED],
  ])('%s changes nothing', async (_name, number) => {
    const id = await askedAbout(number)

    expect(await read(id)).toMatchObject({
      has_replacement: false,
      last_replaced_at: null,
      expiration_date: '12/30',
    })
  })

  test('a missing answer is asked for again later, and given up after a day', async () => {
    const id = await storeCard(NO_ANSWER)
    await created(id)
    const tries = async () =>
      await service.context.db
        .selectFrom('account_updater_inquiries')
        .innerJoin('attempts', 'attempts.id', 'account_updater_inquiries.id')
        .select(['attempts.checks', 'attempts.state', 'status'])
        .where('payment_method_id', '=', id)
        .executeTakeFirstOrThrow()

    await ask()
    await ask()
    expect(await tries()).toEqual({ checks: 0, state: 'unknown', status: 'pending' })
    for (let turn = 0; turn < 6; turn += 1) {
      service.moveClock(DAY_MS / 2)
      await ask()
    }
    service.moveClock(-3 * DAY_MS)
    expect(await tries()).toEqual({ checks: 5, state: 'failed', status: 'failed' })
  })

  test('an error of the updater counts as no answer', async () => {
    const id = await storeCard(UNCHANGED)
    await created(id)

    await ask(() => Promise.reject(new Error('4111111111111111 broke me')))

    expect(await read(id)).toMatchObject({ has_replacement: false })
    service.moveClock(DAY_MS)
    await ask()
    service.moveClock(-DAY_MS)
  })

  test('details of a replaced number are not applied to the new one', async () => {
    const id = await askedAbout(NEW_NUMBER)
    await created(id)
    let answerLate = () => {}
    const late = ask(
      () =>
        new Promise((resolve) => {
          answerLate = () => resolve({ outcome: 'new_date', expirationDate: '01/29' })
        }),
    )
    await expect.poll(() => answerLate.toString()).toContain('resolve')
    await replaceIfDue(scope(), service.vault, id, { kind: 'expired' })

    answerLate()
    await late

    expect(await read(id)).toMatchObject({ expiration_date: '12/34', has_replacement: false })
  })

  test.each([
    ['a date that is none', { outcome: 'new_date', expirationDate: '13/40' }],
    [
      'a number that is none',
      { outcome: 'new_number', number: secret('not a card'), expirationDate: '12/39' },
    ],
  ] as const)('%s is no answer', async (_name, finding) => {
    const id = await storeCard(UNCHANGED)
    await created(id)

    await ask(async () => finding)

    expect(await read(id)).toMatchObject({ has_replacement: false, expiration_date: '12/30' })
    service.moveClock(DAY_MS)
    await ask()
    service.moveClock(-DAY_MS)
  })

  test('details are taken once, even if the asking process was thought dead', async () => {
    const id = await storeCard(UNCHANGED)
    await created(id)
    let answerLate = () => {}
    const late = ask(
      () =>
        new Promise((resolve) => {
          answerLate = () =>
            resolve({
              outcome: 'new_number',
              number: secret('4111111199991111'),
              expirationDate: '12/39',
            })
        }),
    )
    await expect.poll(() => answerLate.toString()).toContain('resolve')
    service.moveClock(61_000)
    await ask()
    service.moveClock(-61_000)

    answerLate()
    await late

    expect(await read(id)).toMatchObject({ has_replacement: false, expiration_date: '12/30' })
  })
})

describe('a service', () => {
  let account = ''
  let count = 0
  const KEY = 'canary-key-of-an-account-updater'
  const connect = async (answer: string, definition = 'test-account-updater') => {
    const response = await service.send(
      'POST /account-updater-services',
      {
        display_name: 'Updater',
        account_updater_service_definition_id: definition,
        fields: [
          { key: 'account', value: answer },
          { key: 'api_key', value: KEY },
        ],
      },
      { account },
    )
    expect(response.statusCode, response.body).toBe(201)
    return response.json().id
  }
  const store = async (number: string) => {
    const card = { method: 'card', number, expiration_date: '12/30' }
    return (await service.send('POST /payment-methods', card, { account })).json().id
  }
  const inquire = async (id: string) => {
    const response = await createJob([id], { account })
    if (response.statusCode === 204) return null
    return response.json().inquiries[0].id
  }
  const outcomeOf = async (id: string) =>
    await service.context.db
      .selectFrom('account_updater_inquiries')
      .innerJoin('attempts', 'attempts.id', 'account_updater_inquiries.id')
      .select(['attempts.state', 'status', 'raw_response_description'])
      .where('attempts.id', '=', id)
      .executeTakeFirstOrThrow()

  beforeEach(async () => {
    count += 1
    account = `updated-${count}`
    const body = { id: account, display_name: account, account_updater_enabled: true }
    await service.send('POST /merchant-accounts', body)
  })

  test('that is active is asked, with its key, and the simulator is not', async () => {
    await connect('closed')
    // The simulator would have a new date.
    const inquiry = await inquire(await store(NEW_DATE))
    await ask()

    expect(await outcomeOf(inquiry)).toMatchObject({ state: 'approved', status: 'closed' })
    const { order, key } = asked.at(-1) ?? {}
    expect(order).toMatchObject({ inquiryId: inquiry, expirationDate: '12/30', scheme: 'visa' })
    expect(key).toBe(KEY)
  })

  test('is not sent cards of schemes that it does not know', async () => {
    await connect('closed', 'plain-account-updater')

    expect(await inquire(await store('5555555555554444'))).toBeNull()
    expect(await inquire(await store(UNCHANGED))).not.toBeNull()
    await ask()
  })

  test('that refuses is not asked again, and its reason is kept', async () => {
    await connect('refuse')
    const inquiry = await inquire(await store(UNCHANGED))
    await ask()

    expect(await outcomeOf(inquiry)).toEqual({
      state: 'failed',
      status: 'failed',
      raw_response_description: 'the card is not taken',
    })
  })

  test('that fails is asked again with the values that are entered meanwhile', async () => {
    const id = await connect('broken')
    const inquiry = await inquire(await store(UNCHANGED))
    await ask()
    const before = await outcomeOf(inquiry)

    const changed = await service.send(
      `PUT /account-updater-services/${id}`,
      { fields: [{ key: 'account', value: 'closed' }] },
      { account },
    )
    service.moveClock(DAY_MS)
    await ask()
    service.moveClock(-DAY_MS)

    expect(before).toMatchObject({ state: 'unknown', status: 'pending' })
    expect(changed.statusCode, changed.body).toBe(200)
    expect(await outcomeOf(inquiry)).toMatchObject({ state: 'approved', status: 'closed' })
  })

  test('that was deleted answers what it was asked, and keeps its secrets until then', async () => {
    const id = await connect('closed')
    const inquiry = await inquire(await store(UNCHANGED))
    const secrets = async () =>
      Object.keys((await services.findMany(service.context, [id])).get(id)?.secrets ?? {})
    const forget = JOBS.find(({ name }) => name === 'forget-secrets-of-deleted-account-updater-services')
    await service.send(`DELETE /account-updater-services/${id}`, undefined, { account })
    const HALF_HOUR_MS = 1_800_000
    service.moveClock(HALF_HOUR_MS)

    await forget?.run(service as never, new AbortController().signal)
    const kept = await secrets()
    await ask()
    await forget?.run(service as never, new AbortController().signal)
    service.moveClock(-HALF_HOUR_MS)

    expect(kept).toEqual(['api_key'])
    expect(await outcomeOf(inquiry)).toMatchObject({ state: 'approved', status: 'closed' })
    expect(await secrets()).toEqual([])
  })

  test('is needed where there is no simulator', async () => {
    const { accountUpdaters } = registriesFor('production')
    const providers = { ...service.engine.providers, accountUpdaters }
    const scope = { ...service.context, merchantAccountId: account }

    expect(await findActiveUpdater(scope, providers)).toBeUndefined()
    expect(accountUpdaters.list.map(({ manifest }) => manifest.id)).toContain('checkout-account-updater')
  })
})

describe('a waiting replacement applies', () => {
  const WAITING = { has_replacement: true, last_replaced_at: null, label: '1116' }
  const APPLIED = { has_replacement: false, last_replaced_at: expect.any(String), expiration_date: '12/34' }

  test('when the card expires', async () => {
    const id = await askedAbout(NEW_NUMBER)
    const before = await read(id)
    await replaceExpired(service.context, service.vault)
    expect(await read(id)).toMatchObject(WAITING)

    service.moveClock(6 * 365 * DAY_MS)
    await replaceExpired(service.context, service.vault)
    service.moveClock(-6 * 365 * DAY_MS)

    const after = await read(id)
    expect(after).toMatchObject(APPLIED)
    expect(after.fingerprint).not.toBe(before.fingerprint)
    expect(await numberOf(id)).toMatch(/^411111119999/)
    expect(after.label).toBe((await numberOf(id)).slice(-4))
  })

  test('when the card is used after it has expired, before the job runs', async () => {
    const id = await askedAbout(NEW_NUMBER)
    const token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 7 * 365 * 86_400 })

    service.moveClock(6 * 365 * DAY_MS)
    const paid = await service.send(
      'POST /transactions',
      { amount: 1299, currency: 'USD', country: 'US', payment_method: { method: 'id', id } },
      { token },
    )
    service.moveClock(-6 * 365 * DAY_MS)

    expect(paid.statusCode, paid.body).toBe(201)
    expect(paid.json().payment_method).toMatchObject({ id, expiration_date: '12/34' })
    expect(paid.json().payment_method.label).not.toBe(WAITING.label)
    expect(await read(id)).toMatchObject(APPLIED)
  })

  test('not when the card is used before it expires', async () => {
    const id = await askedAbout(NEW_NUMBER)

    const paid = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      country: 'US',
      payment_method: { method: 'id', id },
    })

    expect(paid.statusCode, paid.body).toBe(201)
    expect(paid.json().payment_method).toMatchObject({ label: WAITING.label })
    expect(await read(id)).toMatchObject(WAITING)
  })

  test('at once to a card that has expired already', async () => {
    const id = await storeCard(NEW_NUMBER, '12/26')
    await created(id)

    service.moveClock(60 * DAY_MS)
    await ask()
    service.moveClock(-60 * DAY_MS)

    expect(await read(id)).toMatchObject({
      has_replacement: false,
      expiration_date: '12/30',
      last_replaced_at: expect.any(String),
    })
  })

  test.each([
    'canceled_payment_method',
    'expired_payment_method',
    'unavailable_payment_method',
    'unknown_payment_method',
  ])('when a payment is declined with %s', async (code) => {
    const id = await askedAbout(NEW_NUMBER)

    expect(await replaceIfDue(scope(), service.vault, id, { kind: 'declined', code })).toBe(true)

    expect(await read(id)).toMatchObject(APPLIED)
    expect(await replaceIfDue(scope(), service.vault, id, { kind: 'declined', code })).toBe(false)
  })

  test.each(['insufficient_funds', 'declined_due_to_fraud'])(
    'but not when it is declined with %s',
    async (code) => {
      const id = await askedAbout(NEW_NUMBER)

      expect(await replaceIfDue(scope(), service.vault, id, { kind: 'declined', code })).toBe(false)

      expect(await read(id)).toMatchObject(WAITING)
    },
  )

  test('and removes the old number from the vault', async () => {
    const id = await askedAbout(NEW_NUMBER)
    const before = (await paymentMethods.find(scope(), id))?.vault_token

    await replaceIfDue(scope(), service.vault, id, { kind: 'expired' })

    const left = await sql`select 1 from vault.items where token = ${before}`.execute(service.context.db)
    expect(left.rows).toEqual([])
  })

  test('but not if the method is deleted first', async () => {
    const id = await askedAbout(NEW_NUMBER)
    const method = await paymentMethods.find(scope(), id)

    await service.send(`DELETE /payment-methods/${id}`)

    const tokens = [method?.vault_token, method?.replacement?.card?.vaultToken]
    const left = await sql`select 1 from vault.items where token = any(${tokens}::uuid[])`.execute(
      service.context.db,
    )
    expect(left.rows).toEqual([])
    expect(await replaceIfDue(scope(), service.vault, id, { kind: 'expired' })).toBe(false)
  })
})

test('every opening of the vault is in the audit log', async () => {
  const id = await storeCard(UNCHANGED)
  await created(id)
  await ask()

  const entries = await service.context.db
    .selectFrom('audit_logs')
    .select(['action', 'resource_name'])
    .where('resource_id', '=', id)
    .where('action', '=', 'revealed')
    .execute()
  expect(entries).toEqual([{ action: 'revealed', resource_name: 'account updater' }])
  const listed = (await service.send('GET /audit-logs?limit=100')).json().items
  expect(listed.some(({ action }: { action: string }) => action === 'revealed')).toBe(false)
})

test('subscribers are told when details are found, and when they replace the old ones', async () => {
  const [replaced, renewed] = [await askedAbout(NEW_NUMBER), await askedAbout(NEW_DATE)]
  const found = await read(replaced)
  await replaceIfDue(scope(), service.vault, replaced, { kind: 'declined', code: 'expired_payment_method' })

  const { items } = (await service.send(`GET /events?target_id=${replaced}`)).json()

  const names = ['payment-method.updated', 'payment-method.updated']
  expect(items.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(items.map(({ target }: { target: unknown }) => target)).toEqual([await read(replaced), found])
  expect(found.has_replacement).toBe(true)
  const [event] = (await service.send(`GET /events?target_id=${renewed}`)).json().items
  expect(event).toMatchObject({ name: 'payment-method.updated', target: await read(renewed) })
})
