import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
    <div className="skeleton waiting" role="status" aria-label="Loading">
      <i />
      <i />
      <i />
    </div>
  )
}
