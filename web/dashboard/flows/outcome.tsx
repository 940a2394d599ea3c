import { useId } from 'react'
import { OUTCOMES } from '../../api/flow-shapes.ts'
import { Button } from '../parts/controls.tsx'
import { type Faults, Fields } from '../parts/fields.tsx'
import { Notice, Problem } from '../parts/page.tsx'
import { type Draft, type DraftEntry, evenly, faultAt, newEntry, weightSum } from './draft.ts'
import { EntryRow, withInstrument } from './entry.tsx'
import { useOptions } from './use-rules.ts'
import { type Place, STRATEGIES, THREE_D_SECURE } from './words.ts'

type Props = {
  readonly draft: Draft
  readonly place: Place
  readonly faults: Faults
  readonly onChange: (changes: Partial<Draft>) => void
}

const ROUTING = OUTCOMES['CardRoutingOutcome']?.properties ?? {}

/** What the rule decides: each action has its own questions. */
export function OutcomeEditor({ draft, place, faults, onChange }: Props) {
  if (place.action === 'decline-early')
    return (
      <Fields
        fields={[
          {
            name: 'code',
            label: 'Error code for the declined payment',
            kind: 'text',
            placeholder: 'flow_decline',
            hint: 'Starts with flow_. Leave empty for flow_decline. A code of your own lets you count what this rule declines.',
          },
        ]}
        typed={{ code: draft.errorCode }}
        faults={pick(faults, '/error_code', 'code')}
        isLocked={false}
        onType={(_name, value) => onChange({ errorCode: String(value) })}
      />
    )
  if (place.action === 'skip-3ds') return <Authentication draft={draft} faults={faults} onChange={onChange} />
  return <Entries draft={draft} place={place} faults={faults} onChange={onChange} />
}

function pick(faults: Faults, pointer: string, name: string): Faults {
  const fault = faultAt(faults, pointer)
  return fault === undefined ? {} : { [name]: fault }
}

function Authentication({ draft, faults, onChange }: Omit<Props, 'place'>) {
  const id = useId()
  const values = (OUTCOMES['ThreeDSecureOutcome']?.properties?.['result']?.enum ?? []) as readonly string[]
  return (
    <fieldset className="checks" aria-describedby={`${id}-fault`}>
      <legend className="visually-hidden">3-D Secure</legend>
      {values.map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={id}
            checked={draft.threeDSecure === value}
            onChange={() => onChange({ threeDSecure: value })}
          />
          {THREE_D_SECURE[value] ?? value}
        </label>
      ))}
      <p className="fault" id={`${id}-fault`} role="alert">
        {faultAt(faults, '/outcome/result')}
      </p>
    </fieldset>
  )
}

/** Payment services or methods, in order. */
function Entries({ draft, place, faults, onChange }: Props) {
  const options = useOptions(place)
  const isCards = place.flow === 'card-transaction'
  const isWeighted = isCards && draft.strategy === 'weighted'
  const noun = place.action === 'route-transaction' ? 'service' : 'method'
  const set = (entries: readonly DraftEntry[]) => onChange({ entries })
  const free = options.data?.items.find(({ id }) => !draft.entries.some((entry) => entry.id === id))
  const shape =
    OUTCOMES[
      isCards ? 'CardRoutingOutcome' : noun === 'service' ? 'RedirectRoutingOutcome' : 'PaymentOptionsOutcome'
    ]
  const max = shape?.properties?.['result']?.maxItems ?? 0
  const next = free ?? (isCards ? options.data?.items[0] : undefined)
  if (options.error) return <Problem error={options.error} retry={() => void options.refetch()} />
  if (options.data?.items.length === 0)
    return (
      <Notice tone="info" title={`There is no ${noun} to choose`}>
        Add a payment service {isCards ? 'for cards' : 'for other methods than cards'} first.
      </Notice>
    )
  return (
    <>
      {isCards && <Strategy value={draft.strategy} onChange={(strategy) => onChange({ strategy })} />}
      <ol className="entries-editor">
        {draft.entries.map((entry, index) => (
          <EntryRow
            key={entry.key}
            entry={entry}
            index={index}
            noun={noun}
            options={options.data?.items ?? []}
            isCards={isCards}
            isWeighted={isWeighted}
            isByCost={isCards && draft.strategy === 'least_cost'}
            fault={entryFault(faults, index)}
            isLast={index === draft.entries.length - 1}
            onChange={(changed) => set(draft.entries.map((one) => (one === entry ? changed : one)))}
            onMove={(step) => set(draft.entries.toSpliced(index, 1).toSpliced(index + step, 0, entry))}
            onRemove={() => set(draft.entries.filter((one) => one !== entry))}
          />
        ))}
      </ol>
      <div className="entries-foot">
        <Button
          icon="plus"
          disabled={!next || draft.entries.length >= max}
          onClick={() => next && set([...draft.entries, withInstrument(newEntry(next.id), next)])}
        >
          Add {noun}
        </Button>
        {isWeighted && <Shares entries={draft.entries} onChange={set} />}
      </div>
      <p className="fault" role="alert">
        {faults['/outcome/result']}
      </p>
    </>
  )
}

function entryFault(faults: Faults, index: number): string | undefined {
  return faultAt(faults, `/outcome/result/${index}`)
}

function Strategy({
  value,
  onChange,
}: {
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const known = (ROUTING['strategy']?.enum ?? []) as readonly string[]
  return (
    <Fields
      fields={[
        {
          name: 'strategy',
          label: 'Service selection',
          kind: 'choice',
          isRequired: true,
          options: known.map((one) => ({ value: one, label: STRATEGIES[one]?.label ?? one })),
          hint: STRATEGIES[value]?.says,
        },
      ]}
      typed={{ strategy: value }}
      faults={{}}
      isLocked={false}
      onType={(_name, chosen) => onChange(String(chosen))}
    />
  )
}

type SharesProps = {
  readonly entries: readonly DraftEntry[]
  readonly onChange: (entries: readonly DraftEntry[]) => void
}

function Shares({ entries, onChange }: SharesProps) {
  const sum = weightSum(entries)
  return (
    <span className="shares">
      <span className="hint" role="status">
        Together {sum} %
      </span>
      <Button tone="quiet" disabled={entries.length === 0} onClick={() => onChange(evenly(entries))}>
        Share evenly
      </Button>
    </span>
  )
}
