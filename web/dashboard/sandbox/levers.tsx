import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Ask, type Outcome } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { Section } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { MoveClock } from './clock.tsx'
import { DISPUTE_REASONS, EVENT_OPTIONS, SIMULATED } from './words.ts'

type Transaction = Schemas['Transaction']
type Props = { readonly of: Transaction; readonly serviceId: string; readonly onClose: () => void }
type Lever = {
  readonly label: string
  readonly Dialog: (props: Props) => ReactNode
  readonly isThere: boolean
}

/** In the detail of a payment, where a sandbox can decide what becomes of it. */
export function SandboxCard({ of: it }: { readonly of: Transaction }) {
  const may = useMay()
  const { environment } = useMe()
  if (environment !== 'sandbox' || !may('sandbox.write') || !isSimulated(it)) return null
  return (
    <Section title="Sandbox">
      <p className="quiet-text lever-text">Simulate what providers, buyers and banks do.</p>
      <Levers of={it} />
    </Section>
  )
}

export function isSimulated({ payment_service: service }: Pick<Transaction, 'payment_service'>): boolean {
  return service?.payment_service_definition_id === SIMULATED
}

/** What can be made to happen to a payment. */
export function Levers({ of: it }: { readonly of: Transaction }) {
  const { is_unrestricted } = useMe()
  const [open, setOpen] = useState<string>()
  const isCaptured = it.captured_amount > 0
  const levers: readonly Lever[] = [
    { label: 'Send a notification', Dialog: SendNotification, isThere: true },
    { label: 'Open a chargeback', Dialog: OpenChargeback, isThere: isCaptured },
    { label: 'Reverse the chargeback', Dialog: ReverseChargeback, isThere: it.disputed },
    { label: 'Settle', Dialog: Settle, isThere: isCaptured && !it.settled && is_unrestricted },
  ]
  const Dialog = levers.find(({ label }) => label === open)?.Dialog
  return (
    <>
      <div className="levers">
        {levers
          .filter(({ isThere }) => isThere)
          .map(({ label }) => (
            <Button key={label} onClick={() => setOpen(label)}>
              {label}
            </Button>
          ))}
      </div>
      {Dialog && it.payment_service && (
        <Dialog of={it} serviceId={it.payment_service.id} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

function SendNotification({ of: it, serviceId, onClose }: Props) {
  const path = { payment_service_id: serviceId }
  return (
    <Ask
      title="Send a processor notification"
      verb="Send"
      says="Handled like a real one: signed, late, and perhaps repeated."
      fields={[
        {
          name: 'event',
          label: 'Event',
          kind: 'choice',
          options: EVENT_OPTIONS,
          hint: 'Leave empty to repeat the last notification, or to send one that was lost.',
        },
      ]}
      send={(body, idempotencyKey) =>
        send('POST /sandbox/payment-services/{payment_service_id}/notifications', {
          path,
          body: { transaction_id: it.id, ...body },
          idempotencyKey,
        })
      }
      outcome={tellNotification}
      onClose={onClose}
    />
  )
}

function tellNotification({ outcome, event, body, message }: Schemas['SandboxNotification']): Outcome {
  const sent = <p className="mono sent-body">{body}</p>
  if (outcome === 'rejected')
    return {
      kind: 'refused',
      title: `“${event}” was refused`,
      text: (
        <>
          {message}
          {sent}
        </>
      ),
    }
  if (outcome === 'held')
    return { kind: 'waiting', title: `“${event}” matches nothing yet, and is held`, text: sent }
  return { kind: 'shown', title: `“${event}” was accepted`, text: sent }
}

function OpenChargeback({ of: it, serviceId, onClose }: Props) {
  const { currency, captured_amount: max } = it
  return (
    <Ask
      title="Open a chargeback"
      verb="Open chargeback"
      isDangerous
      says={`The buyer’s bank charges back a payment of ${moneyText(it.amount, currency)}. It arrives by notification or with the next settlement file, depending on the service’s settings.`}
      fields={[
        {
          name: 'amount',
          label: 'Amount',
          kind: 'money',
          currency,
          max,
          hint: 'Leave empty for the full amount.',
        },
        { name: 'reason', label: 'Reason', kind: 'choice', options: DISPUTE_REASONS },
      ]}
      send={(body, key) => dispute(serviceId, { transaction_id: it.id, ...body }, key)}
      outcome={({ amount }) => ({
        kind: 'done',
        title: `${moneyText(amount, currency)} was charged back`,
      })}
      onClose={onClose}
    />
  )
}

function ReverseChargeback({ of: it, serviceId, onClose }: Props) {
  return (
    <Ask
      title="Reverse the chargeback"
      verb="Reverse"
      says="The bank decides in your favour, and returns the money."
      send={(_body, key) => dispute(serviceId, { transaction_id: it.id, stage: 'reversal' }, key)}
      outcome={({ amount, currency }) => ({
        kind: 'done',
        title: `${moneyText(amount, currency)} was returned`,
      })}
      onClose={onClose}
    />
  )
}

function dispute(serviceId: string, body: Schemas['CreateSandboxChargeback'], idempotencyKey: string) {
  const path = { payment_service_id: serviceId }
  return send('POST /sandbox/payment-services/{payment_service_id}/chargebacks', {
    path,
    body,
    idempotencyKey,
  })
}

/** The processor settles a day after the capture, and its file comes the day after. */
function Settle({ onClose }: Props) {
  return <MoveClock move={{ by: 'P2D', label: 'two days, until its settlement' }} onClose={onClose} />
}
