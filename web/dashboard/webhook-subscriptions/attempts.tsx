import { useEffect } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { CopyButton } from '../parts/controls.tsx'
import { Loaded, Section } from '../parts/page.tsx'
import { exactClockText, exactText, Json, Status } from '../parts/values.tsx'
import { outcomeText, reasonText, toneOf } from './words.ts'

type Attempt = Schemas['WebhookAttempt']
type Props = { readonly subscriptionId: string; readonly delivery: Schemas['WebhookDelivery'] }

/** Each attempt to deliver an event, with what the receiver answered. */
export function Attempts({ subscriptionId, delivery }: Props) {
  const attempts = useRead('GET /webhook-subscriptions/{subscription_id}/deliveries/{delivery_id}/attempts', {
    path: { subscription_id: subscriptionId, delivery_id: delivery.id },
  })
  const { refetch } = attempts
  // The delivery is read again while it waits. When it has been tried, so are its attempts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when there was another attempt
  useEffect(() => void refetch(), [refetch, delivery.updated_at, delivery.attempts])
  return (
    <Section title="Attempts">
      <Loaded of={attempts}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">None yet: the first one follows within seconds.</p>
          ) : (
            <ul className="exchanges">
              {items.map((one, index) => (
                <li key={one.number}>
                  <OneAttempt of={one} isOpen={index === 0} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

function OneAttempt({ of: it, isOpen }: { readonly of: Attempt; readonly isOpen: boolean }) {
  const reason = reasonText(it)
  return (
    <details className="exchange" open={isOpen}>
      <summary>
        <b>{`Attempt ${it.number}`}</b>
        <Status tone={toneOf(it.outcome)}>{outcomeText(it)}</Status>
        <span className="quiet-text number">{it.duration_ms} ms</span>
        <time dateTime={it.created_at} title={exactText(it.created_at)}>
          {exactClockText(it.created_at)}
        </time>
      </summary>
      {reason && <p className="quiet-text">{reason}</p>}
      <h3>Answer of the receiver</h3>
      <Answer of={it} />
    </details>
  )
}

/** As a tree if it is JSON, else as text. */
function Answer({ of: { number, response_body: body } }: { readonly of: Attempt }) {
  if (body === null) return <p className="quiet-text">There was none.</p>
  if (body === '') return <p className="quiet-text">It had no body.</p>
  const value = jsonOf(body)
  if (value !== undefined) return <Json value={value} openDepth={2} label={`Answer to attempt ${number}`} />
  return (
    <div className="json">
      <CopyButton text={body} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard */}
      <pre className="json-tree mono" tabIndex={0}>
        {body}
      </pre>
    </div>
  )
}

function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
