import { useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { type Faults, type Field, faultsIn } from '../parts/fields.tsx'
import { Notice } from '../parts/page.tsx'
import { NoPasskey } from './passkey.ts'
import { NoWindow } from './provider-window.ts'

export type Trying = {
  readonly isBusy: boolean
  readonly error: unknown
  /** Nothing happens while an earlier try is on its way. */
  readonly run: (work: () => Promise<void>) => Promise<void>
}

/** For what may be tried again without harm, as signing in. */
export function useTrying(): Trying {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: undefined })
  const isBusy = useRef(false)
  const run = async (work: () => Promise<void>) => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ isBusy: true, error: undefined })
    let error: unknown
    await work().catch((thrown: unknown) => {
      error = thrown
    })
    isBusy.current = false
    setState({ isBusy: false, error })
  }
  return { ...state, run }
}

/** What the server said about fields. A proof that was refused belongs to none of them. */
export function fieldFaults(fields: readonly Field[], error: unknown): Faults {
  const isAboutFields = error instanceof ApiError && error.status === 400
  return isAboutFields ? faultsIn(fields, error.details).faults : {}
}

const CLOCK = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/** Why it did not work, in words that do not help a stranger. */
export function TryNotice({ error, wrong }: { readonly error: unknown; readonly wrong: string }) {
  if (error === undefined) return null
  if (error instanceof NoPasskey || error instanceof NoWindow)
    return <Notice tone="info" title={error.message} isNews />
  if (!(error instanceof ApiError))
    return <Notice tone="bad" title="This page broke. Load it again." isNews />
  if (error.status === 429) return <TooMany seconds={error.retryAfterSeconds ?? 60} />
  // The service answered, but the identity provider did not.
  if (error.status === 502) return <Notice tone="wait" title={reasonOf(error)} isNews />
  if (error.isOpen)
    return (
      <Notice tone="wait" title="No answer" isNews>
        The service could not be reached, or cannot answer now. Try again in a moment.
      </Notice>
    )
  if (error.status === 401) return <Notice tone="bad" title={wrong} isNews />
  return (
    <Notice tone="bad" title="That did not work" isNews>
      {reasonOf(error)}
    </Notice>
  )
}

function reasonOf({ details, message }: ApiError): string {
  return details.map((detail) => sentence(detail.message)).join(' ') || message
}

/** Details begin with a small letter: lists of fields show them after a name. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function TooMany({ seconds }: { readonly seconds: number }) {
  const [at] = useState(() => new Date(Date.now() + seconds * 1000))
  const minutes = Math.ceil(seconds / 60)
  return (
    <Notice tone="wait" title="Too many tries" isNews>
      Try again at {CLOCK.format(at)}, in {minutes === 1 ? 'a minute' : `${minutes} minutes`}. An
      administrator can let you in earlier with a new link.
    </Notice>
  )
}
