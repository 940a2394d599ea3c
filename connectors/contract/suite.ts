import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector, Link, Message } from './connector.ts'
import type { Operation, Secret } from './orders.ts'
import { captureOrder, forgetTokenOrder, refundOrder, voidOrder } from './samples.ts'
import { checkManifest } from './suite-manifest.ts'
import { describeReports } from './suite-reports.ts'
import { type Ask, type Bench, checkAnswer, referenceOf, Stage } from './suite-stage.ts'
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

    test('has a manifest without contradictions', () => checkManifest(connector))
    for (const operation of stage.operations) describe(operation, () => describeOperation(stage, operation))
    if (connector.authorize) describe('authorize', () => describeAuthorization(stage))
    if (connector.tokenize) describe('tokenize', () => describeTokens(stage))
    if (connector.sync) describe('sync', () => describeSync(stage))
    if (connector.verify) describe('verify', () => describeVerification(stage))
    if (connector.readNotification) describe('readNotification', () => describeNotifications(stage))
    const { reports } = connector
    if (reports) describe('reports', () => describeReports(stage, reports))
  })
}

function describeOperation(stage: Stage, operation: Operation): void {
  test('is done once, and approved', async () => {
    const { ask, ...attempt } = await stage.prepare(operation)

    const answer = await stage.finished(operation, attempt, await ask())

    checkAnswer(answer)
    expect(answer.outcome).toBe('approved')
    expect(referenceOf(answer)).not.toBe('')
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test('is done once when the same attempt comes again, and many times at once', async () => {
    const { ask, ...attempt } = await stage.prepare(operation)

    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    const last = await ask()

    expect(new Set([...answers, last].map(referenceOf)).size).toBe(1)
    expect(await stage.finished(operation, attempt, last)).toMatchObject({ outcome: 'approved' })
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const { ask } = await stage.prepare(operation)

    const answer = await ask(stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
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
    expect(stage.secrets().filter((secret) => text.includes(secret))).toEqual([])
  })
}

function describeAuthorization(stage: Stage): void {
  const { capabilities } = stage.connector.manifest

  test('is declined with a code of the contract, and nothing happens', async () => {
    const { ask, attemptId } = stage.authorization(stage.bench.declined)

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

  if (capabilities.multipleCaptures) {
    test('is captured in parts', () => captureParts(stage, [500, 500, 299]))
  }

  if (capabilities.remainderVoids) {
    test('releases the rest that captures left, once', async () => {
      const authorized = await captureParts(stage, [500], false)
      const order = voidOrder(authorized, { amount: 799 })
      const answer = await stage.connector.void?.(order, stage.bench.link)
      expect(answer && (await stage.finished('void', order, answer)).outcome).toBe('approved')
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

      for (const amount of [1000, 299]) {
        const order = refundOrder(captured, { amount })
        const answer = await stage.connector.refund?.(order, stage.bench.link)
        expect(answer && (await stage.finished('refund', order, answer)).outcome).toBe('approved')
      }
    })
  }
}

async function captureParts(stage: Stage, amounts: readonly number[], isLastFinal = true) {
  const authorized = await stage.authorized({ amount: 1299 })
  for (const [index, amount] of amounts.entries()) {
    const order = captureOrder(authorized, { amount, isFinal: isLastFinal && index === amounts.length - 1 })
    const answer = await stage.connector.capture?.(order, stage.bench.link)
    expect(answer && (await stage.finished('capture', order, answer)).outcome).toBe('approved')
  }
  return authorized
}

function describeTokens(stage: Stage): void {
  const { method, instruments } = stage.connector.manifest
  const payWith = (token: Secret) =>
    stage.authorization({ instrument: { kind: 'provider-token', method, token, securityCode: null } }).ask()

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

function describeSync(stage: Stage): void {
  const sync = async (operation: Operation, attempt: Ask, link = stage.bench.link) => {
    const { attemptId, transactionId } = attempt
    const inquiry = { operation, attemptId, transactionId, reference: null }
    const answer = await stage.connector.sync?.(inquiry, link)
    if (!answer) throw new Error('the connector has no sync')
    return answer
  }

  test.each(stage.operations)('finds the outcome of %s when its answer was lost', async (operation) => {
    const attempt = await stage.prepare(operation)
    await attempt.ask(stage.linkWith(TROUBLES['a connection that breaks once the request has arrived']))

    const answer = await stage.finished(operation, attempt, await sync(operation, attempt))

    expect(answer.outcome).toBe('approved')
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })

  test.each(stage.operations)(
    'promises no more than it can about a %s that never arrived',
    async (operation) => {
      const attempt = await stage.prepare(operation)

      const answer = await sync(operation, attempt)

      expect(['not_found', 'unknown']).toContain(answer.outcome)
      if (answer.outcome !== 'not_found') return
      expect((await attempt.ask()).outcome).not.toBe('approved')
      expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(0)
    },
  )

  test.each(Object.entries(TROUBLES))('is unknown after %s', async (_name, trouble) => {
    const [operation = 'authorize'] = stage.operations
    const attempt = await stage.prepare(operation)
    await attempt.ask()

    const answer = await sync(operation, attempt, stage.linkWith(trouble))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
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

function describeNotifications(stage: Stage): void {
  const read = async (change: (message: Message) => Message, fields: Link['fields'] = {}) => {
    const told = await stage.bench.notify?.()
    if (!told) throw new Error('the bench sends no notifications')
    const link = { ...stage.bench.link, fields: { ...stage.bench.link.fields, ...fields } }
    return { told, notification: await stage.connector.readNotification?.(change(told.message), link) }
  }
  const rejected = { outcome: 'rejected', message: expect.any(String) }

  test('reads a message of the provider', async () => {
    const { told, notification } = await read((message) => message)

    expect(notification).toMatchObject({ outcome: 'read', about: told.about, reference: told.reference })
  })

  test('rejects a message without a signature', async () => {
    expect((await read(({ body }) => ({ headers: {}, body }))).notification).toEqual(rejected)
  })

  test('rejects a message that was changed', async () => {
    const changed = (message: Message) => ({
      ...message,
      body: Buffer.concat([message.body, Buffer.from(' ')]),
    })

    expect((await read(changed)).notification).toEqual(rejected)
  })

  test('rejects a message that was signed with another secret', async () => {
    const secretFields = stage.connector.manifest.fields.filter(({ isSecret }) => isSecret)
    const others = Object.fromEntries(secretFields.map(({ key }) => [key, 'another-secret']))

    expect((await read((message) => message, others)).notification).toEqual(rejected)
  })
}
