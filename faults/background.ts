/**
 * Something that goes on beside the rest. What it comes to is told where it is waited for: a failure that nobody waits for
 * yet would end the process, and with it the report.
 */
export function inBackground<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => {})
  return work
}
