import { useRead } from '../api/client.ts'
import { useMay, useMe } from '../api/me.ts'
import { Empty, Page } from '../parts/page.tsx'
import { ClockCard } from './clock.tsx'
import { FillCard } from './fill.tsx'
import { Happened } from './happened.tsx'
import { NextOutcomeCard } from './next-outcome.tsx'
import { PaymentCard } from './payment.tsx'
import { SIMULATED } from './words.ts'
import './sandbox.css'

export const pages = { '/': Sandbox }

/** Time, providers, buyers and banks, in the hands of a developer. */
function Sandbox() {
  const { environment } = useMe()
  if (environment !== 'sandbox')
    return (
      <Page title="Sandbox">
        <div className="card">
          <Empty title="This is production">Simulation is available in sandboxes only.</Empty>
        </div>
      </Page>
    )
  return (
    <Page title="Sandbox" under="No money moves here. Try out declines, disputes and failures.">
      <Panel />
    </Page>
  )
}

function Panel() {
  const may = useMay()
  const services = useRead('GET /payment-services', {
    query: { limit: 100 },
    isWanted: may('payment-services.read'),
  })
  const simulated = (services.data?.items ?? []).filter(
    ({ payment_service_definition_id: definition }) => definition === SIMULATED,
  )
  return (
    <div className="sandbox">
      <div className="stack">
        <ClockCard />
        {may('events.read') && <Happened />}
        <FillCard />
      </div>
      <div className="stack">
        {simulated.length > 0 && <NextOutcomeCard services={simulated} />}
        {may('transactions.read') && may('sandbox.write') && <PaymentCard />}
      </div>
    </div>
  )
}
