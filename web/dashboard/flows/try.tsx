import { useState } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { useAddress, valuesOf } from '../address.ts'
import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import { Link } from '../parts/controls.tsx'
import { Columns, Empty, Loaded, Page, Section } from '../parts/page.tsx'
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
    <Page
      title="Try rules"
      under="See what the rules would decide. Nothing is stored, and no provider is contacted."
    >
      <Ways />
      {isAllowed ? (
        <Columns
          main={
            described ? (
              <Section title="Result">
                <DryRunResult of={described} />
              </Section>
            ) : transactionId ? (
              <Named transactionId={transactionId} version={version} />
            ) : (
              <div className="card">
                <Empty title="Choose a payment">
                  Choose a recent payment or describe one, and see what each rule would do. You can also start
                  from a payment’s page, under “Routing”.
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
            Your roles do not allow you to see payments, so you cannot test rules on them.
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
      title="Result"
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
