// Writes JSON Schema as TypeScript types, for tools/api-types.ts and tools/client.ts.

export type Schema = Readonly<Record<string, unknown>>

export type Writer = {
  readonly typeOf: (schema: Schema, pad: string) => string
  readonly objectOf: (schema: Schema, pad: string) => string
}

type Style = {
  /** The text of a reference to a named schema. */
  readonly refer: (name: string) => string
  /** Whether the descriptions of properties become comments. */
  readonly isCommented: boolean
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

export function createWriter({ refer, isCommented }: Style): Writer {
  function typeOf(schema: Schema, pad: string): string {
    const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema
    if (typeof $ref === 'string') return refer(nameIn($ref))
    if (constant !== undefined) return JSON.stringify(constant)
    if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
    const choices = anyOf ?? oneOf
    if (Array.isArray(choices)) return join(choices, ' | ', pad)
    if (Array.isArray(allOf)) return join(allOf, ' & ', pad)
    if (Array.isArray(type))
      return join(
        type.map((one) => ({ ...schema, type: one })),
        ' | ',
        pad,
      )
    if (type === 'array') return `${group(typeOf((schema['items'] ?? {}) as Schema, pad))}[]`
    if (type === 'object' || (type === undefined && schema['properties'] !== undefined))
      return objectOf(schema, pad)
    return WORDS[String(type)] ?? 'unknown'
  }

  function join(schemas: readonly Schema[], sign: string, pad: string): string {
    return [...new Set(schemas.map((one) => group(typeOf(one, pad))))].join(sign)
  }

  function objectOf(schema: Schema, pad: string): string {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
    const required = new Set((schema['required'] ?? []) as string[])
    const inner = `${pad}  `
    const lines = properties.map(([name, value]) => {
      const about = isCommented ? comment(value['description'], inner) : ''
      return `${about}${inner}${key(name)}${required.has(name) ? '' : '?'}: ${typeOf(value, inner)}\n`
    })
    const others = schema['additionalProperties']
    if (typeof others === 'object' && others !== null && lines.length === 0)
      return `Record<string, ${typeOf(others as Schema, inner)}>`
    if (lines.length === 0) return others === undefined || others === true ? 'Record<string, unknown>' : '{}'
    return `{\n${lines.join('')}${pad}}`
  }

  return { typeOf, objectOf }
}

/** A comment for editors to show, or nothing. */
export function comment(text: unknown, pad = ''): string {
  if (typeof text !== 'string' || text === '') return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${pad}/** ${lines[0]} */\n`
  return `${pad}/**\n${lines.map((line) => `${pad} * ${line}`.trimEnd()).join('\n')}\n${pad} */\n`
}

export function key(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
}

export function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

function group(text: string): string {
  return isJoined(text) ? `(${text})` : text
}

/** Whether signs between types stand outside of all braces: those of an object's properties do not count. */
function isJoined(text: string): boolean {
  let depth = 0
  for (const part of text.split(/([{}()]| [|&] )/)) {
    if (part === '{' || part === '(') depth += 1
    if (part === '}' || part === ')') depth -= 1
    if (depth === 0 && / [|&] /.test(part)) return true
  }
  return false
}
