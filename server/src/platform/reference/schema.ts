import { type Content, type Html, html, inline, prose } from './html.ts'
import { acceptsNull, type Schema, typesOf, withoutNull } from './openapi-schemas.ts'

export type SchemaView = {
  readonly schemas: Readonly<Record<string, Schema>>
  /** Whether a referenced schema is shown in place, or linked to. */
  readonly nested: 'in-place' | 'linked'
  /** The schemas around this one, so that a recursive schema ends. */
  readonly within?: readonly string[]
}

/** The fields of an object as a tree: name, type, whether it is required, rules, description. */
export function fieldTree(schema: Schema, view: SchemaView): Content {
  const { properties = {}, required = [] } = resolve(schema, view)
  const fields = Object.entries(properties)
  if (fields.length === 0) return html`<p class="quiet">No fields.</p>`
  return html`<ul class="fields">${fields.map(([name, field]) => fieldItem(name, field, required, view))}</ul>`
}

function fieldItem(name: string, field: Schema, required: readonly string[], view: SchemaView): Html {
  const { schema } = nullable(field)
  const description = field.description ?? schema.description ?? ''
  return html`<li>
<div class="field"><code class="name">${name}</code> <span class="type">${typeText(field, view)}</span>${
    required.includes(name) && html` <span class="required">required</span>`
  }</div>
${prose(description)}${rules(field)}${nestedFields(field, view)}</li>`
}

/** The type of a value, in a word or two. */
export function typeText(field: Schema, view: SchemaView): Content {
  const { schema, isNullable } = nullable(field)
  // After "array of string", a bare "or null" would seem to refer to the items.
  const orNull = typesOf(schema).includes('array') ? ', or null' : ' or null'
  return html`${plainType(schema, view)}${isNullable && orNull}`
}

function plainType(schema: Schema, view: SchemaView): Content {
  const reference = nameOf(schema)
  if (reference !== undefined) {
    return view.nested === 'linked' ? html`<a href="#schema-${reference}">${reference}</a>` : 'object'
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const variants = variantsOf(schema)
  if (variants.length > 0) {
    return variants.map((variant, index) => html`${index > 0 && ' or '}${typeText(variant, view)}`)
  }
  const types = typesOf(schema)
  if (types.includes('array') && schema.items) return html`array of ${typeText(schema.items, view)}`
  const values = mapValues(schema)
  if (values) return html`map of ${typeText(values, view)}`
  return schema.format ?? (types.join(' or ') || 'any value')
}

/** Constraints and allowed values. */
export function rules(field: Schema): Html | false {
  const { schema } = nullable(field)
  const inner = nullable(schema.items ?? {}).schema
  const values = schema.enum ?? inner.enum
  const listed = [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, 'items'),
    schema.uniqueItems && 'no duplicates',
    schema.pattern !== undefined && html`matches <code>${schema.pattern}</code>`,
    range(inner.minLength, inner.maxLength, 'characters each'),
    schema.default !== undefined && html`default <code>${JSON.stringify(schema.default)}</code>`,
  ].filter((rule) => rule !== false && rule !== undefined)
  if (listed.length === 0 && !values) return false
  return html`<p class="rules">${listed.map((rule, index) => [index > 0 && ' · ', rule])}${
    values &&
    html`<span class="values">${listed.length > 0 && html`<br>`}One of ${values.map((value) => html`<code>${String(value)}</code> `)}</span>`
  }</p>`
}

function range(min: number | undefined, max: number | undefined, unit: string): string | false {
  const text =
    min === undefined
      ? max !== undefined && `at most ${max}`
      : max === undefined
        ? `at least ${min}`
        : min === max
          ? `exactly ${min}`
          : `${min} to ${max}`
  return text === false ? false : `${text} ${unit}`.trim()
}

function nestedFields(field: Schema, view: SchemaView): Content {
  const { schema } = nullable(field)
  const variants = variantsOf(schema)
  if (variants.length > 0) return variants.map((variant) => nestedFields(variant, view))
  if (schema.items) return nestedFields(schema.items, view)
  const name = nameOf(schema)
  if (name !== undefined && (view.nested === 'linked' || view.within?.includes(name))) return undefined
  const { properties, title } = resolve(schema, view)
  if (!properties) return undefined
  const inside = { ...view, within: [...(view.within ?? []), ...(name === undefined ? [] : [name])] }
  return html`<details><summary>Fields${title !== undefined && html` of ${inline(title)}`}</summary>${fieldTree(schema, inside)}</details>`
}

/** Null beside another type is written in two ways: as a second type, or as a second variant. */
function nullable(field: Schema): { schema: Schema; isNullable: boolean } {
  if (acceptsNull(field) && typesOf(field).length > 1) return { schema: withoutNull(field), isNullable: true }
  const [only, ...others] = variantsOf(field)
  if (only && others.length === 0) return { schema: only, isNullable: true }
  return { schema: field, isNullable: false }
}

function variantsOf({ anyOf, oneOf }: Schema): Schema[] {
  return (anyOf ?? oneOf ?? []).filter(({ type }) => type !== 'null')
}

function mapValues({ patternProperties, additionalProperties }: Schema): Schema | undefined {
  if (patternProperties) return Object.values(patternProperties)[0]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.slice($ref.lastIndexOf('/') + 1)
}

function resolve(schema: Schema, { schemas }: SchemaView): Schema {
  const name = nameOf(schema)
  return name === undefined ? schema : (schemas[name] ?? {})
}
