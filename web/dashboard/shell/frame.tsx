import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { selectedAccount } from '../api/account.ts'
import { ApiError } from '../api/client.ts'
import { useMeQuery } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { Problem, Slow } from '../parts/page.tsx'
import { Reach } from '../parts/reach.ts'
import { Navigation, useAreas } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { SessionGuard, SignInPage } from './session-guard.tsx'
import { Top } from './top.tsx'

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
