import { WRITTEN } from '#domain/written-forms.ts'
import type { ErrorDetail } from '#platform/errors.ts'
import { payingCardComplaints } from '#resources/payment-methods/read-card.ts'
import type { TypedCard } from '../pay.ts'
import type { Texts } from './texts.ts'

export type FieldName = keyof TypedCard

/** What is wrong with each field, by the name of its text. */
export type FieldErrors = Readonly<Partial<Record<FieldName, keyof Texts>>>

export type Form =
  | { readonly card: TypedCard; readonly tries: number }
  | { readonly errors: FieldErrors; readonly tries: number }

/** Reads a card as people write it: with spaces in the number, and a year of two or four digits. */
export function readForm(body: Readonly<Record<string, unknown>>, now: Date): Form {
  const text = (name: string) => String(body[name] ?? '').trim()
  const card = {
    number: text('number').replaceAll(/[\s-]/g, ''),
    expiration_date: text('expiration_date').replace(/^(\d{1,2})\s*[/.\- ]?\s*(?:20)?(\d{2})$/, monthAndYear),
    security_code: text('security_code').replaceAll(/\s/g, ''),
  }
  const tries = /^\d{1,9}$/.test(text('tries')) ? Number(text('tries')) : -1
  const errors = { ...meaningErrors(card, now), ...formErrors(card) }
  return Object.keys(errors).length === 0 ? { card, tries } : { errors, tries }
}

function monthAndYear(_all: string, month: string, year: string): string {
  return `${month.padStart(2, '0')}/${year}`
}

function formErrors({ number, expiration_date, security_code }: TypedCard): FieldErrors {
  return {
    ...(!has(WRITTEN.cardNumber, number) && { number: 'wrongNumber' }),
    ...(!has(WRITTEN.expirationDate, expiration_date) && { expiration_date: 'wrongExpiry' }),
    ...(!has(WRITTEN.securityCode, security_code) && { security_code: 'wrongCode' }),
  }
}

function has({ pattern }: { readonly pattern: string }, text: string): boolean {
  return new RegExp(pattern).test(text)
}

function meaningErrors(card: TypedCard, now: Date): FieldErrors {
  const complaints = payingCardComplaints(card, now, '').map((detail) => [
    detail.pointer.slice(1),
    textFor(detail),
  ])
  return Object.fromEntries(complaints)
}

function textFor({ pointer, type }: ErrorDetail): keyof Texts {
  if (pointer === '/number') return 'wrongNumber'
  if (pointer === '/security_code') return 'wrongCode'
  return type === 'value_error.expired' ? 'expiredCard' : 'wrongExpiry'
}
