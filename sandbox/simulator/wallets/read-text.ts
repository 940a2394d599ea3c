import { BadRequest, type Body } from '../requests.ts'

/** A field that must be there. */
export function readText(body: Body, field: string, lengthMax: number): string {
  const value = body[field]
  if (typeof value !== 'string' || value === '' || [...value].length > lengthMax) throw new BadRequest(field)
  return value
}
