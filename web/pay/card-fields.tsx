import {
  isExpired,
  parseExpiration,
  passesLuhn,
  schemeOf,
  securityCodeLengthsOf,
} from '../../server/src/domain/card.ts'
import type { CardScheme } from '../../server/src/domain/card-scheme.ts'
import { digitsOf, formatExpiration, formatNumber } from '../../server/src/domain/typed-card.ts'
import { Field } from './field.tsx'
import type { Words } from './words/en.ts'

export type TypedCard = { readonly number: string; readonly expiry: string; readonly code: string }
export type CardErrors = Partial<Record<keyof TypedCard, string>>

export const EMPTY_CARD: TypedCard = { number: '', expiry: '', code: '' }

type Props = {
  readonly words: Words
  readonly card: TypedCard
  readonly errors: CardErrors
  readonly onCard: (card: TypedCard) => void
}

export function CardFields({ words, card, errors, onCard }: Props) {
  const scheme = schemeOf(digitsOf(card.number))
  return (
    <>
      <Field
        name="number"
        label={words.number}
        value={card.number}
        onValue={(number) => onCard({ ...card, number })}
        format={formatNumber}
        error={errors.number}
        autocomplete="cc-number"
        maxLength={40}
        mark={markOf(scheme)}
      />
      <div class="two">
        <Field
          name="expiry"
          label={words.expiry}
          value={card.expiry}
          onValue={(expiry) => onCard({ ...card, expiry })}
          format={formatExpiration}
          error={errors.expiry}
          autocomplete="cc-exp"
          placeholder={words.expiryExample}
          maxLength={12}
        />
        <CodeField
          words={words}
          code={card.code}
          error={errors.code}
          onCode={(code) => onCard({ ...card, code })}
        />
      </div>
    </>
  )
}

type CodeProps = {
  readonly words: Words
  readonly code: string
  readonly error: string | undefined
  readonly onCode: (code: string) => void
}

export function CodeField({ words, code, error, onCode }: CodeProps) {
  return (
    <Field
      name="code"
      label={words.code}
      value={code}
      onValue={onCode}
      format={digitsOf}
      error={error}
      hint={words.codeHint}
      autocomplete="cc-csc"
      maxLength={4}
    />
  )
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
    ...(!isNumber && { number: words.wrongNumber }),
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
  }
}

function expirationOf({ expiry }: TypedCard): string {
  return formatExpiration(expiry).replaceAll(' ', '')
}
