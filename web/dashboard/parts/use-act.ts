import { useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { readAgain } from '../api/read.ts'

/** Where an act stands. `open`: it may have been done, and only the server knows. */
export type Progress<Answer> =
  | { readonly at: 'ready' }
  | { readonly at: 'sending' }
  | { readonly at: 'open'; readonly error: ApiError }
  | { readonly at: 'refused'; readonly error: unknown }
  | { readonly at: 'answered'; readonly answer: Answer }

export type Act<Answer> = {
  readonly progress: Progress<Answer>
  /** Nothing happens while an earlier one is on its way: an act is sent once, however often it is clicked. */
  readonly send: (
    work: (idempotencyKey: string) => Promise<Answer>,
  ) => Promise<{ readonly answer: Answer } | undefined>
}

/**
 * Sends something that must not happen twice. The key lives as long as the dialog or form: whatever is sent again, after a
 * lost answer or with a mended field, is the same act for the server, which does it at most once.
 */
export function useAct<Answer>({ deletedId }: { readonly deletedId?: string | undefined } = {}): Act<Answer> {
  const [progress, setProgress] = useState<Progress<Answer>>({ at: 'ready' })
  const [key] = useState(() => crypto.randomUUID())
  const isSending = useRef(false)
  const send: Act<Answer>['send'] = async (work) => {
    if (isSending.current) return undefined
    isSending.current = true
    setProgress({ at: 'sending' })
    try {
      const answer = await work(key)
      setProgress({ at: 'answered', answer })
      void readAgain(deletedId)
      return { answer }
    } catch (error) {
      setProgress(afterError(error))
      void readAgain()
      return undefined
    } finally {
      isSending.current = false
    }
  }
  return { progress, send }
}

function afterError(error: unknown): Progress<never> {
  if (!(error instanceof ApiError)) return { at: 'refused', error }
  // The session has ended, and nothing was done. The person signs in over the page, and sends it then.
  if (error.status === 401) return { at: 'ready' }
  return error.isOpen ? { at: 'open', error } : { at: 'refused', error }
}
