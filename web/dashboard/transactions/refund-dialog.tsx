import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import type { Field } from '../parts/fields.tsx'
import { Notice } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { refundReasonFor } from './reasons.ts'
import { type DialogProps, outcomeOf, personOf, reasonIn, standing, type Transaction } from './standing.ts'
import { DISPUTE } from './words.ts'

const EVERYTHING = 'everything'
const METHOD = 'method'

/** Gives money back, whole or in part. Where gift cards paid too, a person chooses to what. */
export function RefundDialog({ of: it, onClose }: DialogProps) {
  const { currency } = it
  const left = it.captured_amount - it.refunded_amount
  const person = personOf(it)
  const isShared = it.gift_card_redemptions.some(({ status }) => status === 'succeeded')
  return (
    <Ask
      title={`Refund up to ${moneyText(left, currency)} to ${person}`}
      verb="Refund"
      isDangerous
      fields={fieldsOf(it, left)}
      initial={isShared ? { target: EVERYTHING } : { amount: left }}
      says={({ amount, target }) => (
        <>
          {it.disputed && (
            <Notice tone="wait" title={DISPUTE.title}>
              {DISPUTE.refund}
            </Notice>
          )}
          <p>
            <strong>
              {target === EVERYTHING
                ? moneyText(left, currency)
                : typeof amount === 'number'
                  ? moneyText(amount, currency)
                  : 'The amount'}
            </strong>{' '}
            goes back to <strong>{person}</strong>
            {target === EVERYTHING && ', to all payment methods used'}. This cannot be undone.
          </p>
        </>
      )}
      send={(body, idempotencyKey) => sendRefund(it, body, idempotencyKey)}
      outcome={(refunds) => {
        const sum = refunds.reduce((total, { amount }) => total + amount, 0)
        return outcomeOf(worstOf(refunds), `Refunded ${moneyText(sum, currency)} to ${person}`)
      }}
      standing={standing(it)}
      onClose={onClose}
    />
  )
}

function fieldsOf(it: Transaction, left: number): Field[] {
  const gifts = it.gift_card_redemptions.filter(({ status }) => status === 'succeeded')
  const reason: Field = {
    name: 'reason',
    label: 'Reason (optional)',
    kind: 'text',
    hint: 'For your records and reports. Not shown to the buyer.',
  }
  const amount: Field = {
    name: 'amount',
    label: 'Amount',
    kind: 'money',
    currency: it.currency,
    max: left,
    isRequired: gifts.length === 0,
  }
  if (gifts.length === 0) return [amount, reason]
  const target: Field = {
    name: 'target',
    label: 'To',
    kind: 'choice',
    isRequired: true,
    options: [
      { value: EVERYTHING, label: 'All payment methods used, in full' },
      ...(it.payment_method ? [{ value: METHOD, label: 'The payment method' }] : []),
      ...gifts.map(({ id, gift_card }) => ({ value: id, label: `Gift card •••• ${gift_card.last4}` })),
    ],
  }
  return [target, { ...amount, hint: 'For one of them. Leave empty for the full remainder.' }, reason]
}

async function sendRefund(
  it: Transaction,
  body: Record<string, unknown>,
  idempotencyKey: string,
): Promise<Schemas['Refund'][]> {
  const { target, amount, reason } = body as { target?: string; amount?: number; reason?: string }
  const path = { transaction_id: it.id }
  const why = reason === undefined ? {} : { reason }
  if (target === EVERYTHING) {
    const { items } = await send('POST /transactions/{transaction_id}/refunds/all', {
      path,
      body: why,
      idempotencyKey,
    })
    return items
  }
  const isOfGiftCard = target !== undefined && target !== METHOD
  const refund = await send('POST /transactions/{transaction_id}/refunds', {
    path,
    body: {
      ...why,
      ...(amount !== undefined && { amount }),
      ...(isOfGiftCard && { target_type: 'gift-card-redemption' as const, target_id: target }),
    },
    idempotencyKey,
  })
  return [refund]
}

/** Of several refunds at once, the one that a person has to know of. */
function worstOf(refunds: readonly Schemas['Refund'][]) {
  const order = ['failed', 'declined', 'voided', 'processing', 'succeeded']
  const [worst] = refunds.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  if (!worst) return { status: 'succeeded', reason: null } as const
  return { status: worst.status, reason: reasonIn(worst, refundReasonFor(worst.error_code ?? '')) }
}
