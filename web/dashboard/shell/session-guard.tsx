import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { call, readAgain } from '../api/client.ts'
import { type Me, useMeQuery } from '../api/me.ts'
import { guardSession, hearOtherTabs, lastUse, tellOtherTabs } from '../api/session.ts'

/** The server counts from a moment that is a little earlier than ours. */
const MARGIN_MS = 1_000
/** If the server says that there is a session yet, its clock and the browser's differ. */
const AGAIN_MS = 15_000

const SignIn = lazy(() => import('../sign-in/sign-in.tsx').then((module) => ({ default: module.SignIn })))
const StepUp = lazy(() => import('../sign-in/step-up.tsx').then((module) => ({ default: module.StepUp })))

/** In place of the page, at its address: it appears once the person has signed in. */
export function SignInPage({ isOver = false }: { readonly isOver?: boolean }) {
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
export function SessionGuard() {
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
