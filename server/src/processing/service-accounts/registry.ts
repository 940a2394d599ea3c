import { ANSWER_SHAPES, LIST_SHAPE, wrongFacts } from '#connectors/contract/check-answer.ts'
import {
  ACCOUNT_UPDATER_ANSWER_SHAPES,
  ANTI_FRAUD_ANSWER_SHAPES,
  GIFT_CARD_ANSWER_SHAPES,
  NETWORK_TOKEN_ANSWER_SHAPES,
  THREE_D_SECURE_ANSWER_SHAPES,
} from '#connectors/contract/check-other-answers.ts'
import type { Link, VerifyAnswer } from '#connectors/contract/connector.ts'
import type { AccountManifest, Field } from '#connectors/contract/manifest.ts'
import { isObject, type Shape } from '#connectors/contract/shapes.ts'

/** Why no request may go to a URL that a merchant enters, or undefined. */
export type Refuses = (url: string) => string | undefined
/** A field as an installation offers it. */
export type OfferedField = Field & { readonly refuses?: Refuses | undefined }

/** The part of a connector that all kinds share. */
export type Described = {
  readonly manifest: AccountManifest
  readonly verify?: (link: Link) => Promise<VerifyAnswer>
}

/** The connectors of one kind that an installation offers. Passed in, so that tests can use their own. */
export type Registry<Connector extends Described> = {
  readonly list: readonly Connector[]
  readonly find: (id: string) => Connector | undefined
  /** Of all in the list, which is not made for it. */
  readonly ids: () => readonly string[]
}

/** The server sees a connector only as a registry gives it: with its answers checked. */
export function registryOf<Connector extends Described>(given: readonly Connector[]): Registry<Connector> {
  return registryOfDressed(given, guard)
}

/** Each connector is dressed when it is first asked for: a service has few of those that this version knows. */
function registryOfDressed<Connector extends Described>(
  given: readonly Connector[],
  dress: (connector: Connector) => Connector,
): Registry<Connector> {
  const byId = new Map(given.map((connector) => [connector.manifest.id, connector]))
  const dressed = new Map<Connector, Connector>()
  const dressOnce = (connector: Connector) => {
    const known = dressed.get(connector) ?? dress(connector)
    dressed.set(connector, known)
    return known
  }
  let all: readonly Connector[] | undefined
  return {
    get list() {
      all ??= given.map(dressOnce)
      return all
    },
    ids: () => [...byId.keys()],
    find: (id) => {
      const found = byId.get(id)
      return found && dressOnce(found)
    },
  }
}

/**
 * A simulator invents its answers, so production does not offer it. Nor does it offer fields for sandboxes, such as the
 * address of a stand-in: real cards must not go there.
 */
export function offeredIn<Connector extends Described>(
  environment: 'sandbox' | 'production',
  list: readonly Connector[],
  refuses?: Refuses,
): Registry<Connector> {
  const isSandbox = environment === 'sandbox'
  const change = (field: Field): readonly OfferedField[] =>
    isSandbox ? [{ ...field, refuses }] : field.isSandboxOnly ? [] : [field]
  const offered = isSandbox ? list : list.filter(({ manifest }) => !manifest.isSimulator)
  return registryOfDressed(offered, (connector) => withFields(guard(connector), change))
}

function withFields<Connector extends Described>(
  connector: Connector,
  change: (field: Field) => readonly OfferedField[],
): Connector {
  const { manifest } = connector
  return { ...connector, manifest: { ...manifest, fields: manifest.fields.flatMap(change) } }
}

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
  if ('authenticate' in connector) return THREE_D_SECURE_ANSWER_SHAPES
  if ('makeCryptogram' in connector) return NETWORK_TOKEN_ANSWER_SHAPES
  if ('findUpdate' in connector) return ACCOUNT_UPDATER_ANSWER_SHAPES
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
  const { facts, notifications, operations, answer: told } = answer
  if (Array.isArray(notifications)) return { ...answer, notifications: notifications.map(withRightFacts) }
  if (Array.isArray(operations)) return { ...answer, operations: operations.map(withRightFacts) }
  if (isObject(told)) return { ...answer, answer: withRightFacts(told) }
  if (!isObject(facts)) return answer
  const wrong = wrongFacts(facts)
  if (wrong.size === 0) return answer
  return { ...answer, facts: Object.fromEntries(Object.entries(facts).filter(([name]) => !wrong.has(name))) }
}
