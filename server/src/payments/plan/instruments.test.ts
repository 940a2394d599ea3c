import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { cardThatAsks, openTokenDesk, requestorIds, type TokenDesk } from '#testing/network-tokens.ts'
import { openTill, type Till } from '#testing/till.ts'

/** The simulated processor refuses network tokens for this amount. */
const NO_TOKENS = 600_003
const account = 'shop'

let service: TestService
let till: Till
let desk: TokenDesk
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', {
    id: account,
    display_name: 'Shop',
    ...requestorIds(account),
  })
  till = openTill(service)
  desk = openTokenDesk(service, account)
  const { id } = await till.addService({}, { account })
  const enabled = { open_loop: true, network_tokens_enabled: true }
  const response = await service.send(`PUT /payment-services/${id}`, enabled, { account })
  expect(response.statusCode, response.body).toBe(200)
})
afterAll(() => service.close())

const payWith = (id: string, body: object = {}) =>
  till.pay({ payment_method: { method: 'id', id }, ...body }, { account })

type Entry = { last4: string; isToken: boolean; hasCryptogram: boolean; status: string }

/** What the processor got for a payment, oldest first. */
const presented = async (transactionId: string) => {
  const found = await sql<Entry>`
    select last4, facts->'presented'->>'type' = 'network-token' as "isToken",
      facts->'presented'->'hasCryptogram' as "hasCryptogram", status
    from simulator.entries where transaction_id = ${transactionId} and operation = 'authorize' order by created_at
  `.execute(service.context.db)
  return found.rows
}

const history = async (id: string) => {
  const response = await service.send(`GET /transactions/${id}/events`, undefined, { account })
  return response.json().items.toReversed()
}

describe('a stored card with an active network token', () => {
  test('is locked before its token, as those do who change the token: they cannot wait for each other', async () => {
    const { id, payment_method_id } = await desk.make()
    const { db } = service.context
    const [holding, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]

    const changing = db.transaction().execute(async (tx) => {
      await sql`select from payment_methods where id = ${payment_method_id} for no key update`.execute(tx)
      holding.resolve()
      await release.promise
      await sql`select from network_tokens where id = ${id} for update nowait`.execute(tx)
    })
    await holding.promise
    const paying = payWith(payment_method_id)
    await expect
      .poll(async () => {
        const waiting = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        `.execute(db)
        return waiting.rows.length
      })
      .toBe(1)
    release.resolve()

    await changing
    expect(await paying).toMatchObject({
      status: 'authorization_succeeded',
      instrument_type: 'network_token',
    })
  })

  test('pays with the token and a cryptogram', async () => {
    const token = await desk.make()

    const paid = await payWith(token.payment_method_id)

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      instrument_type: 'network_token',
      payment_method: {
        label: '1111',
        payment_account_reference: expect.stringMatching(/^V001[0-9A-F]{25}$/),
      },
    })
    expect(await presented(paid.id)).toEqual([
      { last4: token.token.slice(-4), isToken: true, hasCryptogram: true, status: 'approved' },
    ])
    const [cryptogram, answer] = (await history(paid.id)).filter(({ name }: { name: string }) =>
      /cryptogram|authorization-succeeded/.test(name),
    )
    expect(cryptogram).toMatchObject({
      name: 'network-token-cryptogram-provision-succeeded',
      context: { network_token_id: token.id, scheme: 'visa' },
    })
    expect(answer.context.instrument_type).toBe('network_token')
  })

  test('records the token with the attempt', async () => {
    const token = await desk.make()

    const { id } = await payWith(token.payment_method_id)

    const found = await sql`
      select instrument_type, instrument_id from attempts where transaction_id = ${id}
    `.execute(service.context.db)
    expect(found.rows).toEqual([{ instrument_type: 'network_token', instrument_id: token.id }])
  })

  test('needs no cryptogram for later payments that the merchant initiates', async () => {
    const token = await desk.make()
    const merchantInitiated = {
      merchant_initiated: true,
      payment_source: 'card_on_file',
      is_subsequent_payment: true,
    }

    const first = await payWith(token.payment_method_id, merchantInitiated)
    const later = await payWith(token.payment_method_id, merchantInitiated)
    const byBuyer = await payWith(token.payment_method_id)

    expect(await presented(first.id)).toMatchObject([{ isToken: true, hasCryptogram: true }])
    expect(await presented(later.id)).toMatchObject([{ isToken: true, hasCryptogram: false }])
    expect(await presented(byBuyer.id)).toMatchObject([{ isToken: true, hasCryptogram: true }])
  })

  test('pays with the number if the service cannot use the token', async () => {
    const token = await desk.make()

    const paid = await payWith(token.payment_method_id, { amount: NO_TOKENS })

    expect(paid).toMatchObject({
      status: 'authorization_succeeded',
      instrument_type: 'pan',
      error_code: null,
    })
    expect(await presented(paid.id)).toMatchObject([
      { isToken: true, status: 'refused' },
      { last4: '1111', isToken: false, status: 'approved' },
    ])
    const answers = (await history(paid.id)).filter(
      ({ context }: { context: object }) => 'attempt_id' in context,
    )
    expect(answers.map(({ context }: { context: Record<string, string> }) => context)).toMatchObject([
      {
        instrument_type: 'network_token',
        retry_rule: 'instrument_fallback',
        code: 'unsupported_payment_method',
      },
      { instrument_type: 'pan', retry_rule: null },
    ])
  })

  test('is declined with the token if its issuer declines, and the number is not tried', async () => {
    const token = await desk.make()

    const declined = await payWith(token.payment_method_id, { amount: 200_011 })

    expect(declined).toMatchObject({ status: 'authorization_declined', error_code: 'insufficient_funds' })
    expect(await presented(declined.id)).toMatchObject([{ isToken: true, status: 'refused' }])
  })

  test('is declined with the token if its scheme forbids another try, and the number is not tried', async () => {
    const token = await desk.make(cardThatAsks('0055'))
    const never = { merchant_advice_code: { account_number: null, result: '03' } }

    const declined = await payWith(token.payment_method_id, {
      amount: NO_TOKENS,
      connection_options: { 'mock-card': never },
    })

    expect(declined).toMatchObject({ error_code: 'unsupported_payment_method', merchant_advice_code: '03' })
    expect(await presented(declined.id)).toMatchObject([{ isToken: true, status: 'refused' }])
  })

  test('is tried once more by its new number if the issuer has replaced it', async () => {
    await service.send(`PUT /merchant-accounts/${account}`, { account_updater_enabled: true })
    const token = await desk.make({ method: 'card', number: '4111111100011116', expiration_date: '12/40' })
    const { payment_method_id: id } = token
    await service.send('POST /account-updater/jobs', { payment_method_ids: [id] }, { account })
    await service.resolveDue()

    const declined = await payWith(id, { amount: 200_001 })

    const card = (await service.send(`GET /payment-methods/${id}`, undefined, { account })).json()
    expect(card.label).not.toBe('1116')
    expect(await presented(declined.id)).toMatchObject([
      { last4: token.token.slice(-4), isToken: true, status: 'refused' },
      { last4: card.label, isToken: false, status: 'refused' },
    ])
  })

  test('pays with the number if no cryptogram can be had', async () => {
    const token = await desk.make(cardThatAsks('0023'))

    const paid = await payWith(token.payment_method_id)

    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
    expect(await presented(paid.id)).toMatchObject([{ isToken: false }])
    expect(await history(paid.id)).toContainEqual(
      expect.objectContaining({
        name: 'network-token-cryptogram-provision-failed',
        context: { network_token_id: token.id, scheme: 'visa', code: 'cryptogram_not_available' },
      }),
    )
  })

  test.each(['suspend', 'delete'])('pays with the number after a %s', async (verb) => {
    const token = await desk.make()
    await desk.act(token, verb)

    const paid = await payWith(token.payment_method_id)

    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
    expect(await presented(paid.id)).toMatchObject([{ last4: '1111', isToken: false }])
  })

  test('pays with the number if the token has expired', async () => {
    const token = await desk.make()
    await desk.notify({ network_token_id: token.id, event: 'token.updated', expiration_date: '01/20' })

    const paid = await payWith(token.payment_method_id)

    expect(await presented(paid.id)).toMatchObject([{ isToken: false }])
  })

  test('pays with the number if the token is deleted while the payment begins', async () => {
    const token = await desk.make()
    await sql`delete from vault.items using network_tokens as token
      where token.id = ${token.id} and vault.items.token = vault_token`.execute(service.context.db)

    const paid = await payWith(token.payment_method_id)

    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
    expect(await presented(paid.id)).toMatchObject([{ last4: '1111', isToken: false }])
  })

  test('pays with the number at a service that does not take tokens', async () => {
    const other = 'plain-shop'
    const ids = requestorIds(other)
    await service.send('POST /merchant-accounts', { id: other, display_name: other, ...ids })
    await till.addService({}, { account: other })
    const token = await openTokenDesk(service, other).make()

    const paid = await till.pay(
      { payment_method: { method: 'id', id: token.payment_method_id } },
      { account: other },
    )

    expect(paid).toMatchObject({ instrument_type: 'pan' })
    expect(await presented(paid.id)).toMatchObject([{ isToken: false }])
  })
})

test('an answer that is lost after the token was presented is found, and the card is charged once', async () => {
  const token = await desk.make()

  const lost = await payWith(token.payment_method_id, {
    connection_options: { 'mock-card': { fault: { on: 'authorize', kind: 'lose-answer' } } },
  })
  service.moveClock(120_000)
  await service.resolveDue()

  expect(lost.status).toBe('processing')
  expect(await till.get(lost.id, { account })).toMatchObject({
    status: 'authorization_succeeded',
    instrument_type: 'network_token',
  })
  expect(await presented(lost.id)).toHaveLength(1)
})

describe('an account that has its cards tokenized', () => {
  beforeAll(() => service.send(`PUT /merchant-accounts/${account}`, { async_network_tokens_enabled: true }))
  afterAll(() => service.send(`PUT /merchant-accounts/${account}`, { async_network_tokens_enabled: false }))

  test('gets a token for each card that is stored, after the request is answered', async () => {
    const method = await desk.store()

    expect(await desk.list(method)).toEqual([])
    await service.resolveDue()

    expect(await desk.list(method)).toMatchObject([{ status: 'active' }])
  })

  test('gets one for a card that a payment stores, and the payment’s history tells it', async () => {
    const paid = await till.pay({ store: true }, { account })

    await service.resolveDue()

    expect(await desk.list(paid.payment_method.id)).toMatchObject([{ status: 'active' }])
    const names = (await history(paid.id)).map(({ name }: { name: string }) => name)
    expect(names).toContain('network-token-provision-succeeded')
  })

  test('stores a card whose issuer takes no part without a token', async () => {
    const paid = await till.pay({ store: true, payment_method: cardThatAsks('0021') }, { account })

    await service.resolveDue()

    expect(await desk.list(paid.payment_method.id)).toEqual([])
    const failed = (await history(paid.id)).find(
      ({ name }: { name: string }) => name === 'network-token-provision-failed',
    )
    expect(failed.context.code).toBe('unsupported_payment_method')
  })
})
