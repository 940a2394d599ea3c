import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { moneyText } from '../parts/values.tsx'
import { type DialogProps, personOf, standing } from './standing.ts'

/** Ends the review of a payment that an anti-fraud service has held back. */
export function ReviewDialog({
  of: it,
  onClose,
  decision,
}: DialogProps & { readonly decision: 'accept' | 'reject' }) {
  const amount = moneyText(it.authorized_amount, it.currency)
  const person = personOf(it)
  const isAccepted = decision === 'accept'
  return (
    <Ask
      title={`${isAccepted ? 'Accept' : 'Reject'} ${amount} of ${person}`}
      verb={isAccepted ? 'Accept' : 'Reject'}
      isDangerous={!isAccepted}
      says={
        <>
          The payment of <strong>{amount}</strong> by <strong>{person}</strong>{' '}
          {isAccepted
            ? it.intent === 'capture'
              ? 'continues: the money is captured now.'
              : 'continues: the money stays authorized until you capture it.'
            : 'ends: the money is released. This cannot be undone.'}
        </>
      }
      send={(_body, idempotencyKey) =>
        send('POST /transactions/{transaction_id}/review', {
          path: { transaction_id: it.id },
          body: { decision },
          idempotencyKey,
        })
      }
      outcome={() => ({
        kind: 'done',
        title: isAccepted ? `Accepted: ${amount} of ${person}` : `Rejected: ${amount} of ${person}`,
      })}
      standing={standing(it)}
      onClose={onClose}
    />
  )
}
