import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress, valuesOf } from '../address.ts'
import { send, useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { EventName } from '../events/words.tsx'
import { Ask } from '../parts/ask.tsx'
import { Button, Link } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { EmptyCard, Loaded, Notice, Page, Section } from '../parts/page.tsx'
import { exactText, When } from '../parts/values.tsx'
import { ClockCard, Progress } from './clock.tsx'
import { NextOutcomeCard, PaymentCard } from './levers.tsx'
import { SIMULATED } from './words.ts'
import './sandbox.css'

export const pages = { '/': Sandbox }

/** Time, providers, buyers and banks, in the hands of a developer. */
function Sandbox() {
  const { environment } = useMe()
  if (environment !== 'sandbox')
    return (
      <Page title="Sandbox">
        <EmptyCard title="This is production">Simulation is available in sandboxes only.</EmptyCard>
      </Page>
    )
  return (
    <Page title="Sandbox" under="No money moves here. Try out declines, disputes and failures.">
      <Panel />
    </Page>
  )
}

function Panel() {
  const may = useMay()
  const services = useRead('GET /payment-services', {
    query: { limit: 100 },
    isWanted: may('payment-services.read'),
  })
  const simulated = (services.data?.items ?? []).filter(
    ({ payment_service_definition_id: definition }) => definition === SIMULATED,
  )
  return (
    <div className="sandbox">
      <div className="stack">
        <ClockCard />
        {may('events.read') && <Happened />}
        <FillCard />
      </div>
      <div className="stack">
        {simulated.length > 0 && <NextOutcomeCard services={simulated} />}
        {may('transactions.read') && may('sandbox.write') && <PaymentCard />}
      </div>
    </div>
  )
}

type Fill = Schemas['SandboxFill']

const FILLING_MS = 1_000

/** Makes a history to look at. */
function FillCard() {
  const [isAsking, setAsking] = useState(false)
  const fill = useRead('GET /sandbox/fill', {
    everyMs: (found) => found && isUnderWay(found) && FILLING_MS,
  })
  return (
    <Section title="History">
      <Loaded of={fill}>
        {(it) => (
          <div className="fill">
            <p className="quiet-text">
              Creates realistic payments through the API: several currencies, declines, refunds, 3-D Secure,
              subscriptions, chargebacks and returning buyers.
            </p>
            <Standing of={it} />
            {!isUnderWay(it) && <FillButton onClick={() => setAsking(true)} />}
          </div>
        )}
      </Loaded>
      {isAsking && <AskFill onClose={() => setAsking(false)} />}
    </Section>
  )
}

function isUnderWay({ status }: Fill): boolean {
  return status === 'waiting' || status === 'filling'
}

function FillButton({ onClick }: { readonly onClick: () => void }) {
  const may = useMay()
  const { is_unrestricted } = useMe()
  if (!may('sandbox.write') || !is_unrestricted)
    return (
      <p className="quiet-text">
        Only users with access to all merchant accounts can do this: it moves the clock.
      </p>
    )
  return (
    <div className="actions">
      <Button onClick={onClick}>Fill with sample data</Button>
    </div>
  )
}

function Standing({ of: it }: { readonly of: Fill }) {
  const { made, payments, days, failure } = it
  if (isUnderWay(it)) {
    const label = it.status === 'waiting' ? 'Starts in a moment.' : `${made.payments} of ${payments} payments`
    return <Progress share={made.payments / (payments ?? 1)} label={label} />
  }
  if (it.status === 'idle') return null
  const text = `${made.payments} payments in ${days} days: ${made.approved} approved, ${made.captures} captures, ${made.refunds} refunds, ${made.voids} voids.`
  if (failure !== null)
    return (
      <Notice tone="wait" title={FAILURES[failure]}>
        Made before that: {text} {it.refusals[0]?.reason}
      </Notice>
    )
  return (
    <Notice tone="good" title="The last fill is complete">
      {text}{' '}
      <Link to="/transactions" className="text-link">
        View payments
      </Link>
    </Notice>
  )
}

const FAILURES: Readonly<Record<NonNullable<Fill['failure']>, string>> = {
  refused: 'The service refused a request',
  interrupted: 'The last fill was interrupted',
  error: 'The last fill failed: see the log',
}

function AskFill({ onClose }: { readonly onClose: () => void }) {
  return (
    <Ask
      title="Fill with sample data"
      verb="Fill"
      says="Starts at the next midnight (UTC). When done, the clock of the whole sandbox is that many days ahead, and cannot go back. A thousand payments take about a minute."
      fields={[
        field('number', 'days', 'Days', { min: 1, max: 730, isRequired: true, isHalf: true }),
        field('number', 'payments', 'Payments', { min: 1, max: 100_000, isRequired: true, isHalf: true }),
        field('number', 'seed', 'Seed', {
          min: 1,
          max: 2_147_483_647,
          isRequired: true,
          hint: 'The same number gives the same data.',
        }),
      ]}
      initial={{ days: 30, payments: 300, seed: 1 }}
      send={(body, idempotencyKey) => send('POST /sandbox/fill', { body, idempotencyKey })}
      outcome="Filling has started"
      onClose={onClose}
    />
  )
}

const MOST = 100

/** What fell due while the clock moved: the events of that time, by name. */
function Happened() {
  const { search } = useAddress()
  const [from] = valuesOf(search, 'from')
  const [to] = valuesOf(search, 'to')
  if (!from || !to || Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to))) return null
  return <OnTheWay from={from} to={to} />
}

function OnTheWay({ from, to }: { readonly from: string; readonly to: string }) {
  const events = useRead('GET /events', {
    query: { created_at_gte: from, created_at_lte: to, limit: MOST },
  })
  return (
    <Section title="What happened on the way">
      <p className="quiet-text">
        From {exactText(from)} to {exactText(to)}, in this merchant account.
      </p>
      <Loaded of={events}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="nothing-due">Nothing.</p>
          ) : (
            <ul className="entries fell-due">
              {[...Map.groupBy(items, ({ name }) => name)].map(([name, all]) => (
                <li key={name}>
                  <EventName name={name} />
                  <span className="number">
                    {all.length === 1
                      ? 'once'
                      : `${items.length === MOST ? 'at least ' : ''}${all.length} times`}
                  </span>
                  <span className="quiet-text">{all[0] && <When at={all[0].created_at} />}</span>
                  <Link
                    to={all.length === 1 ? `/developers/events/${all[0]?.id}` : '/developers/events'}
                    search={all.length === 1 ? {} : { name, created_at: `${dayOf(from)}..${dayOf(to)}` }}
                    className="text-link"
                  >
                    Show
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

/** As the filter of a list writes it, in the zone of the person. */
function dayOf(at: string): string {
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
