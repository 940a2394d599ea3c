import { jsonBlock } from './code.ts'
import { type Content, type Html, html } from './html.ts'
import { prose } from './markdown.ts'
import { acceptsNull, type Schema, typesOf, withoutNull } from './openapi-schemas.ts'

/** Fields of an object that are shown by name alone, behind a sentence about them. */
export type Aside = { readonly fields: readonly string[]; readonly note: string }

export type SchemaView = {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly asides: ReadonlyMap<string, Aside>
  /** The objects that the page shows already. Later, and if they are nested too deeply, there are links to their own pages. */
  readonly shown: Set<string>
  readonly depth: number
}

/** A page shows so many objects within each other; the pages of these show more. */
const DEPTH_MAX = 1

/** For the types of values whose fields are not shown. */
export const TYPES_ALONE: SchemaView = { schemas: {}, asides: new Map(), shown: new Set(), depth: DEPTH_MAX }

/** The fields of an object as a tree: name, type, whether it is required, rules, description. */
export function fieldTree(schema: Schema, view: SchemaView): Content {
  const name = nameOf(schema)
  if (name !== undefined) view.shown.add(name)
  const resolved = resolve(schema, view)
  const { properties = {}, required = [] } = resolved
  const variants = variantsOf(resolved)
  if (variants.length > 1) return variantList(variants, view)
  const aside = name === undefined ? undefined : view.asides.get(name)
  const fields = Object.entries(properties).filter(([field]) => !aside?.fields.includes(field))
  if (fields.length === 0) return html`<p class="quiet">No fields.</p>`
  return html`<ul class="fields">${fields.map(([field, inner]) => fieldItem(field, inner, required, view))}</ul>${
    aside && asideList(aside, properties)
  }`
}

function asideList({ fields, note }: Aside, properties: Readonly<Record<string, Schema>>): Html {
  const named = fields.flatMap((field) => (properties[field] ? [[field, properties[field]] as const] : []))
  return html`<details class="aside"><summary>${note}</summary><p>${named.map(
    ([field, schema]) => html`<code>${field}</code> ${typeText(schema, TYPES_ALONE)}<br>`,
  )}</p></details>`
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
    return isLinked(reference, view) ? objectLink(reference) : 'object'
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const variants = variantsOf(schema)
  if (isChoice(schema, view)) return html`one of ${variants.length} objects`
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
  if (isChoice(schema, view)) return variantList(variants, view)
  if (variants.length > 0) return variants.map((variant) => nestedFields(variant, view))
  if (schema.items) return nestedFields(schema.items, view)
  const name = nameOf(schema)
  if (name !== undefined && isLinked(name, view)) return undefined
  const { properties, title } = resolve(schema, view)
  if (!properties) return undefined
  return html`<details><summary>Fields${title !== undefined && html` of ${title}`}</summary>${fieldTree(schema, inside(view))}</details>`
}

function isLinked(name: string, { shown, depth }: SchemaView): boolean {
  return depth >= DEPTH_MAX || shown.has(name)
}

function inside(view: SchemaView): SchemaView {
  return { ...view, depth: view.depth + 1 }
}

export function objectLink(name: string): Html {
  return html`<a href="/docs/objects/${name}">${name}</a>`
}

/** A choice between objects that are shown in place. */
function isChoice(schema: Schema, { depth }: SchemaView): boolean {
  const variants = variantsOf(schema)
  return (
    depth < DEPTH_MAX && variants.length > 1 && variants.every((variant) => nameOf(variant) !== undefined)
  )
}

/** Each variant by the value that selects it and by its name, with an example. Its fields are on its own page. */
function variantList(variants: readonly Schema[], view: SchemaView): Html {
  return html`<div class="variants"><p class="rules">One of these:</p>${variants.map((variant) => {
    const name = nameOf(variant)
    const schema = resolve(variant, view)
    const [example] = schema.examples ?? []
    if (name !== undefined && (example === undefined || isLinked(name, view)))
      return html`<p>${objectLink(name)} ${schema.description}</p>`
    const selector = selectorOf(schema)
    return html`<details><summary>${selector !== undefined && html`<code class="name">${selector}</code> `}${schema.description ?? name}${schema.description !== undefined && html` <span class="type">${name}</span>`}</summary>${example !== undefined && jsonBlock('Example', example)}${name === undefined ? fieldTree(variant, inside(view)) : html`<p>Its fields: ${objectLink(name)}</p>`}</details>`
  })}</div>`
}

/** The value that says which variant is meant. Of several, one and an ellipsis. */
function selectorOf({ properties = {}, examples }: Schema): string | undefined {
  const name = ['method', 'scheme', 'model'].find((candidate) => properties[candidate] !== undefined)
  if (name === undefined) return undefined
  const only = properties[name]?.const
  const shown = (examples?.[0] as Record<string, unknown> | undefined)?.[name]
  return only === undefined ? (shown === undefined ? undefined : `${shown}, …`) : String(only)
}

/** Null beside another type is written in two ways: as a second type, or as a second variant. */
function nullable(field: Schema): { schema: Schema; isNullable: boolean } {
  if (acceptsNull(field) && typesOf(field).length > 1) return { schema: withoutNull(field), isNullable: true }
  const variants = variantsOf(field)
  const [only, ...others] = variants
  if (only && others.length === 0) return { schema: only, isNullable: true }
  const isNullable = variants.length < (field.anyOf ?? field.oneOf ?? []).length
  return { schema: isNullable ? { ...field, anyOf: variants } : field, isNullable }
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
