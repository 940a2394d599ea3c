import type { Connector } from '#connectors/contract/connector.ts'
import { PATIENCE_MAX_MS, PATIENCE_MIN_MS, type Patience } from '#connectors/contract/manifest.ts'
import { type Line, lineFor } from './provider.ts'

/**
 * The line to a provider for one operation: with as much time as its connector asks for, within bounds. A connector that
 * does not ask gets the time that all have.
 */
export function lineTo(
  line: Line,
  { manifest }: Pick<Connector, 'manifest'>,
  operation: keyof Patience,
): Line {
  const own = lineFor(line, { connector: manifest.id, act: operation })
  const asked = manifest.patience?.[operation] ?? Number.NaN
  if (Number.isNaN(asked)) return own
  return { ...own, timeoutMs: Math.min(Math.max(asked, PATIENCE_MIN_MS), PATIENCE_MAX_MS) }
}
