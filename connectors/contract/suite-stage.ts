import { expect } from 'vitest'
import { ERROR_CODES } from './codes.ts'
import type { Answer, Connector, Link, Message, Notification, SyncAnswer } from './connector.ts'
import type { AuthorizeOrder, Operation, Secret, TokenizeOrder } from './orders.ts'
import type { ReportLink } from './reports.ts'
import {
  type Authorized,
  authorizeOrder,
  CARD_NUMBER,
  cancelOrder,
  captureOrder,
  forgetTokenOrder,
  incrementOrder,
  payoutOrder,
  refundOrder,
  SECURITY_CODE,
  tokenizeOrder,
  voidOrder,
} from './samples.ts'

/** A provider to test a connector with: simulated, scripted or recorded. It counts what it does. */
export type Bench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  /** How often this attempt changed something, by the provider's own books. */
  readonly effectsOf: (attemptId: string) => Promise<number>
  /** What to order so that the provider approves. Most providers approve the unchanged sample. */
  readonly approved?: Partial<AuthorizeOrder>
  readonly declined: Partial<AuthorizeOrder>
  /** What to order so that the provider stores the method. Most providers store the unchanged sample. */
  readonly tokenized?: Partial<TokenizeOrder>
  /** What to order so that the payment stays pending, or waits for the buyer. Needed if there is a `cancel`. */
  readonly pending?: Partial<AuthorizeOrder>
  /** Makes the provider finish, with success, what it answered with `pending` or `approval_required`. */
  readonly finish?: (operation: Operation, reference: string) => Promise<void>
  /** A message of the provider, and its subject. Needed if there is a `readNotification`. */
  readonly notify?: () => Promise<
    Pick<Notification & { outcome: 'read' }, 'about' | 'reference'> & { message: Message }
  >
  /** Needed if there are `reports`. */
  readonly reports?: ReportBench
  readonly close?: () => Promise<void>
}

/** A provider that publishes reports. */
export type ReportBench = {
  readonly link: ReportLink
  /** Makes the provider publish a file with a settlement in it. */
  readonly publish: () => Promise<void>
}

export type Ask = {
  readonly attemptId: string
  readonly transactionId: string
  readonly ask: (link?: Link) => Promise<Answer>
}

/** A connector on its bench, and everything that an operation needs before it. */
export class Stage {
  readonly connector: Connector
  readonly operations: readonly Operation[]
  #bench: Bench | undefined

  constructor(connector: Connector) {
    const all = [
      'authorize',
      'capture',
      'void',
      'cancel',
      'refund',
      'increment',
      'payout',
      'tokenize',
      'forgetToken',
    ] as const
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
        const order = cancelOrder(await this.authorized({ ...this.bench.pending }, 'open'))
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
      case 'tokenize': {
        const order = tokenizeOrder(this.bench.tokenized)
        return this.#asking(operation, { ...order, transactionId: order.tokenId }, order)
      }
      case 'forgetToken': {
        const order = forgetTokenOrder(await this.token())
        return this.#asking(operation, { ...order, transactionId: order.tokenId }, order)
      }
    }
  }

  authorization(over: Partial<AuthorizeOrder> = {}): Ask & { readonly order: AuthorizeOrder } {
    const order = authorizeOrder({ ...this.bench.approved, ...over })
    return { ...this.#asking('authorize', order, order), order }
  }

  async authorized(
    over: Partial<AuthorizeOrder> = {},
    end: 'approved' | 'open' = 'approved',
  ): Promise<Authorized> {
    const { order, ask, ...attempt } = this.authorization(over)
    const first = await ask()
    const answer = end === 'approved' ? await this.finished('authorize', attempt, first) : first
    expect(end === 'approved' ? ['approved'] : ['pending', 'approval_required']).toContain(answer.outcome)
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

  /** A token of the provider. */
  async token(): Promise<Secret> {
    const { ask, ...attempt } = await this.prepare('tokenize')
    const answer = await this.finished('tokenize', attempt, await ask())
    if (answer.outcome !== 'approved' || !answer.token) throw new Error('the provider gave no token')
    return answer.token.value
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

/** Checks that a refusal has a code of the contract, and the outcome that the code stands for. */
export function checkAnswer(answer: Answer | SyncAnswer): void {
  if (answer.outcome !== 'declined' && answer.outcome !== 'failed') return
  const { category } = ERROR_CODES[answer.code]
  expect(answer.outcome).toBe(category === 'decline' ? 'declined' : 'failed')
  expect(answer.isRetriable).toBeTypeOf('boolean')
}

export function referenceOf(answer: Answer | SyncAnswer): string {
  return ('reference' in answer && answer.reference) || ''
}
