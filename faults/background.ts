/**
 * Work that runs beside the rest. A failure shows where the work is awaited: an unhandled rejection would end the
 * process, and with it the report.
 */
export function inBackground<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}
