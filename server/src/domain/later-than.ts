/** When a row is changed. Two changes within a millisecond have two times: by its time a version of it is known. */
export function laterThan({ updated_at }: { readonly updated_at: Date }, now: Date): Date {
  return new Date(Math.max(now.getTime(), updated_at.getTime() + 1))
}
