/** What is asked of a provider about a payment. */
export type PaymentKind =
  | 'authorize'
  | 'capture'
  | 'void'
  | 'cancel'
  | 'refund'
  | 'increment'
  | 'redeem'
  | 'reverse'

/** Everything that is asked of a provider, by its name in the table of attempts. */
export type KindName = PaymentKind | 'activate' | 'issue' | 'update-card'
