import { codeText, jsonBlock } from './code.ts'
import { examplesFor, parametersOf } from './examples.ts'
import { type Content, type Html, html } from './html.ts'
import { inline, prose } from './markdown.ts'
import type { OpenApiDocument, OperationObject, Parameter } from './openapi.ts'
import type { Reference, Response } from './openapi-errors.ts'
import { fieldTree, rules, typeText } from './schema.ts'
import type { Links, Listed } from './site.ts'

/** Explanations on the left, code to copy on the right. */
export function operationArticle(document: OpenApiDocument, entry: Listed, links: Links): Html {
  const { verb, path, operation } = entry
  const { operationId: id, summary, description } = operation
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title">${summary} <a class="anchor" href="${links.operation(id)}" aria-label="Link to ${summary}">#</a></h3>
<p class="endpoint"><span class="verb ${verb}">${verb}</span><code>${pathText(path)}</code></p>
${prose(description)}
${parameterTable(parametersOf(document, operation.parameters), links)}
${bodyFields(document, operation, links)}
${answers(operation, links)}
${errorList(document, operation, links)}
</div>
<div class="examples">
${requestExamples(document, entry)}
${exampleAnswers(operation)}
${exampleError(document, operation)}
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

/** One of the languages is shown at a time. The choice works without a script, which only carries it to the others. */
export function requestExamples(document: OpenApiDocument, entry: Listed): Html {
  const { operationId } = entry.operation
  const examples = examplesFor(document, entry)
  return html`<figure class="code tabs" role="group" aria-label="Request"><fieldset><legend>Language</legend>${examples.map(
    ({ language, label }, index) =>
      html`<label><input type="radio" name="language-${operationId}" value="${language}"${index === 0 && html` checked`}><span>${label}</span></label>`,
  )}</fieldset>${examples.map(({ language, label, text }) => html`<div class="tab ${language}">${codeText(`Request with ${label}`, language, text)}</div>`)}</figure>`
}

function parameterTable(parameters: readonly Parameter[], links: Links): Content {
  if (parameters.length === 0) return undefined
  return html`<h4>Parameters</h4>
<table><thead><tr><th scope="col">Name</th><th scope="col">Description</th></tr></thead><tbody>${parameters.map(
    (parameter) =>
      html`<tr><th scope="row"><code class="name">${parameter.name}</code><span class="type">${typeText(
        parameter.schema,
        { schemas: {}, nested: 'linked', links },
      )} · ${parameter.in}${parameter.required && html` <span class="required">required</span>`}</span></th><td>${prose(
        parameter.description,
      )}${rules(parameter.schema)}</td></tr>`,
  )}</tbody></table>`
}

function bodyFields(
  { components }: OpenApiDocument,
  { requestBody }: OperationObject,
  links: Links,
): Content {
  if (!requestBody) return undefined
  const { schema } = requestBody.content['application/json']
  return html`<h4>Body</h4>${fieldTree(schema, { schemas: components.schemas, nested: 'in-place', links })}`
}

function answers({ responses }: OperationObject, links: Links): Html {
  const successes = Object.entries(responses).flatMap(([status, response]) =>
    isReference(response) ? [] : [{ status, ...response }],
  )
  return html`<h4>Answer</h4>${successes.map(({ status, description, content }) => {
    const schema = content?.['application/json'].schema
    return html`<p class="answer"><span class="status good">${status}</span> ${inline(description)} ${
      schema && html`The body is ${typeText(schema, { schemas: {}, nested: 'linked', links })}.`
    }</p>`
  })}`
}

function errorList(document: OpenApiDocument, operation: OperationObject, links: Links): Html {
  const errors = errorsOf(document, operation)
  return html`<details class="failures"><summary><span class="word">Errors</span> <span class="quiet">${errors
    .map(({ status }) => status)
    .join(' ')}</span></summary><ul>${errors.map(
    ({ status, description, codes }) =>
      html`<li><a class="status" href="${links.error(status)}">${status}</a> <span>${inline(description)} <span class="codes">${codes.map((code) => html`<code>${code}</code> `)}</span></span></li>`,
  )}</ul></details>`
}

type KnownError = Response & { readonly status: string; readonly codes: readonly string[] }

/** The errors that an operation can answer with, and their codes. */
export function errorsOf({ components }: OpenApiDocument, { responses }: OperationObject): KnownError[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const known = isReference(response)
      ? components.responses[response.$ref.split('/').at(-1) ?? '']
      : undefined
    if (!known) return []
    return [{ ...known, status, codes: Object.keys(known.content?.['application/json'].examples ?? {}) }]
  })
}

function exampleAnswers({ responses }: OperationObject): Content {
  return Object.entries(responses).map(([status, response]) => {
    const media = isReference(response) ? undefined : response.content?.['application/json']
    return media && 'example' in media && jsonBlock(`Answer ${status}`, media.example)
  })
}

/** What a wrong request gets, closed at first. */
function exampleError(document: OpenApiDocument, operation: OperationObject): Content {
  const [refused] = errorsOf(document, operation)
  const [example] = Object.values(refused?.content?.['application/json'].examples ?? {})
  if (!refused || !example) return undefined
  return html`<details class="example-error"><summary>Answer ${refused.status}</summary>${jsonBlock(`Answer ${refused.status}`, example.value)}</details>`
}

function isReference(value: object): value is Reference {
  return '$ref' in value
}
