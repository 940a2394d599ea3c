/** What is known about a payment when rules are asked. Null: not known. */
export type Facts = {
  readonly amount: number | null
  readonly currency: string | null
  readonly country: string | null
  readonly payment_method: string | null
  readonly payment_source: string | null
  readonly merchant_initiated: boolean | null
  readonly is_subsequent_payment: boolean | null
  readonly has_gift_cards: boolean | null
  /** The first nine digits of each. */
  readonly gift_card_bins: readonly number[]
  readonly metadata: Readonly<Record<string, string>>
  readonly cart_items: readonly CartItemFacts[]
  readonly browser_language: string | null
  readonly anti_fraud_decision: string | null
  readonly card: CardFacts | null
  readonly installment_count: number | null
  readonly at: Date
  /**
   * The place of the payer between 0 and 1, which is the same for every payment of a buyer or card. Different salts give places
   * that have nothing to do with each other. Null: the payer is not known yet.
   */
  readonly shareOf: (salt: string) => number | null
}

type CartItemFacts = {
  readonly categories?: readonly string[] | null
  readonly product_type?: string | null
  readonly sku?: string | null
}

export type CardFacts = {
  /** The first eight digits, filled up with zeros if fewer are known. */
  readonly bin: number | null
  readonly scheme: string | null
  readonly type: string | null
  readonly country: string | null
  readonly issuer_name: string | null
  readonly source: string | null
}
