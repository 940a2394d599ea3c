import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useId } from 'react'
import { CURRENCIES } from '../../../server/src/domain/currency.ts'
import { selectedAccount } from '../api/account.ts'
import type { ApiError } from '../api/client.ts'
import { Choices, FoldedChoices, type Option } from './choices.tsx'
import { Button } from './controls.tsx'
import { DECIMAL_MARK } from './locale.ts'
import { Problem } from './page.tsx'
import { useListbox, useSettled } from './use-listbox.ts'
import { readAmount, typedText } from './values.tsx'

export type { Option }

/** One question of a form. `name` is the property of the body; `a.b` is the property `b` of `a`. */
export type Field = {
  readonly name: string
  readonly label: string
  readonly hint?: ReactNode
  readonly isRequired?: boolean
  /** Half as wide: two such fields stand beside each other where there is room. */
  readonly isHalf?: boolean
  /** Begins a group of fields: a heading above this one. */
  readonly heading?: string
  /** What an empty answer becomes: left out of the body, or null, which clears what was there. */
  readonly whenEmpty?: 'omit' | 'null'
} & (
  | {
      readonly kind: 'text' | 'long-text' | 'secret' | 'email' | 'url' | 'date' | 'time' | 'moment'
      readonly placeholder?: string
      /** What the browser may fill in. Without it: nothing. */
      readonly autoComplete?: string
      /** A secret of several lines, such as a key in PEM. */
      readonly isLong?: boolean
    }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number }
  /** Typed in major units; the body gets minor ones. `isOfAny`: of any currency with as many decimals. */
  | {
      readonly kind: 'money'
      readonly currency: string
      readonly max?: number
      readonly isOfAny?: boolean
    }
  /** A colour as CSS writes it, typed or picked. */
  | { readonly kind: 'color'; readonly placeholder: string }
  | { readonly kind: 'currency' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  /** Any number of the options. `isFolded`: in a popover, where there is little room. */
  | { readonly kind: 'choices'; readonly options: readonly Option[]; readonly isFolded?: boolean }
  | { readonly kind: 'flag' }
  /** A file of the person's device, as its name, its type and its bytes in base64. */
  | { readonly kind: 'file'; readonly accept: readonly string[] }
  /** One of many, which the server finds. */
  | { readonly kind: 'found'; readonly find: Find; readonly placeholder: string }
  /** Texts, one on each line. */
  | { readonly kind: 'lines' }
  /** Names and values, `name: value` on each line. */
  | { readonly kind: 'pairs' }
  /** Any number of rows with the same questions, such as the lines of a cart. Rows that are left empty do not count. */
  | { readonly kind: 'rows'; readonly columns: readonly Field[]; readonly addLabel: string }
)

type Kind = Field['kind']
type OfKind<Name extends Kind> = Field extends infer One
  ? One extends { readonly kind: infer Kinds }
    ? Name extends Kinds
      ? Omit<One, 'name' | 'label' | 'kind'>
      : never
    : never
  : never

/** A line of a form: `field('text', 'display_name', 'Name', { isRequired: true })`. */
export function field<Name extends Kind>(
  kind: Name,
  name: string,
  label: string,
  ...[more]: object extends OfKind<Name> ? [more?: OfKind<Name>] : [more: OfKind<Name>]
): Field {
  return { name, label, kind, ...more } as unknown as Field
}

/** Fields that are always the same, or that depend on what was typed, such as an amount on its currency. */
export type FieldList = readonly Field[] | ((typed: Typed) => readonly Field[])

export function fieldsFor(list: FieldList, typed: Typed): readonly Field[] {
  return typeof list === 'function' ? list(typed) : list
}

/** What stands in the inputs at the beginning. */
export function firstTyped(list: FieldList, initial: Values): Typed {
  const fields = fieldsFor(list, initial as Typed)
  return Object.fromEntries(fields.map((field) => [field.name, typed(field, initial[field.name])]))
}

/** What stands in the inputs. */
export interface Typed {
  readonly [name: string]: string | boolean | readonly string[] | readonly Typed[]
}
/** What the inputs mean, by the name of the field. Those that were left empty are absent. */
export type Values = Readonly<Record<string, unknown>>
export type Faults = Readonly<Record<string, string>>

function typed(field: Field, value: unknown): Typed[string] {
  if (field.kind === 'flag') return value === true
  if (field.kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  if (field.kind === 'rows')
    return Array.isArray(value) ? value.map((row: Values) => firstTyped(field.columns, row)) : []
  if (value === null || value === undefined) return ''
  if (field.kind === 'money') return typedText(Number(value), field.currency)
  if (field.kind === 'lines') return (value as readonly string[]).join('\n')
  if (field.kind === 'pairs')
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${one}`)
      .join('\n')
  if (field.kind === 'moment') return localMoment(new Date(String(value)))
  return String(value)
}

/** Reads what was typed. What cannot be read has a sentence in `faults`. */
export function readValues(fields: readonly Field[], from: Typed): { values: Values; faults: Faults } {
  const values: Record<string, unknown> = {}
  const faults: Record<string, string> = {}
  for (const field of fields) {
    const given = from[field.name]
    if (field.kind === 'rows') {
      const rows = readRows(field, (given ?? []) as readonly Typed[])
      if (rows.fault) faults[field.name] = rows.fault
      if (rows.values.length > 0) values[field.name] = rows.values
      continue
    }
    const isEmpty = given === '' || given === undefined || (Array.isArray(given) && given.length === 0)
    if (isEmpty && field.isRequired) faults[field.name] = 'Fill this in.'
    if (isEmpty) {
      if (field.whenEmpty === 'null') values[field.name] = null
      continue
    }
    const value = read(field, given)
    if (value === undefined) faults[field.name] = mistakeOf(field)
    else values[field.name] = value
  }
  return { values, faults }
}

function readRows({ columns }: { readonly columns: readonly Field[] }, rows: readonly Typed[]) {
  const filled = rows.filter((row) => Object.values(row).some((one) => one !== '' && one !== false))
  const read = filled.map((row) => readValues(columns, row))
  const index = read.findIndex(({ faults }) => Object.keys(faults).length > 0)
  const [name = '', message = ''] = Object.entries(read[index]?.faults ?? {})[0] ?? []
  const label = columns.find((column) => column.name === name)?.label
  return {
    values: read.map(({ values }) => values),
    fault: index < 0 ? undefined : `Line ${index + 1}, ${label}: ${message}`,
  }
}

function read(field: Field, given: Typed[string]): unknown {
  if (field.kind === 'found') return Array.isArray(given) ? given[0] : undefined
  if (field.kind === 'file') return fileOf(given)
  if (typeof given !== 'string') return given
  switch (field.kind) {
    case 'money': {
      const amount = readAmount(given, field.currency, DECIMAL_MARK)
      return amount === undefined || amount > (field.max ?? amount) ? undefined : amount
    }
    case 'number': {
      const number = Number(given)
      const isRight =
        Number.isFinite(number) && number >= (field.min ?? number) && number <= (field.max ?? number)
      return isRight ? number : undefined
    }
    case 'lines':
      return linesOf(given)
    case 'pairs': {
      const pairs = linesOf(given).map((line) => /^([^:]+):(.*)$/.exec(line))
      if (pairs.includes(null)) return undefined
      return Object.fromEntries(pairs.map((pair) => [pair?.[1]?.trim() ?? '', pair?.[2]?.trim() ?? '']))
    }
    case 'moment':
      return new Date(given).toISOString()
    default:
      return given
  }
}

/** A file stands in its input as its name, its type and its bytes. */
function fileOf(given: Typed[string]): object | undefined {
  if (!Array.isArray(given)) return undefined
  const [file_name, content_type, content] = given as readonly string[]
  return { file_name, content_type, content }
}

export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

function mistakeOf(field: Field): string {
  if (field.kind === 'money') {
    const limit = field.max === undefined ? '' : `, at most ${typedText(field.max, field.currency)}`
    return `Type an amount${field.isOfAny ? '' : ` in ${field.currency}`}, such as ${typedText(1250, field.currency)}${limit}.`
  }
  if (field.kind === 'found') return 'Choose one of the results, or clear this field.'
  if (field.kind === 'pairs') return 'Write one name: value per line.'
  if (field.kind === 'number') return `Type a number${limitsOf(field)}.`
  return 'This value is not valid.'
}

function limitsOf({ min, max }: { readonly min?: number; readonly max?: number }): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

/** The errors of the server that belong to a field, by its pointer. The others are for the whole form. */
export function faultsIn(
  fields: readonly Field[],
  details: ApiError['details'],
): { faults: Faults; others: string[] } {
  const faults: Record<string, string> = {}
  const others: string[] = []
  for (const { pointer, message } of details) {
    const field = fields.find(({ name }) => isOrIsBelow(pointer, `/${name.replaceAll('.', '/')}`))
    if (field) faults[field.name] = message
    else others.push(message)
  }
  return { faults, others }
}

function isOrIsBelow(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`)
}

/** A body from values whose names have dots. */
export function nested(values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const parts = name.split('.')
    const last = parts.pop() ?? name
    let place = body
    for (const part of parts) {
      place[part] ??= {}
      place = place[part] as Record<string, unknown>
    }
    place[last] = value
  }
  return body
}

type FieldsProps = {
  readonly fields: readonly Field[]
  readonly typed: Typed
  readonly faults: Faults
  readonly isLocked: boolean
  readonly onType: (name: string, value: Typed[string]) => void
}

export function Fields({ fields, typed: from, faults, isLocked, onType }: FieldsProps) {
  return (
    <fieldset className="fields" disabled={isLocked}>
      {fields.map((field) => (
        <Fragment key={field.name}>
          {field.heading && <h3>{field.heading}</h3>}
          <Question
            field={field}
            value={from[field.name] ?? ''}
            fault={faults[field.name]}
            onType={(value) => onType(field.name, value)}
          />
        </Fragment>
      ))}
    </fieldset>
  )
}

type QuestionProps = {
  readonly field: Field
  readonly value: Typed[string]
  readonly fault: string | undefined
  readonly onType: (value: Typed[string]) => void
}

function Question({ field, value, fault, onType }: QuestionProps) {
  const id = useId()
  const about = { id, 'aria-invalid': fault !== undefined, 'aria-describedby': `${id}-hint ${id}-fault` }
  const isGroup = field.kind === 'choices' || field.kind === 'rows'
  const Group = isGroup ? 'fieldset' : 'div'
  return (
    <Group className={`field ${field.kind}${field.isHalf ? ' half' : ''}`}>
      {isGroup ? <legend>{field.label}</legend> : <label htmlFor={id}>{field.label}</label>}
      <Input field={field} value={value} about={about} onType={onType} />
      {field.hint && (
        <p className="hint" id={`${id}-hint`}>
          {field.hint}
        </p>
      )}
      <p className="fault" id={`${id}-fault`} role="alert">
        {fault}
      </p>
    </Group>
  )
}

type InputProps = Pick<QuestionProps, 'field' | 'value' | 'onType'> & {
  readonly about: object
}

const TYPES = {
  email: 'email',
  url: 'url',
  date: 'date',
  time: 'time',
  moment: 'datetime-local',
  secret: 'password',
} as const

function Input({ field, value, about, onType }: InputProps) {
  if (field.kind === 'flag')
    return (
      <input
        {...about}
        type="checkbox"
        checked={value === true}
        onChange={({ target }) => onType(target.checked)}
      />
    )
  if (field.kind === 'choices') {
    const Chosen = field.isFolded ? FoldedChoices : Choices
    return (
      <Chosen
        label={field.label}
        options={field.options}
        chosen={(value || []) as readonly string[]}
        onType={onType}
      />
    )
  }
  if (field.kind === 'rows')
    return <Rows field={field} rows={(value || []) as readonly Typed[]} onType={onType} />
  if (field.kind === 'found')
    return <Finder {...field} about={about} sought={value as Sought} onType={onType} />
  if (field.kind === 'file')
    return (
      <input
        {...about}
        type="file"
        accept={field.accept.join(',')}
        onChange={async ({ target }) => {
          const [file] = target.files ?? []
          const bytes = file && new Uint8Array(await file.arrayBuffer())
          onType(file && bytes ? [file.name, file.type, base64Of(bytes)] : '')
        }}
      />
    )
  const text = String(value)
  const common = {
    ...about,
    value: text,
    autoComplete: autoCompleteOf(field),
    onChange: ({ target }: { target: { value: string } }) => onType(target.value),
  }
  if (field.kind === 'choice' || field.kind === 'currency') {
    const options =
      field.kind === 'choice' ? field.options : CURRENCIES.map((code) => ({ value: code, label: code }))
    return (
      <select {...common}>
        {(!field.isRequired || text === '') && <option value="">{field.isRequired ? 'Choose…' : '–'}</option>}
        {options.map(({ value: one, label }) => (
          <option key={one} value={one}>
            {label}
          </option>
        ))}
      </select>
    )
  }
  if (field.kind === 'long-text' || field.kind === 'lines' || field.kind === 'pairs')
    return <textarea {...common} rows={field.kind === 'long-text' ? 3 : 4} />
  // Some browsers send what they check the spelling of to a server.
  if (field.kind === 'secret' && field.isLong)
    return <textarea {...common} rows={5} spellCheck={false} autoComplete="off" className="mono" />
  if (field.kind === 'money')
    return (
      <span className="with-unit">
        <input {...common} inputMode="decimal" className="number" />
        {!field.isOfAny && <span aria-hidden="true">{field.currency}</span>}
      </span>
    )
  if (field.kind === 'color')
    return (
      <span className="with-picker">
        <input
          type="color"
          aria-label={`Pick: ${field.label}`}
          value={/^#[\da-f]{6}$/i.test(text) ? text : field.placeholder}
          onChange={common.onChange}
        />
        <input {...common} placeholder={field.placeholder} spellCheck={false} className="mono" />
      </span>
    )
  if (field.kind === 'number') return <input {...common} inputMode="numeric" className="number" />
  return (
    <input
      {...common}
      type={field.kind === 'text' ? 'text' : TYPES[field.kind]}
      {...(field.placeholder && { placeholder: field.placeholder })}
    />
  )
}

type RowsProps = {
  readonly field: { readonly columns: readonly Field[]; readonly addLabel: string }
  readonly rows: readonly Typed[]
  readonly onType: (value: readonly Typed[]) => void
}

function Rows({ field: { columns, addLabel }, rows, onType }: RowsProps) {
  const change = (index: number, name: string, value: Typed[string]) =>
    onType(rows.map((row, at) => (at === index ? { ...row, [name]: value } : row)))
  return (
    <div className="rows">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and keep their order
        <div key={index} className="row">
          {columns.map((column) => (
            <div key={column.name} className={`field ${column.kind}`}>
              <Input
                field={column}
                value={row[column.name] ?? ''}
                about={{ 'aria-label': `${column.label}, line ${index + 1}`, placeholder: column.label }}
                onType={(value) => change(index, column.name, value)}
              />
            </div>
          ))}
          <Button
            tone="quiet"
            icon="close"
            aria-label={`Remove line ${index + 1}`}
            onClick={() => onType(rows.filter((_row, at) => at !== index))}
          />
        </div>
      ))}
      <Button tone="quiet" icon="plus" onClick={() => onType([...rows, firstTyped(columns, {})])}>
        {addLabel}
      </Button>
    </div>
  )
}

function autoCompleteOf(field: Field): string {
  if ('autoComplete' in field && field.autoComplete) return field.autoComplete
  return field.kind === 'secret' ? 'new-password' : 'off'
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function localMoment(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** What was found: its value for the body, its name, and what tells it from others of the same name. */
export type Found = { readonly value: string; readonly label: string; readonly note: string }

type Find = (text: string, signal: AbortSignal) => Promise<readonly Found[]>

/** A text, until one of what it finds is chosen: then that one's value and name. */
type Sought = string | readonly [value: string, label: string]

type Props = {
  readonly label: string
  readonly find: Find
  readonly placeholder: string
  readonly sought: Sought
  readonly about: object
  readonly onType: (sought: Sought) => void
}

const LETTERS_MIN = 2

/** Finds one of many by what people know of it. */
function Finder({ label, find, placeholder, sought, about, onType }: Props) {
  const isChosen = typeof sought !== 'string'
  const text = isChosen ? sought[1] : sought
  const settled = useSettled(text.trim())
  const isWanted = !isChosen && text.trim().length >= LETTERS_MIN
  const query = useQuery({
    queryKey: ['find', label, selectedAccount(), settled],
    enabled: isWanted && settled.length >= LETTERS_MIN,
    queryFn: ({ signal }) => find(settled, signal),
  })
  const found = isWanted ? (query.data ?? []) : []
  const box = useListbox(useId(), found, (one) => onType([one.value, one.label]))
  const isNone = settled === text.trim() && query.isSuccess && found.length === 0
  return (
    <>
      <input
        {...about}
        {...box.input}
        type="search"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          box.restart()
          onType(target.value)
        }}
      />
      {isWanted && (
        <div className="finds">
          <div id={box.listId} role="listbox" aria-label={`${label}: found`} className="hits">
            {found.map((one, index) => (
              <div key={one.value} {...box.option(index, one)}>
                <span className="hit-title">{one.label}</span>
                <span className="hit-note">{one.note}</span>
              </div>
            ))}
          </div>
          {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
          <p className="hint" role="status">
            {isNone ? 'No matches.' : found.length === 0 && !query.isError ? 'Searching…' : ''}
          </p>
        </div>
      )}
    </>
  )
}
