import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Problem } from './problem.tsx'

type Props<Data> = {
  readonly of: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What was read, or the state it is in: on its way, not found, failed. */
export function Loaded<Data>({ of: { data, error, refetch }, children }: Props<Data>) {
  if (data !== undefined) return children(data)
  if (error)
    return (
      <div className="card">
        <Problem error={error} retry={() => void refetch()} />
      </div>
    )
  return <Waiting />
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
