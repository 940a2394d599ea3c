import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { ProgressNotice, useAct } from '../parts/ask.tsx'
import { Button, Icon } from '../parts/controls.tsx'
import { Fields, type Typed } from '../parts/fields.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { notify } from '../shell/notices.tsx'
import { EFFECTS, leverText, OPERATION_OPTIONS, reasonsOf } from './words.ts'

type Service = Schemas['PaymentService']
type Lever = Schemas['SandboxNextOutcome']
type Effect = Lever['effect']

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
              {
                name: 'service',
                label: 'Payment service',
                kind: 'choice',
                isRequired: true,
                options: services.map(({ id, display_name }) => ({ value: id, label: display_name })),
              },
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
  const { progress, send: act } = useAct<Lever>()
  const operation = typed['operation'] as Lever['operation']
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
          {
            name: 'operation',
            label: 'Operation',
            kind: 'choice',
            isRequired: true,
            isHalf: true,
            options: OPERATION_OPTIONS,
          },
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
  const options = reasonsOf(typed['operation'] as Lever['operation'])
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
