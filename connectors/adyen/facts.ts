import type { Facts } from '#connectors/contract/connector.ts'
import { safe } from '#connectors/contract/requests.ts'
import { AVS, CVC } from './mapping.ts'
import { isObject, type Json } from './wire.ts'

/** Adyen's details beside its decision. Which of them it sends is a setting of the account. */
export function factsOf(body: Json): Facts {
  const data = isObject(body['additionalData']) ? body['additionalData'] : {}
  return {
    rawCode: safe(body['refusalReasonCode']) ?? safe(body['resultCode']),
    rawDescription: safe(body['refusalReason']),
    authResponseCode: safe(data['authCode']),
    isoResponseCode: startOf(data['refusalReasonRaw'], /^([0-9A-Z]{2}) ?:/),
    avsResponseCode: AVS[startOf(data['avsResult'], /^(\d{1,2})(?!\d)/) ?? ''] ?? null,
    cvvResponseCode: CVC[startOf(data['cvcResult'], /^(\d)(?!\d)/) ?? ''] ?? null,
    merchantAdviceCode: startOf(data['merchantAdviceCode'], /^(\d{1,2})(?!\d)/),
    // These are numbers of the scheme, and may be as long as a card's.
    schemeTransactionId: startOf(data['networkTxReference'], /^([A-Za-z0-9-]{1,36})$/),
    transactionLinkId: startOf(data['transactionLinkId'], /^([A-Za-z0-9_-]{1,64})$/),
    paymentAccountReference: startOf(data['PaymentAccountReference'], /^([A-Z0-9]{29})$/),
    ...mandateIn(data),
  }
}

/** Adyen makes the mandate of a debit, and names it after the payment. */
function mandateIn(data: Json): Facts {
  const reference = startOf(data['sepadirectdebit.mandateId'], /^([A-Za-z0-9+?/:().,' -]{1,35})$/)
  if (reference === null) return {}
  const signedOn = startOf(data['sepadirectdebit.dateOfSignature'], /^(\d{4}-\d{2}-\d{2})$/)
  return { mandate: { reference, signedOn } }
}

function startOf(value: unknown, shape: RegExp): string | null {
  return (typeof value === 'string' && shape.exec(value)?.[1]) || null
}
