import { type ReactNode, useRef, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Button, Dialog } from '../parts/controls.tsx'
import { groupOf, isSamePlace, type Place } from './words.ts'

type Rules = readonly Schemas['DraftRule'][]

export type Written = {
  readonly place: Place
  /** All rules as they would be, and where this one stands among those of its place. */
  readonly rules: Rules
  readonly position: number
  readonly hasConditions: boolean
}

/** Of the last payments that the rule is asked about: how many there are, and how many it declines. */
type Foreseen = { readonly asked: number; readonly declined: number }

type Question = Foreseen & {
  readonly place: Place
  readonly isEvery: boolean
  readonly decide: (isWanted: boolean) => void
}

const TRIED = 20
const AT_ONCE = 4
/** Longer than this, no person wants to wait: then fewer payments tell. */
const TRIED_MS = 3_000

/**
 * A rule that declines most payments is rarely meant. Before such a rule is saved, it is tried on the last payments, and the
 * person is asked. `allows` tells whether to save it.
 */
export function useDeclineGuard() {
  const mayTry = useMay()('transactions.read')
  const [question, setQuestion] = useState<Question>()
  const [isLooking, setLooking] = useState(false)
  const isAsking = useRef(false)
  const allows = async (written: Written): Promise<boolean> => {
    if (written.place.action !== 'decline-early') return true
    if (isAsking.current) return false
    isAsking.current = true
    setLooking(true)
    const found = mayTry ? await foresee(written) : NOTHING
    setLooking(false)
    const isEvery = !written.hasConditions
    const isWanted =
      (!isEvery && found.declined * 2 <= found.asked) ||
      (await new Promise<boolean>((decide) =>
        setQuestion({ ...found, place: written.place, isEvery, decide }),
      ))
    setQuestion(undefined)
    isAsking.current = false
    return isWanted
  }
  return { allows, isLooking, question }
}

const NOTHING: Foreseen = { asked: 0, declined: 0 }

/** Where the rules cannot be tried, the server says why when they are saved. */
async function foresee(written: Written): Promise<Foreseen> {
  try {
    const { items } = await send('GET /transactions', { query: { limit: TRIED } })
    const found: (boolean | undefined)[] = []
    const until = performance.now() + TRIED_MS
    for (let at = 0; at < items.length && performance.now() < until; at += AT_ONCE)
      found.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(({ id }) => declines(written, id)))))
    const asked = found.filter((one) => one !== undefined)
    return { asked: asked.length, declined: asked.filter(Boolean).length }
  } catch {
    return NOTHING
  }
}

/** Undefined: the rule is not about such a payment. */
async function declines({ place, rules, position }: Written, id: string): Promise<boolean | undefined> {
  const { steps } = await send('POST /flows/dry-run', { body: { transaction_id: id, rules: [...rules] } })
  const step = steps.find((one) => isSamePlace(one, place))
  return step && step.rule?.position === position
}

/** What the buttons say. */
type AskProps = { readonly question: Question; readonly goBack: string; readonly goOn: string }

export function AskToDecline({ question, goBack, goOn }: AskProps): ReactNode {
  const { place, isEvery, asked, declined, decide } = question
  const kind = (groupOf(place.flow)?.label ?? '').toLowerCase()
  return (
    <Dialog title={isEvery ? `Decline all ${kind}?` : `Decline most ${kind}?`} onClose={() => decide(false)}>
      <div className="dialog-text">
        {isEvery && <p>The rule has no conditions, so it declines every payment it sees.</p>}
        <p>{foreseenText(kind, { asked, declined })}</p>
        <p>
          Declined payments are not sent to any payment service. To undo, delete the rule or restore an
          earlier version under History.
        </p>
      </div>
      <div className="dialog-actions">
        <Button onClick={() => decide(false)}>{goBack}</Button>
        <Button tone="danger" onClick={() => decide(true)}>
          {goOn}
        </Button>
      </div>
    </Dialog>
  )
}

function foreseenText(kind: string, { asked, declined }: Foreseen): string {
  if (asked === 0) return `There are no ${kind} yet to test it on.`
  return declined === asked
    ? `It would have declined all of your last ${asked} ${kind}.`
    : `It would have declined ${declined} of your last ${asked} ${kind}.`
}
