import { setTimeout as sleep } from 'node:timers/promises'
import { mustDo, type Place } from '../../lab/product.ts'

export type Clock = { readonly now: string; readonly status: string }

/** Moves the clock of the sandbox on, until all that fell due is done. */
export async function advance(place: Place, by: string): Promise<Clock> {
  let clock: Clock = await mustDo(place, 'POST /sandbox/clock/advance', { by })
  for (; clock.status !== 'ready'; clock = await mustDo(place, 'GET /sandbox/clock')) await sleep(200)
  return clock
}
