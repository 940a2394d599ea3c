import { useAddress } from '../address.ts'
import { useRead } from '../api/read.ts'
import { Json } from '../parts/json.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Money } from '../parts/money.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Status } from '../parts/status.tsx'
import { When } from '../parts/when.tsx'
import { markOf } from './words.ts'

export function TransactionDetail() {
  const { params } = useAddress()
  const transaction = useRead('GET /transactions/{transaction_id}', {
    path: { transaction_id: params['id'] ?? '' },
  })
  return (
    <Loaded of={transaction}>
      {(it) => (
        <Page
          title="Transaction"
          heading={<Money amount={it.amount} currency={it.currency} />}
          back={{ to: '/transactions', label: 'Transactions' }}
          under={
            <>
              <Status tone={markOf(it).tone}>{markOf(it).label}</Status>
              <When at={it.created_at} />
            </>
          }
        >
          <Section title="JSON">
            <Json value={it} />
          </Section>
        </Page>
      )}
    </Loaded>
  )
}
