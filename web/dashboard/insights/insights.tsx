import { useAddress } from '../address.ts'
import { useNow } from '../api/me.ts'
import { Button } from '../parts/controls.tsx'
import { FilterBar } from '../parts/list/filter-bar.tsx'
import { Empty, Page, Problem, Waiting } from '../parts/page.tsx'
import { Breakdown } from './breakdown.tsx'
import { Controls, Measures } from './controls.tsx'
import { OverTime } from './over-time.tsx'
import { Saved } from './saved.tsx'
import { useAsked } from './use-question.ts'
import './insights.css'

/** Questions about payments: the address is the question, so that it can be kept and sent. */
function Insights() {
  const now = useNow()
  return (
    <Page title="Insights" actions={now && <Saved now={now} />}>
      {now && <Explorer now={now} />}
    </Page>
  )
}

function Explorer({ now }: { readonly now: Date }) {
  const { change } = useAddress()
  const { isRight, ...asked } = useAsked(now)
  return (
    <>
      <Measures measure={asked.measure} />
      <Controls {...asked} />
      <div className="list-bar">
        <FilterBar filters={asked.filters} />
      </div>
      {!isRight ? (
        <div className="card">
          <Empty
            title="Choose dates"
            action={<Button onClick={() => change({ period: undefined })}>Show the last 7 days</Button>}
          >
            The first day must not be after the last, nor in the future.
          </Empty>
        </div>
      ) : asked.measure.metric === 'volume' && asked.currency === undefined ? (
        <NoCurrency problem={asked.currencyProblem} />
      ) : (
        <div className="stack">
          <OverTime asked={asked} />
          <Breakdown asked={asked} />
        </div>
      )}
    </>
  )
}

/** A volume is of one currency. Without payments, there is none to choose. */
function NoCurrency({ problem }: { readonly problem: 'loading' | Error | undefined }) {
  if (problem === 'loading') return <Waiting />
  return (
    <div className="card">
      {problem ? (
        <Problem error={problem} />
      ) : (
        <Empty title="No payments in this period">Choose a longer period.</Empty>
      )}
    </div>
  )
}

export const pages = { '/': Insights }
