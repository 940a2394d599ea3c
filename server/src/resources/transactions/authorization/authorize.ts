import type { SyncAnswer } from '#connectors/contract/connector.ts'
import type { Scope } from '#platform/database/db.ts'
import { askInTime } from '#processing/attempts/in-time.ts'
import type { Engine } from '#processing/engine.ts'
import { askToAuthorize } from '../attempts/ask.ts'
import { concludeLatePayment } from '../attempts/resolve.ts'
import type { NewEvent } from '../events/store.ts'
import { paidOf } from '../flow/paid-of.ts'
import { decideStep, stoppedBy } from './decide-step.ts'
import { askBuyer, tryAgain } from './go-on.ts'
import { lookUpIfLost } from './look-up.ts'
import { refusalOf } from './open-instrument.ts'
import type { Answered, Authorization, Turn } from './turn.ts'

/**
 * Asks one service after the other until an answer is final, or no service or no time is left. Each attempt is recorded
 * before it is sent. The caller concludes the last answer.
 */
export async function authorize(scope: Scope, engine: Engine, given: Authorization): Promise<Answered> {
  let turn = firstTurn(given)
  for (;;) {
    const answer = await ask(scope, engine, given, turn)
    const end = (events: readonly NewEvent[] = []): Answered => {
      const { transaction, attempt, chosen } = turn
      return { transaction, attempt, answer, service: chosen.service, events }
    }
    const step = await decideStep(scope, engine, { given, turn, answer })
    if (step.go === 'end') return end(step.events)
    if (step.go === 'challenge') {
      const asked = await askBuyer(scope, engine, { given, turn, ...step })
      return { ...end(), ...asked }
    }
    const begun = await tryAgain(scope, engine, { given, turn, ...step })
    if (!begun) return end()
    if ('over' in begun) return end(stoppedBy(begun.over, { turn, answer: step.answer }))
    turn = begun
  }
}

function firstTurn({ transaction, attempt, chosen, presented, threeDSecure }: Authorization): Turn {
  const [first, ...waiting] = chosen
  const start = { besides: [], wasReplaced: false, times: 1 }
  return { transaction, attempt, presented, chosen: first, waiting, threeDSecure, ...start }
}

async function ask(scope: Scope, engine: Engine, given: Authorization, turn: Turn): Promise<SyncAnswer> {
  const { attempt, presented, waiting } = turn
  const asked = { ...given, ...turn }
  const asking = presented
    .open((instrument) => askToAuthorize(scope, engine, { ...asked, instrument }))
    .catch(refusalOf)
  const answer = await askInTime(scope, engine, asking, (late) =>
    concludeLatePayment(scope, engine, attempt, late),
  )
  engine.scores.learn(scope, {
    serviceId: turn.chosen.service.id,
    paid: paidOf(turn.transaction),
    answer,
  })
  return lookUpIfLost(scope, engine, { ...turn, answer, hasNext: waiting.length > 0 })
}
