import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { send, useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Ask } from '../parts/ask.tsx'
import { Button, Link } from '../parts/controls.tsx'
import { Loaded, Notice, Section } from '../parts/page.tsx'
import { Progress } from './progress.tsx'

type Fill = Schemas['SandboxFill']

const FILLING_MS = 1_000

/** Makes a history to look at. */
export function FillCard() {
  const [everyMs, setEveryMs] = useState<number | false>(false)
  const [isAsking, setAsking] = useState(false)
  const fill = useRead('GET /sandbox/fill', { everyMs })
  const wanted = fill.data && isUnderWay(fill.data) ? FILLING_MS : false
  if (wanted !== everyMs) setEveryMs(wanted)
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
        { name: 'days', label: 'Days', kind: 'number', min: 1, max: 730, isRequired: true, isHalf: true },
        {
          name: 'payments',
          label: 'Payments',
          kind: 'number',
          min: 1,
          max: 100_000,
          isRequired: true,
          isHalf: true,
        },
        {
          name: 'seed',
          label: 'Seed',
          kind: 'number',
          min: 1,
          max: 2_147_483_647,
          isRequired: true,
          hint: 'The same number gives the same data.',
        },
      ]}
      initial={{ days: 30, payments: 300, seed: 1 }}
      send={(body, idempotencyKey) => send('POST /sandbox/fill', { body, idempotencyKey })}
      outcome={() => ({ kind: 'done', title: 'Filling has started' })}
      onClose={onClose}
    />
  )
}
