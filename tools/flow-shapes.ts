// What routing rules are made of, for the editor of the dashboard: from the description of the API, so that there is one list.
// tools/api-types.ts writes it.
import { describeApi } from '#platform/reference/openapi.ts'
import { type ConditionName, reasonAgainst, SHAPES_OF } from '#resources/flows/conditions/schemas.ts'
import { ACTIONS, ACTIONS_OF, FLOWS } from '#resources/flows/vocabulary.ts'
import { OPERATIONS } from '#testing/operations.ts'
import { nameIn, type Schema } from './type-text.ts'

export const SHAPES_FILE = 'web/api/flow-shapes.ts'

const HEAD = `// Made by tools/api-types.ts. Do not edit.
import type { Schemas } from './schema.d.ts'

type Flow = Schemas['FlowRule']['flow']
type Action = Schemas['FlowRule']['action']

/** The part of JSON Schema that rules use. */
export type Shape = {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly (string | null)[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}
`

/** Words for people, of which the editor has its own, and what always holds. */
const LEFT_OUT = [
  'description',
  'examples',
  'title',
  'additionalProperties',
  'required',
  'uniqueItems',
  'format',
  // Only conditions in a condition have several shapes, and the editor knows those.
  'anyOf',
]

export function flowShapes(): string {
  const { schemas } = describeApi(OPERATIONS, { publicUrl: 'http://localhost', version: '' }).components
  const named = (name: string) => schemas[name] as Schema
  const plain = (schema: Schema): Plain => {
    if (schema['$ref'] !== undefined) return plain(named(nameOf(schema)))
    const kept = Object.entries(schema).filter(([name]) => !LEFT_OUT.includes(name))
    return Object.fromEntries(
      kept.map(([name, value]) => [name, name === 'properties' ? each(value) : inner(value)]),
    )
  }
  const each = (properties: unknown) => {
    const entries = Object.entries(properties as Record<string, Schema>)
    return Object.fromEntries(entries.map(([name, value]) => [name, plain(value)]))
  }
  const inner = (value: unknown) => {
    const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isSchema ? plain(value as Schema) : value
  }
  const conditions = partsOf(named('FlowCondition')).map(plain)
  const outcomes = partsOf(named('FlowOutcome')).map((one) => [nameOf(one), plain(one)])
  const { description, error_code, conditions: list } = plain(named('FlowRuleCreate')).properties ?? {}
  const rule = { description, error_code, conditions: { maxItems: list?.maxItems } }
  const places = FLOWS.flatMap((flow) => ACTIONS_OF[flow].map((action) => ({ flow, action })))
  const names = [...SHAPES_OF.keys()] as ConditionName[]
  const unfit = ACTIONS.map((action) => [
    action,
    names.filter((name) => reasonAgainst(name, action) !== undefined),
  ])
  return [
    HEAD,
    declare('PLACES', 'readonly { readonly flow: Flow; readonly action: Action }[]', places),
    declare('RULE', 'Readonly<Record<string, Shape>>', rule),
    declare('CONDITIONS', 'readonly Shape[]', conditions),
    declare('OUTCOMES', 'Readonly<Record<string, Shape>>', Object.fromEntries(outcomes)),
    '\n/** Conditions that an action cannot know. */',
    declare('UNFIT', 'Readonly<Record<Action, readonly string[]>>', Object.fromEntries(unfit)),
  ].join('')
}

/** Each entry on a line, so that a change is seen as one. */
function declare(name: string, type: string, value: object): string {
  const isList = Array.isArray(value)
  const lines = Object.entries(value).map(
    ([key, one]) => `  ${isList ? '' : `${JSON.stringify(key)}: `}${JSON.stringify(one)},\n`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return `\nexport const ${name}: ${type} = ${open}\n${lines.join('')}${close}\n`
}

type Plain = { readonly properties?: Readonly<Record<string, Plain>>; readonly maxItems?: number }

function partsOf(schema: Schema): readonly Schema[] {
  return schema['anyOf'] as readonly Schema[]
}

function nameOf(schema: Schema): string {
  return nameIn(String(schema['$ref']))
}
