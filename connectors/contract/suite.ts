import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES } from './codes.ts'
import type { Answer, Connector, Link, Message, Notification, SyncAnswer } from './connector.ts'
import type { AuthorizeOrder, Operation } from './orders.ts'
import {
  type Authorized,
  authorizeOrder,
  CARD_NUMBER,
  cancelOrder,
  captureOrder,
  incrementOrder,
  payoutOrder,
  refundOrder,
  SECURITY_CODE,
  voidOrder,
} from './samples.ts'
import { checkManifest } from './suite-manifest.ts'
import { TROUBLES } from './suite-troubles.ts'

/** A provider to test a connector with: simulated, scripted or recorded. It counts what it does. */
export type Bench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  /** How often this attempt changed something, by the provider's own books. */
  readonly effectsOf: (attemptId: string) => Promise<number>
  /** What to order so that the provider approves. Most providers approve the unchanged sample. */
  readonly approved?: Partial<AuthorizeOrder>
  readonly declined: Partial<AuthorizeOrder>
  /** What to order so that the payment stays pending. Needed if there is a `cancel`. */
  readonly pending?: Partial<AuthorizeOrder>
  /** Makes the provider finish, with success, what it answered with `pending`. */
  readonly finish?: (operation: Operation, reference: string) => Promise<void>
  /** A message of the provider, and its subject. Needed if there is a `readNotification`. */
  readonly notify?: () => Promise<
    Pick<Notification & { outcome: 'read' }, 'about' | 'reference'> & { message: Message }
  >
  readonly close?: () => Promise<void>
}

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
    if (connector.sync) describe('sync', () => describeSync(stage))
    if (connector.verify) describe('verify', () => describeVerification(stage))
    if (connector.readNotification) describe('readNotification', () => describeNotifications(stage))
  })
}

type Ask = {
  readonly attemptId: string
  readonly transactionId: string
  readonly ask: (link?: Link) => Promise<Answer>
}

class Stage {
  readonly connector: Connector
  readonly operations: readonly Operation[]
  #bench: Bench | undefined

  constructor(connector: Connector) {
    const all = ['authorize', 'capture', 'void', 'cancel', 'refund', 'increment', 'payout'] as const
    this.connector = connector
    this.operations = all.filter((operation) => connector[operation])
  }

  get bench(): Bench {
    if (!this.#bench) throw new Error('the bench is not open')
    return this.#bench
  }

  set bench(bench: Bench) {
    this.#bench = bench
  }

  /** The link, with a change to requests or answers. */
  linkWith(change: (fetch: Link['fetch']) => Link['fetch']): Link {
    const { link } = this.bench
    return { ...link, fetch: change(link.fetch) }
  }

  secrets(): string[] {
    const { fields } = this.bench.link
    const secretFields = this.connector.manifest.fields.filter(({ isSecret }) => isSecret)
    return [CARD_NUMBER, SECURITY_CODE, ...secretFields.flatMap(({ key }) => fields[key] || [])]
  }

  /** Does everything that an operation needs before it, and returns the operation, which can be repeated. */
  async prepare(operation: Operation): Promise<Ask> {
    switch (operation) {
      case 'authorize':
        return this.authorization(this.bench.approved)
      case 'payout': {
        const order = payoutOrder()
        return this.#asking(operation, { ...order, transactionId: order.payoutId }, order)
      }
      case 'cancel': {
        const order = cancelOrder(await this.authorized({ ...this.bench.pending }, 'pending'))
        return this.#asking(operation, order, order)
      }
      case 'capture': {
        const order = captureOrder(await this.authorized())
        return this.#asking(operation, order, order)
      }
      case 'void': {
        const order = voidOrder(await this.authorized())
        return this.#asking(operation, order, order)
      }
      case 'increment': {
        const order = incrementOrder(await this.authorized())
        return this.#asking(operation, order, order)
      }
      case 'refund': {
        const order = refundOrder(await this.captured())
        return this.#asking(operation, order, order)
      }
    }
  }

  authorization(over: Partial<AuthorizeOrder> = {}): Ask & { readonly order: AuthorizeOrder } {
    const order = authorizeOrder({ ...this.bench.approved, ...over })
    return { ...this.#asking('authorize', order, order), order }
  }

  async authorized(over: Partial<AuthorizeOrder> = {}, outcome = 'approved'): Promise<Authorized> {
    const { order, ask, ...attempt } = this.authorization(over)
    const first = await ask()
    const answer = outcome === 'approved' ? await this.finished('authorize', attempt, first) : first
    expect(answer.outcome).toBe(outcome)
    return { order, reference: referenceOf(answer) }
  }

  async captured(): Promise<Authorized> {
    if (!this.connector.capture) return this.authorized({ intent: 'capture' })
    const authorized = await this.authorized()
    const order = captureOrder(authorized)
    const { ask } = this.#asking('capture', order, order)
    expect(await this.finished('capture', order, await ask())).toMatchObject({ outcome: 'approved' })
    return authorized
  }

  /** Waits for a pending operation as the server does: the provider finishes, then we inquire. */
  async finished(
    operation: Operation,
    attempt: { readonly attemptId: string; readonly transactionId: string },
    answer: Answer | SyncAnswer,
  ): Promise<Answer | SyncAnswer> {
    const { finish, link } = this.bench
    const isWaiting = answer.outcome === 'pending' || answer.outcome === 'approval_required'
    if (!isWaiting || !finish || !this.connector.sync) return answer
    const { attemptId, transactionId } = attempt
    await finish(operation, answer.reference)
    return this.connector.sync({ attemptId, transactionId, operation, reference: answer.reference }, link)
  }

  #asking<Order>(
    operation: Operation,
    { attemptId, transactionId }: { readonly attemptId: string; readonly transactionId: string },
    order: Order,
  ): Ask {
    const ask = this.connector[operation] as ((order: Order, link: Link) => Promise<Answer>) | undefined
    if (!ask) throw new Error(`the connector has no ${operation}`)
    return { attemptId, transactionId, ask: (link = this.bench.link) => ask(order, link) }
  }
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

/** Checks that a refusal has a code of the contract, and the outcome that the code stands for. */
function checkAnswer(answer: Answer | SyncAnswer): void {
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return
  const { category } = ERROR_CODES[answer.code]
  expect(answer.outcome).toBe(category === 'decline' ? 'declined' : 'failed')
  expect(answer.isRetriable).toBeTypeOf('boolean')
}

function referenceOf(answer: Answer | SyncAnswer): string {
  return ('reference' in answer && answer.reference) || ''
}
