import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { expiresOn } from './read-card.ts'
import type { PaymentMethod, UpdatePaymentMethod } from './schemas.ts'
import { nameOf, showMethod } from './show.ts'
import * as paymentMethods from './store.ts'

/** Absent fields stay, null clears. A card keeps its expiration date if it is null. */
export async function updatePaymentMethod(
  scope: Scope,
  id: string,
  request: UpdatePaymentMethod,
): Promise<PaymentMethod> {
  const { expiration_date } = request
  return inTransaction(scope, async (tx) => {
    const before = await paymentMethods.lock(tx, id)
    if (!before) throw errors.notFound()
    const complaints = before.scheme === null ? cardOnly(request) : []
    if (complaints.length > 0) throw errors.invalid(...complaints)

    await paymentMethods.update(tx, id, {
      ...schemeChanges(before, request),
      ...(request.transaction_link_id !== undefined && { transaction_link_id: request.transaction_link_id }),
      ...(expiration_date && { expiration_date, expires_on: expiresOn(expiration_date) }),
    })
    await auditLogs.record(tx, 'updated', {
      type: auditLogs.OF_BUYERS.paymentMethod,
      id,
      name: nameOf(before),
    })
    const after = await paymentMethods.find(tx, id)
    if (!after) throw errors.notFound()
    const shown = await showMethod(tx, after)
    await events.publish(tx, ['payment-method.updated'], shown)
    return shown
  })
}

/** The fields of a card, for a method that is none. Clearing one that is empty does no harm. */
function cardOnly(request: UpdatePaymentMethod): ErrorDetail[] {
  return Object.entries(request).flatMap(([name, value]) =>
    value === null ? [] : inBody(`/${name}`, 'value_error.conflict', 'leave it out: only cards have it'),
  )
}

/**
 * A scheme's id means nothing without its scheme: both are cleared together, and the card's own scheme is the
 * default.
 */
function schemeChanges(
  before: paymentMethods.StoredMethod,
  request: UpdatePaymentMethod,
): paymentMethods.Changes {
  const { scheme_transaction_id: id, scheme_transaction_id_scheme: scheme } = request
  if (id === null) return { scheme_transaction_id: null, scheme_transaction_id_scheme: null }
  const after = scheme !== undefined ? scheme : before.scheme_transaction_id_scheme
  const isSet = (id ?? before.scheme_transaction_id) !== null
  return {
    ...(id !== undefined && { scheme_transaction_id: id }),
    ...(isSet && { scheme_transaction_id_scheme: after ?? before.scheme }),
  }
}
