/** A line of the file, as texts. */
export type Row = readonly (string | null)[]
