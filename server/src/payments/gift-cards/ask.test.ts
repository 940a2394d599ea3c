import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import * as attempts from '#processing/attempts/store.ts'
import { changeBeforeOpening } from '#testing/change-before-opening.ts'
import { stopCommitting } from '#testing/commits.ts'
import { giftCardWith, openGiftCardTill } from '#testing/gift-cards.ts'
import * as transactions from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import { askGiftCardService } from './ask.ts'

const { service, counter, till, line } = await openGiftCardTill()

const scope = () => ({ ...service.context, merchantAccountId: 'default' })
type Redemption = { readonly status: string; readonly refunded_amount: number }
const redemptionsOf = ({ gift_card_redemptions: all }: { gift_card_redemptions: Redemption[] }) =>
  all.map(({ status, refunded_amount }) => [status, refunded_amount])
const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}
const USUAL_MS = service.providers.timeoutMs
const patience = (timeoutMs: number) => Object.assign(service.providers, { timeoutMs })
const cut = () => Promise.reject(new TypeError('fetch failed'))
const never = () => new Promise<Response>(() => {})
const doneWithoutAnswer: Fault = async (go) => {
  await go()
  return never()
}

type Fault = (go: () => Promise<Response>) => Promise<Response>

/** Makes one redemption fail, by its place. If it is never answered, its timeout is short. */
const failAt = (place: number, fault: Fault) => {
  let count = 0
  line.intercept(async (go, url) => {
    if (!url.endsWith('/redemptions')) return go()
    count += 1
    if (count === place + 1) {
      patience(USUAL_MS)
      return fault(go)
    }
    const answer = await go()
    if (count === place && [never, doneWithoutAnswer].includes(fault)) patience(500)
    return answer
  })
}
const three = () => {
  const cards = [giftCardWith(500), giftCardWith(500), giftCardWith(500)]
  return { cards, parts: cards.map((card) => ({ ...card, amount: 100 })) }
}
const balancesOf = (cards: Parameters<typeof counter.balanceOf>[0][]) =>
  Promise.all(cards.map(counter.balanceOf))

const DONE: Record<string, Fault> = {
  'the answer is cut off': async (go) => {
    await go()
    return cut()
  },
  'the answer is not readable': async (go) => {
    await go()
    return new Response('<html>')
  },
  'the answer is about something else': async (go) => {
    await go()
    return Response.json({ operation: 'refund', status: 'approved', reference: 'x' })
  },
  'the answer is an error of the server': async (go) => {
    await go()
    return Response.json({ error: 'attempt_closed' }, { status: 500 })
  },
  'the answer never comes': doneWithoutAnswer,
}
const NOT_DONE: Record<string, Fault> = {
  'the provider cannot be reached': cut,
  'the provider does not answer': never,
}

const REST = {
  nothing: {},
  'a card to authorize': { amount: 1000 },
  'a card to capture': { amount: 1000, intent: 'capture' },
}
const every = (faults: Record<string, Fault>) =>
  Object.entries(faults).flatMap(([name, fault]) =>
    Object.entries(REST).map(([rest, body]) => [name, rest, fault, body] as const),
  )
const END: Readonly<Record<string, string>> = {
  nothing: 'capture_succeeded',
  'a card to authorize': 'authorization_succeeded',
  'a card to capture': 'capture_succeeded',
}

describe('when at the second of three cards', () => {
  test.each(every(DONE))(
    '%s, with %s beside them, the payment is finished later',
    async (_name, rest, fault, body) => {
      const { cards, parts } = three()
      failAt(1, fault)

      const waiting = await counter.pay(parts, body)
      line.repair()
      const early = await balancesOf(cards)
      await resolveAfter(61_000)

      expect(waiting).toMatchObject({ status: 'processing', intent_outcome: 'pending', error_code: null })
      expect(redemptionsOf(waiting)).toEqual([
        ['succeeded', 0],
        ['created', 0],
        ['created', 0],
      ])
      expect(early).toEqual([400, 400, 500])
      const paid = await counter.get(waiting.id)
      expect(paid).toMatchObject({ status: END[rest], intent_outcome: 'succeeded', error_code: null })
      expect(redemptionsOf(paid)).toEqual([
        ['succeeded', 0],
        ['succeeded', 0],
        ['succeeded', 0],
      ])
      expect(await balancesOf(cards)).toEqual([400, 400, 400])
    },
  )

  test.each(every(NOT_DONE))(
    '%s, with %s beside them, all is undone later',
    async (_name, rest, fault, body) => {
      const { cards, parts } = three()
      failAt(1, fault)

      const waiting = await counter.pay(parts, body)
      line.repair()
      await resolveAfter(61_000)

      expect(waiting.status).toBe('processing')
      const failed = await counter.get(waiting.id)
      expect(failed).toMatchObject({ status: 'authorization_failed', error_code: 'service_network_error' })
      expect(redemptionsOf(failed)).toEqual([
        ['succeeded', 100],
        ['failed', 0],
        ['skipped', 0],
      ])
      expect(await balancesOf(cards)).toEqual([500, 500, 500])
      const hold = rest === 'nothing' ? null : { authorized: 700, captured: 0, refunded: 0, voided: 700 }
      expect(await till.books(waiting.id)).toEqual(hold)
      expect(await till.told(waiting.id)).toEqual(['transaction.failed'])
    },
  )
})

describe('a fault of the simulator', () => {
  const faultOn = (on: string, kind: string) => ({
    connection_options: { 'mock-gift-card': { fault: { on, kind } } },
  })

  test.each(['lose-answer', 'garbage', 'late'])('(%s) hits each card once', async (kind) => {
    const { cards, parts } = three()

    const { id, status } = await counter.pay(parts, { amount: 1000, ...faultOn('redeem', kind) })
    const seen = [status]
    for (let minute = 0; minute < 3; minute += 1) {
      await line.letArrive()
      await resolveAfter(61_000)
      seen.push((await counter.get(id)).status)
    }

    expect(seen).toEqual(['processing', 'processing', 'processing', 'authorization_succeeded'])
    expect(await balancesOf(cards)).toEqual([400, 400, 400])
  })

  test('(late) comes too late if we inquire first', async () => {
    const { cards, parts } = three()

    const { id } = await counter.pay(parts, faultOn('redeem', 'late'))
    await resolveAfter(61_000)
    await line.letArrive()

    expect((await counter.get(id)).status).toBe('authorization_failed')
    expect(await balancesOf(cards)).toEqual([500, 500, 500])
  })

  test('(twice) redeems once', async () => {
    const { cards, parts } = three()

    const paid = await counter.pay(parts, faultOn('redeem', 'twice'))

    expect(paid.status).toBe('capture_succeeded')
    expect(await balancesOf(cards)).toEqual([400, 400, 400])
  })
})

describe('while a gift card’s answer is awaited', () => {
  test('the next operation resolves it, and redeems the other cards first', async () => {
    const { cards, parts } = three()
    failAt(1, DONE['the answer is cut off'] ?? cut)
    const { id } = await counter.pay(parts, { amount: 1000 })
    line.repair()

    const captured = await counter.act(id, 'capture', {})

    expect(captured.statusCode, captured.body).toBe(200)
    expect(captured.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 700 })
    expect(await balancesOf(cards)).toEqual([400, 400, 400])
  })

  test('other operations are refused while it stays unknown', async () => {
    const { cards, parts } = three()
    failAt(1, DONE['the answer is cut off'] ?? cut)
    const { id } = await counter.pay(parts, { amount: 1000 })
    line.intercept(cut)

    const answers = [
      await counter.act(id, 'capture', {}),
      await counter.act(id, 'void'),
      await counter.act(id, 'refunds', {}),
      await counter.send(`PUT /transactions/${id}`, { status: 'authorization_failed' }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([425, 425, 425, 425])
    line.repair()
    await resolveAfter(61_000)
    expect((await counter.get(id)).status).toBe('authorization_succeeded')
    expect(await balancesOf(cards)).toEqual([400, 400, 400])
  })

  test('it is asked about after 1 minute, 5 minutes and 1 hour', async () => {
    const { parts } = three()
    failAt(1, DONE['the answer is cut off'] ?? cut)
    const { id } = await counter.pay(parts)
    line.intercept(cut)

    const seen: string[] = []
    for (const ms of [61_000, 301_000]) {
      await resolveAfter(ms)
      seen.push((await counter.get(id)).status)
    }
    line.repair()
    await resolveAfter(3_601_000)
    seen.push((await counter.get(id)).status)

    expect(seen).toEqual(['processing', 'processing', 'capture_succeeded'])
  })
})

describe('an answer that our database could not store', () => {
  const breakDatabase = () =>
    line.intercept(async (go, url) => {
      const answer = await go()
      if (!url.endsWith('/redemptions')) return answer
      stopCommitting(service)
      return answer
    })

  test.each(Object.entries(REST))(
    'is no reason to pay again, with %s beside the cards',
    async (rest, body) => {
      const { cards, parts } = three()
      breakDatabase()

      const begun = await counter.pay(parts, body)
      vi.restoreAllMocks()
      line.repair()
      await resolveAfter(61_000)

      expect(begun.status).toBe('processing')
      expect((await counter.get(begun.id)).status).toBe(END[rest])
      expect(await balancesOf(cards)).toEqual([400, 400, 400])
    },
  )

  test('is resolved for a retry with the same key', async () => {
    const { cards, parts } = three()
    const key = { headers: { 'idempotency-key': 'the database was gone' } }
    breakDatabase()

    const broken = await counter.ask(parts, {}, key)
    vi.restoreAllMocks()
    line.repair()
    service.moveClock(61_000)
    const again = await counter.pay(parts, {}, key)

    expect(broken.statusCode).toBe(500)
    expect(again.status).toBe('capture_succeeded')
    expect(await balancesOf(cards)).toEqual([400, 400, 400])
  })
})

describe('a stored card that is deleted meanwhile', () => {
  const paying = async (fault: Fault) => {
    const [first, second] = [giftCardWith(500), giftCardWith(500)]
    const id = await counter.store(second)
    failAt(0, async (go) => {
      await counter.send(`DELETE /gift-cards/${id}`)
      return fault(go)
    })
    const parts = [
      { ...first, amount: 100 },
      { id, amount: 100 },
    ]
    return { cards: [first, second], parts }
  }

  test('cannot be redeemed any more, and all is undone', async () => {
    const { cards, parts } = await paying((go) => go())

    const paid = await counter.pay(parts)

    expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'invalid_gift_card' })
    expect(redemptionsOf(paid)).toEqual([
      ['succeeded', 100],
      ['failed', 0],
    ])
    expect(await balancesOf(cards)).toEqual([500, 500])
  })

  test('has paid if it was redeemed before', async () => {
    const card = giftCardWith(500)
    const id = await counter.store(card)
    failAt(0, doneWithoutAnswer)
    // The process that pays has died.
    patience(3_600_000)
    void counter.ask([{ id, amount: 100 }])
    await expect.poll(() => counter.balanceOf(card)).toBe(400)
    line.repair()

    await counter.send(`DELETE /gift-cards/${id}`)
    patience(USUAL_MS)
    await resolveAfter(2 * 3_600_000)

    const { items } = (await counter.send(`GET /transactions?gift_card_id=${id}`)).json()
    expect(items).toMatchObject([{ status: 'capture_succeeded' }])
    expect(await counter.balanceOf(card)).toBe(400)
  })
})

test('a gift card service that is deleted meanwhile is still asked', async () => {
  await counter.send('POST /merchant-accounts', { id: 'closing', display_name: 'Closing' })
  const account = { account: 'closing' }
  const made = await counter.send(
    'POST /gift-card-services',
    {
      display_name: 'For a while',
      gift_card_service_definition_id: 'mock-gift-card',
      fields: [{ key: 'api_key', value: 'while' }],
    },
    account,
  )
  failAt(0, DONE['the answer is cut off'] ?? cut)
  const waiting = await counter.pay([{ ...giftCardWith(500), amount: 100 }], {}, account)
  line.repair()

  const deleted = await counter.send(`DELETE /gift-card-services/${made.json().id}`, undefined, account)
  await resolveAfter(61_000)

  const paid = (await counter.send(`GET /transactions/${waiting.id}`, undefined, account)).json()
  expect([waiting.status, deleted.statusCode, paid.status]).toEqual(['processing', 204, 'capture_succeeded'])
})

describe('a card that leaves the vault while it is opened', () => {
  test('was deleted, and cannot be redeemed any more', async () => {
    const card = giftCardWith(500)
    const id = await counter.store(card)

    const response = await changeBeforeOpening(service, () => counter.ask([{ id, amount: 100 }]), [
      sql`delete from vault.items using gift_cards where gift_cards.id = ${id}
          and token in (number_token, pin_token)`,
      sql`update gift_cards set number_token = null, pin_token = null, deleted_at = now() where id = ${id}`,
    ])

    expect(response.json()).toMatchObject({ status: 'authorization_failed', error_code: 'invalid_gift_card' })
    expect(await counter.balanceOf(card)).toBe(500)
  })

  test('was redeemed by another process', async () => {
    const card = giftCardWith(500)
    let letGo = () => {}
    // The process that pays gets the answer late, and another process concludes it.
    failAt(0, async (go) => {
      const answer = await go()
      await new Promise<void>((resolve) => {
        letGo = resolve
      })
      return answer
    })
    const paying = counter.ask([{ ...card, amount: 100 }], { external_identifier: 'two-processes' })
    await expect.poll(() => counter.balanceOf(card)).toBe(400)
    const { items } = (await counter.send('GET /transactions?external_identifier=two-processes')).json()
    const [attempt] = await attempts.openOf(scope(), items[0].id)
    if (!attempt) throw new Error('nothing is open')
    const transaction = await transactions.find(scope(), items[0].id)
    const [redemption] = await redemptions.listOf(scope(), items[0].id)
    letGo()
    await paying

    // The process read all this before the other one was done.
    const answer =
      transaction &&
      redemption &&
      (await askGiftCardService(scope(), service.engine, { transaction, attempt, redemption }))

    expect(answer).toMatchObject({ outcome: 'approved' })
    expect(await counter.balanceOf(card)).toBe(400)
  })

  test('is not redeemed if its row names another card', async () => {
    const [card, victim] = [giftCardWith(500), giftCardWith(500)]
    const [id, victimId] = [await counter.store(card), await counter.store(victim)]
    await sql`
      update gift_cards as card set number_token = other.number_token, pin_token = other.pin_token
      from gift_cards as other where card.id = ${id} and other.id = ${victimId}
    `.execute(service.context.db)

    const paid = await counter.pay([{ id, amount: 100 }])

    expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'invalid_gift_card' })
    expect(await counter.balanceOf(victim)).toBe(500)
    expect(service.troubles.length).toBeGreaterThan(0)
  })
})
