import { createdAt } from '#domain/ids.ts'
import type { Capture } from '#resources/transactions/wire/capture.ts'
import { complete } from '#resources/transactions/wire/complete.ts'
import { CartItem } from '#resources/transactions/wire/order.ts'
import type { StoredCapture } from './store/captures.ts'
import type { StoredTransaction } from './store/payments.ts'

export function toCapture(
  { currency, external_identifier }: Pick<StoredTransaction, 'currency' | 'external_identifier'>,
  capture: StoredCapture,
): Capture {
  const { outcome, details } = capture
  return {
    type: 'capture',
    id: capture.id,
    merchant_account_id: capture.merchant_account_id,
    transaction_id: capture.transaction_id,
    transaction_external_identifier: external_identifier,
    xid: capture.payment_service_capture_id,
    external_identifier: capture.external_identifier,
    currency,
    amount: capture.amount,
    status: capture.status,
    final: capture.is_final,
    error_code: capture.error_code,
    iso_response_code: outcome.iso_response_code ?? null,
    raw_response_code: outcome.raw_response_code ?? null,
    raw_response_description: outcome.raw_response_description ?? null,
    cart_items: details.cart_items?.map((item) => complete(CartItem, item)) ?? null,
    created_at: createdAt(capture.id).toISOString(),
    updated_at: capture.updated_at.toISOString(),
    captured_at: capture.captured_at?.toISOString() ?? null,
  }
}
