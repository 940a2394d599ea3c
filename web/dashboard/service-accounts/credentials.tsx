import type { ReactNode } from 'react'
import { Section } from '../parts/page.tsx'
import { Facts } from '../parts/values.tsx'
import type { DefinitionField, Entry } from './entries.ts'
import './service-accounts.css'

type Props = {
  readonly title: string
  readonly known: readonly DefinitionField[]
  readonly kept: readonly Entry[]
  /** The keys of the secrets that are set. */
  readonly secrets: readonly string[]
  readonly children?: ReactNode
}

/** What was entered for an account at a provider. Secrets are named, and not shown. */
export function Credentials({ title, known, kept, secrets, children }: Props) {
  return (
    <Section title={title}>
      <div className="credentials">
        {known.length === 0 && <p className="quiet-text">This provider needs no credentials.</p>}
        <Facts
          facts={known.map((field) => [
            field.display_name,
            <Value key={field.key} field={field} kept={kept} secrets={secrets} />,
          ])}
        />
        {children}
      </div>
    </Section>
  )
}

type ValueProps = Pick<Props, 'kept' | 'secrets'> & { readonly field: DefinitionField }

function Value({ field, kept, secrets }: ValueProps) {
  const value = kept.find(({ key }) => key === field.key)?.value
  if (field.secret && secrets.includes(field.key)) return <span className="mono">••••••••</span>
  if (field.format === 'boolean' && !field.secret) return value === 'true' ? 'Yes' : 'No'
  if (value === undefined) return <span className="quiet-text">Not set</span>
  return <span className="mono">{value}</span>
}
