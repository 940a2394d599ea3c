import { ANSWER_SHAPES, LIST_SHAPE, wrongFacts } from '#connectors/contract/check-answer.ts'
import {
  ANTI_FRAUD_ANSWER_SHAPES,
  GIFT_CARD_ANSWER_SHAPES,
} from '#connectors/contract/check-other-answers.ts'
import { isObject, type Shape } from '#connectors/contract/shapes.ts'

/** A connector answered what the contract does not allow. The message says where, and repeats nothing of the answer. */
export class BrokenContract extends Error {
  constructor(act: string, [problem]: readonly string[]) {
    super(`the connector broke the contract of ${act}: ${problem}`)
    this.name = 'BrokenContract'
  }
}

type Guarded = Readonly<Record<string, unknown>>
type Shapes = Readonly<Record<string, Shape>>

/**
 * The same connector, whose answers are checked. An answer without the shape of the contract counts as an error of the
 * connector, so that what became of the order is unknown. Facts that are wrong are left out: the decision stands without
 * them.
 */
export function guard<Connector extends object>(connector: Connector): Connector {
  const given = connector as Guarded
  const guarded: Record<string, unknown> = { ...given }
  // Of an object of a class, the spread has only what the object itself holds.
  for (const part of PARTS) if (given[part] !== undefined) guarded[part] = given[part]
  for (const [act, shape] of Object.entries(shapesOf(connector))) {
    if (typeof given[act] === 'function') guarded[act] = checked(connector, act, shape)
  }
  if (isObject(guarded['reports'])) guarded['reports'] = guardReports(guarded['reports'])
  return guarded as Connector
}

const PARTS = ['manifest', 'reports', 'trial', 'simulation']
const UNCHECKED_REPORT_ACTS = ['read', 'parse', 'accountOf']

function guardReports(reports: Guarded): Guarded {
  const guarded: Record<string, unknown> = { ...reports }
  for (const act of UNCHECKED_REPORT_ACTS) {
    const given = reports[act]
    if (typeof given === 'function') guarded[act] = given.bind(reports)
  }
  if (typeof reports['list'] === 'function') guarded['list'] = checked(reports, 'list', LIST_SHAPE)
  return guarded
}

function shapesOf(connector: object): Shapes {
  if ('decide' in connector) return ANTI_FRAUD_ANSWER_SHAPES
  return 'redeem' in connector ? GIFT_CARD_ANSWER_SHAPES : ANSWER_SHAPES
}

/** Called on what it belongs to, so that connectors may be objects of a class. */
function checked(owner: object, act: string, shape: Shape) {
  return async (...given: unknown[]): Promise<unknown> => {
    const answer: unknown = await (owner as Record<string, (...given: unknown[]) => unknown>)[act]?.(...given)
    const problems = shape(answer, 'answer')
    if (problems.length > 0) throw new BrokenContract(act, problems)
    return withRightFacts(answer as Guarded)
  }
}

function withRightFacts(answer: Guarded): Guarded {
  const { facts, notifications, answer: told } = answer
  if (Array.isArray(notifications)) return { ...answer, notifications: notifications.map(withRightFacts) }
  if (isObject(told)) return { ...answer, answer: withRightFacts(told) }
  if (!isObject(facts)) return answer
  const wrong = wrongFacts(facts)
  if (wrong.size === 0) return answer
  return { ...answer, facts: Object.fromEntries(Object.entries(facts).filter(([name]) => !wrong.has(name))) }
}
