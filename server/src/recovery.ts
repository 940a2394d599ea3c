import { compare, type Finding } from '#payments/recover/compare.ts'
import { type Entered, enter } from '#payments/recover/enter.ts'
import { askServices, gather, type ServiceActivity, type Window } from '#payments/recover/list.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import type { Config } from './config.ts'
import type { Foundation } from './open-foundation.ts'
import { assemble } from './start.ts'

type Asked = Window & { readonly serviceId: string | undefined }

/** What providers have and this database lacks. */
export type Lost = {
  readonly activities: readonly ServiceActivity[]
  /** What can be entered, payment by payment. */
  readonly toEnter: readonly Entered[]
  readonly refused: readonly Finding[]
  readonly different: readonly Finding[]
  readonly known: number
  readonly hasGiftCards: boolean
}

export type Recovery = {
  readonly find: () => Promise<Lost>
  readonly enter: (lost: Lost) => Promise<readonly Entered[]>
}

type Surroundings = Omit<Parameters<typeof assemble>[2], 'metrics'>

/** Finds what a database lacks that was put back to an earlier time, and enters it. Loaded late: it loads the whole service. */
export function recoveryOf(
  config: Config,
  foundation: Foundation,
  asked: Asked,
  surroundings: Surroundings,
): Recovery {
  const { context, sealer } = foundation
  const { engine } = assemble(config, foundation, { ...surroundings, metrics: createMetrics() })
  return {
    find: async () => {
      const activities = await askServices(context, engine, asked)
      const { missing, ...compared } = await compare(context, gather(activities))
      const rehearsed: Entered[] = []
      for (const one of missing) rehearsed.push(await enter(context, engine, one, { isRehearsal: true }))
      return {
        ...compared,
        activities,
        toEnter: rehearsed.filter(({ operations }) => operations.length > 0),
        refused: [...compared.refused, ...rehearsed.flatMap(({ refused }) => refused)],
        hasGiftCards: await giftCardServices.isAny(context),
      }
    },
    enter: async ({ toEnter }) => {
      const entered: Entered[] = []
      for (const { missing } of toEnter)
        entered.push(await enter(context, engine, missing, { isRehearsal: false }))
      await sealer.seal(context)
      return entered.filter(({ operations }) => operations.length > 0)
    },
  }
}
