import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Icon, type IconName, Menu, Popover } from '../parts/controls.tsx'
import { type Field, field } from '../parts/fields.tsx'
import { Notice } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { reasonFor, refundReasonFor } from './reasons.ts'
import { type DialogProps, outcomeOf, personOf, reasonIn, standing, type Transaction } from './standing.ts'
import { isOpen } from './timeline.tsx'

type Act = {
  readonly id: string
  readonly label: string
  readonly icon: IconName
  readonly Dialog: (props: DialogProps) => ReactNode
  /** What the status asks for. */
  readonly isMain?: boolean
}

/** What can be done with a payment as it stands. The server has the last word. */
function actsFor(it: Transaction, hasOpenAttempt: boolean): Act[] {
  const acts: (Act | false)[] = [
    it.pending_review && { id: 'accept', label: 'Accept', icon: 'check', isMain: true, Dialog: AcceptDialog },
    it.pending_review && { id: 'reject', label: 'Reject', icon: 'close', isMain: true, Dialog: RejectDialog },
    it.capturable_amount > 0 && {
      id: 'capture',
      label: 'Capture',
      icon: 'download',
      isMain: !it.pending_review,
      Dialog: CaptureDialog,
    },
    it.captured_amount > it.refunded_amount && {
      id: 'refund',
      label: 'Refund',
      icon: 'refund',
      isMain: true,
      Dialog: RefundDialog,
    },
    it.status === 'authorization_succeeded' && {
      id: 'void',
      label: 'Void',
      icon: 'close',
      isMain: !it.pending_review,
      Dialog: VoidDialog,
    },
    it.status === 'capture_succeeded' &&
      it.capturable_amount > 0 && {
        id: 'release',
        label: 'Release remainder',
        icon: 'close',
        Dialog: VoidDialog,
      },
    it.status === 'buyer_approval_pending' && {
      id: 'cancel',
      label: 'Cancel',
      icon: 'close',
      isMain: true,
      Dialog: CancelDialog,
    },
    hasOpenAttempt && {
      id: 'sync',
      label: 'Sync with the service',
      icon: 'sync',
      isMain: isWaiting(it),
      Dialog: SyncDialog,
    },
  ]
  return acts.filter((act) => act !== false)
}

/** Whether the outcome of something is not known yet. */
export function isWaiting({ status }: Pick<Transaction, 'status'>): boolean {
  return status === 'processing' || status === 'capture_pending' || status === 'authorization_void_pending'
}

type Props = {
  readonly of: Transaction
  readonly open: string | undefined
  readonly onOpen: (id: string | undefined) => void
}

export function Acts({ of: it, open, onOpen }: Props) {
  const may = useMay()
  // While a dialog is open, it stays, whatever becomes of the payment: it says what has changed.
  const [opened, setOpened] = useState<Act>()
  const attempts = useRead('GET /transactions/{transaction_id}/attempts', {
    path: { transaction_id: it.id },
  })
  const hasOpenAttempt = attempts.data?.items.some(isOpen) ?? false
  const acts = actsFor(it, hasOpenAttempt).filter(({ id }) =>
    may(id === 'accept' || id === 'reject' ? 'transactions.write' : 'transactions.follow-ups.write'),
  )
  const begin = (act: Act) => {
    setOpened(act)
    onOpen(act.id)
  }
  const main = acts.filter(({ isMain }) => isMain)
  const others = acts.filter(({ isMain }) => !isMain)
  return (
    <>
      {others.length > 0 && (
        <Popover
          className="button quiet icon-only"
          label="More actions"
          side="end"
          button={<Icon name="more" />}
        >
          {(close) => (
            <Menu
              close={close}
              items={others.map((act) => ({ label: act.label, icon: act.icon, onChoose: () => begin(act) }))}
            />
          )}
        </Popover>
      )}
      {main.toReversed().map((act, index) => (
        <Button key={act.id} tone={index === main.length - 1 ? 'main' : 'plain'} onClick={() => begin(act)}>
          {act.label}
        </Button>
      ))}
      {open !== undefined && opened && <opened.Dialog of={it} onClose={() => onOpen(undefined)} />}
    </>
  )
}

function AcceptDialog(props: DialogProps) {
  return <ReviewDialog {...props} decision="accept" />
}

function RejectDialog(props: DialogProps) {
  return <ReviewDialog {...props} decision="reject" />
}

/** Takes the money that is held, whole or in part. */
function CaptureDialog({ of: it, onClose }: DialogProps) {
  const { currency, capturable_amount: left } = it
  const person = personOf(it)
  return (
    <Ask
      title={`Capture up to ${moneyText(left, currency)} from ${person}`}
      verb="Capture"
      fields={[
        field('money', 'amount', 'Amount', { currency, isRequired: true }),
        field('flag', 'keep', 'Keep the remainder authorized for a later capture'),
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
function VoidDialog({ of: it, onClose }: DialogProps) {
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
function CancelDialog({ of: it, onClose }: DialogProps) {
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
function SyncDialog({ of: it, onClose }: DialogProps) {
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

const EVERYTHING = 'everything'
const METHOD = 'method'

/** Gives money back, whole or in part. Where gift cards paid too, a person chooses to what. */
function RefundDialog({ of: it, onClose }: DialogProps) {
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
            <Notice tone="wait" title="The buyer’s bank has charged this payment back">
              If you also refund it, you may pay twice. Check the chargeback first.
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
  const reason: Field = field('text', 'reason', 'Reason (optional)', {
    hint: 'For your records and reports. Not shown to the buyer.',
  })
  const amount: Field = field('money', 'amount', 'Amount', {
    currency: it.currency,
    max: left,
    isRequired: gifts.length === 0,
  })
  if (gifts.length === 0) return [amount, reason]
  const target: Field = field('choice', 'target', 'To', {
    isRequired: true,
    options: [
      { value: EVERYTHING, label: 'All payment methods used, in full' },
      ...(it.payment_method ? [{ value: METHOD, label: 'The payment method' }] : []),
      ...gifts.map(({ id, gift_card }) => ({ value: id, label: `Gift card •••• ${gift_card.last4}` })),
    ],
  })
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

/** Ends the review of a payment that an anti-fraud service has held back. */
function ReviewDialog({
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
      outcome={isAccepted ? `Accepted: ${amount} of ${person}` : `Rejected: ${amount} of ${person}`}
      standing={standing(it)}
      onClose={onClose}
    />
  )
}
