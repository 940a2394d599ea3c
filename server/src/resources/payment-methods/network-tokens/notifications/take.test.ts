import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { cardThatAsks, openTokenDesk, requestorIds, type TokenDesk } from '#testing/network-tokens.ts'
import { openTill } from '#testing/till.ts'

let service: TestService
let desk: TokenDesk
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop', ...requestorIds('shop') })
  desk = openTokenDesk(service, 'shop')
})
afterAll(() => service.close())

const cardOf = async (id: string) =>
  (await service.send(`GET /payment-methods/${id}`, undefined, { account: 'shop' })).json()

describe('the token service tells that a token', () => {
  test('is suspended and resumed', async () => {
    const token = await desk.make()
    const about = { network_token_id: token.id }

    const response = await desk.notify({ ...about, event: 'token.suspended' })
    const suspended = await desk.list(token.payment_method_id)
    await desk.notify({ ...about, event: 'token.resumed' })
    const resumed = await desk.list(token.payment_method_id)

    expect(response.statusCode, response.body).toBe(204)
    expect(suspended).toMatchObject([{ status: 'suspended' }])
    expect(resumed).toMatchObject([{ status: 'active' }])
    expect(await openTill(service).audited(token.id)).toContain('updated by Token service')
  })

  test('has been activated by its issuer', async () => {
    const token = await desk.make(cardThatAsks('0022'))

    await desk.notify({ network_token_id: token.id, event: 'token.resumed' })

    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'active' }])
  })

  test('is deleted: its number leaves the vault, and it stays deleted', async () => {
    const token = await desk.make()

    await desk.notify({ network_token_id: token.id, event: 'token.deleted' })
    const late = await desk.notify({ network_token_id: token.id, event: 'token.resumed' })

    expect(late.statusCode).toBe(204)
    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'deleted' }])
    const items = await sql<{ count: string }>`
      select count(*) from vault.items where field like 'network-token of %' and token not in (
        select vault_token from network_tokens where vault_token is not null)
    `.execute(service.context.db)
    expect(items.rows).toEqual([{ count: '0' }])
  })

  test('has a new date', async () => {
    const token = await desk.make()

    await desk.notify({ network_token_id: token.id, event: 'token.updated', expiration_date: '05/39' })

    expect(await desk.list(token.payment_method_id)).toMatchObject([
      { status: 'active', expiration_date: '05/39', token: token.token },
    ])
  })

  test('stands for a new card: the stored card shows it, and subscribers hear of it', async () => {
    const token = await desk.make()
    const card = { last4: '9876', expiration_date: '03/41' }

    await desk.notify({ network_token_id: token.id, event: 'token.updated', card })
    await desk.notify({ network_token_id: token.id, event: 'token.updated', card })

    expect(await cardOf(token.payment_method_id)).toMatchObject({
      label: '9876',
      expiration_date: '03/41',
      last_replaced_at: expect.any(String),
    })
    expect(await desk.list(token.payment_method_id)).toMatchObject([{ id: token.id, status: 'active' }])
    expect(await openTill(service).told(token.payment_method_id)).toEqual(['payment-method.updated'])
  })
})

describe('the number in the vault', () => {
  beforeAll(async () => {
    await openTill(service).addService({}, { account: 'shop' })
    await service.send('PUT /merchant-accounts/shop', { account_updater_enabled: true })
  })
  afterEach(() => vi.restoreAllMocks())

  /** The date with which a payment, which presents the number, reaches the processor. */
  async function presentedDate(id: string): Promise<unknown> {
    const sent = vi.spyOn(service.providers, 'fetch')
    const paid = await openTill(service).pay({ payment_method: { method: 'id', id } }, { account: 'shop' })
    expect(paid).toMatchObject({ status: 'authorization_succeeded', instrument_type: 'pan' })
    const bodies = sent.mock.calls.map(([, init]) => JSON.parse(String(init?.body ?? '{}')))
    return bodies.find(({ instrument }) => instrument)?.instrument.expiration_date
  }

  test('is presented with its own date after a new card was told', async () => {
    const token = await desk.make()
    const notify = (card: object) => desk.notify({ network_token_id: token.id, event: 'token.updated', card })

    await notify({ last4: '9876', expiration_date: '03/41' })
    const other = await presentedDate(token.payment_method_id)
    await notify({ expiration_date: '04/42' })
    const shown = await cardOf(token.payment_method_id)
    const still = await presentedDate(token.payment_method_id)

    expect(shown).toMatchObject({ label: '9876', expiration_date: '04/42' })
    expect([other, still]).toEqual(['12/40', '12/40'])
  })

  test.each([
    ['and the same digits', { last4: '1111', expiration_date: '03/41' }],
    ['and no digits', { expiration_date: '03/41' }],
  ])('is presented with the new date if the card has a new date %s', async (_what, card) => {
    const token = await desk.make()

    await desk.notify({ network_token_id: token.id, event: 'token.updated', card })

    expect(await cardOf(token.payment_method_id)).toMatchObject({ label: '1111', expiration_date: '03/41' })
    expect(await presentedDate(token.payment_method_id)).toBe('03/41')
  })

  test('is shown again once the account updater knows a new date of it', async () => {
    const token = await desk.make({ method: 'card', number: '4111111100021115', expiration_date: '12/40' })
    const card = { last4: '9876', expiration_date: '03/41' }
    await desk.notify({ network_token_id: token.id, event: 'token.updated', card })

    await service.send(
      'POST /account-updater/jobs',
      { payment_method_ids: [token.payment_method_id] },
      { account: 'shop' },
    )
    await service.resolveDue()

    expect(await cardOf(token.payment_method_id)).toMatchObject({ label: '1115', expiration_date: '12/44' })
    expect(await presentedDate(token.payment_method_id)).toBe('12/44')
  })
})

describe('a notification is refused', () => {
  test('if it is not signed with the app id', async () => {
    const token = await desk.make()

    const response = await desk.notify({ network_token_id: token.id, event: 'token.deleted' }, 'another key')

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('signature')
    expect(await desk.list(token.payment_method_id)).toMatchObject([{ status: 'active' }])
  })

  test.each([
    ['of an unknown event', { event: 'token.lost' }, 'event'],
    ['with a date that is none', { event: 'token.updated', expiration_date: '13/40' }, 'expiration_date'],
    ['with other digits than four', { event: 'token.updated', card: { last4: '98765' } }, 'card.last4'],
    ['with a number as the card', { event: 'token.updated', card: 4 }, 'card'],
    ['without a token', { event: 'token.updated', network_token_id: null }, 'network_token_id'],
  ])('%s', async (_what, message, field) => {
    const token = await desk.make()

    const response = await desk.notify({ network_token_id: token.id, ...message })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(`Correct ${field} of the message.`)
    expect(await desk.list(token.payment_method_id)).toEqual([token])
  })

  test('about a token of another account', async () => {
    await service.send('POST /merchant-accounts', {
      id: 'other-shop',
      display_name: 'Other',
      ...requestorIds('other-shop'),
    })
    const token = await desk.make()
    const others = openTokenDesk(service, 'other-shop')

    const response = await others.notify({ network_token_id: token.id, event: 'token.deleted' })

    expect(response.statusCode).toBe(404)
    expect(await desk.list(token.payment_method_id)).toEqual([token])
  })

  test('for a requestor that does not exist', async () => {
    const stranger = openTokenDesk(service, 'no-shop')

    expect((await stranger.notify({ network_token_id: 'x', event: 'token.deleted' })).statusCode).toBe(404)
  })
  test.each(['/network-tokens/visa/notifications/%00', '/network-tokens/visa/notifications/a%00b'])(
    'for %s, which no column takes',
    async (path) => {
      const response = await service.send(`POST ${path}`, {}, { token: null })

      expect(response.statusCode, response.body).toBe(404)
    },
  )
})
