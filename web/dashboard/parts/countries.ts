import { COUNTRIES } from '../../../server/src/domain/country.ts'
import type { Option } from './fields.tsx'

const NAMES = new Intl.DisplayNames('en', { type: 'region' })

export function countryName(code: string): string {
  return NAMES.of(code) ?? code
}

let options: readonly Option[] | undefined

/** Every country by its name, for a choice. Made when it is first needed. */
export function countryOptions(): readonly Option[] {
  options ??= COUNTRIES.map((value) => ({ value, label: countryName(value) })).toSorted((one, other) =>
    one.label.localeCompare(other.label, 'en'),
  )
  return options
}
