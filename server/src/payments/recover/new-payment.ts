import type { ListedOperation } from '#connectors/contract/connector.ts'
import type { Manifest } from '#connectors/contract/manifest.ts'
import { CARD_SCHEMES, type CardScheme } from '#domain/card-scheme.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { type Document, NOTHING_KNOWN } from '../document.ts'
import { UNTOUCHED } from '../prepare/prepare.ts'
import * as transactions from '../store/payments.ts'
import { audit } from '../tell.ts'

type Lost = {
  readonly id: string
  readonly serviceId: string
  readonly manifest: Pick<Manifest, 'method' | 'mode'>
  readonly authorization: ListedOperation
  readonly amount: number
}

/** Writes a payment that only its provider knows, as one whose authorization is under way. */
export async function insertLost(
  tx: Scope<Tx>,
  { id, serviceId, manifest, authorization, amount }: Lost,
): Promise<transactions.StoredTransaction> {
  const { currency, isFinal, card } = authorization
  const { method, mode } = manifest
  const scheme = schemeOf(card?.scheme ?? null)
  const label = card?.last4 ?? null
  const row: transactions.Row = {
    merchant_account_id: tx.merchantAccountId,
    id,
    intent: isFinal ? 'capture' : 'authorize',
    amount,
    currency,
    country: null,
    method,
    payment_source: 'ecommerce',
    merchant_initiated: false,
    is_subsequent_payment: false,
    has_gift_card_redemptions: false,
    gift_card_amount: 0,
    has_gift_card_refunds: false,
    external_identifier: null,
    buyer_id: null,
    buyer_external_identifier: null,
    buyer_email_address: null,
    ip_address: null,
    checkout_session_id: null,
    payment_link_id: null,
    payment_method_id: null,
    payment_method_label: label,
    payment_method_scheme: scheme,
    payment_method_country: null,
    payment_method_fingerprint: null,
    payment_method_bin: null,
    reauthorized_from_transaction_id: null,
    ...UNTOUCHED,
    payment_service_id: serviceId,
    updated_at: tx.clock(),
  }
  const document: Document = {
    payment_method: { ...NOTHING_KNOWN, method, mode, label, scheme },
    instrument_type: null,
    buyer: null,
    shipping_details: null,
    metadata: null,
    three_d_secure_data: null,
    challenge: null,
    holds_card: false,
    redirect_url: null,
    connection_options: null,
    previous_scheme_transaction_id: null,
    previous_transaction_link_id: null,
    order: {},
  }
  await transactions.insert(tx, row, document)
  await audit(tx, 'created', row)
  return { ...row, document }
}

function schemeOf(name: string | null): CardScheme | null {
  return name !== null && Object.hasOwn(CARD_SCHEMES, name) ? (name as CardScheme) : null
}
