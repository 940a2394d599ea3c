import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { OpenApiDocument, OperationObject, Parameter } from '#platform/reference/openapi.ts'
import type { Response } from '#platform/reference/openapi-errors.ts'
import type { Schema } from '#platform/reference/openapi-schemas.ts'
import type { Answer } from './raw-request.ts'

const DOCUMENT = 'document'

/** Compiles schemas of the document. It is not the service's own validator, and has the formats as they are defined. */
export function compilerFor({ components }: OpenApiDocument): (schema: Schema) => ValidateFunction {
  const ajv = new Ajv({ strict: false, validateFormats: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: DOCUMENT, components })
  const compiled = new Map<string, ValidateFunction>()
  return (schema) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`)
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text))
    compiled.set(text, validate)
    return validate
  }
}

export type Described = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly described: OperationObject
  readonly parameters: readonly Parameter[]
}

/** Whether only users who are signed in may call it. */
export function isForUsers({ described }: Described): boolean {
  return described.security.some((scheme) => 'sessionCookie' in scheme)
}

export function operationsOf({ paths, components }: OpenApiDocument): Described[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, described]) => ({
      method: verb.toUpperCase() as Described['method'],
      path,
      described,
      parameters: described.parameters.map((parameter) =>
        '$ref' in parameter
          ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)
          : parameter,
      ),
    })),
  )
}

export type AnswerCheck = (
  operation: Described,
  request: { readonly isToBeRefused: boolean },
  answer: Answer,
) => string[]

/** Checks answers against the document with a validator of our own: the service's own validator proves nothing. */
export function answerCheckOf(
  document: OpenApiDocument,
  compile: (schema: Schema) => ValidateFunction,
): AnswerCheck {
  const validatorOf = (operation: Described, status: number): ValidateFunction | undefined => {
    const schema = responseOf(document, operation, status)?.content?.['application/json'].schema
    return schema && compile(schema)
  }
  return (operation, request, answer) => {
    const { status, body, headers } = answer
    if (status >= 500) return [`answered ${status}: ${body}`]
    if (!responseOf(document, operation, status))
      return [`answered ${status}, which is not documented: ${body}`]
    return [
      ...(request.isToBeRefused && status < 400 ? [`took what it has to refuse, with ${status}`] : []),
      ...bodyComplaints(validatorOf(operation, status), answer),
      ...(/^[\x21-\x7e]{1,200}$/.test(String(headers['x-request-id'])) ? [] : ['has no usable request id']),
      ...(headers['cache-control'] === 'no-store' ? [] : ['may be kept in a cache']),
    ].map((complaint) => (body === '' ? complaint : `${complaint}: ${body.slice(0, BODY_SHOWN)}`))
  }
}

const BODY_SHOWN = 500

function responseOf({ components }: OpenApiDocument, { described }: Described, status: number) {
  const response = described.responses[status]
  if (!response || !('$ref' in response)) return response as Response | undefined
  return components.responses[response.$ref.split('/').at(-1) ?? '']
}

function bodyComplaints(validate: ValidateFunction | undefined, { status, body, headers }: Answer): string[] {
  if (!validate) return body === '' ? [] : [`has a body with ${status}, which has none`]
  if (headers['content-type'] !== 'application/json; charset=utf-8') {
    return [`is of the type ${headers['content-type']}`]
  }
  try {
    if (validate(JSON.parse(body))) return []
  } catch {
    return ['is not JSON']
  }
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${status} is not as documented at ${instancePath}: ${message} ${JSON.stringify(params)}`,
  )
}
