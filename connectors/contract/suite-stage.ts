import { OPERATIONS } from './check-connector.ts'
import type {
  Answer,
  ApprovalRequired,
  Connector,
  Link,
  Message,
  Notification,
  Subject,
  SyncAnswer,
} from './connector.ts'
import type {
  AuthorizeOrder,
  CompleteOrder,
  Inquiry,
  Operation,
  Orders,
  Secret,
  TokenizeOrder,
} from './orders.ts'
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
  /** What to order so that the provider declines at once. Left out: only the buyer, or a bank days later, can refuse. */
  readonly declined?: Partial<AuthorizeOrder>
  /** What to order so that the provider has less than that, and approves a part if it may. Needed with `partialAuthorization`. */
  readonly partly?: () => Promise<Partial<AuthorizeOrder>>
  /** What a wallet gives for this provider, if only that is taken. Left out: what it gives to every page. */
  readonly walletToken?: string
  /** What to order so that the provider stores the method. Most providers store the unchanged sample. */
  readonly tokenized?: Partial<TokenizeOrder>
  /** What to order so that the payment stays pending, or waits for the buyer. Needed if there is a `cancel`. */
  readonly pending?: Partial<AuthorizeOrder>
  /**
   * Makes the provider finish, with success, what it answered with `pending` or `approval_required`. Returns how we hear
   * of it: by the provider's message, or when the buyer comes back. By neither: we inquire.
   */
  readonly finish?: (operation: Operation, reference: string) => Promise<Finish | undefined>
  /** A provider that asks the buyer. Needed if there is a `complete`. */
  readonly buyer?: BuyerBench
  /**
   * Whether a request can move money. Needed if the connector sends others before it: only a request that moves money is
   * in doubt when its answer is lost.
   */
  readonly movesMoney?: (url: string, init?: RequestInit) => boolean
  /** A message of the provider. Needed if there is a `readNotification`. */
  readonly notify?: () => Promise<NotificationBench>
  /** Needed if there are `reports`. */
  readonly reports?: ReportBench
  readonly close?: () => Promise<void>
}

export type Finish =
  | { readonly by: 'message'; readonly message: Message }
  | { readonly by: 'return'; readonly returned: Readonly<Record<string, string>> }

export type BuyerBench = {
  /** What to order so that the provider asks the buyer. */
  readonly asked: Partial<AuthorizeOrder>
  /** The buyer decides. Returns the parameters with which the buyer comes back. */
  readonly decide: (
    answer: ApprovalRequired,
    decision: 'approve' | 'refuse',
  ) => Promise<Readonly<Record<string, string>>>
}

/** What a message is about, and the same message spoilt. */
export type NotificationBench = Partial<Subject> & {
  readonly about: Notification['about']
  readonly message: Message
  /** Left out: the message without its headers. */
  readonly unsigned?: Message
  /** Left out: the message with a space after it. */
  readonly changed?: Message
  /** Another body, signed as the provider would. Left out: messages say nothing, or are no provider’s. */
  readonly sign?: (body: string) => Message
}

/** A provider that publishes reports. */
export type ReportBench = {
  readonly link: ReportLink
  /**
   * Makes the provider publish a file with a settlement in it. Returns the message that tells of it, if files cannot be
   * listed.
   */
  readonly publish: () => Promise<Message | undefined>
}

export type Attempted = {
  readonly operation: Operation
  readonly attemptId: string
  readonly transactionId: string
  readonly order: Orders[Operation]
}

export type Ask = Attempted & {
  readonly ask: (link?: Link) => Promise<Answer>
}

/** A connector on its bench, and everything that an operation needs before it. */
export class Stage {
  readonly connector: Connector
  readonly operations: readonly Operation[]
  #bench: Bench | undefined

  constructor(connector: Connector) {
    this.connector = connector
    this.operations = OPERATIONS.filter((operation) => connector[operation])
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

  /** The link, with a change to the requests that can move money, or to all others. */
  linkWhere(which: 'money' | 'others', change: (fetch: Link['fetch']) => Link['fetch']): Link {
    const { link, movesMoney = () => true } = this.bench
    const changed = change(link.fetch)
    return {
      ...link,
      fetch: (url, init) => (movesMoney(url, init) === (which === 'money') ? changed : link.fetch)(url, init),
    }
  }

  /** The link, with secrets that the provider does not know. */
  lockedOut(): Link {
    const { link } = this.bench
    const wrong = this.connector.manifest.fields.flatMap(({ key, isSecret }) =>
      isSecret ? [[key, 'wrong']] : [],
    )
    return {
      ...link,
      fields: { ...link.fields, ...Object.fromEntries(wrong) },
      remember: async (_name, make) => (await make()).value,
    }
  }

  /** As the server asks: what follows a payment is asked about with the payment's id, whatever became of its own. */
  inquiry({ operation, attemptId, transactionId, order }: Attempted, ownReference: string | null): Inquiry {
    const isReplayed = this.connector.manifest.recovery.by === 'replay'
    const sentAt = this.bench.link.now()
    const reference = 'reference' in order ? order.reference : ownReference
    const asked = { operation, attemptId, transactionId, reference, ownReference, sentAt }
    return { ...asked, order: isReplayed ? order : null } as Inquiry
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
        return this.#asking(operation, order, order.payoutId)
      }
      case 'cancel': {
        const order = cancelOrder(await this.authorized({ ...this.bench.pending }, 'open'))
        return this.#asking(operation, order)
      }
      case 'capture': {
        const order = captureOrder(await this.authorized())
        return this.#asking(operation, order)
      }
      case 'void': {
        const order = voidOrder(await this.authorized())
        return this.#asking(operation, order)
      }
      case 'increment': {
        const order = incrementOrder(await this.authorized())
        return this.#asking(operation, order)
      }
      case 'refund': {
        const order = refundOrder(await this.captured())
        return this.#asking(operation, order)
      }
      case 'tokenize': {
        const order = tokenizeOrder(this.bench.tokenized)
        return this.#asking(operation, order, order.tokenId)
      }
      case 'forgetToken': {
        const order = forgetTokenOrder(await this.token())
        return this.#asking(operation, order, order.tokenId)
      }
    }
  }

  authorization(over: Partial<AuthorizeOrder> = {}): Ask & { readonly order: AuthorizeOrder } {
    const order = authorizeOrder({ ...this.bench.approved, ...over })
    return { ...this.#asking('authorize', order), order }
  }

  async authorized(
    over: Partial<AuthorizeOrder> = {},
    end: 'approved' | 'open' = 'approved',
  ): Promise<Authorized> {
    const { ask, ...attempt } = this.authorization(over)
    const first = await ask()
    const answer = end === 'approved' ? await this.finished(attempt, first) : first
    const isAsMeant = end === 'approved' ? answer.outcome === 'approved' : isOpen(answer)
    if (!isAsMeant) throw new Error(`a payment was to be ${end}, and is ${inWords(answer)}`)
    const { order } = attempt
    const reference = referenceOf(answer)
    return { order, reference, ...(order.intent === 'capture' && { captureReference: reference }) }
  }

  async captured(): Promise<Authorized> {
    if (!this.connector.capture) return this.authorized({ intent: 'capture' })
    const authorized = await this.authorized()
    const order = captureOrder(authorized)
    const { ask, ...attempt } = this.#asking('capture', order)
    const answer = await this.finished(attempt, await ask())
    if (answer.outcome !== 'approved')
      throw new Error(`a capture was to be approved, and is ${inWords(answer)}`)
    return { ...authorized, captureReference: referenceOf(answer) }
  }

  /** A token of the provider. */
  async token(): Promise<Secret> {
    const { ask, ...attempt } = await this.prepare('tokenize')
    const answer = await this.finished(attempt, await ask())
    if (answer.outcome !== 'approved' || !answer.token) throw new Error('the provider gave no token')
    return answer.token.value
  }

  /** Waits for a pending operation as the server does: it takes a message, or the buyer's return, or inquires. */
  async finished(attempt: Attempted, answer: Answer | SyncAnswer): Promise<Answer | SyncAnswer> {
    const { finish, link } = this.bench
    const { complete, sync } = this.connector
    if (!isOpen(answer) || !finish) return answer
    const { reference } = answer
    const finished = await finish(attempt.operation, reference)
    if (finished?.by === 'message') return this.#toldBy(finished.message, attempt, reference)
    if (finished?.by === 'return' && complete) {
      const next = await complete(this.completion(attempt, reference, finished.returned), link)
      // The buyer has permitted a debit, and the bank pays days later.
      return isOpen(next) && next.reference !== reference ? this.finished(attempt, next) : next
    }
    return sync ? sync(this.inquiry(attempt, reference), link) : answer
  }

  completion(
    { attemptId, transactionId, order }: Attempted,
    reference: string,
    returned: CompleteOrder['returned'],
  ): CompleteOrder {
    const { amount, currency, intent } = order as AuthorizeOrder
    return { attemptId, transactionId, amount, currency, intent, reference, returned }
  }

  /** The outcome of an attempt, as a message of the provider tells it. */
  async #toldBy(message: Message, { attemptId }: Attempted, reference: string): Promise<Answer> {
    const reading = await this.connector.readNotification?.(message, this.bench.link)
    const told = reading?.outcome === 'read' ? reading.notifications : []
    const outcome = told.find(
      (item) =>
        'answer' in item &&
        (item.reference === reference || item.attemptId === attemptId || item.reference === null),
    )
    if (!outcome || !('answer' in outcome)) throw new Error('the message does not tell of the attempt')
    return outcome.answer
  }

  #asking<Name extends Operation>(
    operation: Name,
    order: Orders[Name],
    transactionId = 'transactionId' in order ? order.transactionId : '',
  ): Ask {
    const ask = this.connector[operation] as
      | ((order: Orders[Name], link: Link) => Promise<Answer>)
      | undefined
    if (!ask) throw new Error(`the connector has no ${operation}`)
    const { attemptId } = order
    return { operation, attemptId, transactionId, order, ask: (link = this.bench.link) => ask(order, link) }
  }
}

/** Whether the provider has not decided yet. */
export function isOpen<Any extends Answer | SyncAnswer>(
  answer: Any,
): answer is Extract<Any, { outcome: 'pending' | 'approval_required' }> {
  return answer.outcome === 'pending' || answer.outcome === 'approval_required'
}

/** An answer for people: its outcome and, of a refusal, its code. */
export function inWords(answer: Answer | SyncAnswer): string {
  const { outcome } = answer
  if (outcome === 'unknown') return `unknown: ${answer.reason}`
  return 'code' in answer ? `${outcome}: ${answer.code}` : outcome.replace('_', ' ')
}

export function referenceOf(answer: Answer | SyncAnswer): string {
  return ('reference' in answer && answer.reference) || ''
}
