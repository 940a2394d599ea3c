import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { Empty, Loaded } from '../parts/page.tsx'
import { exactClockText, exactText, Json, Status, type Tone } from '../parts/values.tsx'
import { plain } from './words.ts'

type Exchange = Schemas['TransactionExchange']

/** What providers were asked about a payment, and what they answered, without secrets. */
export function Exchanges({ transactionId }: { readonly transactionId: string }) {
  const exchanges = useRead('GET /transactions/{transaction_id}/exchanges', {
    path: { transaction_id: transactionId },
    query: { limit: 100 },
  })
  return (
    <Loaded of={exchanges}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="No exchanges">No provider was contacted, or the exchanges are no longer kept.</Empty>
        ) : (
          <ul className="exchanges">
            {items.map((one) => (
              <li key={one.id}>
                <OneExchange exchange={one} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function OneExchange({ exchange }: { readonly exchange: Exchange }) {
  const { operation, purpose, request, response, duration_ms, created_at, outcome, reason } = exchange
  const { tone, text } = resultOf(exchange)
  return (
    <details className="exchange">
      <summary>
        <b>
          {operation}
          {purpose !== 'request' && ` (${purpose})`}
        </b>
        <span className="mono exchange-address">
          {request.method} {request.url}
        </span>
        <Status tone={tone}>{text}</Status>
        <span className="quiet-text number">{duration_ms} ms</span>
        <time dateTime={created_at} title={exactText(created_at)}>
          {exactClockText(created_at)}
        </time>
      </summary>
      <h3>Request</h3>
      <Json value={{ headers: request.headers, body: request.body?.content ?? null }} openDepth={2} />
      <h3>Answer</h3>
      {response ? (
        <Json
          value={{
            status: response.status_code,
            headers: response.headers,
            body: response.body?.content ?? null,
          }}
          openDepth={2}
        />
      ) : (
        <p className="quiet-text">
          None: {plain(outcome)}
          {reason && `, ${plain(reason)}`}
        </p>
      )}
    </details>
  )
}

/** No answer is not a refusal: what the provider did is not known. */
function resultOf({ outcome, response }: Exchange): { readonly tone: Tone; readonly text: string } {
  if (!response) return { tone: 'wait', text: plain(outcome) }
  return { tone: response.status_code < 400 ? 'good' : 'bad', text: String(response.status_code) }
}
