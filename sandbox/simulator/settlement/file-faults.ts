/** Faults that merchants can ask for in a file. */
export const FILE_FAULTS = [
  'missing_day',
  'late_file',
  'duplicate_file',
  'wrong_sum',
  'unknown_reference',
  'partial_lines',
  'off_by_one',
] as const
export type FileFault = (typeof FILE_FAULTS)[number]
