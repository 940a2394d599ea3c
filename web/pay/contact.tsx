import { useMemo } from 'preact/hooks'
import {
  examplePostalCode,
  formatOf,
  type Part,
  postalCodeOf,
  statesOf,
} from '../../server/src/domain/address-format.ts'
import {
  type ContactFault,
  type ContactField,
  type ContactPlace,
  contactFaults,
  type TypedAddress,
  type TypedContact,
} from '../../server/src/domain/contact.ts'
import { COUNTRIES, isCountry } from '../../server/src/domain/country.ts'
import type { Locale } from '../../server/src/domain/locale.ts'
import type { OrderFacts } from '../../server/src/domain/pay-page.ts'
import type { FieldErrors } from './card-fields.tsx'
import { Field, FieldFrame, isField } from './field.tsx'
import { codeOf, phoneNumberOf } from './phone-number.ts'
import type { SheetAddress, SheetContact } from './wallets.ts'
import { type ContactWords, fill, type Words } from './words.ts'

/** The part of the desk that is used here. */
type Desk = { readonly order: OrderFacts; readonly words: Words; readonly locale: Locale }

/** What the buyer has typed so far. */
export type Typed = Partial<Record<ContactPlace, string>> & {
  /** The billing address is not that of the delivery. */
  readonly isElsewhere?: boolean
}

type Kind = 'billing_address' | 'shipping_address'

export function begin({ country }: OrderFacts): Typed {
  const known = country ?? new Intl.Locale(navigator.language).region ?? ''
  const first = isCountry(known) ? known : ''
  return { 'billing_address/country': first, 'shipping_address/country': first }
}

type Props = {
  readonly desk: Desk
  readonly words: ContactWords
  readonly typed: Typed
  readonly errors: FieldErrors
  readonly onTyped: (typed: Typed) => void
  readonly onLeave: (place: ContactPlace) => void
}

export function Contact(props: Props) {
  const { asks } = props.desk.order
  const { words, typed, onTyped } = props
  const hasBoth = asks.includes('billing_address') && asks.includes('shipping_address')
  return (
    <>
      {asks.some((field) => !field.endsWith('_address') || field === 'email_address') && (
        <Person {...props} />
      )}
      {asks.includes('shipping_address') && <Address {...props} kind="shipping_address" />}
      {hasBoth && (
        <label class="check">
          <input
            type="checkbox"
            name="same"
            checked={!typed.isElsewhere}
            onChange={({ currentTarget }) => onTyped({ ...typed, isElsewhere: !currentTarget.checked })}
          />
          {words.sameAddress}
        </label>
      )}
      {isShown(asks, typed, 'billing_address') && <Address {...props} kind="billing_address" />}
    </>
  )
}

/** Of an address that is the same, nothing is typed. */
function isShown(asks: readonly ContactField[], { isElsewhere }: Typed, kind: Kind): boolean {
  if (!asks.includes(kind)) return false
  return kind === 'shipping_address' || isElsewhere === true || !asks.includes('shipping_address')
}

/** There, the name of the family comes first. */
const FAMILY_FIRST = /^(hu|ja|ko|vi|zh)/

function Person({ desk, words, typed, errors, onTyped, onLeave }: Props) {
  const { asks } = desk.order
  const field = (name: 'email_address' | 'first_name' | 'last_name' | 'phone_number', given: object) => (
    <Field
      key={name}
      name={name}
      value={typed[name] ?? ''}
      onValue={(text) => onTyped({ ...typed, [name]: text })}
      error={errors[name]}
      maxLength={name === 'email_address' ? 320 : 255}
      onLeave={() => onLeave(name)}
      {...(given as { label: string })}
    />
  )
  const names = [
    field('first_name', { label: words.firstName, autocomplete: 'given-name', isText: true }),
    field('last_name', { label: words.lastName, autocomplete: 'family-name', isText: true }),
  ]
  const leavePhone = () => {
    const number = phoneNumberOf(typed.phone_number ?? '', countryOf(desk, typed))
    if (number) onTyped({ ...typed, phone_number: number })
    onLeave('phone_number')
  }
  return (
    <fieldset class="contact">
      <legend>{words.contact}</legend>
      {asks.includes('email_address') &&
        field('email_address', { label: desk.words.mailAddress, autocomplete: 'email', inputMode: 'email' })}
      {asks.includes('name') && (
        <div class="two">{FAMILY_FIRST.test(desk.locale) ? names.reverse() : names}</div>
      )}
      {asks.includes('phone_number') &&
        field('phone_number', {
          label: words.phone,
          autocomplete: 'tel',
          inputMode: 'tel',
          onLeave: leavePhone,
        })}
    </fieldset>
  )
}

const AUTOCOMPLETE = {
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postal_code: 'postal-code',
  country: 'country',
} as const

function Address({ kind, ...props }: Props & { readonly kind: Kind }) {
  const { desk, words, typed, errors, onTyped, onLeave } = props
  const section = kind === 'shipping_address' ? 'shipping' : 'billing'
  const country = typed[`${kind}/country`] ?? ''
  const countries = useMemo(() => countriesIn(desk.locale), [desk.locale])
  const field = (name: Part['name'] | 'country', label: string, options: readonly Option[] = []) => {
    const place = `${kind}/${name}` as const
    const given = {
      name: place,
      label,
      value: typed[place] ?? '',
      onValue: (text: string) => onTyped({ ...typed, [place]: text }),
      error: errors[place],
      autocomplete: `${section} ${AUTOCOMPLETE[name]}`,
      onLeave: () => onLeave(place),
    }
    return options.length > 0 ? (
      <Choice key={place} {...given} options={options} none={words.choose} />
    ) : (
      <Field key={place} {...given} isText maxLength={name === 'postal_code' ? 12 : 255} />
    )
  }
  const { parts, stateWord, postalCodeWord } = formatOf(country)
  const labels = {
    line1: words.line1,
    line2: words.line2,
    city: words.city,
    postal_code: words[postalCodeWord],
    state: words[stateWord],
  }
  const fields = parts.map(({ name, isNeeded }) => {
    const label = isNeeded ? labels[name] : fill(words.optional, { name: labels[name] })
    return field(name, label, name === 'state' ? statesOf(country) : [])
  })
  const pair = pairIn(parts)
  if (pair >= 0) {
    fields.splice(pair, 2, <div class="two">{fields.slice(pair, pair + 2)}</div>)
  }
  return (
    <fieldset class="contact">
      <legend>{words[section]}</legend>
      {field('country', words.country, countries)}
      {fields}
    </fieldset>
  )
}

/** Where the postal code and its neighbour begin, which are short. */
function pairIn(parts: readonly Part[]): number {
  const isShort = (at: number) => /^(city|state)$/.test(parts[at]?.name ?? '')
  const code = parts.findIndex(({ name }) => name === 'postal_code')
  if (isShort(code + 1)) return code
  return isShort(code - 1) ? code - 1 : -1
}

type Option = { readonly code: string; readonly name: string }

function countriesIn(locale: string): readonly Option[] {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const options = COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code }))
  return options.sort((one, other) => one.name.localeCompare(other.name, locale))
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly Option[]
  readonly none: string
  readonly error: string | undefined
  readonly autocomplete: string
  readonly onValue: (code: string) => void
  readonly onLeave: () => void
}

function Choice({ label, error, options, none, value, onValue, onLeave, ...rest }: ChoiceProps) {
  const isKnown = options.some(({ code }) => code === value)
  return (
    <FieldFrame {...{ label, error }}>
      {(wiring) => (
        <select
          {...wiring}
          {...rest}
          value={isKnown ? value : ''}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
          onBlur={({ relatedTarget }) => isField(relatedTarget) && onLeave()}
        >
          <option value="">{none}</option>
          {options.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

/** Where a number without a country’s code is from. */
function countryOf({ order: { asks, country } }: Desk, typed: Typed): string {
  const kind = (['shipping_address', 'billing_address'] as const).find((one) => isShown(asks, typed, one))
  return (kind && typed[`${kind}/country`]) ?? typed['billing_address/country'] ?? country ?? ''
}

/** As the page sends it. */
export function detailsOf(desk: Desk, typed: Typed): TypedContact {
  const { asks } = desk.order
  const phone = typed.phone_number ?? ''
  const addressOf = (kind: Kind) => (isShown(asks, typed, kind) ? toAddress(typed, kind) : undefined)
  const shipping = addressOf('shipping_address')
  const billing = asks.includes('billing_address') ? (addressOf('billing_address') ?? shipping) : undefined
  return {
    ...(asks.includes('email_address') && { email_address: typed.email_address?.trim() }),
    ...(asks.includes('name') && {
      first_name: typed.first_name?.trim(),
      last_name: typed.last_name?.trim(),
    }),
    ...(asks.includes('phone_number') && {
      phone_number: phoneNumberOf(phone, countryOf(desk, typed)) ?? phone,
    }),
    ...(shipping && { shipping_address: shipping }),
    ...(billing && { billing_address: billing }),
  }
}

function toAddress(typed: Typed, kind: Kind): TypedAddress {
  const country = typed[`${kind}/country`] ?? ''
  const states = statesOf(country)
  const said = formatOf(country).parts.flatMap(({ name }): (readonly [string, string])[] => {
    const text = typed[`${kind}/${name}`]?.trim() ?? ''
    if (text === '') return []
    if (name === 'postal_code') return [[name, postalCodeOf(country, text) ?? text]]
    if (name !== 'state' || states.length === 0) return [[name, text]]
    const state = states.find(({ code }) => code === text)
    return state
      ? [
          ['state', state.name],
          ['state_code', state.code],
        ]
      : []
  })
  return { country, ...Object.fromEntries(said) }
}

/** What a wallet has told, as if it were typed. So the buyer can correct it. */
export function fromSheet({ email, billing, shipping }: SheetContact): Typed {
  const person = billing?.first ? billing : (shipping ?? billing)
  const phone = billing?.phone || shipping?.phone || ''
  return {
    email_address: email ?? '',
    first_name: person?.first ?? '',
    last_name: person?.last ?? '',
    phone_number: phoneNumberOf(phone, person?.country ?? '') ?? phone,
    ...addressFrom('billing_address', billing ?? shipping),
    ...addressFrom('shipping_address', shipping ?? billing),
    isElsewhere: true,
  }
}

function addressFrom(kind: Kind, given: SheetAddress | undefined): Typed {
  if (!given) return {}
  const country = given.country.toUpperCase()
  const [line1 = '', ...others] = given.lines
  const area = given.area.toLowerCase()
  const isIt = ({ code, name }: Option) => code.slice(3).toLowerCase() === area || name.toLowerCase() === area
  return {
    [`${kind}/country`]: country,
    [`${kind}/line1`]: line1,
    [`${kind}/line2`]: others.join(', '),
    [`${kind}/city`]: given.city,
    [`${kind}/state`]: statesOf(country).find(isIt)?.code ?? given.area,
    [`${kind}/postal_code`]: given.postalCode,
  }
}

/** What is wrong with it, in the words of the page. */
export function errorsIn(desk: Desk, words: ContactWords, typed: Typed): FieldErrors {
  const { asks } = desk.order
  const shown = asks.filter((field) => field !== 'billing_address' || isShown(asks, typed, field))
  const faults = contactFaults(shown, detailsOf(desk, typed))
  return Object.fromEntries(faults.map((one) => [one.at, textOf(one, desk, words, typed)]))
}

function textOf({ at, fault }: ContactFault, desk: Desk, words: ContactWords, typed: Typed): string {
  if (at.endsWith('/country') || (fault === 'wrong' && at.endsWith('/state'))) return words.choose
  if (fault === 'missing') return words.missing
  if (at === 'email_address') return desk.words.wrongMail
  if (at === 'phone_number') {
    return fill(words.wrongPhone, { example: `+${codeOf(countryOf(desk, typed)) ?? 1}` })
  }
  const country = typed[`${at.split('/')[0] as Kind}/country`] ?? ''
  return fill(words.wrongPostalCode, { example: examplePostalCode(country) ?? '' })
}
