import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAddress } from '../address.ts'
import { selectedAccount } from '../api/account.ts'
import { ApiError, call, readAgain } from '../api/client.ts'
import { type Me, useMe, useMeQuery } from '../api/me.ts'
import { guardSession, hearOtherTabs, lastUse, tellOtherTabs } from '../api/session.ts'
import { Button, Icon, Menu, type MenuItem, Popover } from '../parts/controls.tsx'
import { Problem, Slow } from '../parts/page.tsx'
import { Reach } from '../parts/reach.ts'
import { ZONE } from '../parts/values.tsx'
import { initialsOf, Navigation, useAreas } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { SearchDialog, useSearchKey } from './search.tsx'
import { signOut, signOutEverywhere } from './sign-out.ts'
import { THEMES, useTheme } from './theme.ts'

/** What is around every page. It is shown when it is known who has signed in. */
export function Frame() {
  const me = useMeQuery()
  if (me.data) return <FrameOf />
  if (me.error instanceof ApiError && me.error.status === 401) return <SignInPage />
  if (me.error)
    return (
      <main className="door">
        <div className="card">
          <Problem error={me.error} retry={() => void me.refetch()} />
        </div>
      </main>
    )
  return <Bare />
}

/** As `index.html` has it, so that nothing moves when the script has loaded. */
function Bare() {
  return (
    <div className="frame">
      <div className="side" />
      <div className="stage">
        <div className="top" />
        <main>
          <Slow />
        </main>
      </div>
    </div>
  )
}

function FrameOf() {
  const [isOpen, setOpen] = useState(false)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const areas = useAreas()
  // On a phone, the navigation covers the page that was chosen in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes whenever the path changes
  useEffect(() => setOpen(false), [path])
  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Navigation isOpen={isOpen} onClose={() => setOpen(false)} />
      <div className="stage">
        <Top>
          <span className="drawer-button">
            <Button tone="quiet" icon="menu" aria-label="Open the navigation" onClick={() => setOpen(true)} />
          </span>
        </Top>
        <main id="content" tabIndex={-1}>
          {/* Nothing of one merchant account stays on the page of another. */}
          <Suspense fallback={<Slow />}>
            <Reach value={areas.map((area) => area.path)}>
              <Outlet key={selectedAccount()} />
            </Reach>
          </Suspense>
        </main>
      </div>
      <Notices />
      <SessionGuard />
    </div>
  )
}

/** The bar above every page. */
function Top({ children }: { readonly children: ReactNode }) {
  const { environment } = useMe()
  const [isSearching, setSearching] = useState(false)
  useSearchKey(() => setSearching(true))
  return (
    <header className="top">
      {children}
      <button type="button" className="find" onClick={() => setSearching(true)}>
        <Icon name="search" />
        <span>Search payments, buyers, pages…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span className="spacer" />
      {environment === 'sandbox' && (
        <span className="badge" title="No money moves here">
          Sandbox
        </span>
      )}
      <ThemeChoice />
      <Person />
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
    </header>
  )
}

function ThemeChoice() {
  const { chosen, shown, choose } = useTheme()
  return (
    <Popover
      className="button quiet icon-only"
      label="Theme"
      side="end"
      button={<Icon name={shown === 'dark' ? 'moon' : 'sun'} />}
    >
      {(close) => (
        <Menu
          close={close}
          items={THEMES.map(([theme, label]) => ({
            label,
            isChosen: theme === chosen,
            onChoose: () => choose(theme),
          }))}
        />
      )}
    </Popover>
  )
}

const EVERYWHERE: MenuItem = {
  label: 'Sign out of your company account, too',
  icon: 'out',
  onChoose: () => void signOutEverywhere(),
}

function Person() {
  const { name, email_address, has_oidc } = useMe()
  const { go } = useAddress()
  return (
    <Popover className="avatar round" side="end" button={<Face name={name} />}>
      {(close) => (
        <>
          <p className="person">
            <b>{name}</b>
            <small>{email_address}</small>
            <small>Times are in {ZONE}</small>
          </p>
          <Menu
            close={close}
            items={[
              { label: 'Your settings', icon: 'person', onChoose: () => go('/me') },
              { label: 'Sign out', icon: 'out', onChoose: () => void signOut() },
              ...(has_oidc ? [EVERYWHERE] : []),
            ]}
          />
        </>
      )}
    </Popover>
  )
}

function Face({ name }: { readonly name: string }) {
  return (
    <>
      <span aria-hidden="true">{initialsOf(name)}</span>
      <span className="visually-hidden">You: {name}</span>
    </>
  )
}

/** The server counts from a moment that is a little earlier than ours. */
const MARGIN_MS = 1_000
/** If the server says that there is a session yet, its clock and the browser's differ. */
const AGAIN_MS = 15_000

const SignIn = lazy(() => import('../sign-in/sign-in.tsx').then((module) => ({ default: module.SignIn })))
const StepUp = lazy(() => import('../sign-in/step-up.tsx').then((module) => ({ default: module.StepUp })))

/** In place of the page, at its address: it appears once the person has signed in. */
function SignInPage({ isOver = false }: { readonly isOver?: boolean }) {
  return (
    <Suspense fallback={null}>
      <SignIn isOver={isOver} />
    </Suspense>
  )
}

/**
 * Covers the page when its session ends: what was typed stays below. When the server wants a fresh proof for one request, a
 * dialog asks for it, and the request is sent again.
 */
function SessionGuard() {
  const me = useMeQuery()
  const { dataUpdatedAt, refetch } = me
  const [hasEnded, setEnded] = useState(false)
  const { isProving, proveAgain, finish } = useProving()
  useEffect(() => {
    guardSession({
      onEnd: () => setEnded(true),
      onRefusal: () => void refetch(),
      proveAgain,
    })
    return hearOtherTabs((news) => {
      if (news === 'ended') setEnded(true)
      else if (news === 'began') void readAgain()
    })
  }, [refetch, proveAgain])
  useEndInTime(hasEnded ? undefined : me.data, () => {
    setEnded(true)
    tellOtherTabs('ended')
  })
  // A new answer about the person means that there is a session again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the answer is new
  useEffect(() => setEnded(false), [dataUpdatedAt])
  return (
    <>
      {hasEnded && <Cover />}
      {isProving && (
        <Suspense fallback={null}>
          <StepUp onProven={() => finish(true)} onClose={() => finish(false)} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Covers the page when its session ends, because it was left alone or because of its age, and not only at the next request. The
 * server is asked then: it knows better, and an ended session is not made longer by asking.
 */
function useEndInTime(me: Pick<Me, 'idle_seconds' | 'expires_at'> | undefined, onEnd: () => void): void {
  const end = useEffectEvent(onEnd)
  const idleMs = me && me.idle_seconds * 1000
  const lastMoment = me && Date.parse(me.expires_at)
  useEffect(() => {
    if (idleMs === undefined || lastMoment === undefined) return
    let timer: ReturnType<typeof setTimeout>
    let isLeft = false
    const look = async () => {
      const leftMs = Math.min(lastUse() + idleMs, lastMoment) + MARGIN_MS - Date.now()
      const isOver = leftMs <= 0 && !(await call('GET /users/me', {})).isGood
      if (isLeft) return
      if (isOver) end()
      else timer = setTimeout(() => void look(), leftMs > 0 ? leftMs : AGAIN_MS)
    }
    void look()
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [idleMs, lastMoment])
}

/** Several requests may want a proof at once: one dialog answers all of them. */
function useProving() {
  const [isProving, setProving] = useState(false)
  const waiting = useRef<((isProven: boolean) => void)[]>([])
  const [acts] = useState(() => ({
    proveAgain: () =>
      new Promise<boolean>((resolve) => {
        waiting.current.push(resolve)
        setProving(true)
      }),
    finish: (isProven: boolean) => {
      setProving(false)
      for (const resolve of waiting.current.splice(0)) resolve(isProven)
    },
  }))
  return { isProving, ...acts }
}

/** Above all dialogs of the page, and nothing below can be reached. It stays until there is a session again. */
function Cover() {
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = place.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={place}
      className="cover"
      aria-label="Sign in"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        // A browser lets a second Escape through.
        if (event.key === 'Escape') event.preventDefault()
      }}
    >
      <SignInPage isOver />
    </dialog>
  )
}
