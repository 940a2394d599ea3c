import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { BuyerLink } from '../buyers/names.tsx'
import { Steps } from '../flows/steps.tsx'
import { fromOne } from '../flows/words.ts'
import { Link, LinkButton } from '../parts/controls.tsx'
import { countryName } from '../parts/countries.ts'
import { Columns, Empty, FactCard, Loaded, Notice, Page, Tabs } from '../parts/page.tsx'
import { useReach } from '../parts/reach.ts'
import {
  exactClockText,
  exactText,
  type Fact,
  Id,
  Json,
  Marked,
  Money,
  moneyText,
  Status,
  type Tone,
  When,
} from '../parts/values.tsx'
import { SandboxCard } from '../sandbox/levers.tsx'
import { Acts, isWaiting } from './acts.tsx'
import { PaidWith } from './payments-of.tsx'
import { reasonFor } from './reasons.ts'
import { answerOf, isRefused, type Transaction } from './standing.ts'
import { Timeline } from './timeline.tsx'
import { buyerName, markOf, plain, sourceName } from './words.ts'

/** How often a payment is read again while something about it is open. */
const OPEN_MS = 3_000

export function TransactionDetail() {
  const { params } = useAddress()
  const [open, setOpen] = useState<string>()
  const [everyMs, setEveryMs] = useState<number | false>(false)
  const transaction = useRead('GET /transactions/{transaction_id}', {
    path: { transaction_id: params['id'] ?? '' },
    everyMs,
  })
  const wanted = open !== undefined || (transaction.data && isWaiting(transaction.data)) ? OPEN_MS : false
  if (wanted !== everyMs) setEveryMs(wanted)
  return (
    <Loaded of={transaction}>
      {(it) => (
        <Page
          title={`${moneyText(it.amount, it.currency)} ${markOf(it).label.toLowerCase()}`}
          heading={<Money amount={it.amount} currency={it.currency} />}
          back={{ to: '/transactions', label: 'Transactions' }}
          under={<Under of={it} />}
          actions={<Acts of={it} open={open} onOpen={setOpen} />}
        >
          <Standing of={it} />
          <AmountTrack of={it} />
          <Columns main={<Happened of={it} everyMs={everyMs} />} side={<SideFacts of={it} />} />
        </Page>
      )}
    </Loaded>
  )
}

type Props = { readonly of: Transaction }

function Under({ of: it }: Props) {
  return (
    <>
      <Marked of={markOf(it)} />
      <span>{buyerName(it) ?? 'Guest'}</span>
      {it.external_identifier && <span className="mono">{it.external_identifier}</span>}
      <When at={it.created_at} />
    </>
  )
}

/** What a person has to know before all else. */
function Standing({ of: it }: Props) {
  if (isWaiting(it))
    return (
      <Notice tone="wait" title="Waiting for the payment service">
        The outcome is not known yet. We keep asking, and this page updates by itself.
      </Notice>
    )
  if (it.pending_review)
    return (
      <Notice tone="info" title="This payment needs a review">
        The anti-fraud service flagged it. The money is held, and nothing is captured until you accept it.
      </Notice>
    )
  if (isRefused(it)) {
    const answer = answerOf(it)
    return (
      <Notice tone="bad" title={`${markOf(it).label}: ${plain(it.error_code ?? 'no reason was given')}`}>
        {it.error_code && reasonFor(it.error_code)}
        {answer && (
          <small className="raw-answer">
            {it.payment_service?.display_name ?? 'The payment service'} answered <code>{answer}</code>
          </small>
        )}
      </Notice>
    )
  }
  if (it.disputed)
    return (
      <Notice tone="bad" title="The buyer’s bank has charged this payment back">
        View chargeback for the amount, the reason and any money returned.{' '}
        <Link to={`/chargebacks/${it.id}`} className="text-link">
          View chargeback
        </Link>
      </Notice>
    )
  return null
}

function Happened({ of: it, everyMs }: Props & { readonly everyMs: number | false }) {
  return (
    <div className="card">
      <Tabs
        label="About this payment"
        tabs={[
          { id: 'timeline', label: 'Timeline', content: () => <Timeline of={it} everyMs={everyMs} /> },
          {
            id: 'exchanges',
            label: 'Provider exchanges',
            content: () => <Exchanges transactionId={it.id} />,
          },
          {
            id: 'decision',
            label: 'Routing',
            content: () => <DecisionOf transactionId={it.id} />,
          },
          { id: 'json', label: 'JSON', content: () => <Json value={it} /> },
        ]}
      />
    </div>
  )
}

type Amounts = Pick<
  Schemas['Transaction'],
  'amount' | 'authorized_amount' | 'captured_amount' | 'refunded_amount' | 'capturable_amount' | 'currency'
>

/** What became of the money, to one scale: the longest bar is the largest amount. */
function AmountTrack({ of: it }: { readonly of: Amounts }) {
  const largest = Math.max(it.amount, it.authorized_amount, it.captured_amount, 1)
  const stations = [
    { name: 'Requested', amount: it.amount, tone: 'requested' },
    { name: 'Authorized', amount: it.authorized_amount, tone: 'authorized' },
    { name: 'Captured', amount: it.captured_amount, tone: 'captured', left: it.capturable_amount },
    { name: 'Refunded', amount: it.refunded_amount, tone: 'refunded' },
  ]
  return (
    <dl className="card track">
      {stations.map(({ name, amount, tone, left = 0 }) => (
        <div key={name} className={amount > 0 ? tone : 'none'}>
          <dt>{name}</dt>
          <dd>
            <b>{moneyText(amount, it.currency)}</b>
            {left > 0 && <small>{moneyText(left, it.currency)} can still be captured</small>}
          </dd>
          <dd className="bar" aria-hidden="true">
            <i style={{ width: `${(amount / largest) * 100}%` }} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Decision = Schemas['TransactionDecision']

const TRY = '/routing/try'

/** Why the payment went where it went. */
function DecisionOf({ transactionId }: { readonly transactionId: string }) {
  const reaches = useReach()
  const decision = useRead('GET /transactions/{transaction_id}/decision', {
    path: { transaction_id: transactionId },
  })
  return (
    <Loaded of={decision}>
      {(it) => (
        <div className="decision">
          <p className="decision-summary">{fromOne(it.summary)}</p>
          {it.version !== null && <p className="quiet-text">Version {it.version} of the rules</p>}
          {it.candidates.length > 0 && <Candidates of={it.candidates} />}
          <Steps of={it.steps} heading="h2" />
          {reaches(TRY) && (
            <LinkButton to={TRY} search={{ transaction: transactionId }}>
              Test with the current rules
            </LinkButton>
          )}
        </div>
      )}
    </Loaded>
  )
}

function Candidates({ of: candidates }: { readonly of: Decision['candidates'] }) {
  return (
    <section>
      <h2>Payment services</h2>
      <ol className="decision-list">
        {candidates.map(({ payment_service_id, was_asked, reason, text }) => (
          <li key={payment_service_id}>
            <Status tone={was_asked ? 'good' : 'mute'}>
              {was_asked ? 'Asked' : reason === null ? 'Not needed' : 'Skipped'}
            </Status>
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Exchange = Schemas['TransactionExchange']

/** What providers were asked about a payment, and what they answered, without secrets. */
function Exchanges({ transactionId }: { readonly transactionId: string }) {
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

type SideFactsProps = { readonly of: Schemas['Transaction'] }

/** What is known about a payment, beside what happened to it. */
function SideFacts({ of: it }: SideFactsProps) {
  return (
    <>
      <Method of={it} />
      <Buyer of={it} />
      <Tenders of={it} />
      <ThreeDSecure of={it} />
      <Processing of={it} />
      <Order of={it} />
      <SandboxCard of={it} />
    </>
  )
}

function Method({ of: it }: SideFactsProps) {
  const { payment_method: method } = it
  return (
    <FactCard
      title="Payment method"
      facts={[
        ['Paid with', <PaidWith key="method" of={it} />],
        ['Expires', method?.expiration_date],
        ['Type', method?.details?.card_type && plain(method.details.card_type)],
        ['Issuer', method?.details?.card_issuer_name],
        ['Country', method?.country && countryName(method.country)],
        ['Security code', it.cvv_response_code && plain(it.cvv_response_code)],
        ['Address', it.avs_response_code && plain(it.avs_response_code)],
        ['Stored as', method?.id && <Id key="id" value={method.id} isShort />],
      ]}
    />
  )
}

function Buyer({ of: it }: SideFactsProps) {
  const { buyer } = it
  const { email_address, phone_number, address } = buyer?.billing_details ?? {}
  const name = buyerName(it)
  return (
    <FactCard
      title="Buyer"
      facts={[
        ['Name', buyer?.id && name ? <BuyerLink key="name" id={buyer.id} name={name} /> : (name ?? 'Guest')],
        ['E-mail', email_address !== name && email_address],
        ['Phone', phone_number],
        ['Reference', buyer?.external_identifier !== name && buyer?.external_identifier],
        ['Address', address && addressText(address)],
        ['Id', buyer?.id && <Id key="id" value={buyer.id} isShort />],
      ]}
    />
  )
}

function addressText({ line1, line2, postal_code, city, state, country }: Schemas['Address']): string {
  return [line1, line2, [postal_code, city].filter(Boolean).join(' '), state, country && countryName(country)]
    .filter(Boolean)
    .join(', ')
}

/** The gift cards that paid a part, and how much is left for the method. */
function Tenders({ of: { gift_card_redemptions: gifts, currency } }: SideFactsProps) {
  if (gifts.length === 0) return null
  return (
    <FactCard
      title="Gift cards"
      facts={gifts.map(
        ({ id, gift_card, amount, refunded_amount, status, error_code }): Fact => [
          `•••• ${gift_card.last4}`,
          <span key={id}>
            <Money amount={amount} currency={currency} /> {plain(error_code ?? status)}
            {refunded_amount > 0 && `, ${moneyText(refunded_amount, currency)} refunded`}
          </span>,
        ],
      )}
    />
  )
}

function ThreeDSecure({ of: { three_d_secure: it } }: SideFactsProps) {
  if (!it) return null
  const { response_data: data, error_data: error } = it
  return (
    <FactCard
      title="3-D Secure"
      facts={[
        ['Outcome', it.status && plain(it.status)],
        ['Method', it.method && plain(it.method)],
        ['Version', it.version],
        ['ECI', data?.eci],
        ['Reason', error && (error.description ?? error.code)],
        ['Detail', error?.detail],
      ]}
    />
  )
}

function Processing({ of: it }: SideFactsProps) {
  return (
    <FactCard
      title="Processing"
      facts={[
        ['Service', it.payment_service?.display_name],
        // Of a payment that was refused, the notice at the top says both.
        ['Answer', !isRefused(it) && answerOf(it)],
        ['Reason', !isRefused(it) && it.error_code && plain(it.error_code)],
        ['Anti-fraud', it.anti_fraud_decision && plain(it.anti_fraud_decision)],
        ['Source', sourceName(it.payment_source)],
        ['Started by', it.merchant_initiated && 'The merchant'],
        ['Settled', it.settled && it.settled_currency && moneyText(it.settled_amount, it.settled_currency)],
        [
          'Id at the service',
          it.payment_service_transaction_id && (
            <Id key="service" value={it.payment_service_transaction_id} isShort />
          ),
        ],
        ['Reconciliation', <Id key="reconciliation" value={it.reconciliation_id} isShort />],
        ['Transaction', <Id key="id" value={it.id} isShort />],
      ]}
    />
  )
}

function Order({ of: it }: SideFactsProps) {
  const facts: Fact[] = [
    ['Country', it.country && countryName(it.country)],
    ['Description', it.statement_descriptor?.name],
    ...(it.cart_items ?? []).map(
      ({ name, quantity, unit_amount }): Fact => [
        `${quantity} × ${name}`,
        moneyText(unit_amount * quantity, it.currency),
      ],
    ),
    ...Object.entries(it.metadata ?? {}),
    ['Authorized', it.authorized_at && <When key="authorized" at={it.authorized_at} />],
    ['Captured', it.captured_at && <When key="captured" at={it.captured_at} />],
    ['Voided', it.voided_at && <When key="voided" at={it.voided_at} />],
    ['Updated', <When key="updated" at={it.updated_at} />],
  ]
  return <FactCard title="Order" facts={facts} />
}
