import { useRead } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Option } from '../parts/fields.tsx'

/** The payment services by name. Reports name them by their ids. */
export function useServices(): {
  readonly options: readonly Option[]
  readonly nameOf: (id: string) => string
} {
  const may = useMay()
  const services = useRead('GET /payment-services', {
    query: { limit: 100 },
    isWanted: may('payment-services.read'),
  })
  const options = (services.data?.items ?? []).map(({ id, display_name: label }) => ({ value: id, label }))
  return { options, nameOf: (id) => options.find(({ value }) => value === id)?.label ?? id }
}
