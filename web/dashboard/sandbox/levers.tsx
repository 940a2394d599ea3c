import { type ReactNode, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Ask, type Outcome, ProgressNotice, useAct } from '../parts/ask.tsx'
import { Button, Icon, Link } from '../parts/controls.tsx'
import { Fields, field, type Typed } from '../parts/fields.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { moneyText } from '../parts/values.tsx'
import { notify } from '../shell/notices.tsx'
import { buyerName, markOf } from '../transactions/words.ts'
import { MoveClock } from './clock.tsx'
import {
  DISPUTE_REASONS,
  EFFECTS,
  EVENT_OPTIONS,
  leverText,
  OPERATION_OPTIONS,
  reasonsOf,
  SIMULATED,
} from './words.ts'

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

function isSimulated({ payment_service: service }: Pick<Transaction, 'payment_service'>): boolean {
  return service?.payment_service_definition_id === SIMULATED
}

/** What can be made to happen to a payment. */
function Levers({ of: it }: { readonly of: Transaction }) {
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
        field('choice', 'event', 'Event', {
          options: EVENT_OPTIONS,
          hint: 'Leave empty to repeat the last notification, or to send one that was lost.',
        }),
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
        field('money', 'amount', 'Amount', { currency, max, hint: 'Leave empty for the full amount.' }),
        field('choice', 'reason', 'Reason', { options: DISPUTE_REASONS }),
      ]}
      send={(body, key) => dispute(serviceId, { transaction_id: it.id, ...body }, key)}
      outcome={({ amount }) => `${moneyText(amount, currency)} was charged back`}
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
      outcome={({ amount, currency }) => `${moneyText(amount, currency)} was returned`}
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

const SHOWN = 25

/** What can be made to happen to one of the last payments. */
export function PaymentCard() {
  const payments = useRead('GET /transactions', { query: { limit: SHOWN } })
  return (
    <Section title="A payment">
      <Loaded of={payments}>
        {({ items }) => {
          const options = items.filter(isSimulated).map((one) => ({
            value: one.id,
            label: [
              moneyText(one.amount, one.currency),
              markOf(one).label,
              buyerName(one),
              one.external_identifier,
            ]
              .filter(Boolean)
              .join(' · '),
          }))
          if (options.length === 0)
            return (
              <p className="quiet-text">No payments yet. Make one, or fill the sandbox with sample data.</p>
            )
          return <Choose options={options} />
        }}
      </Loaded>
    </Section>
  )
}

function Choose({
  options,
}: {
  readonly options: readonly { readonly value: string; readonly label: string }[]
}) {
  const [chosen, setChosen] = useState(options[0]?.value ?? '')
  const payment = useRead('GET /transactions/{transaction_id}', { path: { transaction_id: chosen } })
  return (
    <>
      <Fields
        fields={[field('choice', 'payment', 'Recent payment', { isRequired: true, options })]}
        typed={{ payment: chosen }}
        faults={{}}
        isLocked={false}
        onType={(_name, value) => setChosen(String(value))}
      />
      <Loaded of={payment}>
        {(it) => (
          <>
            <Levers of={it} />
            <p className="quiet-text lever-text">
              <Link to={`/transactions/${it.id}`} className="text-link">
                Open the payment
              </Link>{' '}
              to see what becomes of it. Every payment of a simulated service has these buttons.
            </p>
          </>
        )}
      </Loaded>
    </>
  )
}

type Service = Schemas['PaymentService']
type NextOutcomeLever = Schemas['SandboxNextOutcome']
type Effect = NextOutcomeLever['effect']

/** Decides what becomes of the next payment, capture or refund. */
export function NextOutcomeCard({ services }: { readonly services: readonly Service[] }) {
  const may = useMay()
  const [first] = services
  const [chosen, setChosen] = useState(first?.id ?? '')
  const [count, setCount] = useState(0)
  return (
    <Section title="Next payment">
      <p className="quiet-text">
        Choose how the simulated processor answers the next call from your shop, a payment link or this
        dashboard.
      </p>
      {services.length > 1 && (
        <div className="next-service">
          <Fields
            fields={[
              field('choice', 'service', 'Payment service', {
                isRequired: true,
                options: services.map(({ id, display_name }) => ({ value: id, label: display_name })),
              }),
            ]}
            typed={{ service: chosen }}
            faults={{}}
            isLocked={false}
            onType={(_name, value) => setChosen(String(value))}
          />
        </div>
      )}
      {may('sandbox.write') && (
        <Arm key={`${chosen} ${count}`} serviceId={chosen} onArmed={() => setCount((old) => old + 1)} />
      )}
      <Armed serviceId={chosen} />
    </Section>
  )
}

type ArmProps = { readonly serviceId: string; readonly onArmed: () => void }

/** One key for each: it is a new one after each that was armed. */
function Arm({ serviceId, onArmed }: ArmProps) {
  const [effect, setEffect] = useState<Effect>('refuse')
  const [typed, setTyped] = useState<Typed>({ operation: 'authorize', code: 'insufficient_funds' })
  const { progress, send: act } = useAct<NextOutcomeLever>()
  const operation = typed['operation'] as NextOutcomeLever['operation']
  const arm = async () => {
    const body = { operation, effect, ...(effect === 'refuse' && { code: String(typed['code']) }) }
    const path = { payment_service_id: serviceId }
    const route = 'POST /sandbox/payment-services/{payment_service_id}/next-outcomes'
    const result = await act((idempotencyKey) => send(route, { path, body, idempotencyKey }))
    if (!result) return
    notify({ title: 'Planned', text: leverText(result.answer) })
    onArmed()
  }
  return (
    <form
      className="arm"
      onSubmit={(event) => {
        event.preventDefault()
        void arm()
      }}
    >
      <Effects chosen={effect} onChoose={setEffect} />
      <Fields
        fields={[
          field('choice', 'operation', 'Operation', {
            isRequired: true,
            isHalf: true,
            options: OPERATION_OPTIONS,
          }),
          ...(effect === 'refuse'
            ? [
                {
                  name: 'code',
                  label: 'Reason',
                  kind: 'choice' as const,
                  isRequired: true,
                  isHalf: true,
                  options: reasonsOf(operation),
                },
              ]
            : []),
        ]}
        typed={typed}
        faults={{}}
        isLocked={progress.at === 'sending'}
        onType={(name, value) => setTyped((old) => withReason({ ...old, [name]: value }))}
      />
      <ProgressNotice progress={progress} others={othersOf(progress)} />
      <div className="form-actions">
        <Button type="submit" tone="main" disabled={progress.at === 'sending'}>
          {progress.at === 'sending' ? 'Saving…' : 'Set outcome'}
        </Button>
      </div>
    </form>
  )
}

/** A reason that the operation does not know becomes its first one. */
function withReason(typed: Typed): Typed {
  const options = reasonsOf(typed['operation'] as NextOutcomeLever['operation'])
  const isKnown = options.some(({ value }) => value === typed['code'])
  return isKnown ? typed : { ...typed, code: options[0]?.value ?? '' }
}

function othersOf(progress: { readonly at: string; readonly error?: unknown }): string[] {
  const { details = [] } = (progress.error ?? {}) as { details?: readonly { message: string }[] }
  return details.map(({ message }) => message)
}

type EffectsProps = { readonly chosen: Effect; readonly onChoose: (effect: Effect) => void }

function Effects({ chosen, onChoose }: EffectsProps) {
  return (
    <fieldset className="effects">
      <legend className="visually-hidden">Outcome</legend>
      {Object.entries(EFFECTS).map(([effect, { icon, title, text }]) => (
        <label key={effect} className="effect">
          <input
            type="radio"
            name="effect"
            checked={effect === chosen}
            onChange={() => onChoose(effect as Effect)}
          />
          <Icon name={icon} />
          <b>{title}</b>
          <small>{text}</small>
        </label>
      ))}
    </fieldset>
  )
}

/** What waits for a call, in the order in which it hits. */
function Armed({ serviceId }: { readonly serviceId: string }) {
  const may = useMay()
  const path = { payment_service_id: serviceId }
  const armed = useRead('GET /sandbox/payment-services/{payment_service_id}/next-outcomes', {
    path,
    everyMs: 5_000,
  })
  const { progress, send: act } = useAct<undefined>()
  const disarm = () =>
    void act(() => send('DELETE /sandbox/payment-services/{payment_service_id}/next-outcomes', { path }))
  return (
    <Loaded of={armed}>
      {({ items }) =>
        items.length === 0 ? (
          <p className="quiet-text armed-none">Nothing planned: the next call is answered as usual.</p>
        ) : (
          <div className="armed">
            <h3>Planned</h3>
            <ol>
              {items.map((lever) => (
                <li key={lever.id}>{leverText(lever)}</li>
              ))}
            </ol>
            {may('sandbox.write') && (
              <Button tone="quiet" icon="close" disabled={progress.at === 'sending'} onClick={disarm}>
                Clear
              </Button>
            )}
          </div>
        )
      }
    </Loaded>
  )
}
