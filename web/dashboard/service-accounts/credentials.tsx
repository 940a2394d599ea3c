import type { ReactNode } from 'react'
import { Facts } from '../parts/facts.tsx'
import { Section } from '../parts/section.tsx'
import type { DefinitionField, Entry } from './entries.ts'
import './service-accounts.css'

type Props = {
  readonly title: string
  readonly known: readonly DefinitionField[]
  readonly kept: readonly Entry[]
  readonly children?: ReactNode
}

/** What was entered for an account at a provider. Secrets are named, and not shown. */
export function Credentials({ title, known, kept, children }: Props) {
  return (
    <Section title={title}>
      <div className="credentials">
        {known.length === 0 && <p className="quiet-text">This provider asks for nothing.</p>}
        <Facts
          facts={known.map((field) => [
            field.display_name,
            <Value key={field.key} field={field} kept={kept} />,
          ])}
        />
        {children}
      </div>
    </Section>
  )
}

function Value({ field, kept }: { readonly field: DefinitionField; readonly kept: readonly Entry[] }) {
  const value = kept.find(({ key }) => key === field.key)?.value
  if (field.secret)
    return <span className="quiet-text">{field.required ? 'Kept, never shown' : 'Never shown'}</span>
  if (field.format === 'boolean') return value === 'true' ? 'Yes' : 'No'
  if (value === undefined) return <span className="quiet-text">Not set</span>
  return <span className="mono">{value}</span>
}
