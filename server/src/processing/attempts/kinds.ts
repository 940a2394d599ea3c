/** The kinds of attempts about a payment. */
export type PaymentKind =
  | 'authorize'
  | 'capture'
  | 'void'
  | 'cancel'
  | 'refund'
  | 'increment'
  | 'redeem'
  | 'reverse'

/** The kinds of attempts about a network token. */
export type TokenKind = 'provision-token' | 'suspend-token' | 'resume-token' | 'delete-token'

/** All kinds of attempts, by their names in the table. */
export type KindName =
  | PaymentKind
  | 'payout'
  | 'activate'
  | 'issue'
  | 'update-card'
  | 'tokenize'
  | 'forget-token'
  | TokenKind
