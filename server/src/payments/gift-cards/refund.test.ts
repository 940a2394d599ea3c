import { describe, expect, test, vi } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { stopCommitting } from '#testing/commits.ts'
import {
  complaintsOf,
  type GiftCardCounter,
  giftCardWith,
  openGiftCardTill,
  refusedGiftCard,
} from '#testing/gift-cards.ts'
import { PROCESSING, signToken } from '#testing/harness.ts'

const { service, counter, till, line } = await openGiftCardTill()

const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}
const refund = (id: string, body: object, headers: Record<string, string> = {}) =>
  counter.act(id, 'refunds', { target_type: 'gift-card-redemption', ...body }, { headers })
const refundedOf = async (id: string) =>
  (await counter.get(id)).gift_card_redemptions.map(
    ({ refunded_amount }: { refunded_amount: number }) => refunded_amount,
  )

/** Two gift cards of 500 have paid 300 and 200, and a card the rest. */
async function pay(body: object = {}) {
  const cards = [giftCardWith(500), giftCardWith(500)] as const
  const paid = await counter.pay(
    [
      { ...cards[0], amount: 300 },
      { ...cards[1], amount: 200 },
    ],
    { intent: 'capture', ...body },
  )
  const [first = '', second = ''] = paid.gift_card_redemptions.map(({ id }: { id: string }) => id)
  const balances = () => Promise.all(cards.map(counter.balanceOf))
  return { id: paid.id as string, first: first as string, second: second as string, balances }
}

describe('a refund to a gift card', () => {
  test('gives back a part, then another, then all that is left', async () => {
    const { id, first, balances } = await pay()

    const part = await refund(id, { target_id: first, amount: 100, reason: 'One bag came back' })
    const again = await refund(id, { target_id: first, amount: 50, external_identifier: 'second' })
    const rest = await refund(id, { target_id: first })

    expect(part.statusCode, part.body).toBe(201)
    expect(part.json()).toMatchObject({
      type: 'refund',
      status: 'succeeded',
      amount: 100,
      currency: 'USD',
      target_type: 'gift-card-redemption',
      target_id: first,
      transaction_id: id,
      payment_service_refund_id: expect.any(String),
      reason: 'One bag came back',
      error_code: null,
    })
    expect([again.json().amount, rest.json().amount]).toEqual([50, 150])
    expect(await refundedOf(id)).toEqual([300, 0])
    expect(await balances()).toEqual([500, 300])
    const paid = await counter.get(id)
    expect(paid).toMatchObject({ status: 'capture_succeeded', refunded_amount: 0 })
    const { items } = (await counter.send(`GET /transactions/${id}/refunds`)).json()
    expect(items.map(({ amount }: { amount: number }) => amount)).toEqual([150, 50, 100])
    expect((await counter.send(`GET /refunds/${part.json().id}`)).json()).toEqual(part.json())
  })

  test('is told to subscribers and to the payment’s history', async () => {
    const { id, second } = await pay()

    await refund(id, { target_id: second, amount: 1 })

    expect((await till.told(id)).at(-1)).toBe('refund.succeeded')
    expect((await counter.history(id)).at(-1)).toBe('gift-card-refund-succeeded')
  })

  test('does not touch the card’s part, nor a refund to the card that of gift cards', async () => {
    const { id, first, balances } = await pay({ amount: 1500 })

    const toGiftCard = await refund(id, { target_id: first, amount: 300 })
    const toCard = await counter.act(id, 'refunds', { amount: 1000 })
    const tooMuch = await counter.act(id, 'refunds', { amount: 1 })

    expect([toGiftCard.statusCode, toCard.statusCode]).toEqual([201, 201])
    expect(complaintsOf(tooMuch)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(await counter.get(id)).toMatchObject({ captured_amount: 1000, refunded_amount: 1000 })
    expect(await balances()).toEqual([500, 300])
  })

  test.each([
    ['more than it paid', { amount: 301 }, '/amount', 'value_error.number.not_le'],
    ['nothing', { amount: 0 }, '/amount', 'value_error.number.not_ge'],
    ['less than nothing', { amount: -1 }, '/amount', 'value_error.number.not_ge'],
    ['a part of a cent', { amount: 1.5 }, '/amount', 'type_error.integer'],
    ['no redemption', { target_id: undefined }, '/target_id', 'value_error.missing'],
    ['a redemption that is null', { target_id: null }, '/target_id', 'value_error.missing'],
    ['an unknown redemption', { target_id: MISSING }, '/target_id', 'value_error.not_found'],
    ['what is no id', { target_id: 'first' }, '/target_id', 'type_error.uuid'],
    ['another kind of target', { target_type: 'gift-card' }, '/target_type', 'type_error.enum'],
  ])('refuses %s', async (_what, body, pointer, type) => {
    const { id, first, balances } = await pay()

    const answer = await refund(id, { target_id: first, ...body })

    expect(complaintsOf(answer)).toEqual([[pointer, type]])
    expect(await balances()).toEqual([200, 300])
  })

  test('refuses the redemption of another payment', async () => {
    const [mine, theirs] = [await pay(), await pay()]

    const answer = await refund(mine.id, { target_id: theirs.first })

    expect(complaintsOf(answer)).toEqual([['/target_id', 'value_error.not_found']])
  })

  test('refuses more than the rest, and a redemption that is already refunded', async () => {
    const { id, first } = await pay()
    await refund(id, { target_id: first, amount: 200 })

    const tooMuch = await refund(id, { target_id: first, amount: 101 })
    await refund(id, { target_id: first })
    const again = await refund(id, { target_id: first })

    expect(complaintsOf(tooMuch)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(complaintsOf(again)).toEqual([['/amount', 'value_error.number.not_le']])
  })

  test('refuses a redemption that was reversed, has failed or was skipped', async () => {
    const bad = await counter.pay([
      { ...giftCardWith(500), amount: 100 },
      { ...refusedGiftCard(1), amount: 100 },
      { ...giftCardWith(500), amount: 100 },
    ])
    const voided = await counter.pay([{ ...giftCardWith(500), amount: 100 }], { amount: 1000 })
    await counter.act(voided.id, 'void')

    const answers = [bad, voided].flatMap(({ id, gift_card_redemptions }) =>
      gift_card_redemptions.map(({ id: target_id }: { id: string }) => refund(id, { target_id, amount: 1 })),
    )

    const codes = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    expect(codes).toEqual([400, 400, 400, 400])
  })

  test('refuses a payment that is not captured yet', async () => {
    const { id, first } = await pay({ amount: 1000, intent: 'authorize' })

    const answer = await refund(id, { target_id: first })

    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain('authorization_succeeded')
  })

  test('is refused for a missing payment, or one of another merchant', async () => {
    const { id, first } = await pay()
    await counter.send('POST /merchant-accounts', { id: 'elsewhere', display_name: 'Elsewhere' })
    const body = { target_type: 'gift-card-redemption', target_id: first }

    const answers = [
      await counter.act(MISSING, 'refunds', body),
      await counter.act(id, 'refunds', body, { account: 'elsewhere' }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  })

  test('never exceeds the redeemed amount, with many requests at once', async () => {
    const { id, first, second, balances } = await pay()

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        refund(id, { target_id: index % 2 ? first : second, amount: 70 }),
      ),
    )

    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 201)).toHaveLength(4 + 2)
    expect(codes.filter((code) => code !== 201 && code !== 400)).toEqual([])
    expect(await refundedOf(id)).toEqual([280, 140])
    expect(await balances()).toEqual([480, 440])
  })

  test('happens once for one idempotency key', async () => {
    const { id, first, balances } = await pay()
    const body = { target_id: first, amount: 50 }
    const key = { 'idempotency-key': id }

    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id, body, key)))
    const late = await refund(id, body, key)

    const made = [...answers, late].filter(({ statusCode }) => statusCode === 201)
    expect(answers.filter(({ statusCode }) => ![201, 409].includes(statusCode))).toEqual([])
    expect(new Set(made.map((answer) => answer.body)).size).toBe(1)
    expect(await balances()).toEqual([250, 300])
  })

  test('goes to a gift card that was deleted since', async () => {
    const card = giftCardWith(500)
    const stored = await counter.store(card)
    const paid = await counter.pay([{ id: stored, amount: 100 }])
    await counter.send(`DELETE /gift-cards/${stored}`)

    const answer = await refund(paid.id, { target_id: paid.gift_card_redemptions[0].id })

    expect(answer.json().status).toBe('succeeded')
    expect(await counter.balanceOf(card)).toBe(500)
  })
})

describe('a refund whose answer is lost', () => {
  const withFault = (kind: string) => ({
    connection_options: { 'mock-gift-card': { fault: { on: 'refund', kind } } },
  })

  test.each(['lose-answer', 'garbage', 'late'])('(%s) is resolved', async (kind) => {
    const { id, first, balances } = await pay(withFault(kind))

    const waiting = await refund(id, { target_id: first, amount: 100 })
    await line.letArrive()
    const between = await refundedOf(id)
    await resolveAfter(61_000)

    expect(waiting.json().status).toBe('processing')
    expect(between).toEqual([0, 0])
    expect((await counter.send(`GET /refunds/${waiting.json().id}`)).json().status).toBe('succeeded')
    expect(await refundedOf(id)).toEqual([100, 0])
    expect(await balances()).toEqual([300, 300])
    expect((await till.told(id)).slice(-2)).toEqual(['refund.pending', 'refund.succeeded'])
  })

  test.each(['unreachable', 'stall'])(
    '(%s) has failed when it never arrived, and can be asked for again',
    async (kind) => {
      const { id, first, balances } = await pay(withFault(kind))
      const ask = () => refund(id, { target_id: first, amount: 300 })

      const lost = kind === 'stall' ? await line.waitingOnly(500, ask) : await ask()
      line.intercept(() => Promise.reject(new TypeError('fetch failed')))
      const meanwhile = await refund(id, { target_id: first, amount: 1 })
      line.repair()
      await resolveAfter(5 * 61_000)
      await counter.send(`PUT /transactions/${id}`, { connection_options: {} })
      const again = await refund(id, { target_id: first, amount: 300 })

      expect(lost.json().status).toBe('processing')
      expect(complaintsOf(meanwhile)).toEqual([['/amount', 'value_error.number.not_le']])
      expect((await counter.send(`GET /refunds/${lost.json().id}`)).json()).toMatchObject({
        status: 'failed',
        error_code: 'service_network_error',
      })
      expect(again.json().status).toBe('succeeded')
      expect(await balances()).toEqual([500, 300])
      expect(await counter.history(id)).toContain('gift-card-refund-failed')
      expect(await till.told(id)).toContain('refund.failed')
    },
  )

  test('by our own database is on record, and resolved', async () => {
    const { id, first, balances } = await pay()
    line.intercept(async (go) => {
      const answer = await go()
      stopCommitting(service)
      return answer
    })

    const begun = await refund(id, { target_id: first, amount: 100 })
    vi.restoreAllMocks()
    line.repair()
    await resolveAfter(61_000)

    expect(begun.statusCode, begun.body).toBe(201)
    expect(begun.json()).toMatchObject({ status: 'processing', amount: 100, target_id: first })
    expect((await counter.send(`GET /refunds/${begun.json().id}`)).json().status).toBe('succeeded')
    expect(await balances()).toEqual([300, 300])
  })

  test('or that is refused leaves the money to be refunded', async () => {
    const { id, first, balances } = await pay()
    const refusal = { operation: 'refund', status: 'refused', reference: 'no', code: 'inactive_card' }
    const body = { ...refusal, raw_code: 'E7', raw_message: 'the card is blocked' }
    line.intercept((go, url) => (url.endsWith('/refunds') ? Promise.resolve(Response.json(body)) : go()))

    const refused = await refund(id, { target_id: first })
    line.repair()
    const again = await refund(id, { target_id: first })

    expect(refused.json()).toMatchObject({
      status: 'declined',
      error_code: 'inactive_card',
      raw_response_code: 'E7',
      raw_response_description: 'the card is blocked',
    })
    expect(again.json()).toMatchObject({ status: 'succeeded', amount: 300 })
    expect(await balances()).toEqual([500, 300])
  })
})

describe('refunding all', () => {
  const all = (id: string, options: Parameters<GiftCardCounter['act']>[3] = {}) =>
    counter.act(id, 'refunds/all', undefined, options)
  type Refund = { readonly target_type: string; readonly amount: number; readonly target_id: string }
  const shown = ({ target_type, amount, target_id }: Refund) => [target_type, amount, target_id]

  test('gives back to the card and to every gift card what is left', async () => {
    const { id, first, second, balances } = await pay({ amount: 1500 })
    await refund(id, { target_id: second, amount: 50 })
    await counter.act(id, 'refunds', { amount: 400 })

    const answer = await all(id)

    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.json().items.map(shown)).toEqual([
      ['payment-method', 600, null],
      ['gift-card-redemption', 300, first],
      ['gift-card-redemption', 150, second],
    ])
    expect(await counter.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(await refundedOf(id)).toEqual([300, 200])
    expect(await balances()).toEqual([500, 500])
  })

  test('gives back to gift cards alone where nothing else has paid', async () => {
    const { id, first, second, balances } = await pay()

    const answer = await all(id)
    const again = await all(id)

    expect(answer.json().items.map(shown)).toEqual([
      ['gift-card-redemption', 300, first],
      ['gift-card-redemption', 200, second],
    ])
    expect([again.statusCode, again.json().items]).toEqual([201, []])
    expect(await balances()).toEqual([500, 500])
  })

  test('skips gift cards that are already refunded', async () => {
    const { id, first, second } = await pay({ amount: 1500 })
    await refund(id, { target_id: first })
    await counter.act(id, 'refunds', {})

    const answer = await all(id)

    expect(answer.json().items.map(shown)).toEqual([['gift-card-redemption', 200, second]])
  })

  test('happens once, with many requests at once', async () => {
    const { id, balances } = await pay({ amount: 1500 })

    const answers = await Promise.all(Array.from({ length: 6 }, () => all(id)))

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
    const items = answers.flatMap((answer) => answer.json().items as Refund[])
    expect(items.reduce((sum, { amount }) => sum + amount, 0)).toBe(1500)
    expect(await balances()).toEqual([500, 500])
  })

  test('continues the work of a process that died, for the same key', async () => {
    const { id, balances } = await pay({ amount: 1500 })
    const key = { headers: { 'idempotency-key': id } }
    const death = Promise.withResolvers<void>()
    let answered = 0
    const { timeoutMs } = service.providers
    Object.assign(service.providers, { timeoutMs: 3_600_000 })
    line.intercept(async (go) => {
      await go()
      answered += 1
      // The card and both gift cards: a request that has not left yet would fail once the clock has moved.
      if (answered === 3) death.resolve()
      return new Promise(() => {})
    })
    void all(id, key)
    await death.promise
    line.repair()
    Object.assign(service.providers, { timeoutMs })
    service.moveClock(2 * 3_600_000)

    const answer = await all(id, key)

    expect(answer.statusCode, answer.body).toBe(201)
    expect(
      answer
        .json()
        .items.map(({ amount }: Refund) => amount)
        .toSorted((a: number, b: number) => a - b),
    ).toEqual([200, 300, 1000])
    expect(await balances()).toEqual([500, 500])
  })

  test('needs the scope for gift cards', async () => {
    const { id, balances } = await pay()
    const key = await service.addKey({ roleIds: [PROCESSING] })
    const now = Math.floor(service.context.clock().getTime() / 1000)
    const claims = { scopes: ['transactions.write'], nbf: now, exp: now + 3600 }

    const answer = await all(id, { token: await signToken(key, claims) })

    expect(answer.statusCode).toBe(403)
    expect(await balances()).toEqual([200, 300])
  })

  test('has nothing to refund for a failed payment', async () => {
    const failed = await counter.pay([{ ...refusedGiftCard(1), amount: 100 }])

    const answer = await all(failed.id)

    expect([answer.statusCode, answer.json().items]).toEqual([201, []])
  })
})
