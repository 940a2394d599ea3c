import { ERROR_CODES } from '#connectors/contract/codes.ts'
import type { Approval, AuthorizeAnswer, Refused, Unknown } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost } from '#connectors/contract/requests.ts'
import { fromAdyen } from './currency.ts'
import { factsOf } from './facts.ts'
import { REFUSALS, RESULTS } from './mapping.ts'
import { isObject, isReference, type Json, type Reply, toRefusal } from './wire.ts'

type Asked = { readonly attemptId: string; readonly amount: number; readonly currency: string }

/** Reads the answer to a payment, or to its completion. Strict: an answer that is only nearly right is unknown. */
export function readPayment(reply: Reply, asked: Asked): AuthorizeAnswer {
  if (reply.kind !== 'answer') return toRefusal(reply)
  const { body } = reply
  const { resultCode, pspReference, merchantReference } = body
  if (merchantReference !== undefined && merchantReference !== asked.attemptId) {
    return lost('Adyen answered about another payment')
  }
  switch (RESULTS[resultCode as keyof typeof RESULTS]) {
    case 'approved':
      return readApproval(body, asked)
    case 'refused':
      return readRefusal(body)
    case 'pending':
      if (isObject(body['action'])) return readApprovalRequest(body, asked)
      return isReference(pspReference)
        ? { outcome: 'pending', reference: pspReference, facts: factsOf(body) }
        : lost('Adyen works on the payment, but names no reference')
    case 'approval_required':
      return readApprovalRequest(body, asked)
    case 'unusable':
      return refused('requires_buyer_authentication', factsOf(body), referenceIn(body))
    default:
      return lost('Adyen answered with a result that we do not know')
  }
}

function readApproval(body: Json, { amount, currency }: Asked): AuthorizeAnswer {
  const reference = referenceIn(body)
  if (reference === null) return lost('Adyen approved without a reference')
  const approved = { outcome: 'approved', reference, facts: factsOf(body) } as const
  const stated = body['amount']
  const isPart = body['resultCode'] === 'PartiallyAuthorised'
  const part = isPart ? (authorisedIn(body, currency) ?? stated) : stated
  if (part === undefined) return isPart ? lost('Adyen approved a part without its amount') : approved
  if (!isObject(part) || part['currency'] !== currency || typeof part['value'] !== 'number') {
    return lost('Adyen approved another amount')
  }
  const value = fromAdyen(part['value'], currency)
  if (isPart) {
    const isLess = value !== null && value < amount
    return isLess ? { ...approved, amount: value } : lost('Adyen approved a part without its amount')
  }
  return value === amount ? approved : lost('Adyen approved another amount')
}

/** What the bank holds, as `additionalData` states it. Null: it does not. */
export function authorisedIn({ additionalData }: Json, currency: string): Json | null {
  if (!isObject(additionalData)) return null
  const { authorisedAmountValue: value, authorisedAmountCurrency: stated = currency } = additionalData
  return typeof value === 'string' && /^\d{1,12}$/.test(value)
    ? { value: Number(value), currency: stated }
    : null
}

/** `Refused` is final whatever its reason. An `Error` is so only for reasons that say that nothing was done. */
function readRefusal(body: Json): Refused | Unknown {
  const reference = referenceIn(body)
  const row = REFUSALS[String(body['refusalReasonCode'])]
  const result = body['resultCode']
  if (!row) {
    if (result === 'Error') return lost('Adyen answered with an error whose reason we do not know')
    return refused(
      result === 'Cancelled' ? 'cancelled_buyer_approval' : 'other_decline',
      factsOf(body),
      reference,
    )
  }
  if (row.code === null) return lost('Adyen does not know what became of the payment')
  const answer = refused(row.code, factsOf(body), reference)
  return { ...answer, isRetriable: row.isRetriable ?? ERROR_CODES[row.code].isRetriable }
}

/** Some methods have no reference of Adyen before the buyer is back. Until then, ours stands for it. */
function readApprovalRequest(body: Json, { attemptId }: Asked): AuthorizeAnswer {
  const action = isObject(body['action']) ? body['action'] : {}
  const approval = readAction(action)
  if (!approval) return lost('Adyen asks the buyer for something that we do not know')
  const reference = referenceIn(body) ?? attemptId
  const expiresAt = endOf(action)
  const facts = factsOf(body)
  return { outcome: 'approval_required', reference, approval, ...(expiresAt && { expiresAt }), facts }
}

/** Until when a voucher or a code can be paid. Adyen leaves the time zone out of some, and means UTC. */
function endOf({ expiresAt }: Json): Date | null {
  if (typeof expiresAt !== 'string') return null
  const end = new Date(/T.*(Z|[+-]\d\d:?\d\d)$/.test(expiresAt) ? expiresAt : `${expiresAt}Z`)
  return Number.isNaN(end.getTime()) ? null : end
}

function readAction(action: Json): Approval | null {
  const { type, method, data, qrCodeData } = action
  const address = addressIn(action['url'])
  if (type === 'qrCode' && isText(qrCodeData)) return { kind: 'qr', text: qrCodeData, url: address }
  if (type === 'voucher') return readVoucher(action)
  if (type === 'await') return { kind: 'wait', url: address }
  if (type !== 'redirect' || address === null) return null
  if (method === 'GET') return { kind: 'redirect', url: address }
  if (method !== 'POST' || !isObject(data)) return null
  const fields = Object.entries(data)
  if (!fields.every((field): field is [string, string] => typeof field[1] === 'string')) return null
  return { kind: 'form', url: address, fields: Object.fromEntries(fields) }
}

/** In some countries, the number is one with who takes the money: the entity in Portugal, the institution in Japan. */
function readVoucher(action: Json): Approval | null {
  const { reference, entity, collectionInstitutionNumber } = action
  if (!isText(reference)) return null
  const taker = [entity, collectionInstitutionNumber].find(isText)
  const number = taker === undefined ? reference : `${taker} ${reference}`
  const url =
    addressIn(action['downloadUrl']) ?? addressIn(action['instructionsUrl']) ?? addressIn(action['url'])
  return { kind: 'voucher', number, url }
}

function addressIn(url: unknown): string | null {
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function referenceIn({ pspReference }: Json): string | null {
  return isReference(pspReference) ? pspReference : null
}
