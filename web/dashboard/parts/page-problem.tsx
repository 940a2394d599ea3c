import { Problem } from './problem.tsx'

/** A page whose script threw. The frame around it still works. */
export function PageProblem({ error }: { readonly error: unknown }) {
  return (
    <div className="card">
      <Problem error={error} retry={() => location.reload()} />
    </div>
  )
}
