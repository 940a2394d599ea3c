import { useId } from 'react'
import { OUTCOMES } from '../../api/flow-shapes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { FoldedChoices } from '../parts/choices.tsx'
import { Button, MoveButtons } from '../parts/controls.tsx'
import { type Faults, Fields, field } from '../parts/fields.tsx'
import { Notice, Problem } from '../parts/page.tsx'
import { plain } from '../transactions/words.ts'
import { type Draft, type DraftEntry, evenly, faultAt, newEntry, weightSum } from './draft.ts'
import { useOptions } from './use-rules.ts'
import { INSTRUMENTS, type Place, STRATEGIES, THREE_D_SECURE, TRANSFORMATIONS } from './words.ts'

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
          field('text', 'code', 'Error code for the declined payment', {
            placeholder: 'flow_decline',
            hint: 'Starts with flow_. Leave empty for flow_decline. A code of your own lets you count what this rule declines.',
          }),
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
        field('choice', 'strategy', 'Service selection', {
          isRequired: true,
          options: known.map((one) => ({ value: one, label: STRATEGIES[one]?.label ?? one })),
          hint: STRATEGIES[value]?.says,
        }),
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

type Option = Schemas['FlowOutcomeOption']

type RowProps = {
  readonly entry: DraftEntry
  readonly index: number
  readonly noun: string
  readonly options: readonly Option[]
  readonly isCards: boolean
  readonly isWeighted: boolean
  readonly isByCost: boolean
  readonly isLast: boolean
  readonly fault: string | undefined
  readonly onChange: (entry: DraftEntry) => void
  readonly onMove: (step: 1 | -1) => void
  readonly onRemove: () => void
}

/** A line of the list: what is asked, with what, and what follows. */
function EntryRow(props: RowProps) {
  const {
    entry,
    index,
    noun,
    options,
    isCards,
    isWeighted,
    isByCost,
    isLast,
    fault,
    onChange,
    onMove,
    onRemove,
  } = props
  const option = options.find(({ id }) => id === entry.id)
  const name = `${noun} ${index + 1}`
  return (
    <li>
      <fieldset className="entry">
        <legend className="visually-hidden">{name}</legend>
        <span className="entry-place">{index + 1}</span>
        <div className="entry-fields">
          <div className="field">
            <select
              aria-label={noun === 'service' ? 'Payment service' : 'Payment method'}
              value={entry.id}
              onChange={({ target }) => {
                const chosen = options.find(({ id }) => id === target.value)
                onChange(withInstrument({ ...entry, id: target.value }, chosen))
              }}
            >
              {!option && <option value={entry.id}>Deleted service</option>}
              {options.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.active ? one.label : `${one.label} (not in use)`}
                </option>
              ))}
            </select>
          </div>
          {isWeighted && (
            <div className="field share">
              <span className="with-unit">
                <input
                  inputMode="numeric"
                  className="number"
                  aria-label={`Share of ${name} in percent`}
                  value={entry.weight}
                  onChange={({ target }) => onChange({ ...entry, weight: target.value })}
                />
                <span aria-hidden="true">%</span>
              </span>
            </div>
          )}
          {isByCost && <Cost entry={entry} name={name} onChange={onChange} />}
          {isCards && <CardChoices entry={entry} option={option} onChange={onChange} />}
        </div>
        {isCards && <AfterAnswer entry={entry} onChange={onChange} />}
        <span className="row-actions">
          <MoveButtons name={name} isFirst={index === 0} isLast={isLast} onMove={onMove} />
          <Button tone="quiet" icon="close" aria-label={`Remove ${name}`} onClick={onRemove} />
        </span>
        <p className="fault" role="alert">
          {fault ??
            (option === undefined && options.length > 0
              ? 'This service was deleted. Choose another one.'
              : '')}
        </p>
      </fieldset>
    </li>
  )
}

function Cost({ entry, name, onChange }: Pick<RowProps, 'entry' | 'onChange'> & { readonly name: string }) {
  return (
    <>
      <div className="field share">
        <span className="with-unit">
          <input
            inputMode="decimal"
            className="number"
            aria-label={`Cost of ${name}, percent of the amount`}
            value={entry.percent}
            onChange={({ target }) => onChange({ ...entry, percent: target.value })}
          />
          <span aria-hidden="true">%</span>
        </span>
      </div>
      <div className="field share">
        <input
          inputMode="numeric"
          className="number"
          aria-label={`Cost of ${name}, cents per payment`}
          placeholder="+ cents"
          value={entry.fixed}
          onChange={({ target }) => onChange({ ...entry, fixed: target.value })}
        />
      </div>
    </>
  )
}

/** With what the service is asked. Those that take one kind only have no choice. */
function CardChoices({
  entry,
  option,
  onChange,
}: Pick<RowProps, 'entry' | 'onChange'> & { readonly option: Option | undefined }) {
  const instruments = new Set<string>([...(option?.instruments ?? ['pan']), entry.instrument])
  const transformations = option?.transformations ?? []
  return (
    <>
      {instruments.size > 1 && (
        <div className="field">
          <select
            aria-label="Instrument"
            value={entry.instrument}
            onChange={({ target }) => onChange({ ...entry, instrument: target.value })}
          >
            {[...instruments].map((one) => (
              <option key={one} value={one}>
                {INSTRUMENTS[one] ?? one}
              </option>
            ))}
          </select>
        </div>
      )}
      {transformations.length > 0 && (
        <div className="field">
          <FoldedChoices
            label="Changes"
            empty="No changes"
            options={transformations.map(({ name }) => ({
              value: name,
              label: TRANSFORMATIONS[name] ?? name,
            }))}
            chosen={entry.transformations}
            onType={(chosen) => onChange({ ...entry, transformations: chosen })}
          />
        </div>
      )}
    </>
  )
}

const ENTRY = OUTCOMES['CardRoutingOutcome']?.properties?.['result']?.items?.properties ?? {}
const CODES = ((ENTRY['retry']?.properties?.['on']?.items?.enum ?? []) as readonly string[]).map((value) => ({
  value,
  label: plain(value),
}))

/** What follows when the service says no. Most rules leave it as it is. */
function AfterAnswer({ entry, onChange }: Pick<RowProps, 'entry' | 'onChange'>) {
  const { maximum = 1 } = ENTRY['max_attempts'] ?? {}
  const counts = Array.from({ length: maximum }, (_none, index) => String(index + 1))
  return (
    <details
      className="entry-more"
      open={entry.retryOn.length + entry.retryNotOn.length > 0 || entry.attempts !== ''}
    >
      <summary>After a decline</summary>
      <Fields
        fields={[
          field('choices', 'retryOn', 'Try the next service after', { options: CODES, isFolded: true }),
          field('choices', 'retryNotOn', 'Stop after', { options: CODES, isFolded: true }),
          field('choice', 'attempts', 'Maximum attempts with this service', {
            options: counts.map((value) => ({ value, label: value })),
            hint: 'Retries use 3-D Secure, the card number instead of a token, or the replacement card.',
          }),
        ]}
        typed={{ retryOn: entry.retryOn, retryNotOn: entry.retryNotOn, attempts: entry.attempts }}
        faults={{}}
        isLocked={false}
        onType={(name, value) => onChange({ ...entry, [name]: value })}
      />
    </details>
  )
}

/** One that the service takes. */
function withInstrument(entry: DraftEntry, option: Option | undefined): DraftEntry {
  const taken = option?.instruments ?? []
  const isTaken = taken.length === 0 || (taken as readonly string[]).includes(entry.instrument)
  return isTaken ? entry : { ...entry, instrument: taken[0] ?? 'pan' }
}
