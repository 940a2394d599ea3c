/**
 * The time of a change of a row. Two changes within a millisecond get different times, because the time
 * identifies a version of the row.
 */
export function laterThan({ updated_at }: { readonly updated_at: Date }, now: Date): Date {
  return new Date(Math.max(now.getTime(), updated_at.getTime() + 1))
}
