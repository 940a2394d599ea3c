import { OUTCOMES } from '../../api/flow-shapes.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { FoldedChoices } from '../parts/choices.tsx'
import { Button } from '../parts/controls.tsx'
import { Fields } from '../parts/fields.tsx'
import { plain } from '../transactions/words.ts'
import type { DraftEntry } from './draft.ts'
import { INSTRUMENTS, TRANSFORMATIONS } from './words.ts'

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
export function EntryRow(props: RowProps) {
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
          <Button
            tone="quiet"
            icon="up"
            aria-label={`Move ${name} up`}
            disabled={index === 0}
            onClick={() => onMove(-1)}
          />
          <Button
            tone="quiet"
            icon="down"
            aria-label={`Move ${name} down`}
            disabled={isLast}
            onClick={() => onMove(1)}
          />
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
          {
            name: 'retryOn',
            label: 'Try the next service after',
            kind: 'choices',
            options: CODES,
            isFolded: true,
          },
          {
            name: 'retryNotOn',
            label: 'Stop after',
            kind: 'choices',
            options: CODES,
            isFolded: true,
          },
          {
            name: 'attempts',
            label: 'Maximum attempts with this service',
            kind: 'choice',
            options: counts.map((value) => ({ value, label: value })),
            hint: 'Retries use 3-D Secure, the card number instead of a token, or the replacement card.',
          },
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
export function withInstrument(entry: DraftEntry, option: Option | undefined): DraftEntry {
  const taken = option?.instruments ?? []
  const isTaken = taken.length === 0 || (taken as readonly string[]).includes(entry.instrument)
  return isTaken ? entry : { ...entry, instrument: taken[0] ?? 'pan' }
}
