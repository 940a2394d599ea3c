import type { Field } from './manifest.ts'

/** A field of a manifest. What is left out: optional plain text that `verify` does not check. */
export function field(key: string, displayName: string, rest: Partial<Field>): Field {
  return {
    key,
    displayName,
    isRequired: false,
    format: 'text',
    isSecret: false,
    isVerifiable: false,
    ...rest,
  }
}
