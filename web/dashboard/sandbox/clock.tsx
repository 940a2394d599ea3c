import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress } from '../address.ts'
import { readAgain, send, useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { serviceNow } from '../api/service-time.ts'
import { Ask } from '../parts/ask.tsx'
import { Button } from '../parts/controls.tsx'
import { field } from '../parts/fields.tsx'
import { dateFormat } from '../parts/locale.ts'
import { Loaded, Notice, Section } from '../parts/page.tsx'
import { exactText, ZONE } from '../parts/values.tsx'
import { plain } from '../transactions/words.ts'
import { aheadText, STEPS } from './words.ts'

type Clock = Schemas['SandboxClock']
type Move = { readonly by: string; readonly label: string } | 'elsewhere'

const MOVING_MS = 400
const STILL_MS = 10_000

/** What time it is in the sandbox, and the way to make it later. */
export function ClockCard() {
  const clock = useRead('GET /sandbox/clock', {
    everyMs: (found) => (found?.status === 'advancing' ? MOVING_MS : STILL_MS),
  })
  return (
    <Section title="Clock">
      <Loaded of={clock}>{(it) => <Face of={it} />}</Loaded>
    </Section>
  )
}

function Face({ of: it }: { readonly of: Clock }) {
  const from = useJourney(it)
  return (
    <div className="clock">
      <Hands />
      <p className="quiet-text">{aheadText(it.offset_seconds)}</p>
      {it.status === 'advancing' && it.target && from ? (
        <Progress
          share={shareOf(from, it.now, it.target)}
          label={`Moving to ${exactText(it.target)}. Everything due on the way happens.`}
        />
      ) : (
        <Moves />
      )}
      {it.late_jobs.length > 0 && (
        <Notice tone="wait" title="Some work is late">
          {it.late_jobs.map(({ job, reason }) => `${plain(job)} (${reason})`).join(', ')}. It goes on by
          itself.
        </Notice>
      )}
    </div>
  )
}

/** Ticks by itself between two answers. */
function Hands() {
  const [now, setNow] = useState(serviceNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="clock-face">
      <span>
        {DAY.format(now)}, {ZONE}
      </span>
      <b className="number">{TIME.format(now)}</b>
    </p>
  )
}

const DAY = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
const TIME = dateFormat({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Since when the clock moves. When it has arrived, the address says which way it went, and the page shows what happened on it. */
function useJourney({ status, now, target }: Clock): string | undefined {
  const { change } = useAddress()
  const [way, setWay] = useState<{ readonly from: string; readonly to: string }>()
  const isMoving = status === 'advancing' && target !== null
  if (isMoving && way?.to !== target) setWay({ from: now, to: target })
  useEffect(() => {
    if (isMoving || !way) return
    setWay(undefined)
    change({ from: way.from, to: way.to })
    void readAgain()
  }, [isMoving, way, change])
  return way?.from
}

function shareOf(from: string, now: string, target: string): number {
  const start = Date.parse(from)
  return (Date.parse(now) - start) / (Date.parse(target) - start)
}

/** The clock is that of all merchant accounts. */
function Moves() {
  const may = useMay()
  const { is_unrestricted } = useMe()
  const [move, setMove] = useState<Move>()
  if (!may('sandbox.write') || !is_unrestricted)
    return <p className="quiet-text">Only users with access to all merchant accounts can move it.</p>
  return (
    <>
      <div className="actions">
        {STEPS.map((step) => (
          <Button key={step.by} onClick={() => setMove(step)}>{`+ ${step.label}`}</Button>
        ))}
        <Button tone="quiet" onClick={() => setMove('elsewhere')}>
          To a time…
        </Button>
      </div>
      {move && <MoveClock move={move} onClose={() => setMove(undefined)} />}
    </>
  )
}

export function MoveClock({ move, onClose }: { readonly move: Move; readonly onClose: () => void }) {
  const isStep = move !== 'elsewhere'
  return (
    <Ask
      title={isStep ? `Move the clock by ${move.label}` : 'Move the clock to a time'}
      verb="Move the clock"
      says="It moves for all merchant accounts of this sandbox, and cannot go back. On the way, authorizations and links expire, settlement files arrive, and webhooks are retried, each at its time."
      fields={isStep ? [] : [field('moment', 'to', 'Until', { isRequired: true })]}
      initial={isStep ? {} : { to: new Date(serviceNow().getTime() + 86_400_000).toISOString() }}
      send={(body, idempotencyKey) =>
        send('POST /sandbox/clock/advance', {
          body: isStep ? { by: move.by } : (body as Schemas['AdvanceSandboxClock']),
          idempotencyKey,
        })
      }
      outcome="The clock is moving"
      onClose={onClose}
    />
  )
}

/** How much of something is done, from 0 to 1. */
export function Progress({ share, label }: { readonly share: number; readonly label: string }) {
  const value = Math.min(1, Math.max(0, share))
  return (
    <div className="progress">
      <progress value={value} max={1} aria-label={label} />
      <p className="quiet-text">{label}</p>
    </div>
  )
}
