import { describe, expect, test } from 'vitest'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { EVENTS as OFFERED, problemsWith } from '#sandbox/stand-ins/checkout/contract.ts'
import { authorize } from './authorize.ts'
import { capture, refund, release } from './follow-ups.ts'
import { DISPUTE_EVENTS, EVENTS } from './mapping.ts'
import { readNotification } from './notification.ts'
import { registerNotifications } from './register.ts'
import { CARD_ORDER, card, openShop } from './testing/shop.ts'

async function sell(shop: ReturnType<typeof openShop>, over: Partial<AuthorizeOrder> = {}) {
  const order = samples.authorizeOrder({ ...CARD_ORDER, ...over })
  const answer = await authorize(order, shop.link)
  return { order, reference: 'reference' in answer ? (answer.reference ?? '') : '' }
}

async function told(
  shop: ReturnType<typeof openShop>,
  type: string,
  changed?: (body: Record<string, unknown>) => unknown,
) {
  const reading = await readNotification(shop.message(type, changed), shop.link)
  return reading.outcome === 'read' ? reading.notifications : reading
}

describe('an event', () => {
  test('of an authorization names it by both ids', async () => {
    const shop = openShop()
    const { order, reference } = await sell(shop)

    expect(await told(shop, 'payment_approved')).toMatchObject([
      { about: 'authorization', reference, attemptId: order.attemptId, answer: { outcome: 'approved' } },
    ])
  })

  test('of a decline has its reason, and so has one of a card that is only verified', async () => {
    const shop = openShop()
    await sell(shop, { instrument: card('4544249167673670') })
    await sell(shop, { instrument: card('4544249167673670'), amount: 0 })

    for (const type of ['payment_declined', 'card_verification_declined']) {
      expect(await told(shop, type)).toMatchObject([
        { answer: { outcome: 'declined', code: 'insufficient_funds' } },
      ])
    }
  })

  test.each([
    ['capture', 'payment_captured', 'payment_capture_declined'],
    ['void', 'payment_voided', 'payment_void_declined'],
    ['refund', 'payment_refunded', 'payment_refund_declined'],
  ] as const)('of a %s is known by its action and by our attempt', async (about, done, declined) => {
    const shop = openShop()
    const attempts: string[] = []
    for (const code of ['10000', '20068']) {
      const on = await sell(shop)
      const order = samples.captureOrder(on)
      if (about !== 'void') await capture(order, shop.link)
      if (about === 'refund') await shop.control('finish')
      const act = {
        capture: order,
        void: samples.voidOrder(on),
        refund: samples.refundOrder(on, { amount: 1 }),
      }
      if (about === 'void') await release(act.void, shop.link)
      if (about === 'refund') await refund(act.refund, shop.link)
      await shop.control('next', { response_code: code })
      await shop.control('finish')
      attempts.push(act[about].attemptId)
    }

    const reference = expect.stringMatching(/^act_/)
    expect(await told(shop, done)).toMatchObject([
      { about, reference, attemptId: attempts[0], answer: { outcome: 'approved' } },
    ])
    expect(await told(shop, declined)).toMatchObject([
      { about, reference, attemptId: attempts[1], answer: { outcome: 'declined', code: 'service_decline' } },
    ])
  })

  test('of a capture that repeats the metadata of the payment is known by its action', async () => {
    const shop = openShop()
    const on = await sell(shop)
    const answer = await capture(samples.captureOrder(on), shop.link)
    await shop.control('finish')

    const reading = await told(shop, 'payment_captured', (body) => ({
      ...body,
      data: { ...(body['data'] as object), metadata: { attempt: on.order.attemptId, intent: 'authorize' } },
    }))

    const reference = 'reference' in answer ? answer.reference : ''
    expect(reading).toMatchObject([{ about: 'capture', reference, attemptId: null }])
  })

  test('of the capture of a sale in one step is no capture of ours, and its failure is that of the sale', async () => {
    const shop = openShop()
    const { reference } = await sell(shop, { intent: 'capture' })
    await shop.control('finish')
    const failed = await sell(shop, { intent: 'capture' })
    await shop.control('next', { response_code: '20068' })
    await shop.control('finish')

    expect(await told(shop, 'payment_captured')).toEqual([])
    expect(await told(shop, 'payment_capture_declined')).toMatchObject([
      { about: 'late_failure', of: 'authorization', reference: failed.reference, code: 'service_decline' },
    ])
    expect(reference).not.toBe(failed.reference)
  })

  test('of a dispute is a chargeback with its deadline, and a reversal once it is won', async () => {
    const shop = openShop()
    const { reference } = await sell(shop, { intent: 'capture' })
    const { id = '' } = await shop.control(`payments/${reference}/dispute`, { amount: 700 })
    await shop.control(`disputes/${id}/win`)

    expect(await told(shop, 'dispute_evidence_required')).toEqual([
      {
        about: 'chargeback',
        id: null,
        dispute: id,
        stage: 'chargeback',
        providerStage: 'evidence_required',
        reference,
        amount: 700,
        currency: 'USD',
        code: '10.4',
        reason: 'fraudulent',
        postedAt: expect.any(Date),
        respondBy: expect.any(Date),
      },
    ])
    expect(await told(shop, 'dispute_won')).toMatchObject([
      {
        about: 'chargeback_reversal',
        id: null,
        dispute: id,
        stage: 'won',
        reference,
        amount: 700,
        respondBy: null,
      },
    ])
  })

  test('of a dispute that moves no money is a step of it', async () => {
    const shop = openShop()
    const { reference } = await sell(shop, { intent: 'capture' })
    const { id = '' } = await shop.control(`payments/${reference}/dispute`)
    await shop.control(`disputes/${id}/lose`)

    expect(await told(shop, 'dispute_lost')).toMatchObject([
      { about: 'dispute', dispute: id, stage: 'lost', providerStage: 'lost', reference, amount: 1299 },
    ])
  })

  test.each(['payment_pending', 'dispute_received', 'a_new_event'])(
    '%s is taken, and changes nothing',
    async (type) => {
      const shop = openShop()
      await sell(shop)

      expect(await told(shop, 'payment_approved', (body) => ({ ...body, type }))).toEqual([])
    },
  )

  test('that says nothing certain changes nothing', async () => {
    const shop = openShop()
    await shop.control('next', { response_code: '20009' })
    await sell(shop)

    expect(await told(shop, 'payment_declined')).toEqual([])
  })

  test.each([
    ['without an id of the payment', 'payment_approved', { id: undefined }],
    ['with an id of something else', 'payment_approved', { id: 'evt_1' }],
    ['without an action', 'payment_captured', { action_id: undefined }],
    ['without data', 'payment_approved', null],
  ])('%s is rejected', async (_what, type, over) => {
    const shop = openShop()
    await sell(shop)
    const changed = (body: Record<string, unknown>) => ({
      ...body,
      type,
      data: over && { ...(body['data'] as object), ...over },
    })

    expect(await told(shop, 'payment_approved', changed)).toEqual({
      outcome: 'rejected',
      message: expect.any(String),
    })
  })

  test('has the form of the published contract', async () => {
    const shop = openShop()
    const { reference } = await sell(shop, { intent: 'capture' })
    await shop.control('finish')
    await shop.control(`payments/${reference}/dispute`)

    const found = shop.standIn.workflows.events.flatMap((event) => [
      ...problemsWith(JSON.parse(shop.message(event.type).body.toString()), 'Event'),
      ...problemsWith(event.data, event.source === 'dispute' ? 'DisputeEventData' : 'PaymentEventData'),
    ])
    expect(found).toEqual([])
  })
})

test('every event that we take is one that Checkout.com has', () => {
  for (const [source, events] of Object.entries({ gateway: EVENTS, dispute: DISPUTE_EVENTS })) {
    expect(Object.keys(events).filter((type) => !OFFERED[source]?.includes(type))).toEqual([])
  }
})

describe('registration', () => {
  const URL = 'https://shop.example.com/hook'

  test('makes a workflow that is signed with a new key, and replaces the one before', async () => {
    const shop = openShop({ fields: { secret_key: openShop().link.fields['secret_key'] ?? '' } })
    const first = await registerNotifications(URL, shop.link)
    const second = await registerNotifications(URL, shop.link)
    const listed = await shop.standIn.fetch('https://x.invalid/workflows', {
      headers: { authorization: `Bearer ${shop.link.fields['secret_key']}` },
    })

    const key = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(first).toEqual({ outcome: 'registered', fields: { signature_key: key } })
    expect(second).not.toEqual(first)
    expect(((await listed.json()) as { data: unknown[] }).data).toHaveLength(1)
  })

  test('asks for the events that the account has, and for those of one channel', async () => {
    const channel = 'pc_hpswyyx23geezflc2ocz3exn4y'
    const shop = openShop()
    const link = {
      ...shop.link,
      fields: { ...shop.link.fields, processing_channel_id: channel },
      fetch: async (url: string, init?: RequestInit) =>
        url.endsWith('/event-types')
          ? Response.json([{ id: 'gateway', events: [{ id: 'payment_captured' }, { id: 'a_new_event' }] }])
          : shop.link.fetch(url, init),
    }
    await registerNotifications(URL, link)

    expect(shop.sent.at(-1)?.body['conditions']).toEqual([
      { type: 'event', events: { gateway: ['payment_captured'] } },
      { type: 'processing_channel', processing_channels: [channel] },
    ])
  })

  test('of an address that Checkout.com refuses is rejected', async () => {
    expect(await registerNotifications('nowhere', openShop().link)).toMatchObject({ outcome: 'rejected' })
  })
})
