import { useId } from 'react'
import { Button } from '../parts/controls.tsx'
import { type Faults, Fields, type Typed } from '../parts/fields.tsx'
import { ANY_OF, operatorsOf, valueFields, valueShape } from './condition-fields.ts'
import { type DraftCondition, newCondition } from './draft.ts'
import { type Condition, NAMES, OPERATORS } from './words.ts'

type Props = {
  readonly conditions: readonly DraftCondition[]
  /** Those that can be chosen here. */
  readonly names: readonly string[]
  readonly faults: Faults
  /** Where they are in the body, such as `/conditions`. */
  readonly pointer: string
  readonly max: number
  /** What stands between two of them. */
  readonly word: 'and' | 'or'
  readonly onChange: (conditions: readonly DraftCondition[]) => void
}

/** Conditions in a list, each with the operators and values that it can have. */
export function Conditions({ conditions, names, faults, pointer, max, word, onChange }: Props) {
  const id = useId()
  const change = (index: number, condition: DraftCondition) =>
    onChange(conditions.map((one, at) => (at === index ? condition : one)))
  const add = () => {
    const used = conditions.map(({ name }) => name)
    const [name = 'currency'] = FIRST_CHOICES.filter((one) => names.includes(one) && !used.includes(one))
    onChange([...conditions, newCondition(name)])
    // It is in the page after the next drawing. The person goes on there.
    requestAnimationFrame(() => document.getElementById(`${id}-${conditions.length}`)?.focus())
  }
  return (
    <>
      {conditions.length > 0 && (
        <ol className="rule-conditions">
          {conditions.map((condition, index) => (
            <li key={condition.key}>
              <span className="condition-word">{index === 0 ? (word === 'or' ? 'either' : 'if') : word}</span>
              <OneCondition
                id={`${id}-${index}`}
                label={`Condition ${index + 1}`}
                condition={condition}
                names={names}
                faults={faults}
                pointer={`${pointer}/${index}`}
                onChange={(changed) => change(index, changed)}
                onRemove={() => onChange(conditions.filter((_one, at) => at !== index))}
              />
            </li>
          ))}
        </ol>
      )}
      <Button icon="plus" disabled={conditions.length >= max} onClick={add}>
        {conditions.length >= max ? `At most ${max} conditions` : 'Add condition'}
      </Button>
    </>
  )
}

/** What people ask for most. The first that is not there yet is where a new condition begins. */
const FIRST_CHOICES = [
  'currency',
  'country',
  'card_scheme',
  'amount',
  'card_country',
  'payment_source',
  'metadata',
]

type OneProps = Pick<Props, 'names' | 'faults' | 'pointer'> & {
  readonly id: string
  readonly label: string
  readonly condition: DraftCondition
  readonly onChange: (condition: DraftCondition) => void
  readonly onRemove: () => void
}

function OneCondition({ id, label, condition, names, faults, pointer, onChange, onRemove }: OneProps) {
  const { name, operator, typed, inner } = condition
  const operators = operatorsOf(name)
  const fault = faults[`${pointer}/name`] ?? faults[`${pointer}/operator`]
  return (
    <fieldset className="condition" aria-describedby={`${id}-fault`}>
      <legend className="visually-hidden">{label}</legend>
      <div className="condition-head">
        <div className="field">
          <select
            id={id}
            aria-label="Property"
            value={name}
            onChange={({ target }) => onChange(newCondition(target.value))}
          >
            <NameOptions names={names} />
          </select>
        </div>
        {operators.length > 1 && (
          <div className="field">
            <select
              aria-label="Comparison"
              value={operator}
              onChange={({ target }) => onChange(withOperator(condition, target.value))}
            >
              {operators.map((one) => (
                <option key={one} value={one}>
                  {OPERATORS[one as Condition['operator']] ?? one}
                </option>
              ))}
            </select>
          </div>
        )}
        <Button tone="quiet" icon="close" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove} />
      </div>
      {name === ANY_OF ? (
        <div className="condition-inner">
          <Conditions
            conditions={inner}
            names={names.filter((one) => one !== ANY_OF)}
            faults={faults}
            pointer={`${pointer}/value`}
            max={valueShape(name, operator).maxItems ?? 0}
            word="or"
            onChange={(changed) => onChange({ ...condition, inner: changed })}
          />
          <p className="fault" role="alert">
            {faults[`${pointer}/value`]}
          </p>
        </div>
      ) : (
        <Value
          of={condition}
          faults={faults}
          pointer={pointer}
          onType={(changed) => onChange({ ...condition, typed: { ...typed, ...changed } })}
        />
      )}
      <p className="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </fieldset>
  )
}

/** Another shape of the value has other questions. */
function withOperator(condition: DraftCondition, operator: string): DraftCondition {
  const isSame = valueShape(condition.name, condition.operator) === valueShape(condition.name, operator)
  const { 'value.currency': currency } = condition.typed
  const typed: Typed = isSame ? condition.typed : currency === undefined ? {} : { 'value.currency': currency }
  return { ...condition, operator, typed }
}

function NameOptions({ names }: { readonly names: readonly string[] }) {
  const known = names.map((name) => ({
    name,
    ...(NAMES[name as Condition['name']] ?? { label: name, group: 'Other' }),
  }))
  return [...Map.groupBy(known, ({ group }) => group)].map(([group, own]) => (
    <optgroup key={group} label={group}>
      {own.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </optgroup>
  ))
}

type ValueProps = Pick<Props, 'faults' | 'pointer'> & {
  readonly of: DraftCondition
  readonly onType: (changed: Typed) => void
}

function Value({ of: { name, operator, typed }, faults, pointer, onType }: ValueProps) {
  const fields = valueFields(name, operator, typed)
  if (fields.length === 0) return null
  const own = fields.flatMap((field) => {
    const at = `${pointer}/${field.name.replaceAll('.', '/')}`
    const found = Object.entries(faults).find(([one]) => one === at || one.startsWith(`${at}/`))
    return found ? [[field.name, found[1]] as const] : []
  })
  return (
    <div className="condition-value">
      <Fields
        fields={fields}
        typed={typed}
        faults={Object.fromEntries(own)}
        isLocked={false}
        onType={(field, value) => onType({ [field]: value })}
      />
    </div>
  )
}
