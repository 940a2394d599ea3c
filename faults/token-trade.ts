import type pg from 'pg'
import type { KeyedRequest, repeat } from './keyed-request.ts'
import { begunFor, type Counter, type MoneyOperation, TOKEN_OPERATIONS } from './money-operations.ts'

/** What a shop was told of a token: its id and whether it was made. `isMade` is null while that is open. */
type Told = {
  readonly id: string | null
  readonly isMade: boolean | null
  readonly operation: MoneyOperation
}

export type TokenTrade = {
  /** Stores a card and asks for one of its tokens. `order` is the card's external identifier. */
  readonly make: (order: string, chance: () => number) => Promise<void>
  readonly told: ReadonlyMap<string, Told>
  /** Tokens that are there otherwise than their shops were told, or more than once. */
  readonly wrong: (database: pg.Client) => Promise<object[]>
}

type Ask = (request: KeyedRequest) => ReturnType<typeof repeat>

/** Network tokens, and tokens of payment services. */
export function openTokenTrade(place: Counter, ask: Ask, broken: string[]): TokenTrade {
  const told = new Map<string, Told>()
  return {
    told,
    make: async (order, chance) => {
      const operation = TOKEN_OPERATIONS[Math.floor(chance() * TOKEN_OPERATIONS.length)]
      if (!operation) throw new Error('there is no kind of token')
      const request = await operation.prepare(place, order)
      const answers = [await answerTo(operation, request), await answerTo(operation, request)]
      const [first, again] = answers
      if (first?.id !== again?.id) broken.push(`${order} got token ${first?.id}, and then ${again?.id}`)
      told.set(order, { operation, id: first?.id ?? null, isMade: first?.isMade ?? null })
    },
    wrong: async (database) => {
      const found: object[] = []
      for (const [order, entry] of told) found.push(...(await complaintsAbout(database, order, entry)))
      return found
    },
  }

  async function answerTo(operation: MoneyOperation, request: KeyedRequest) {
    try {
      const answer = await ask(request)
      const isOpen = /processing|pending/.test(answer.status)
      return { id: String(answer.id), isMade: isOpen ? null : operation.isDone(answer) }
    } catch (error) {
      if (!operation.isRefusal?.(String(error))) throw error
      return { id: null, isMade: false }
    }
  }
}

async function complaintsAbout(
  database: pg.Client,
  order: string,
  { operation, id, isMade }: Told,
): Promise<object[]> {
  const [begun, effects] = [await begunFor(database, order), await operation.countEffects(database, order)]
  const isOurs = begun.length === 1 && (id === null || begun[0]?.id === id)
  const isAsTold = isMade === null ? effects <= 1 : effects === Number(isMade)
  return isOurs && isAsTold
    ? []
    : [{ order, operation: operation.name, told: { id, isMade }, begun, effects }]
}
