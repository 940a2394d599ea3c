import type { Scope } from '#platform/database/db.ts'
import type { Engine } from '#processing/engine.ts'
import type { ChosenService } from '../attempts/ask.ts'
import type { InstrumentType } from '../wire/transaction.ts'
import { chooseInstrument } from './choose-instrument.ts'
import type { OpenableSource } from './open-instrument.ts'
import type { Asked, Presented } from './presented.ts'

export type Presentable = {
  readonly chosen: ChosenService
  readonly presented: Presented
  /** The services after it. */
  readonly others: readonly ChosenService[]
  /** The services before it, for which the card has no network token. */
  readonly passed: readonly ChosenService[]
}

type Given = Omit<Asked, 'chosen'>

/**
 * The first service for which there is an instrument, and what it gets. A rule may want a network token: a service for which the
 * card has none is passed over.
 */
export async function findPresentable(
  scope: Scope,
  engine: Engine,
  given: Given & { readonly candidates: readonly ChosenService[] },
  besides: readonly InstrumentType[] = [],
): Promise<Presentable | undefined> {
  const { candidates, ...asked } = given
  for (const [index, chosen] of candidates.entries()) {
    const presented = await chooseInstrument(scope, engine, { ...asked, chosen }, besides)
    if (isWanted(chosen, presented, asked.source))
      return {
        chosen,
        presented,
        others: candidates.slice(index + 1),
        passed: candidates.slice(0, index),
      }
  }
  return undefined
}

function isWanted({ entry }: ChosenService, { token }: Presented, source: OpenableSource): boolean {
  if (entry?.instrument !== 'network_token') return true
  return (
    token?.type === 'network_token' || (source.kind === 'ready' && source.instrument.kind === 'network-token')
  )
}
