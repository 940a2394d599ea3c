import type { Answer, Link, Refused } from '#connectors/contract/connector.ts'
import { withoutMarks } from '#connectors/contract/latin-letters.ts'
import type { Contact, PayoutOrder } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { schemeReferenceIn, send, toRefusal } from './card-wire.ts'
import { codeOf, DUPLICATES, PAYOUTS } from './mapping.ts'
import { addressOf, expiryOf, known, lineOf, nameOf } from './payment-request.ts'
import { textOf, type Wire } from './wire.ts'

/** Sends money to a card by the Card Payouts API, version 4: within half an hour if the card takes it, else in days. */
export async function payout(order: PayoutOrder, link: Link): Promise<Answer> {
  const body = toPayoutRequest(order, link)
  if ('outcome' in body) return body as Refused
  const reply = await send(link, 'payouts/fastAccess', body)
  if (reply.kind === 'answer') return payoutOf(reply.body, order.attemptId)
  if (reply.kind === 'lost') return lost(reply.reason)
  const { name, status, places } = reply
  if (name === UNSURE || DUPLICATES.includes(name ?? '')) return findPayout(order.attemptId, link)
  if (status === 422 && places.includes('$.merchant.entity')) {
    return refused('invalid_service_configuration', { rawCode: name, rawDescription: NO_PAYOUTS })
  }
  return toRefusal(reply, null)
}

/** Worldpay does not know whether it has taken the payout. */
const UNSURE = 'checkOutcome'
const NO_PAYOUTS = 'ask Worldpay to enable card payouts with Fast Access for the entity'

/** What became of a payout. One that is not shown may still be on its way: Worldpay says that this takes minutes. */
export async function findPayout(attemptId: string, link: Link): Promise<Answer> {
  const query = new URLSearchParams({
    transactionReference: attemptId,
    entity: link.fields['entity'] ?? '',
  })
  const reply = await send(link, `payouts/query?${query}`)
  if (reply.kind === 'answer') return payoutOf(reply.body, attemptId)
  return lost(reply.kind === 'lost' ? reply.reason : `Worldpay did not show the payout (${reply.status})`)
}

/** Reads a payout. Strict: an answer that is only nearly right is unknown. Worldpay finds payouts by our reference. */
export function payoutOf(body: Wire, reference: string): Answer {
  const outcome = textOf(body, 'outcome')
  const refusal = safe(body['refusalCode'])
  const facts = {
    rawCode: refusal ?? outcome,
    schemeTransactionId: schemeReferenceIn(body),
  }
  switch (PAYOUTS[outcome ?? '']) {
    case 'approved':
      return { outcome: 'approved', reference, facts }
    case 'pending':
      return { outcome: 'pending', reference, facts }
    case 'refused':
      return refused(codeOf(refusal), facts, reference)
    default:
      return lost(outcome === 'error' ? 'Worldpay cannot say whether the payout failed' : NOT_KNOWN)
  }
}

const NOT_KNOWN = 'Worldpay answered with an outcome that we do not know'

/** The body of the request, or why nothing is sent. The same order gives the same body. */
function toPayoutRequest(order: PayoutOrder, { fields }: Link): Wire | Refused {
  const { attemptId, amount, currency, instrument, billing, merchant } = order
  if (instrument.kind !== 'card') {
    return refused('unsupported_payment_method', { rawDescription: 'Worldpay gets the number of the card' })
  }
  return {
    transactionReference: attemptId,
    merchant: { entity: fields['entity'] },
    instruction: {
      value: { amount, currency },
      narrative: {
        line1: lineOf(merchant?.statement_descriptor) ?? lineOf(fields['narrative']) ?? 'Payout',
      },
      payoutInstrument: {
        type: 'card/plain',
        cardNumber: instrument.number.use(String),
        cardExpiryDate: expiryOf(instrument.expirationDate),
        ...known({ cardHolderName: holderOf(billing), billingAddress: placeOf(billing) }),
      },
    },
  }
}

/** Plain letters, digits, hyphens and blanks, and at least one letter. */
function holderOf(billing: Contact | null): string | null {
  const plain = withoutMarks(nameOf(billing) ?? '').replace(/[^-A-Za-z0-9_ ]/g, ' ')
  const name = plain.replace(/ +/g, ' ').trim()
  return /[A-Za-z]/.test(name) ? name : null
}

/** Payouts take a line and a city together, or neither. */
function placeOf(billing: Contact | null): Wire | null {
  const address = addressOf(billing)
  if (address === null || (address['address1'] && address['city'])) return address
  const { address1: _line1, address2: _line2, city: _city, ...place } = address
  return place
}
