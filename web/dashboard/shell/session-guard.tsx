import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useMeQuery } from '../api/me.ts'
import { readAgain } from '../api/read.ts'
import { guardSession, hearOtherTabs } from '../api/session.ts'

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
