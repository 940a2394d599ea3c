import { useRef, useState } from 'preact/hooks'
import type { FailureReason, PageState } from '../../server/src/domain/pay-page.ts'
import { attemptFor } from './attempt.ts'
import type { CardErrors } from './card-fields.tsx'
import type { Desk } from './desk.ts'
import { type Answer, type Form, pay, type Refused } from './talk.ts'
import type { Words } from './words/en.ts'

export type Watch = {
  readonly state: PageState
  /** The connection was lost before the last form arrived. */
  readonly isUnsent: boolean
  readonly onState: (state: PageState) => void
  readonly onLost: () => void
}

type Sent = Pick<Form, 'payment_method' | 'gift_cards' | 'save'>

/** Sends the form, once for each number of tries, and says what came of it. */
export function usePayment({ order, words, frame }: Desk, { state, isUnsent, onState, onLost }: Watch) {
  const [errors, setErrors] = useState<CardErrors>({})
  const [note, setNote] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // A second click comes before the page is drawn again.
  const isSending = useRef(false)

  function complain(wrong: CardErrors): void {
    setErrors(wrong)
    setNote(Object.keys(wrong).length > 0 ? words.check : words.failed)
  }

  /** Undefined: a form is being sent already, or cannot be sent here. */
  async function send(sent: Sent): Promise<Answer | undefined> {
    if (isSending.current || order.is_preview) return undefined
    isSending.current = true
    setBusy(true)
    setErrors({})
    setNote(undefined)
    const { tries } = state
    const attempt = attemptFor(order.path, tries)
    const answer = await pay(order.path, { tries, attempt, embed: frame?.origin, ...sent })
    isSending.current = false
    setBusy(false)
    take(answer)
    return answer
  }

  function take(answer: Answer): void {
    if (answer.kind === 'lost') onLost()
    if (answer.kind === 'too_many') setNote(`${words.tooMany}. ${words.tooManyText}`)
    if (answer.kind === 'refused') complain(fieldErrors(answer.fields, words))
    if (answer.kind !== 'state') return
    if (answer.state.status === 'open') setNote(reasonOf(answer.state, words) ?? words.outdated)
    onState(answer.state)
  }

  const earlier = isUnsent ? words.notSent : reasonOf(state, words)
  return { errors, note: note ?? earlier, isBusy, complain, send }
}

const FIELDS: Readonly<Record<string, readonly [keyof CardErrors, keyof Words]>> = {
  '/payment_method/number': ['number', 'wrongNumber'],
  '/payment_method/expiration_date': ['expiry', 'wrongExpiry'],
  '/payment_method/security_code': ['code', 'wrongCode'],
}

function fieldErrors(refused: readonly Refused[], words: Words): CardErrors {
  return Object.fromEntries(
    refused.flatMap(({ pointer }) => {
      const found = FIELDS[pointer]
      return found ? [[found[0], words[found[1]]]] : []
    }),
  )
}

const REASONS: Readonly<Record<FailureReason, keyof Words>> = {
  no_funds: 'noFunds',
  expired_card: 'expiredCard',
  wrong_code: 'wrongCode',
  wrong_expiry: 'wrongExpiry',
  not_approved: 'notApproved',
  declined: 'declined',
  failed: 'failed',
}

/** Why the buyer's own payment failed. The page may have been loaded again since. */
function reasonOf({ own }: PageState, words: Words): string | undefined {
  return own?.outcome === 'failed' ? words[REASONS[own.reason ?? 'failed']] : undefined
}
