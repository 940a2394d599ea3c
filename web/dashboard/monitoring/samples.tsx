import type { Schemas } from '../../api/schema.d.ts'
import { formatOf } from '../insights/metrics.ts'
import { Chart } from '../parts/chart.tsx'
import type { Series } from '../parts/series.ts'
import type { Watched } from './words.ts'

type Props = {
  readonly samples: readonly Schemas['MonitoringSample'][]
  readonly watched: Pick<Watched, 'below' | 'above'>
}

/** The rate at each minute, and the bounds beyond which it is an alert. */
export function Samples({ samples, watched: { below, above } }: Props) {
  if (samples.length === 0)
    return <p className="nothing">No measurements in this period. One is taken every full minute.</p>
  const bound = (label: string, value: number | null): Series[] =>
    value === null ? [] : [{ label, tone: 'bad', values: samples.map(() => value) }]
  return (
    <Chart
      caption="Approval rate by minute"
      {...formatOf('auth_rate', undefined)}
      step="minute"
      times={samples.map(({ timestamp }) => timestamp)}
      series={[
        { label: 'Approval rate', tone: 'accent', values: samples.map(({ value }) => value) },
        ...bound('Alert below', below),
        ...bound('Alert above', above),
      ]}
    />
  )
}
