import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type AntiFraudConnector,
  type DecideAnswer,
  type DecideOrder,
  FINGERPRINT,
  type ToldOutcome,
} from './anti-fraud.ts'
import { connectorProblems } from './check-connector.ts'
import { ANTI_FRAUD_ANSWER_SHAPES } from './check-other-answers.ts'
import type { Link, Message } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import { judgedOrder } from './samples.ts'
import { TROUBLES } from './suite-troubles.ts'

/** A provider that detects fraud, to test a connector with. */
export type AntiFraudBench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  /** Fields that it refuses. Left out: there are no credentials. */
  readonly wrongFields?: Link['fields']
  /** What makes an order one that the provider decides so. */
  readonly orderFor: (decision: 'accept' | 'reject' | 'review') => Partial<DecideOrder>
  /**
   * A person at the provider decides about a payment in review. Returns the message that the provider sends. For a connector with
   * `readNotification`.
   */
  readonly review?: (transactionId: string, decision: 'accept' | 'reject') => Promise<Message>
}

/** The server's assumptions about every anti-fraud service. */
export function describeAntiFraudConnector(
  connector: AntiFraudConnector,
  open: () => Promise<AntiFraudBench>,
): void {
  const { manifest, tell, readNotification, deviceScript } = connector
  describe(`the connector ${manifest.id}`, () => {
    const stage = setStage(connector, open)

    test('has a manifest without contradictions', () => {
      expect(connectorProblems('antiFraud', connector)).toEqual([])
    })
    describe('judging', () => {
      describeAnswers(stage)
      describeTroubles(stage)
    })
    if (tell) describe('outcomes', () => describeTelling(tell, stage))
    if (readNotification) describe('reviews', () => describeReviews(readNotification, stage))
    if (deviceScript) describeScript(deviceScript, stage)
  })
}

type Stage = ReturnType<typeof setStage>

function setStage({ manifest, decide }: AntiFraudConnector, open: () => Promise<AntiFraudBench>) {
  let bench: AntiFraudBench
  beforeAll(async () => {
    bench = await open()
  })
  return { bench: () => bench, orderFor, ask, linkWith, secrets }

  function orderFor(decision: Parameters<AntiFraudBench['orderFor']>[0]): DecideOrder {
    return judgedOrder({ transactionId: randomUUID(), ...bench.orderFor(decision) })
  }

  async function ask(order: DecideOrder, link = bench.link): Promise<DecideAnswer> {
    const answer = await decide(order, link)
    expect(ANTI_FRAUD_ANSWER_SHAPES.decide(answer, 'answer')).toEqual([])
    return answer
  }

  function linkWith(change: (fetch: Link['fetch']) => Link['fetch']): Link {
    return { ...bench.link, fetch: change(bench.link.fetch) }
  }

  function secrets(): readonly string[] {
    return manifest.fields
      .filter(({ isSecret }) => isSecret)
      .flatMap(({ key }) => bench.link.fields[key] || [])
  }
}

function describeAnswers({ ask, orderFor }: Stage): void {
  test('accepts, rejects and asks for a review, also when it is asked again', async () => {
    for (const decision of ['accept', 'reject', 'review'] as const) {
      const order = orderFor(decision)
      for (const answer of [await ask(order), await ask(order)])
        expect(answer).toMatchObject({ outcome: 'decided', decision })
    }
  })

  test.each<[string, Partial<DecideOrder>]>([
    ['nothing of the buyer', { buyer: null, ipAddress: null, fingerprint: null, country: null }],
    ['no card', { method: 'gift-card', scheme: null, bin: null, cardCountry: null }],
    ['no buyer there', { isMerchantInitiated: true, isSubsequentPayment: true, paymentSource: 'recurring' }],
    ['an amount of nothing', { amount: 0 }],
  ])('answers about a payment with %s', async (_name, over) => {
    const { outcome } = await ask({ ...orderFor('accept'), ...over })

    expect(['decided', 'skipped']).toContain(outcome)
  })
}

function describeTroubles({ bench, ask, orderFor, linkWith, secrets }: Stage): void {
  test.each(Object.entries(TROUBLES))('decides nothing after %s', async (_name, trouble) => {
    const { outcome } = await ask(orderFor('accept'), linkWith(trouble))

    expect(['unknown', 'unavailable', 'error']).toContain(outcome)
  })

  test('with credentials that are refused says what to do', async () => {
    const { wrongFields: fields, link } = bench()
    if (!fields) return

    // Other credentials have a memory of their own.
    const remember: Link['remember'] = async (_name, make) => (await make()).value
    expect(await ask(orderFor('accept'), { ...link, fields, remember })).toEqual({
      outcome: 'error',
      reason: expect.stringMatching(/.{20}/),
    })
  })

  test('keeps secrets and buyers out of addresses and answers, also when a failed request shows what was sent', async () => {
    const shown: unknown[] = []
    const order = orderFor('accept')
    const watched = linkWith((fetch) => (url, init) => {
      shown.push(url)
      return fetch(url, init)
    })
    const talkative = linkWith(() => async (url, init) => {
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    })
    const { emailAddress, phoneNumber, lastName } = order.buyer ?? {}

    shown.push(await ask(order, watched), await ask(order, talkative))

    const personal = [emailAddress, phoneNumber, lastName, order.ipAddress].flatMap((word) => word ?? [])
    expect(findLeaks(inspect(shown, { depth: null }), [...secrets(), ...personal])).toEqual([])
  })
}

const OUTCOMES: readonly ToldOutcome[] = [
  ...(['authorized', 'captured', 'declined', 'failed', 'voided'] as const).map((status) => ({
    ...{ about: 'payment' as const, status, amount: 1299, isRejected: false },
    isSale: status === 'captured',
    code: status === 'declined' || status === 'failed' ? 'insufficient_funds' : null,
  })),
  { about: 'review', decision: 'accept' },
  { about: 'refund', refundId: randomUUID(), amount: 500, reason: 'damaged' },
  { about: 'dispute', stage: 'chargeback', amount: 1299, reason: 'fraudulent' },
]

function describeTelling(tell: Required<AntiFraudConnector>['tell'], { bench, ask, orderFor }: Stage): void {
  const report = async (order: DecideOrder, outcome: ToldOutcome, link = bench().link) => {
    const answer = await tell({ ...order, eventId: randomUUID(), outcome }, link)
    expect(ANTI_FRAUD_ANSWER_SHAPES.tell(answer, 'answer')).toEqual([])
    return answer.outcome
  }

  test('are taken, also twice', async () => {
    const order = orderFor('accept')
    await ask(order)
    for (const outcome of OUTCOMES) {
      expect(await report(order, outcome)).toBe('told')
      expect(await report(order, outcome)).toBe('told')
    }
  })

  test.each(Object.entries(TROUBLES))('are told again after %s', async (_name, trouble) => {
    const order = orderFor('accept')
    await ask(order)
    for (const outcome of OUTCOMES) {
      let isSent = false
      const fetch: Link['fetch'] = (url, init) => {
        isSent = true
        return trouble(bench().link.fetch)(url, init)
      }
      const answer = await report(order, outcome, { ...bench().link, fetch })
      // Of some outcomes, a provider learns nothing.
      expect(answer).toEqual(isSent ? expect.stringMatching(/^(unknown|unavailable)$/) : 'told')
    }
  })
}

function describeReviews(
  readNotification: Required<AntiFraudConnector>['readNotification'],
  { bench, ask, orderFor }: Stage,
): void {
  const read = async (message: Message) => {
    const reading = await readNotification(message, bench().link)
    expect(ANTI_FRAUD_ANSWER_SHAPES.readNotification(reading, 'answer')).toEqual([])
    return reading
  }
  const reviewed = async (decision: 'accept' | 'reject') => {
    const { review } = bench()
    if (!review) throw new Error('the bench needs review, because the connector has readNotification')
    const { transactionId, ...order } = orderFor('review')
    await ask({ transactionId, ...order })
    return { transactionId, message: await review(transactionId, decision) }
  }

  test.each(['accept', 'reject'] as const)('that end with %s are read', async (decision) => {
    const { transactionId, message } = await reviewed(decision)

    const answer = { outcome: 'read', transactionId, decision }
    expect([await read(message), await read(message)]).toEqual([answer, answer])
  })

  test('are believed from the provider alone', async () => {
    const { message } = await reviewed('reject')
    const { message: other } = await reviewed('accept')
    const forged = [
      { ...message, headers: {} },
      { ...message, headers: other.headers },
      ...['', '{', 'null', '[]', '{}'].map((body) => ({ ...message, body: Buffer.from(body) })),
    ]

    for (const one of forged) expect((await read(one)).outcome).toBe('rejected')
  })
}

function describeScript(
  deviceScript: Required<AntiFraudConnector>['deviceScript'],
  { bench, secrets }: Stage,
): void {
  test('has a script for browsers that learns for one payment, and shows no secret', () => {
    for (const environment of ['sandbox', 'production'] as const) {
      const script = deviceScript({ fields: bench().link.fields, environment })
      const text = JSON.stringify(script)

      expect(text).toContain(FINGERPRINT)
      expect(findLeaks(text, secrets())).toEqual([])
      expect(script?.url).toMatch(environment === 'production' ? /^https:\/\// : /^https?:\/\//)
      for (const origin of script?.origins ?? []) expect(origin).toMatch(/^https?:\/\/[^/\s;,]+$/)
    }
  })
}
