import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useMeQuery } from '../api/me.ts'
import { guardSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

const SignIn = lazy(() => import('../sign-in/sign-in.tsx').then((module) => ({ default: module.SignIn })))

/** In place of the page, at its address: it appears once the person has signed in. */
export function SignInPage() {
  return (
    <Suspense fallback={null}>
      <SignIn />
    </Suspense>
  )
}

/**
 * Covers the page when its session ends: what was typed stays below. When the server wants a fresh proof for one request, a
 * dialog asks for it, and the request is sent again.
 */
export function SessionGuard() {
  const me = useMeQuery()
  const [hasEnded, setEnded] = useState(false)
  const [isProving, setProving] = useState(false)
  const answer = useRef<(isProven: boolean) => void>(undefined)
  useEffect(
    () =>
      guardSession({
        onEnd: () => setEnded(true),
        proveAgain: () =>
          new Promise((resolve) => {
            answer.current = resolve
            setProving(true)
          }),
      }),
    [],
  )
  // A new answer about the person means that there is a session again.
  const { dataUpdatedAt } = me
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the answer is new
  useEffect(() => setEnded(false), [dataUpdatedAt])
  const finish = (isProven: boolean) => {
    setProving(false)
    answer.current?.(isProven)
  }
  return (
    <>
      {hasEnded && (
        <div className="cover">
          <SignInPage />
        </div>
      )}
      {isProving && <StepUp onClose={() => finish(false)} />}
    </>
  )
}

function StepUp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Prove that it is you" onClose={onClose}>
      <p className="dialog-text">This needs a fresh proof. Sign in again, then repeat it.</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  )
}
