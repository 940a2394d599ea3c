import type { ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

/** Labels and values. What is not known is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const known = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== '' && value !== false,
  )
  return (
    <dl className="facts">
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
