import { inspect } from 'node:util'
import { expect } from 'vitest'
import type { Link } from './connector.ts'
import {
  type ActivateAnswer,
  GIFT_CARD_ERROR_CODES,
  type GiftCardAnswer,
  type GiftCardConnector,
  type GiftCardInquiry,
  type GiftCardRefused,
  type IssueAnswer,
  type PresentedCard,
} from './gift-card.ts'
import { activateOrder, giveBackOrder, issueOrder, type Redeemed, redeemOrder } from './gift-card-samples.ts'

/** A provider of gift cards to test a connector with. It counts what it does. */
export type GiftCardBench = {
  /** A working link to the provider, with fields that it accepts. */
  readonly link: Link
  readonly currency: string
  /** How often this attempt changed something, by the provider's own books. */
  readonly effectsOf: (attemptId: string) => Promise<number>
  /** A new card with this balance. */
  readonly card: (balance: number) => Promise<PresentedCard>
  /** A card that the provider refuses in every operation. */
  readonly refused: () => Promise<PresentedCard>
  /** A card that waits to be activated. Needed if there is an `activate`. */
  readonly blank?: () => Promise<PresentedCard>
}

export type Operation = GiftCardInquiry['operation']
type Answer = GiftCardAnswer | ActivateAnswer | IssueAnswer
type Ask = { readonly attemptId: string; readonly ask: (link?: Link) => Promise<Answer> }

/** A connector under test, and how to ask for its operations. */
export class Stage {
  readonly connector: GiftCardConnector
  readonly operations: readonly Operation[]
  /** Numbers and PINs used so far. */
  readonly seen = new Set<string>()
  #bench: GiftCardBench | undefined
  #purse: Promise<PresentedCard> | undefined

  constructor(connector: GiftCardConnector) {
    const all = ['redeem', 'refund', 'reverse', 'activate', 'issue'] as const
    this.connector = connector
    this.operations = all.filter((operation) => connector[operation])
  }

  get bench(): GiftCardBench {
    if (!this.#bench) throw new Error('the bench is not open')
    return this.#bench
  }

  set bench(bench: GiftCardBench) {
    this.#bench = bench
  }

  get currency(): string {
    return this.bench.currency
  }

  /** The link, with a change to requests or answers. */
  linkWith(change: (fetch: Link['fetch']) => Link['fetch']): Link {
    const { link } = this.bench
    return { ...link, fetch: change(link.fetch) }
  }

  secrets(): string[] {
    const { fields } = this.bench.link
    const secretFields = this.connector.manifest.fields.filter(({ isSecret }) => isSecret)
    return [...this.seen, ...secretFields.flatMap(({ key }) => fields[key] || [])]
  }

  /**
   * A card with a large balance, for tests in which the amount does not matter: new cards can be slow to
   * make.
   */
  purse(): Promise<PresentedCard> {
    this.#purse ??= this.card(5_000_000)
    return this.#purse
  }

  async card(balance: number): Promise<PresentedCard> {
    return this.#remembered(await this.bench.card(balance))
  }

  async balanceOf(card: PresentedCard): Promise<number | string> {
    const answer = await this.connector.balance({ card }, this.bench.link)
    return answer.outcome === 'known' ? answer.balance : inspect(answer)
  }

  async redeemed(card: PresentedCard, amount = 1299): Promise<Redeemed> {
    const order = redeemOrder(card, { amount, currency: this.currency })
    const answer = await this.connector.redeem(order, this.bench.link)
    expect(answer).toMatchObject({ outcome: 'approved' })
    return { order, reference: referenceOf(answer) }
  }

  /** Does everything that an operation needs before it, and returns the operation, which can be repeated. */
  async prepare(operation: Operation): Promise<Ask> {
    const { connector, currency } = this
    switch (operation) {
      case 'redeem':
        return this.#asking(redeemOrder(await this.purse(), { currency }), connector.redeem)
      case 'refund':
      case 'reverse':
        return this.#asking(giveBackOrder(await this.redeemed(await this.purse())), connector[operation])
      case 'activate': {
        const blank = await this.bench.blank?.()
        if (!blank) throw new Error('the bench has no blank cards')
        const order = activateOrder(this.#remembered(blank), { amount: 2500, currency })
        return this.#asking(order, connector.activate)
      }
      case 'issue':
        return this.#asking(issueOrder({ currency }), connector.issue)
    }
  }

  #asking<Order extends { readonly attemptId: string }>(
    order: Order,
    ask: ((order: Order, link: Link) => Promise<Answer>) | undefined,
  ): Ask {
    if (!ask) throw new Error('the connector has no such function')
    return { attemptId: order.attemptId, ask: (link = this.bench.link) => ask(order, link) }
  }

  #remembered(card: PresentedCard): PresentedCard {
    this.seen.add(card.number.use(String))
    if (card.pin) this.seen.add(card.pin.use(String))
    return card
  }
}

export function checkRefusal(answer: { readonly outcome: string } | GiftCardRefused): void {
  expect(answer).toMatchObject({ outcome: 'refused' })
  expect(GIFT_CARD_ERROR_CODES).toContain('code' in answer && answer.code)
}

export function referenceOf(answer: Answer): string {
  return answer.outcome === 'approved' ? answer.reference : ''
}
