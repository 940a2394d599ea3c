import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { OpenApiDocument } from '#platform/reference/openapi.ts'
import type { Schema } from '#platform/reference/openapi-schemas.ts'

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
