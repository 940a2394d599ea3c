import { useReadAll } from '../api/client.ts'
import { useMay } from '../api/me.ts'
import type { Definition } from './words.ts'

/** The definitions by id. Empty for a person who may not read them. */
export function useDefinitions(): ReadonlyMap<string, Definition> {
  const may = useMay()
  const { data = [] } = useReadAll('GET /payment-service-definitions', {
    isWanted: may('payment-service-definitions.read'),
  })
  return new Map(data.map((one) => [one.id, one]))
}
