import type { Field } from '#connectors/contract/manifest.ts'
import { type DetailType, type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { OfferedField } from './registry.ts'

export type Entry = { readonly key: string; readonly value: string }

type Request = {
  readonly pointer: '/fields' | '/reporting_fields'
  readonly known: readonly OfferedField[]
  /** An empty value clears a field. An entry whose form is wrong is left out: the caller is told of that already. */
  readonly given: readonly (Sound<Entry> | undefined)[]
  readonly stored: {
    readonly fields: Readonly<Record<string, string>>
    readonly secrets: Readonly<Record<string, unknown>>
  }
  readonly isRequired: (field: Field) => boolean
}

/** Everything that is wrong with the fields of a request, together with the stored ones. */
export function complaintsAboutFields({ given, ...rest }: Request): ErrorDetail[] {
  const sound = given.filter(isSound)
  const request = { ...rest, given: sound }
  return [
    ...given.flatMap((entry, index) => (isSound(entry) ? complaintAbout(request, entry, index) : [])),
    // An unreadable entry may be the missing one.
    ...(sound.length === given.length ? missing(request) : []),
    ...secretsForNewAddress(request),
  ]
}

type Checked = Omit<Request, 'given'> & { readonly given: readonly Entry[] }

function isSound(entry: Sound<Entry> | undefined): entry is Entry {
  return typeof entry?.key === 'string' && typeof entry.value === 'string'
}

function complaintAbout(
  { pointer, known, given, isRequired }: Checked,
  entry: Entry,
  index: number,
): ErrorDetail[] {
  const { key, value } = entry
  const complain = (part: 'key' | 'value', type: DetailType, message: string) => [
    inBody(`${pointer}/${index}/${part}`, type, message),
  ]
  const field = known.find((candidate) => candidate.key === key)
  if (!field) {
    const message = `must be one of ${known.map((candidate) => candidate.key).join(', ') || 'no fields at all'}`
    return complain('key', 'value_error.not_found', message)
  }
  if (given.find((candidate) => candidate.key === key) !== entry) {
    return complain('key', 'value_error.duplicate', 'remove it: the field is given twice')
  }
  if (value === '') {
    if (!isRequired(field)) return []
    return complain('value', 'value_error.any_str.min_length', 'the field is required and cannot be cleared')
  }
  const rule = RULES[field.format]
  if (rule && !rule.isMet(value)) return complain('value', rule.type, rule.message)
  if (!field.pattern || field.pattern.test(value)) {
    const refused = field.isAddress && URL.canParse(value) ? field.refuses?.(value) : undefined
    if (refused === undefined) return []
    const remedy = 'name another address, or let the operator allow it in WEBHOOK_ALLOW_CIDRS'
    return complain('value', 'value_error.url', `${refused}: ${remedy}`)
  }
  const where = field.help ?? `look the ${field.displayName} up at the provider`
  return complain('value', 'value_error.str.regex', `does not look like this field’s values: ${where}`)
}

function missing({ pointer, known, given, stored, isRequired }: Checked): ErrorDetail[] {
  const keys = [...Object.keys(stored.fields), ...Object.keys(stored.secrets)]
  const present = new Set([...keys, ...given.map(({ key }) => key)])
  return known
    .filter((field) => isRequired(field) && !present.has(field.key))
    .map(({ key }) => inBody(pointer, 'value_error.missing', `the field ${key} is required`))
}

/**
 * A caller that may change the address, but not read the secrets, must not have them sent to its own server.
 */
function secretsForNewAddress({ pointer, known, given, stored }: Checked): ErrorDetail[] {
  const moved = given.find(({ key, value }) => {
    const field = known.find((candidate) => candidate.key === key)
    return field?.isAddress && (stored.fields[key] ?? '') !== value
  })
  if (!moved) return []
  const kept = Object.keys(stored.secrets).filter((key) => !given.some((entry) => entry.key === key))
  const message = (key: string) => `send the field ${key} again: it was entered for another ${moved.key}`
  return kept.map((key) => inBody(pointer, 'value_error.missing', message(key)))
}

type Rule = {
  readonly isMet: (value: string) => boolean
  readonly type: DetailType
  readonly message: string
}

const RULES: Readonly<Partial<Record<Field['format'], Rule>>> = {
  number: {
    isMet: (value) => /^-?\d+([.]\d+)?$/.test(value),
    type: 'value_error.str.regex',
    message: 'must be a number in digits',
  },
  boolean: {
    isMet: (value) => value === 'true' || value === 'false',
    type: 'type_error.enum',
    message: 'must be one of true, false',
  },
  timezone: {
    isMet: isTimeZone,
    type: 'value_error.str.regex',
    message: 'must be a time zone of the IANA database, such as Europe/Amsterdam',
  },
}

/** The runtime understands offsets such as +01:00, but they name no zone. */
function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z]/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}
