import {
  additionalSchemesOf,
  isExpired,
  parseExpiration,
  passesLuhn,
  schemeOf,
  securityCodeLengthsOf,
} from '../../server/src/domain/card.ts'
import { CARD_SCHEMES, type CardScheme } from '../../server/src/domain/card-scheme.ts'
import type { ContactPlace } from '../../server/src/domain/contact.ts'
import type { EnteredField } from '../../server/src/domain/pay-page.ts'
import { digitsOf, formatExpiration, formatNumber } from '../../server/src/domain/typed-card.ts'
import { Field } from './field.tsx'
import type { Words } from './words.ts'

export type TypedCard = {
  readonly number: string
  readonly expiry: string
  readonly code: string
  /** What the buyer chose, of a card that carries several schemes. */
  readonly scheme?: CardScheme
}
export type CardErrors = Partial<Record<'number' | 'expiry' | 'code', string>>
/** Of a card, of what another method asks for, or of the buyer. */
export type FieldErrors = CardErrors & Partial<Record<EnteredField['name'] | ContactPlace, string>>

export const EMPTY_CARD: TypedCard = { number: '', expiry: '', code: '' }

type Props = {
  readonly words: Words
  readonly card: TypedCard
  readonly errors: CardErrors
  readonly onCard: (card: TypedCard) => void
  readonly onLeave: (field: keyof CardErrors) => void
}

export function CardFields({ words, card, errors, onCard, onLeave }: Props) {
  const schemes = schemesOf(card)
  const chosen = chosenOf(card)
  return (
    <>
      <Field
        name="number"
        label={words.number}
        value={card.number}
        onValue={(number) => onCard({ ...card, number })}
        format={formatNumber}
        onLeave={() => onLeave('number')}
        error={errors.number}
        autocomplete="cc-number"
        maxLength={40}
        mark={schemes.length > 1 ? undefined : markOf(chosen)}
      />
      {schemes.length > 1 && (
        <fieldset class="schemes">
          <legend>{words.payWith}</legend>
          {schemes.map((scheme) => (
            <label key={scheme}>
              <input
                type="radio"
                name="scheme"
                checked={scheme === chosen}
                onChange={() => onCard({ ...card, scheme })}
              />
              <img src={markOf(scheme)} alt="" width="32" height="20" />
              {CARD_SCHEMES[scheme]}
            </label>
          ))}
        </fieldset>
      )}
      <div class="two">
        <Field
          name="expiry"
          label={words.expiry}
          value={card.expiry}
          onValue={(expiry) => onCard({ ...card, expiry })}
          format={formatExpiration}
          onLeave={() => onLeave('expiry')}
          error={errors.expiry}
          autocomplete="cc-exp"
          placeholder={words.expiryExample}
          maxLength={12}
        />
        <CodeField
          words={words}
          code={card.code}
          scheme={schemeOf(digitsOf(card.number))}
          error={errors.code}
          onLeave={() => onLeave('code')}
          onCode={(code) => onCard({ ...card, code })}
        />
      </div>
    </>
  )
}

type CodeProps = {
  readonly words: Words
  readonly code: string
  readonly scheme: CardScheme
  readonly error: string | undefined
  readonly onCode: (code: string) => void
  readonly onLeave: () => void
}

export function CodeField({ words, code, scheme, error, onCode, onLeave }: CodeProps) {
  const lengths = scheme === 'other' ? [] : securityCodeLengthsOf(scheme)
  const known = lengths.length === 1 && (lengths[0] === 4 ? words.fourDigits : words.threeDigits)
  return (
    <Field
      name="code"
      label={words.code}
      value={code}
      onValue={onCode}
      format={digitsOf}
      error={error}
      onLeave={onLeave}
      hint={known || words.codeHint}
      autocomplete="cc-csc"
      maxLength={4}
    />
  )
}

/** The schemes that the card carries, its first one first. */
function schemesOf({ number }: TypedCard): CardScheme[] {
  const digits = digitsOf(number)
  return [schemeOf(digits), ...additionalSchemesOf(digits)]
}

/** Article 8 of EU 2015/751: the first scheme is a suggestion, and the choice is the buyer's. */
function chosenOf(card: TypedCard): CardScheme {
  const schemes = schemesOf(card)
  return schemes.find((scheme) => scheme === card.scheme) ?? (schemes[0] as CardScheme)
}

export function markOf(scheme: CardScheme): string | undefined {
  return scheme === 'other' ? undefined : `/assets/card-schemes/${scheme}.svg`
}

/** What is wrong with a card, before it is sent. */
export function errorsIn(card: TypedCard, words: Words, now: Date): CardErrors {
  const number = digitsOf(card.number)
  const expiration = parseExpiration(expirationOf(card))
  const isNumber = /^\d{13,19}$/.test(number) && passesLuhn(number)
  return {
    ...(!isNumber && { number: number === '' ? words.noNumber : words.wrongNumber }),
    ...(!expiration && { expiry: words.wrongExpiry }),
    ...(expiration && isExpired(expiration, now) && { expiry: words.expiredCard }),
    ...codeErrors(card.code, schemeOf(number), words),
  }
}

export function codeErrors(code: string, scheme: CardScheme, words: Words): CardErrors {
  return securityCodeLengthsOf(scheme).includes(code.length) ? {} : { code: words.wrongCode }
}

export function toMethod(card: TypedCard): object {
  return {
    method: 'card',
    number: digitsOf(card.number),
    expiration_date: expirationOf(card),
    security_code: card.code,
    // Without a choice, the first scheme stands.
    ...(card.scheme === chosenOf(card) && { scheme: card.scheme }),
  }
}

function expirationOf({ expiry }: TypedCard): string {
  return formatExpiration(expiry).replaceAll(' ', '')
}
