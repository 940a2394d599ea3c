import { send } from '../api/client.ts'
import { Ask } from '../parts/ask.tsx'
import { moneyText } from '../parts/values.tsx'
import { reasonFor } from './reasons.ts'
import { type DialogProps, outcomeOf, personOf, reasonIn, standing } from './standing.ts'

/** Takes the money that is held, whole or in part. */
export function CaptureDialog({ of: it, onClose }: DialogProps) {
  const { currency, capturable_amount: left } = it
  const person = personOf(it)
  return (
    <Ask
      title={`Capture up to ${moneyText(left, currency)} from ${person}`}
      verb="Capture"
      fields={[
        { name: 'amount', label: 'Amount', kind: 'money', currency, isRequired: true },
        { name: 'keep', label: 'Keep the remainder authorized for a later capture', kind: 'flag' },
      ]}
      initial={{ amount: left }}
      says={({ amount, keep }) => (
        <>
          <strong>{typeof amount === 'number' ? moneyText(amount, currency) : 'The amount'}</strong> is taken
          from <strong>{person}</strong>.{' '}
          {keep ? 'The remainder stays authorized.' : 'The remainder is released.'}
        </>
      )}
      send={({ amount, keep }, idempotencyKey) =>
        send('POST /transactions/{transaction_id}/capture', {
          path: { transaction_id: it.id },
          body: { amount: Number(amount), final: keep !== true },
          idempotencyKey,
          prefer: 'transaction-capture',
        })
      }
      outcome={(answer) => {
        if (answer.type !== 'transaction-capture')
          return outcomeOf({ status: 'succeeded', reason: null }, 'Captured')
        return outcomeOf(
          { status: answer.status, reason: reasonIn(answer, reasonFor(answer.code ?? '')) },
          `Captured from ${person}`,
        )
      }}
      standing={standing(it)}
      onClose={onClose}
    />
  )
}

/** Releases what is held: all of it, or what captures have left. */
export function VoidDialog({ of: it, onClose }: DialogProps) {
  const isRest = it.captured_amount > 0
  const held = isRest ? it.capturable_amount : it.authorized_amount
  const amount = moneyText(held, it.currency)
  const person = personOf(it)
  return (
    <Ask
      title={isRest ? `Release ${amount} to ${person}` : `Void ${amount} of ${person}`}
      verb={isRest ? 'Release' : 'Void'}
      isDangerous
      says={
        <>
          <strong>{amount}</strong> is no longer held from <strong>{person}</strong>.{' '}
          {isRest ? 'Captured amounts are not affected.' : 'It can no longer be captured.'} This cannot be
          undone.
        </>
      }
      send={(_body, idempotencyKey) =>
        send('POST /transactions/{transaction_id}/void', {
          path: { transaction_id: it.id },
          idempotencyKey,
          prefer: 'transaction-void',
        })
      }
      outcome={(answer) => {
        if (answer.type !== 'transaction-void')
          return outcomeOf({ status: 'succeeded', reason: null }, 'Released')
        return outcomeOf(
          { status: answer.status, reason: reasonIn(answer, reasonFor(answer.code ?? '')) },
          `Released to ${person}`,
        )
      }}
      standing={standing(it)}
      onClose={onClose}
    />
  )
}

/** Ends a payment that the buyer has not approved. */
export function CancelDialog({ of: it, onClose }: DialogProps) {
  const amount = moneyText(it.amount, it.currency)
  const person = personOf(it)
  return (
    <Ask
      title={`Cancel ${amount} of ${person}`}
      verb="Cancel the payment"
      isDangerous
      says={
        <>
          <strong>{person}</strong> can no longer approve this payment of <strong>{amount}</strong>.
        </>
      }
      send={(_body, idempotencyKey) =>
        send('POST /transactions/{transaction_id}/cancel', {
          path: { transaction_id: it.id },
          idempotencyKey,
        })
      }
      outcome={(answer) =>
        outcomeOf(
          { status: answer.status, reason: reasonIn(answer, reasonFor(answer.code ?? '')) },
          'Canceled',
        )
      }
      standing={standing(it)}
      onClose={onClose}
    />
  )
}

/** Asks the payment service how the payment stands. Moves no money. */
export function SyncDialog({ of: it, onClose }: DialogProps) {
  const service = it.payment_service?.display_name ?? 'The payment service'
  return (
    <Ask
      title={`Sync ${moneyText(it.amount, it.currency)} of ${personOf(it)} with ${service}`}
      verb="Sync"
      says={`Asks ${service} for the current state of everything that is still open. Nothing is charged, captured or refunded.`}
      send={(_body, idempotencyKey) =>
        send('POST /transactions/{transaction_id}/sync', { path: { transaction_id: it.id }, idempotencyKey })
      }
      outcome={() => ({
        kind: 'done',
        title: `${service} was asked`,
        text: 'See the timeline for its answer.',
      })}
      onClose={onClose}
    />
  )
}
