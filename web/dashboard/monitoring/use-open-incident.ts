import { useRead } from '../api/client.ts'

/** The id of a metric's open incident. It has at most one, the newest. */
export function useOpenIncident(metricId: string): string | undefined {
  const { data } = useRead('GET /monitoring/metrics/{metric_id}/incidents', {
    path: { metric_id: metricId },
    query: { limit: 1 },
  })
  return data?.items.find(({ closed_at }) => closed_at === null)?.id
}
