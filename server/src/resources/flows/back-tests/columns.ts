import { type RawBuilder, sql } from 'kysely'
import type { SimpleCondition } from '../conditions/schemas.ts'
import type { StoredRule } from '../schemas.ts'

/** What rules ask of a payment: their conditions, and how they choose between services. */
type Asked = SimpleCondition['name'] | 'weighted' | 'success_rate' | 'least_cost'
export type Need = ReadonlySet<string>

export type Column = {
  readonly sql: RawBuilder<unknown>
  /** Read only if the rules ask for one of these: each column costs time with every payment. Undefined: always. */
  readonly of?: readonly Asked[]
}

const column = (name: string, of?: readonly Asked[]): Column => ({
  sql: sql.ref(`transactions.${name}`),
  ...(of && { of }),
})

/** Values that many payments share. */
export const SHARED = {
  method: column('method'),
  intent: column('intent'),
  currency: column('currency'),
  country: column('country'),
  status: column('status'),
  has_gift_card_redemptions: column('has_gift_card_redemptions'),
  payment_service_id: column('payment_service_id'),
  payment_method_scheme: column('payment_method_scheme'),
  instrument_type: { sql: sql`document->>'instrument_type'` },
  has_three_d_secure: { sql: sql`document->>'three_d_secure_data' is not null` },
  is_for_review: { sql: sql`outcome->'anti_fraud'->>'review' is not null` },
  is_free: { sql: sql`amount = gift_card_amount` },
  payment_source: column('payment_source', ['payment_source']),
  merchant_initiated: column('merchant_initiated', ['merchant_initiated']),
  is_subsequent_payment: column('is_subsequent_payment', ['is_subsequent_payment']),
  payment_method_country: column('payment_method_country', ['card_country', 'success_rate', 'least_cost']),
  /** Whether there is one counts, not which. */
  payment_method_id: { sql: sql`left(payment_method_id::text, 0)`, of: ['card_source'] },
  card_type: { sql: sql`document->'payment_method'->'details'->>'card_type'`, of: ['card_type'] },
  card_issuer_name: {
    sql: sql`document->'payment_method'->'details'->>'card_issuer_name'`,
    of: ['card_issuer_name'],
  },
  language: { sql: sql`document->'order'->'browser_info'->>'language'`, of: ['browser_language'] },
  installments: { sql: sql`document->'order'->'installment_count'`, of: ['installment_count'] },
  decision: { sql: sql`outcome->'anti_fraud'->>'decision'`, of: ['anti_fraud_decision'] },
} as const satisfies Record<string, Column>

/** Values that differ from payment to payment. */
export const OWN = {
  id: column('id'),
  amount: column('amount'),
  bin: column('payment_method_bin', ['card_bin']),
  /** Who stays with one arm of a split. Without either it is the payment itself. */
  payer: {
    sql: sql`coalesce(buyer_id::text, payment_method_fingerprint)`,
    of: ['split_routing', 'weighted'],
  },
  metadata: { sql: sql`document->'metadata'`, of: ['metadata', 'metadata_numeric'] },
  cart_items: {
    sql: sql`document->'order'->'cart_items'`,
    of: ['product_categories', 'product_types', 'skus'],
  },
  gift_card_bins: {
    sql: sql`(select array_agg(bin) from gift_card_redemptions as redemption
      where redemption.merchant_account_id = transactions.merchant_account_id
        and redemption.transaction_id = transactions.id)`,
    of: ['gift_card_bin'],
  },
} as const satisfies Record<string, Column>

export function needOfRules(rules: readonly StoredRule[]): Need {
  const names = rules
    .flatMap(({ conditions }) => conditions)
    .flatMap((condition) => (condition.name === 'any_of' ? condition.value : [condition]))
    .map(({ name }) => name)
  const strategies = rules.flatMap(({ outcome }) =>
    outcome.type === 'card-routing' ? (outcome.strategy ?? []) : [],
  )
  return new Set<string>([...names, ...strategies])
}
