import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress, valuesOf } from '../address.ts'
import { useMay } from '../api/me.ts'
import { useRead } from '../api/read.ts'
import { Empty } from '../parts/empty.tsx'
import { Link } from '../parts/link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Columns, Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { DryRunResult } from './dry-run-result.tsx'
import { TryCard } from './try-card.tsx'
import { Ways } from './ways.tsx'

/** A dry run of stored rules. The address may name a payment, which is then tried at once. */
export function Try() {
  const { search, change } = useAddress()
  const [described, setDescribed] = useState<Schemas['FlowDryRun']>()
  const isAllowed = useMay()('transactions.read')
  const [transactionId] = valuesOf(search, 'transaction')
  const [version] = valuesOf(search, 'version')
  return (
    <Page title="Try rules" under="What the rules would decide. Nothing is stored, and no provider is asked.">
      <Ways />
      {isAllowed ? (
        <Columns
          main={
            described ? (
              <Section title="What would happen">
                <DryRunResult of={described} />
              </Section>
            ) : transactionId ? (
              <Named transactionId={transactionId} version={version} />
            ) : (
              <div className="card">
                <Empty title="Choose a payment">
                  One of the last payments, or one that you describe. The rules tell what they would do with
                  it, one by one. The page of a payment leads here, too: see “Why it went there”.
                </Empty>
              </div>
            )
          }
          side={
            <TryCard
              initial={{ transaction_id: transactionId, version }}
              onTried={(result, { transaction_id, version: number }) => {
                setDescribed(transaction_id === undefined ? result : undefined)
                change({
                  transaction: transaction_id,
                  version: number === undefined ? undefined : String(number),
                })
              }}
            />
          }
        />
      ) : (
        <div className="card">
          <Empty title="Not allowed">
            Your roles do not let you see payments, so you cannot try rules on them.
          </Empty>
        </div>
      )}
    </Page>
  )
}

type NamedProps = { readonly transactionId: string; readonly version: string | undefined }

function Named({ transactionId, version }: NamedProps) {
  const number = Number(version)
  const result = useRead('POST /flows/dry-run', {
    body: { transaction_id: transactionId, ...(number > 0 && { version: number }) },
  })
  return (
    <Section
      title="What would happen"
      actions={
        <Link to={`/transactions/${transactionId}`} className="text-link">
          The payment
        </Link>
      }
    >
      <Loaded of={result}>{(it) => <DryRunResult of={it} />}</Loaded>
    </Section>
  )
}
