import type { OperationError, OperationErrors } from '../http/operation.ts'
import { codeText, jsonBlock } from './code.ts'
import { examplesFor, parametersOf } from './examples.ts'
import { type Content, type Html, html } from './html.ts'
import { inline, prose } from './markdown.ts'
import type { OpenApiDocument, OperationObject, Parameter } from './openapi.ts'
import type { Reference } from './openapi-errors.ts'
import { fieldTree, rules, type SchemaView, TYPES_ALONE, typeText } from './schema.ts'
import type { Listed, ResourcePage, Site } from './site.ts'

/** Explanations on the left, code to copy on the right. */
export function operationArticle(site: Site, page: ResourcePage, entry: Listed): Html {
  const { document } = site
  const { operationId: id, summary, description, parameters, responses } = entry.operation
  return html`<article class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<p class="trail"><a href="${page.href}">${page.name}</a></p>
<h1 id="${id}-title">${summary}</h1>
${endpoint(entry)}
${prose(description)}
${parameterTable(parametersOf(document, parameters))}
${bodyFields(entry.operation, viewOf(site))}
${answers(entry.operation)}
${errorList(document, site.errors.get(id))}
</div>
<div class="examples">
${requestExamples(document, entry)}
${exampleAnswers(responses)}
</div>
</article>`
}

/** The fields of a page of its own, where nothing is shown yet. */
export function viewOf({ document: { components }, asides }: Site): SchemaView {
  return { schemas: components.schemas, asides, shown: new Set(), depth: 0 }
}

/** A long path may break before a slash, and its parameters are highlighted. */
function endpoint({ verb, path }: Listed): Html {
  const parts = path.split(/(\{\w+\}|\/)/).filter((part) => part !== '')
  return html`<p class="endpoint"><span class="verb ${verb}">${verb}</span><code>${parts.map((part) => {
    if (part === '/') return html`<wbr>/`
    return part.startsWith('{') ? html`<em>${part}</em>` : part
  })}</code></p>`
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

function parameterTable(parameters: readonly Parameter[]): Content {
  if (parameters.length === 0) return undefined
  return html`<h2>Parameters</h2>
<table><thead><tr><th scope="col">Name</th><th scope="col">Description</th></tr></thead><tbody>${parameters.map(
    ({ name, schema, in: place, required, description }) =>
      html`<tr><th scope="row"><code class="name">${name}</code><span class="type">${typeText(
        schema,
        TYPES_ALONE,
      )} · ${place}${required && html` <span class="required">required</span>`}</span></th><td>${prose(
        description,
      )}${rules(schema)}</td></tr>`,
  )}</tbody></table>`
}

function bodyFields({ requestBody }: OperationObject, view: SchemaView): Content {
  return requestBody && html`<h2>Body</h2>${fieldTree(requestBody.content['application/json'].schema, view)}`
}

function answers({ responses }: OperationObject): Html {
  return html`<h2>Answer</h2>${Object.entries(responses).map(([status, response]) => {
    if (isReference(response)) return undefined
    const schema = response.content?.['application/json'].schema
    return html`<p class="answer"><span class="status good">${status}</span> ${inline(response.description)} ${
      schema && html`The body is ${typeText(schema, TYPES_ALONE)}.`
    }</p>`
  })}`
}

/** When an operation answers with an error that not every other one has. */
const WHEN: Readonly<Partial<Record<OperationError, string>>> = {
  bad_gateway: 'A provider gave an unusable answer.',
  concurrent_request: 'A request with this idempotency key is still being processed.',
  duplicate_record: 'Something that must be unique is taken, or is still in use. `details` says what.',
  forbidden: 'Only our own pages and programs may call it.',
  gateway_timeout: 'A provider did not answer in time.',
  not_found: 'There is no such item, or this caller may not see it.',
  reused_key: 'The idempotency key was used with another request.',
  step_up_required: 'A user must prove again who they are. Tokens never get it.',
  too_early: 'An earlier operation has not ended yet.',
  too_many_requests: 'Too many calls with one browser token or session in a short time.',
  unauthorized: 'The proof is wrong, or not valid any more.',
}

/** Its own errors; those that every operation has are explained on a page of their own. */
function errorList(document: OpenApiDocument, errors: OperationErrors | undefined): Content {
  if (!errors) return undefined
  const statuses = statusesOf(document)
  const own = errors.own
    .map((code) => ({ code, status: statuses.get(code) ?? '' }))
    .sort((a, b) => Number(a.status) - Number(b.status))
  const common = new Set(errors.common.map((code) => Number(statuses.get(code))))
  return html`<h2>Errors</h2>${
    own.length > 0 &&
    html`<ul class="failures">${own.map(
      ({ code, status }) =>
        html`<li><a class="status" href="/docs/api/errors#error-${status}">${status}</a> <span><code>${code}</code> ${inline(WHEN[code] ?? '')}</span></li>`,
    )}</ul>`
  }<p class="quiet">${own.length > 0 ? 'And those' : 'Those'} that <a href="/docs/api/errors">operations share</a>: ${[...common].sort((a, b) => a - b).join(', ')}.</p>`
}

/** The status of each code, as the document names them. */
function statusesOf({ components }: OpenApiDocument): Map<string, string> {
  return new Map(
    errorsIn({ components }).flatMap(({ status, examples }) =>
      Object.keys(examples).map((code) => [code, status] as const),
    ),
  )
}

type KnownError = {
  readonly status: string
  readonly description: string
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>
}

/** Every error of the document, by status. */
export function errorsIn({ components }: Pick<OpenApiDocument, 'components'>): KnownError[] {
  return Object.values(components.responses).map(({ description, content }) => {
    const { examples = {} } = content?.['application/json'] ?? {}
    const [first] = Object.values(examples)
    const { status = 422 } = (first?.value ?? {}) as { status?: number }
    return { status: String(status), description, examples }
  })
}

function exampleAnswers(responses: OperationObject['responses']): Content {
  return Object.entries(responses).map(([status, response]) => {
    const media = isReference(response) ? undefined : response.content?.['application/json']
    return media && 'example' in media && jsonBlock(`Answer ${status}`, media.example)
  })
}

function isReference(value: object): value is Reference {
  return '$ref' in value
}
