import { useEffect, useRef, useState } from 'preact/hooks'
import type { FailureReason, PageState } from '../../server/src/domain/pay-page.ts'
import { attemptFor } from './attempt.ts'
import type { FieldErrors } from './card-fields.tsx'
import type { Desk } from './desk.ts'
import { watchDevice } from './device.ts'
import { type Answer, type Form, pay, type Refused } from './talk.ts'
import type { Words } from './words.ts'

export type Watch = {
  readonly state: PageState
  /** What the buyer is told before anything else. */
  readonly told: keyof Words | undefined
  /** The answer to a form of this page. */
  readonly onState: (state: PageState) => Promise<void>
  readonly onSend: () => void
  readonly onLost: () => void
}

type Sent = Pick<Form, 'payment_method' | 'gift_cards' | 'save' | 'contact'>

/** Sends the form, once for each number of tries, and says what came of it. */
export function usePayment({ order, words, frame }: Desk, { state, told, ...watch }: Watch) {
  const [device] = useState(() => (order.is_preview ? undefined : watchDevice(order.device_url)))
  const [errors, setErrors] = useState<FieldErrors>({})
  const [note, setNote] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // Counts what the buyer has to correct: then, and only then, the field gets the focus.
  const [complaints, setComplaints] = useState(0)
  useEffect(() => {
    if (complaints > 0) document.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [complaints])
  const [heard, setHeard] = useState('')
  // A second click comes before the page is drawn again.
  const isSending = useRef(false)

  function complain(
    wrong: FieldErrors,
    text = Object.keys(wrong).length > 0 ? words.check : words.failed,
  ): void {
    setErrors(wrong)
    setNote(text)
    setComplaints((count) => count + 1)
  }

  /** Tells a buyer who leaves a field what is wrong with it. The focus is elsewhere by then, so it is said aloud. */
  function tell(field: keyof FieldErrors, wrong: string | undefined): void {
    const { [field]: _before, ...others } = errors
    setErrors(wrong ? { ...others, [field]: wrong } : others)
    const [place] = document.getElementsByName(field) as NodeListOf<HTMLInputElement>
    setHeard(wrong ? `${place?.labels?.[0]?.textContent}: ${wrong}` : '')
  }

  // What the bank refused is marked. After a load of the page the fields are empty, and there is nothing to mark.
  const seen = useRef(state.own?.id)
  const mark = useRef(complain)
  mark.current = complain
  useEffect(() => {
    const { own } = state
    if (own?.outcome !== 'failed' || own.id === seen.current) return
    seen.current = own.id
    const field = own.reason && BANK_FIELDS[own.reason]
    const text = reasonOf(state, words)
    if (field && text) mark.current({ [field]: text }, text)
  }, [state, words])

  /** Undefined: a form is being sent already, or cannot be sent here. */
  async function send(sent: Sent): Promise<Answer | undefined> {
    if (isSending.current || order.is_preview) return undefined
    // It would not leave this device, and that is known at once.
    if (!navigator.onLine) return void setNote(words.offline)
    isSending.current = true
    setBusy(true)
    setErrors({})
    setNote(undefined)
    watch.onSend()
    const { tries } = state
    const { amount, currency } = order
    const attempt = attemptFor(order.path, tries)
    const known = { tries, attempt, amount, currency, embed: frame?.origin }
    const answer = await pay(order.path, { ...known, anti_fraud_fingerprint: device, ...sent })
    await take(answer)
    isSending.current = false
    setBusy(false)
    return answer
  }

  async function take(answer: Answer): Promise<void> {
    if (answer.kind === 'lost') watch.onLost()
    if (answer.kind === 'too_many') setNote(`${words.tooMany}. ${words.tooManyText}`)
    if (answer.kind === 'refused') complain(fieldErrors(answer.fields, words))
    if (answer.kind !== 'state') return
    const next = answer.state
    const isOther = next.amount !== order.amount || next.currency !== order.currency
    if (next.status === 'open' && !isOther) setNote(reasonOf(next, words) ?? words.outdated)
    await watch.onState(next)
  }

  const earlier = told ? words[told] : reasonOf(state, words)
  return { errors, note: note ?? earlier, heard, isBusy, complain, tell, send }
}

const CONTACT = '/contact/'
const FIELDS: Readonly<Record<string, readonly [keyof FieldErrors, keyof Words]>> = {
  '/payment_method/number': ['number', 'wrongNumber'],
  '/payment_method/expiration_date': ['expiry', 'wrongExpiry'],
  '/payment_method/security_code': ['code', 'wrongCode'],
  '/payment_method/fields/blik_code': ['blik_code', 'wrongField'],
  '/payment_method/fields/payto_account': ['payto_account', 'wrongField'],
}

function fieldErrors(refused: readonly Refused[], words: Words): FieldErrors {
  return Object.fromEntries(
    refused.flatMap(({ pointer }) => {
      const found = FIELDS[pointer]
      if (pointer.startsWith(CONTACT)) return [[pointer.slice(CONTACT.length), words.wrongField]]
      return found ? [[found[0], words[found[1]]]] : []
    }),
  )
}

const REASONS: Readonly<Record<FailureReason, keyof Words>> = {
  no_funds: 'noFunds',
  expired_card: 'expiredCard',
  wrong_code: 'bankCode',
  wrong_expiry: 'bankExpiry',
  wrong_kind: 'wrongKind',
  unavailable: 'unavailable',
  not_approved: 'notApproved',
  declined: 'declined',
  failed: 'failed',
}

const BANK_FIELDS: Partial<Record<FailureReason, keyof FieldErrors>> = {
  expired_card: 'expiry',
  wrong_code: 'code',
  wrong_expiry: 'expiry',
}

/** Why the buyer's own payment failed. The page may have been loaded again since. */
function reasonOf({ own }: PageState, words: Words): string | undefined {
  return own?.outcome === 'failed' ? words[REASONS[own.reason ?? 'failed']] : undefined
}
