import type { ShownExecution } from './store.ts'

const NAME_MAX = 60

/** What a browser calls the file: letters and digits of the report's name, and the time that it is about. */
export function fileName({ report_name, reference_timestamp }: ShownExecution): string {
  const name = report_name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replaceAll(/^-+|-+$/g, '')
  const time = reference_timestamp.toISOString().slice(0, 16).replaceAll(':', '')
  return `${name || 'report'}-${time}.csv`
}
