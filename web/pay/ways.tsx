import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CARD_SCHEMES } from '../../server/src/domain/card-scheme.ts'
import type { OrderFacts, SavedCard } from '../../server/src/domain/pay-page.ts'
import { markOf } from './card-fields.tsx'
import type { Desk } from './desk.ts'
import { removeCard } from './talk.ts'
import { fill } from './words.ts'

/** How the buyer wants to pay. */
export type Way =
  | { readonly kind: 'card' }
  | { readonly kind: 'saved'; readonly card: SavedCard }
  | { readonly kind: 'method'; readonly method: OrderFacts['methods'][number] }

export function waysOf({ takes_cards, methods }: OrderFacts, saved: readonly SavedCard[]): Way[] {
  return [
    ...saved.map((card): Way => ({ kind: 'saved', card })),
    ...(takes_cards ? [{ kind: 'card' } as const] : []),
    ...methods.map((method): Way => ({ kind: 'method', method })),
  ]
}

export function nameOf(way: Way): string {
  if (way.kind === 'saved') return way.card.id
  return way.kind === 'card' ? 'card' : way.method.method
}

type Props = {
  readonly desk: Desk
  readonly ways: readonly Way[]
  readonly chosen: Way
  readonly onChoice: (way: Way) => void
  readonly onRemoved: (id: string) => void
  /** What the chosen way asks for. */
  readonly children: ComponentChildren
}

/** With one way to pay, there is nothing to choose. */
export function Ways({ desk, ways, chosen, onChoice, onRemoved, children }: Props) {
  const { words } = desk
  if (ways.length < 2 && chosen.kind !== 'saved') {
    if (!desk.contact || chosen.kind !== 'card') return <>{children}</>
    return (
      <fieldset class="contact">
        <legend>{words.card}</legend>
        {children}
      </fieldset>
    )
  }
  return (
    <fieldset class="ways">
      <legend>{words.ways}</legend>
      {ways.map((way) => {
        const name = nameOf(way)
        return (
          <div key={name} class="way">
            <label>
              <input
                type="radio"
                name="way"
                value={name}
                checked={name === nameOf(chosen)}
                onChange={() => onChoice(way)}
              />
              <WayLabel desk={desk} way={way} hasSaved={ways.some(({ kind }) => kind === 'saved')} />
            </label>
            {way.kind === 'saved' && (
              <RemoveCard desk={desk} card={way.card} onRemoved={() => onRemoved(way.card.id)} />
            )}
            {name === nameOf(chosen) && asksFor(chosen) && <div class="details">{children}</div>}
          </div>
        )
      })}
    </fieldset>
  )
}

/** Other methods ask on a page of their own. */
function asksFor(way: Way): boolean {
  return way.kind !== 'method' || way.method.fields.length > 0
}

type LabelProps = { readonly desk: Desk; readonly way: Way; readonly hasSaved: boolean }

function WayLabel({ desk: { words }, way, hasSaved }: LabelProps) {
  if (way.kind === 'card') return <span>{hasSaved ? words.anotherCard : words.card}</span>
  if (way.kind === 'method') {
    return (
      <>
        {way.method.icon_url && <img src={pathOf(way.method.icon_url)} alt="" width="32" height="20" />}
        <span>{way.method.label}</span>
      </>
    )
  }
  const { scheme, label, expiration_date: date } = way.card
  const mark = markOf(scheme)
  return (
    <>
      {mark && <img src={mark} alt="" width="32" height="20" />}
      <span>
        {CARD_SCHEMES[scheme]} <bdi>{fill(words.endingIn, { digits: label ?? '' })}</bdi>
        {date && <small>{fill(words.expires, { date })}</small>}
      </span>
    </>
  )
}

/** The page is on the same host, whatever its name is for this browser. */
function pathOf(url: string): string {
  return new URL(url).pathname
}

type RemoveProps = { readonly desk: Desk; readonly card: SavedCard; readonly onRemoved: () => void }

/** Asks once more, in the same place. */
function RemoveCard({ desk: { words, order }, card, onRemoved }: RemoveProps) {
  const [isAsked, setAsked] = useState(false)
  // What had the focus goes when the question comes or goes.
  const button = useRef<HTMLButtonElement>(null)
  const question = useRef<HTMLFieldSetElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    if (isAsked) question.current?.focus()
    else if (wasAsked.current) button.current?.focus()
    wasAsked.current = isAsked
  }, [isAsked])
  const name = `${CARD_SCHEMES[card.scheme]} ${fill(words.endingIn, { digits: card.label ?? '' })}`
  if (!isAsked) {
    return (
      <button
        ref={button}
        type="button"
        class="link"
        aria-label={`${words.remove}: ${name}`}
        onClick={() => setAsked(true)}
      >
        {words.remove}
      </button>
    )
  }
  return (
    <fieldset ref={question} class="sure" tabIndex={-1} aria-label={`${words.reallyRemove} ${name}`}>
      <span>{words.reallyRemove}</span>
      <button
        type="button"
        class="link"
        onClick={async () => {
          if (await removeCard(order.path, card.id)) onRemoved()
          else setAsked(false)
        }}
      >
        {words.yes}
      </button>
      <button type="button" class="link" onClick={() => setAsked(false)}>
        {words.no}
      </button>
    </fieldset>
  )
}
