import type { ReactNode } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { pointingElsewhere } from '../api/client.ts'
import { CopyButton, Link } from '../parts/controls.tsx'
import { type Field, field, type Option, type Values } from '../parts/fields.tsx'
import { Section } from '../parts/page.tsx'
import { Facts } from '../parts/values.tsx'
import './service-accounts.css'

export type DefinitionField = Schemas['PaymentServiceDefinitionField']

/** A value of an account at a provider. */
export type Entry = { readonly key: string; readonly value: string }

/** Where in the body the values are. */
type Place = 'fields' | 'reporting_fields'

type Asking = {
  readonly place?: Place
  readonly heading?: string
  /** Of an account that is there: the keys of the secrets that are set. They are never shown. */
  readonly secrets?: readonly string[] | undefined
  /** False: even required fields can be left empty, because what needs them is switched off. */
  readonly isNeeded?: boolean
}

/** A definition's fields as questions of a form. */
export function questionsOf(
  known: readonly DefinitionField[],
  { place = 'fields', heading, secrets, isNeeded = true }: Asking = {},
): readonly Field[] {
  const questions = known.flatMap((field): Field[] => {
    const question = questionOf(field, place, secrets)
    if (field.secret && secrets?.includes(field.key))
      return field.required ? [question] : [question, forgetting(field, place)]
    return [{ ...question, isRequired: field.required && isNeeded && field.format !== 'boolean' }]
  })
  return questions.map((question, index) => (index === 0 && heading ? { ...question, heading } : question))
}

function questionOf(field: DefinitionField, place: Place, secrets: readonly string[] | undefined) {
  const { key, display_name, format, secret } = field
  const base = { name: `${place}.${key}`, label: display_name }
  const isLong = format === 'multiline' || format === 'file'
  if (secret) {
    const hint = secrets === undefined ? SEALED : secrets.includes(key) ? SET : NOT_SET
    return { ...base, kind: 'secret', isLong, hint } as const
  }
  if (format === 'boolean') return { ...base, kind: 'flag' } as const
  if (format === 'timezone') return { ...base, kind: 'choice', options: timeZones() } as const
  if (isLong) {
    const hint = format === 'file' ? 'Paste the content of the file.' : undefined
    return { ...base, kind: 'long-text', ...(hint && { hint }) } as const
  }
  return { ...base, kind: 'text' } as const
}

const SEALED = 'Encrypted when you save, and never shown again.'
const SET = 'Set. Leave empty to keep it, or type a new one to replace it.'
const NOT_SET = 'Not set.'

function forgetting({ key, display_name }: DefinitionField, place: Place): Field {
  return field('flag', `forgotten.${place}.${key}`, `Remove the stored ${display_name}`)
}

/** What stands in the inputs when the account is changed. Secrets are never there. */
export function initialOf(
  known: readonly DefinitionField[],
  kept: readonly Entry[],
  place: Place = 'fields',
): Values {
  return Object.fromEntries(
    known.flatMap(({ key, format }) => {
      const value = kept.find((one) => one.key === key)?.value
      if (value === undefined) return []
      return [[`${place}.${key}`, format === 'boolean' ? value === 'true' : value]]
    }),
  )
}

/** What was typed, as the API takes it: only what is new, or differs from what is kept. An empty value clears. */
export function entriesIn(
  known: readonly DefinitionField[],
  body: Values,
  kept: readonly Entry[] = [],
  place: Place = 'fields',
): Entry[] {
  const typed = (body[place] ?? {}) as Values
  const forgotten = ((body['forgotten'] as Values | undefined)?.[place] ?? {}) as Values
  return known.flatMap(({ key, secret, format }) => {
    const value = typed[key] === undefined ? '' : String(typed[key])
    if (secret) return value !== '' || forgotten[key] === true ? [{ key, value }] : []
    const before = kept.find((one) => one.key === key)?.value ?? (format === 'boolean' ? 'false' : '')
    return value === before ? [] : [{ key, value }]
  })
}

type Sent = Readonly<Partial<Record<Place, readonly Entry[]>>>

/** The server complains about an entry by its place in the list. The form knows it by its key. */
export function namingKeys<Answer>(sent: Sent, work: () => Promise<Answer>): Promise<Answer> {
  return pointingElsewhere(work, (pointer) => named(sent, pointer))
}

function named(sent: Sent, pointer: string): string {
  const [, place, index] = /^\/(fields|reporting_fields)\/(\d+)\//.exec(pointer) ?? []
  const key = sent[place as Place]?.[Number(index)]?.key
  return key === undefined ? pointer : `/${place}/${key}`
}

let zones: readonly Option[] | undefined

function timeZones(): readonly Option[] {
  zones ??= Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value }))
  return zones
}

type Definition = {
  readonly id: string
  readonly display_name: string
  /** One line: what it can do. */
  readonly note: string
}

type Props = { readonly definitions: readonly Definition[]; readonly path: string }

/** The providers that can be connected, by name. */
export function Catalogue({ definitions, path }: Props) {
  return (
    <ul className="catalogue">
      {definitions
        .toSorted((one, other) => one.display_name.localeCompare(other.display_name, 'en'))
        .map(({ id, display_name, note }) => (
          <li key={id}>
            <Link to={`${path}/new/${id}`} className="card offer">
              <strong>{display_name}</strong>
              <small>{note}</small>
            </Link>
          </li>
        ))}
    </ul>
  )
}

type CredentialsProps = {
  readonly title: string
  readonly known: readonly DefinitionField[]
  readonly kept: readonly Entry[]
  /** The keys of the secrets that are set. */
  readonly secrets: readonly string[]
  readonly children?: ReactNode
}

/** What was entered for an account at a provider. Secrets are named, and not shown. */
export function Credentials({ title, known, kept, secrets, children }: CredentialsProps) {
  return (
    <Section title={title}>
      <div className="credentials">
        {known.length === 0 && <p className="quiet-text">This provider needs no credentials.</p>}
        <Facts
          facts={known.map((field) => [
            field.display_name,
            <Value key={field.key} field={field} kept={kept} secrets={secrets} />,
          ])}
        />
        {children}
      </div>
    </Section>
  )
}

type ValueProps = Pick<CredentialsProps, 'kept' | 'secrets'> & { readonly field: DefinitionField }

function Value({ field, kept, secrets }: ValueProps) {
  const value = kept.find(({ key }) => key === field.key)?.value
  if (field.secret && secrets.includes(field.key)) return <span className="mono">••••••••</span>
  if (field.format === 'boolean' && !field.secret) return value === 'true' ? 'Yes' : 'No'
  if (value === undefined) return <span className="quiet-text">Not set</span>
  return <span className="mono">{value}</span>
}

type WebhookAddressProps = { readonly url: string; readonly hint: string; readonly children?: ReactNode }

/** Where the provider sends what happened. People enter it in the provider's own settings. */
export function WebhookAddress({ url, hint, children }: WebhookAddressProps) {
  return (
    <Section title="Provider webhooks">
      <div className="webhook-address">
        <p className="hint">{hint}</p>
        <p className="mono secret-text">{url}</p>
        <div className="actions">
          <CopyButton text={url} label="Copy URL" tone="plain" />
          {children}
        </div>
      </div>
    </Section>
  )
}
