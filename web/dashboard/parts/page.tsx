import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useId, useState } from 'react'
import type { Route } from '../../api/client.ts'
import { lastSearchAt, useAddress } from '../address.ts'
import { type AnswerOf, ApiError, type Request, useRead } from '../api/client.ts'
import { mayNow } from '../api/me.ts'
import { Button, Icon, type IconName, Link } from './controls.tsx'
import { type Fact, Facts, Id, Json, type Tone } from './values.tsx'

type Props = {
  readonly title: string
  /** What stands in place of the title, when it is more than text. */
  readonly heading?: ReactNode
  /** Where the page belongs: its list. */
  readonly back?: { readonly to: string; readonly label: string }
  /** One line under the title. */
  readonly under?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, heading, back, under, actions, children }: Props) {
  const { search } = useAddress()
  useEffect(() => {
    document.title = `${title} – Switchyard`
  }, [title])
  return (
    <>
      {back && (
        <Link to={back.to} search={lastSearchAt(back.to, search)} className="crumb">
          <Icon name="back" />
          {back.label}
        </Link>
      )}
      <header className="head">
        <div className="head-text">
          <h1>{heading ?? title}</h1>
          {under && <div className="under">{under}</div>}
        </div>
        {actions && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** Two columns: what happened, and the facts beside it. One below the other where there is no room. */
export function Columns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className="columns">
      <div className="stack">{main}</div>
      <div className="stack">{side}</div>
    </div>
  )
}

type SectionProps = {
  readonly title: string
  readonly actions?: ReactNode
  /** The content touches the border: a table. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

export function Section({ title, actions, isFlush, children }: SectionProps) {
  const id = useId()
  return (
    <section className={`card ${isFlush ? 'flush' : ''}`} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </section>
  )
}

/** A section of facts alone. */
export function FactCard({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  return (
    <Section title={title}>
      <Facts facts={facts} />
    </Section>
  )
}

/** A thing as the API has it. */
export function JsonCard({ of: value }: { readonly of: unknown }) {
  return (
    <Section title="JSON">
      <Json value={value} openDepth={0} />
    </Section>
  )
}

type Tab = { readonly id: string; readonly label: string; readonly content: () => ReactNode }

/** Parts of a page of which one is shown. The address names it. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const { search, change } = useAddress()
  const shown = tabs.find(({ id }) => id === search['tab']) ?? tabs[0]
  const move = (step: number) => {
    if (!shown) return
    const next = tabs.at((tabs.indexOf(shown) + step) % tabs.length)
    if (!next) return
    change({ tab: next.id })
    document.getElementById(`tab-${next.id}`)?.focus()
  }
  if (!shown) return null
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label}>
        {tabs.map(({ id, label: name }) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={id === shown.id}
            aria-controls="tab-content"
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => change({ tab: id })}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1)
              if (key === 'ArrowLeft') move(-1)
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-content" aria-labelledby={`tab-${shown.id}`}>
        {shown.content()}
      </div>
    </div>
  )
}

type LoadedProps<Data> = {
  readonly of: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What was read, or the state it is in: on its way, not found, failed. */
export function Loaded<Data>({ of: { data, error, refetch }, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  if (error)
    return (
      <div className="card">
        <Problem error={error} retry={() => void refetch()} />
      </div>
    )
  return <Waiting />
}

/** What the page of one thing gets. */
export type Of<Thing> = { readonly of: Thing }

/** The page of one thing: reads what the address names, and shows it. */
export function pageOf<Name extends Route>(route: Name, Shown: ComponentType<Of<AnswerOf<Name>>>) {
  const [, name = ''] = /\{(\w+)\}$/.exec(route) ?? []
  return function PageOf() {
    const { params } = useAddress()
    const id = params['id'] ?? ''
    const thing = useRead(route, { path: { [name]: id } } as unknown as Request<Name>)
    return <Loaded of={thing}>{(it) => <Shown key={id} of={it as AnswerOf<Name>} />}</Loaded>
  }
}

/** Grey bars where something is on its way. */
export function Waiting() {
  return (
    <>
      <div className="skeleton waiting" role="status" aria-label="Loading">
        <i />
        <i />
        <i />
      </div>
      <Slow />
    </>
  )
}

/** Longer than a server takes that is well. */
const SLOW_MS = 4_000

/** Says after some seconds that the server has not answered. Until then nothing: a word that comes and goes disturbs. */
export function Slow() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="quiet-text" role="status">
      {isSlow && 'The server has not answered yet. This page goes on by itself when it does.'}
    </p>
  )
}

type EmptyProps = {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** In place of a list or a page. */
export function EmptyCard(props: EmptyProps) {
  return (
    <div className="card">
      <Empty {...props} />
    </div>
  )
}

/** Nothing to show: one sentence that says what would be here, and what to do. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <svg viewBox="0 0 96 40" width="96" height="40" aria-hidden="true" className="empty-track">
        <path d="M4 30h88M14 30c26 0 24-20 50-20h20" />
        <circle cx="84" cy="10" r="3" />
        <circle cx="92" cy="30" r="3" />
      </svg>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

const ICONS: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  info: 'info',
  wait: 'clock',
  bad: 'alert',
  mute: 'info',
}

type NoticeProps = {
  readonly tone: Tone
  readonly title: string
  readonly children?: ReactNode
  /** Read out at once, because it appeared after something the person did. */
  readonly isNews?: boolean
}

export function Notice({ tone, title, children, isNews }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={isNews ? (tone === 'bad' ? 'alert' : 'status') : undefined}>
      <Icon name={ICONS[tone]} />
      <div>
        <strong>{title}</strong>
        {children && <div>{children}</div>}
      </div>
    </div>
  )
}

/** What went wrong while reading, with the id of the request, and a way to try again. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { title, text } = wordsOf(error)
  return (
    <div className="empty" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {error instanceof ApiError && error.requestId !== null && <RequestId value={error.requestId} />}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

function wordsOf(error: unknown): { readonly title: string; readonly text: string } {
  if (!(error instanceof ApiError))
    return {
      title: 'Something went wrong',
      text: 'This is our mistake. Reload the page; if it happens again, tell your operator.',
    }
  if (error.status === 0)
    return {
      title: 'No connection',
      text: 'The server could not be reached. Check your connection and try again.',
    }
  if (error.status === 404)
    return {
      title: 'Not found',
      text: 'There is nothing here in this merchant account. Check the address, or select another account.',
    }
  if (error.status === 403)
    return {
      title: 'Not allowed',
      text: 'Your roles do not allow this. Ask an administrator for access.',
    }
  if (error.wantsDates)
    return {
      title: 'Choose a shorter period',
      text: 'This search covers too many rows. Choose a shorter period or a more specific filter.',
    }
  if (error.wantsShorterPeriod)
    return {
      title: 'Choose a shorter period',
      text: 'A period can have at most 366 days, and no more payments than can be counted in ten seconds. Choose fewer days, or add a filter.',
    }
  if (error.status >= 500)
    return {
      title: 'The server has a problem',
      text: 'It could not answer. Nothing was changed. Try again in a moment.',
    }
  return { title: error.message, text: error.details.map(({ message }) => message).join('. ') }
}

/** A page whose script threw. The frame around it still works. */
export function PageProblem({ error }: { readonly error: unknown }) {
  return (
    <div className="card">
      <Problem error={error} retry={() => location.reload()} />
    </div>
  )
}

/** Names a request that failed, and leads to what the service noted about it. */
export function RequestId({
  value,
  isShort = false,
}: {
  readonly value: string
  readonly isShort?: boolean
}) {
  return (
    <p className="request">
      Request <Id value={value} isShort={isShort} />
      {mayNow('api-logs.read') && (
        <Link to="/developers/requests" search={{ request_id: value }} className="text-link">
          Look it up
        </Link>
      )}
    </p>
  )
}
