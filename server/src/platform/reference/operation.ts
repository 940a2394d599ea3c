import { type Content, codeBlock, type Html, html, inline, json, prose, shell } from './html.ts'
import type { OpenApiDocument, OperationObject, Parameter } from './openapi.ts'
import type { MediaType, Reference } from './openapi-errors.ts'
import { fieldTree, rules, typeText } from './schema.ts'

export type Listed = {
  readonly verb: string
  readonly path: string
  readonly operation: OperationObject
}

/** The operations of a tag in the order of the document. */
export function listed({ paths }: OpenApiDocument, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([verb, operation]) => ({ verb, path, operation })),
  )
}

/** Explanations on the left, code to copy on the right. */
export function operationArticle(document: OpenApiDocument, entry: Listed): Html {
  const { verb, path, operation } = entry
  const { operationId: id, summary, description } = operation
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title">${summary} <a class="anchor" href="#${id}" aria-label="Link to ${summary}">#</a></h3>
<p class="endpoint"><span class="verb ${verb}">${verb}</span><code>${pathText(path)}</code></p>
${prose(description)}
${parameterTable(parametersOf(document, operation))}
${bodyFields(document, operation)}
${answers(operation)}
${errorList(document, operation)}
</div>
<div class="examples">
${codeBlock('Request', shell(curl(document, entry)))}
${exampleAnswer(operation)}
</div>
</article>`
}

/** A long path may break before a slash, and its parameters are highlighted. */
function pathText(path: string): Content {
  return path
    .split(/(\{\w+\}|\/)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part === '/') return html`<wbr>/`
      return part.startsWith('{') ? html`<em>${part}</em>` : part
    })
}

function parametersOf({ components }: OpenApiDocument, { parameters }: OperationObject): Parameter[] {
  return parameters.flatMap((parameter) => {
    if (!('$ref' in parameter)) return [parameter]
    return components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []
  })
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return html`<h4>Parameters</h4>
<table><thead><tr><th scope="col">Name</th><th scope="col">Description</th></tr></thead><tbody>${parameters.map(
    (parameter) =>
      html`<tr><th scope="row"><code class="name">${parameter.name}</code><span class="type">${typeText(
        parameter.schema,
        { schemas: {}, nested: 'linked' },
      )} · ${parameter.in}${parameter.required && html` <span class="required">required</span>`}</span></th><td>${prose(
        parameter.description,
      )}${rules(parameter.schema)}</td></tr>`,
  )}</tbody></table>`
}

function bodyFields({ components }: OpenApiDocument, { requestBody }: OperationObject): Content {
  if (!requestBody) return undefined
  const { schema } = requestBody.content['application/json']
  return html`<h4>Body</h4>${fieldTree(schema, { schemas: components.schemas, nested: 'in-place' })}`
}

function answers({ responses }: OperationObject): Html {
  const successes = Object.entries(responses).flatMap(([status, response]) =>
    isReference(response) ? [] : [{ status, ...response }],
  )
  return html`<h4>Answer</h4>${successes.map(({ status, description, content }) => {
    const schema = content?.['application/json'].schema
    return html`<p class="answer"><span class="status good">${status}</span> ${inline(description)} ${
      schema && html`The body is ${typeText(schema, { schemas: {}, nested: 'linked' })}.`
    }</p>`
  })}`
}

function errorList({ components }: OpenApiDocument, { responses }: OperationObject): Html {
  const errors = Object.entries(responses).flatMap(([status, response]) => {
    if (!isReference(response)) return []
    const known = components.responses[response.$ref.split('/').at(-1) ?? '']
    return known ? [{ status, description: known.description }] : []
  })
  return html`<details class="failures"><summary>Errors <span class="quiet">${errors
    .map(({ status }) => status)
    .join(' ')}</span></summary><ul>${errors.map(
    ({ status, description }) =>
      html`<li><a class="status" href="#error-${status}">${status}</a> <span>${inline(description)}</span></li>`,
  )}</ul></details>`
}

function exampleAnswer({ responses }: OperationObject): Content {
  return Object.entries(responses).map(([status, response]) => {
    const media = isReference(response) ? undefined : response.content?.['application/json']
    return media && 'example' in media && codeBlock(`Answer ${status}`, json(media.example))
  })
}

/** A command that works unchanged on the machine that runs the service. */
function curl(document: OpenApiDocument, { verb, path, operation }: Listed): string {
  const parameters = parametersOf(document, operation)
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example
    return example === undefined ? whole : encodeURIComponent(String(example))
  })
  const method = verb === 'get' ? '' : ` -X ${verb.toUpperCase()}`
  const body: MediaType | undefined = operation.requestBody?.content['application/json']
  const lines = [
    `curl${method} ${quote(`${document.servers[0]?.url ?? ''}${filled}`)}`,
    '-H "Authorization: Bearer $(npx switchyard token)"',
    ...(body ? [`-H 'Content-Type: application/json'`] : []),
    ...(body?.example === undefined ? [] : [`-d ${quote(JSON.stringify(body.example, null, 2))}`]),
  ]
  return lines.join(' \\\n  ')
}

/** In a shell, only a single quote has a meaning between single quotes. */
function quote(text: string): string {
  return /^[\w:/.,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

function isReference(value: object): value is Reference {
  return '$ref' in value
}
