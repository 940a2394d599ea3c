/** A line of a chart. */
export type Series = {
  readonly label: string
  readonly tone: 'accent' | 'good' | 'bad' | 'wait' | 'mute'
  /** One value for each time. Null: not known. */
  readonly values: readonly (number | null)[]
}
