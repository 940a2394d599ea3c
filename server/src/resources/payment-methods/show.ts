import type { Context } from '#platform/database/db.ts'
import type { Buyer } from '#resources/buyers/schemas.ts'
import * as buyers from '#resources/buyers/store.ts'
import type { PaymentMethod, PaymentMethodSummary } from './schemas.ts'
import type { StoredMethod } from './store.ts'
import type { Pending } from './uses/store.ts'

/** Payment methods as the API shows them, with their buyers and with uses that are not yet summed up. */
export async function showMethods(
  context: Context,
  methods: readonly StoredMethod[],
): Promise<PaymentMethod[]> {
  const buyerIds = methods.flatMap(({ buyer_id }) => buyer_id ?? [])
  const owners = await buyers.findMany(context, buyerIds)
  return methods.map((method) => toPaymentMethod(method, owners.get(method.buyer_id ?? '')))
}

export async function showMethod(context: Context, method: StoredMethod): Promise<PaymentMethod> {
  const [shown] = await showMethods(context, [method])
  if (!shown) throw new Error('a payment method was not shown')
  return shown
}

export function showSummaries(methods: readonly StoredMethod[]): PaymentMethodSummary[] {
  return methods.map(toSummary)
}

export function toPaymentMethod(row: StoredMethod, buyer: Buyer | undefined): PaymentMethod {
  return {
    ...toSummary(row),
    status: row.status,
    buyer: buyer ?? null,
    external_identifier: row.external_identifier,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function toSummary(row: StoredMethod): PaymentMethodSummary {
  return {
    type: 'payment-method',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    method: row.method,
    mode: row.mode,
    label: row.label,
    scheme: row.scheme,
    additional_schemes: row.additional_schemes,
    expiration_date: row.expiration_date,
    details:
      row.scheme === null
        ? null
        : { bin: row.bin, card_type: row.card_type, card_issuer_name: row.card_issuer_name },
    fingerprint: row.fingerprint,
    approval_url: row.approval_url,
    approval_target: row.approval_target,
    country: row.country,
    currency: row.currency,
    has_replacement: row.replacement !== null,
    last_replaced_at: row.last_replaced_at?.toISOString() ?? null,
    ...countUses(row),
    scheme_transaction_id: row.scheme_transaction_id,
    scheme_transaction_id_scheme: row.scheme_transaction_id_scheme,
    transaction_link_id: row.transaction_link_id,
  }
}

type Used = {
  readonly usage_count: number
  readonly last_used_at: Date | null
  readonly cit_usage_count: number
  readonly cit_last_used_at: Date | null
  readonly pending: Pending
}

/** All uses, also those that are not yet summed up. */
export function countUses({ pending, ...row }: Used) {
  return {
    usage_count: row.usage_count + pending.count,
    last_used_at: later(row.last_used_at, pending.last_used_at),
    cit_usage_count: row.cit_usage_count + pending.cit_count,
    cit_last_used_at: later(row.cit_last_used_at, pending.cit_last_used_at),
  }
}

function later(counted: Date | null, pending: string | null): string | null {
  const latest = Math.max(counted?.getTime() ?? 0, pending ? Date.parse(pending) : 0)
  return latest === 0 ? null : new Date(latest).toISOString()
}

/** What the audit log calls a payment method: its scheme or its method, and its label. */
export function nameOf({ scheme, method, label }: Pick<StoredMethod, 'scheme' | 'method' | 'label'>): string {
  return [scheme ?? method, label ?? []].flat().join(' ')
}
