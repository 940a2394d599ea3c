import { useState } from 'react'
import { useAddress } from '../address.ts'
import { useRead } from '../api/client.ts'
import { Link } from '../parts/controls.tsx'
import { Columns, Loaded, Notice, Page, Tabs } from '../parts/page.tsx'
import { Json, Money, moneyText, Status, When } from '../parts/values.tsx'
import { Acts, isWaiting } from './acts.tsx'
import { AmountTrack } from './amount-track.tsx'
import { DecisionOf } from './decision.tsx'
import { Exchanges } from './exchanges.tsx'
import { reasonFor } from './reasons.ts'
import { SideFacts } from './side-facts.tsx'
import { answerOf, isRefused, type Transaction } from './standing.ts'
import { Timeline } from './timeline.tsx'
import { buyerName } from './who.ts'
import { DISPUTE, markOf, plain } from './words.ts'

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
  const mark = markOf(it)
  return (
    <>
      <Status tone={mark.tone}>{mark.label}</Status>
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
      <Notice tone="bad" title={DISPUTE.title}>
        {DISPUTE.payment}{' '}
        <Link to={`/chargebacks/${it.id}`} className="text-link">
          {DISPUTE.link}
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
