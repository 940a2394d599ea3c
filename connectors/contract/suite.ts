import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectorProblems } from './check-connector.ts'
import type { Connector } from './connector.ts'
import { findLeaks } from './find-leaks.ts'
import type { Operation, Orders, Secret, ThreeDSecureResult } from './orders.ts'
import { captureOrder, forgetTokenOrder, refundOrder, voidOrder } from './samples.ts'
import { describeActivity } from './suite-activity.ts'
import { checkAnswer } from './suite-answers.ts'
import { describeBadInput } from './suite-bad-input.ts'
import { describeCompletion } from './suite-completion.ts'
import { describeInstruments, samplesFor } from './suite-instruments.ts'
import { describeNotifications } from './suite-notifications.ts'
import { describeReports } from './suite-reports.ts'
import { type Attempted, type Bench, referenceOf, Stage } from './suite-stage.ts'
import { describeSync } from './suite-sync.ts'
import { TROUBLES } from './suite-troubles.ts'

export type { Bench }

/** What the server assumes of every connector. An absent function is an absent capability, and is not tested. */
export function describeConnector(connector: Connector, open: () => Promise<Bench>): void {
  describe(`the connector ${connector.manifest.id}`, () => {
    const stage = new Stage(connector)
    beforeAll(async () => {
      stage.bench = await open()
    })
    afterAll(() => stage.bench.close?.())

    test('has a manifest without contradictions', () => {
      expect(connectorProblems('connectors', connector)).toEqual([])
    })
    for (const operation of stage.operations) describe(operation, () => describeOperation(stage, operation))
    if (connector.authorize) describe('authorize', () => describeAuthorization(stage))
    const samples = connector.authorize ? samplesFor(connector.manifest) : []
    if (samples.length > 0) describe('instruments', () => describeInstruments(stage, samples))
    if (connector.complete) describe('complete', () => describeCompletion(stage))
    if (connector.tokenize) describe('tokenize', () => describeTokens(stage))
    if (connector.sync) describe('sync', () => describeSync(stage))
    if (connector.verify) describe('verify', () => describeVerification(stage))
    if (connector.readNotification) describe('readNotification', () => describeNotifications(stage))
    const { reports, activity } = connector
    if (activity) describe('activity', () => describeActivity(stage, activity))
    if (reports) describe('reports', () => describeReports(stage, reports))
    describe('bad input', () => describeBadInput(stage))
  })
}

const AUTHENTICATED: ThreeDSecureResult = {
  version: '2.2.0',
  eci: '05',
  cavv: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  directoryResponse: 'Y',
  authenticationResponse: 'Y',
  xid: null,
  cavvAlgorithm: null,
}

function describeOperation(stage: Stage, operation: Operation): void {
  test('is done once, and approved', async () => {
    const { ask, ...attempt } = await stage.prepare(operation)

    const answer = await stage.finished(attempt, await ask())

    checkAnswer(answer)
    expect(answer.outcome).toBe('approved')
    expect(referenceOf(answer)).not.toBe('')
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test('is done once when the same attempt comes again, and many times at once', async () => {
    const { ask, ...attempt } = await stage.prepare(operation)

    const twins = await Promise.all([ask(), ask(), ask(), ask()])
    const last = await ask()

    // A provider may refuse a twin while it works on the first. Then the twin is unknown.
    const answers = [...twins.filter(({ outcome }) => outcome !== 'unknown'), last]
    expect(new Set(answers.map(referenceOf)).size).toBe(1)
    expect(await stage.finished(attempt, last)).toMatchObject({ outcome: 'approved' })
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const { ask } = await stage.prepare(operation)

    const answer = await ask(stage.linkWhere('money', trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })

  test('does nothing when a request before it breaks', async () => {
    if (!stage.bench.movesMoney) return
    for (const trouble of Object.values(TROUBLES)) {
      const { ask, attemptId } = await stage.prepare(operation)
      let isBroken = false
      const link = stage.linkWhere('others', (fetch) => (url, init) => {
        isBroken = true
        return trouble(fetch)(url, init)
      })

      const answer = await ask(link)

      if (!isBroken) return
      checkAnswer(answer)
      expect(['failed', 'unknown']).toContain(answer.outcome)
      expect(await stage.bench.effectsOf(attemptId)).toBe(0)
    }
  })

  test('keeps secrets out of addresses and answers, also when a failed request shows what was sent', async () => {
    const { ask } = await stage.prepare(operation)
    const shown: unknown[] = []
    const watched = stage.linkWith((fetch) => (url, init) => {
      shown.push(url)
      return fetch(url, init)
    })
    const talkative = stage.linkWith(() => async (url, init) => {
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    })

    shown.push(await ask(talkative), await ask(watched))

    const text = inspect(shown, { depth: null })
    expect(findLeaks(text, stage.secrets())).toEqual([])
  })
}

function describeAuthorization(stage: Stage): void {
  const { capabilities } = stage.connector.manifest

  test('is declined with a code of the contract, and nothing happens', async ({ skip }) => {
    const { declined } = stage.bench
    if (!declined) return skip('this provider declines nothing at once')
    const { ask, attemptId } = stage.authorization(declined)

    const answer = await ask()

    checkAnswer(answer)
    expect(answer.outcome).toBe('declined')
    expect(await stage.bench.effectsOf(attemptId)).toBe(0)
  })

  if (capabilities.directCapture) {
    test('captures at once', async () => {
      const { order } = await stage.authorized({ intent: 'capture' })

      expect(await stage.bench.effectsOf(order.attemptId)).toBe(1)
    })
  }

  if (capabilities.zeroAuthorization) {
    test('accepts an amount of zero', async () => {
      const { order } = await stage.authorized({ amount: 0 })

      expect(await stage.bench.effectsOf(order.attemptId)).toBe(1)
    })
  }

  if (capabilities.partialAuthorization) {
    test('is approved in part, only if that is allowed', async () => {
      const { partly } = stage.bench
      if (!partly) throw new Error('the bench approves nothing in part')
      const whole = await stage.authorization(await partly()).ask()
      const { ask, ...attempt } = stage.authorization({ ...(await partly()), isPartialAllowed: true })
      const answer = await stage.finished(attempt, await ask())

      expect(whole.outcome).not.toBe('approved')
      expect(answer).toMatchObject({ outcome: 'approved', amount: expect.any(Number) })
      expect('amount' in answer && answer.amount).toBeLessThan(attempt.order.amount)
    })
  }

  if (capabilities.threeDSecurePassThrough) {
    test('takes the result of a 3-D Secure authentication elsewhere', async () => {
      const { order } = await stage.authorized({ threeDSecure: AUTHENTICATED })

      expect(await stage.bench.effectsOf(order.attemptId)).toBe(1)
    })
  }

  if (capabilities.multipleCaptures) {
    test('is captured in parts', () => captureParts(stage, [500, 500, 299]))
  }

  if (capabilities.remainderVoids) {
    test('releases the rest that captures left, once', async () => {
      const authorized = await captureParts(stage, [500], false)
      const order = voidOrder(authorized, { amount: 799 })
      const answer = await stage.connector.void?.(order, stage.bench.link)
      expect(answer && (await stage.finished(attempted('void', order), answer)).outcome).toBe('approved')
      expect(await stage.bench.effectsOf(order.attemptId)).toBe(1)
      const later = captureOrder(authorized, { amount: 1, isFinal: false })
      expect((await stage.connector.capture?.(later, stage.bench.link))?.outcome).not.toBe('approved')
    })
  }

  if (capabilities.overCapture) {
    test('is captured beyond its amount', () => captureParts(stage, [1300]))
  }

  if (capabilities.partialRefunds) {
    test('is refunded in parts', async () => {
      const captured = await stage.captured()

      // Some providers have no decimals where ISO 4217 has two.
      for (const amount of [1000, 200]) {
        const order = refundOrder(captured, { amount })
        const answer = await stage.connector.refund?.(order, stage.bench.link)
        expect(answer && (await stage.finished(attempted('refund', order), answer)).outcome).toBe('approved')
      }
    })
  }
}

async function captureParts(stage: Stage, amounts: readonly number[], isLastFinal = true) {
  const authorized = await stage.authorized({ amount: 1299 })
  for (const [index, amount] of amounts.entries()) {
    const order = captureOrder(authorized, { amount, isFinal: isLastFinal && index === amounts.length - 1 })
    const first = await stage.connector.capture?.(order, stage.bench.link)
    const answer = first && (await stage.finished(attempted('capture', order), first))
    expect(answer?.outcome).toBe('approved')
  }
  return authorized
}

function attempted<Name extends 'capture' | 'void' | 'refund'>(
  operation: Name,
  order: Orders[Name],
): Attempted {
  const { attemptId, transactionId } = order
  return { operation, attemptId, transactionId, order }
}

function describeTokens(stage: Stage): void {
  const { method, instruments } = stage.connector.manifest
  const payWith = async (token: Secret) => {
    const instrument = { kind: 'provider-token', method, token, securityCode: null } as const
    const { ask, ...attempt } = stage.authorization({ instrument })
    // A debit is paid days later.
    return stage.finished(attempt, await ask())
  }

  test('needs the instrument that pays with its tokens, and a way to delete them', () => {
    expect(instruments).toContain('provider-token')
    expect(stage.connector.forgetToken).toBeTypeOf('function')
  })

  test('gives a token that pays without the buyer, and does not show', async () => {
    const token = await stage.token()

    expect(inspect(token)).not.toContain(token.use(String))
    expect(JSON.stringify({ token })).toBe('{"token":"***"}')
    expect((await payWith(token)).outcome).toBe('approved')
  })

  test('gives a token that no longer pays once it is forgotten', async () => {
    const token = await stage.token()
    await stage.connector.forgetToken?.(forgetTokenOrder(token), stage.bench.link)

    const answer = await payWith(token)

    checkAnswer(answer)
    expect(['declined', 'failed']).toContain(answer.outcome)
  })
}

function describeVerification(stage: Stage): void {
  test('accepts what the provider accepts', async () => {
    expect(await stage.connector.verify?.(stage.bench.link)).toEqual({ outcome: 'accepted' })
  })

  test.each(Object.entries(TROUBLES))('is undecided after %s', async (_name, trouble) => {
    const answer = await stage.connector.verify?.(stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unreachable', message: expect.any(String) })
  })
}
