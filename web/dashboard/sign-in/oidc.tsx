import { useEffect, useState } from 'react'
import { tellOtherTabs } from '../api/session.ts'
import { Button } from '../parts/controls.tsx'
import { Notice } from '../parts/page.tsx'
import { Door } from '../shell/door.tsx'
import { askServer } from './ask-server.ts'
import { type Begun, takeBegun } from './begun.ts'
import { type FromProvider, takeProviderAnswer } from './provider-answer.ts'
import { TryNotice, useTrying } from './trying.tsx'
import { words } from './words.ts'

/** Where the identity provider sends people back: signs them in, or passes on their fresh proof. */
export function OidcPage() {
  const [answer] = useState(takeProviderAnswer)
  const [begun] = useState(() => answer && takeBegun(answer.state))
  const [isDone, setDone] = useState(false)
  const trying = useTrying()
  // What this browser has not begun as a sign-in is a proof, for which a page waits.
  const isBeside = begun?.isBeside ?? answer !== undefined
  const leave = (next: string) => {
    if (isBeside) window.close()
    else location.replace(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code counts once
  useEffect(() => {
    if (answer?.code === undefined) return
    void trying.run(async () => {
      await finish(answer, begun)
      setDone(true)
      leave(begun?.next ?? '/dashboard')
    })
  }, [])
  const text = words.oidc
  const isLost = answer?.code === undefined
  return (
    <Door title={text.title}>
      {isLost && (
        <Notice tone="bad" title={text.refused}>
          {/^[a-z_]{1,50}$/.test(answer?.error ?? '') ? `${text.says} ${answer?.error}.` : text.again}
        </Notice>
      )}
      {trying.isBusy && <p className="door-text">{text.busy}</p>}
      {isDone && isBeside && <p className="door-text">{text.done}</p>}
      <TryNotice error={trying.error} wrong={text.wrong} />
      {(isLost || trying.error !== undefined) && (
        <Button onClick={() => leave('/dashboard/sign-in')}>{isBeside ? text.close : text.verb}</Button>
      )}
    </Door>
  )
}

async function finish({ code = '', state, iss }: FromProvider, begun: Begun | undefined): Promise<void> {
  const answer = { code, state, ...(iss !== undefined && { iss }) }
  if (begun) {
    await askServer('POST /auth/oidc', { body: { ...answer, browser_key: begun.browser_key } })
    tellOtherTabs('began')
    return
  }
  await askServer('POST /auth/step-up', { body: { oidc: answer } })
  tellOtherTabs('proved')
}
