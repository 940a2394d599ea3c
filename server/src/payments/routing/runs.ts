/**
 * Whole numbers as a short text, in which equal ones that follow each other are written once: `5x48,-2,0`. A list of numbers takes
 * twelve bytes for each in the database.
 */
export function writeRuns(numbers: readonly number[]): string {
  const runs: string[] = []
  for (let start = 0, end = 0; start < numbers.length; start = end) {
    const value = numbers[start]
    while (end < numbers.length && numbers[end] === value) end += 1
    runs.push(end - start === 1 ? `${value}` : `${value}x${end - start}`)
  }
  return runs.join(',')
}

export function readRuns(text: string): number[] {
  if (text === '') return []
  return text.split(',').flatMap((run) => {
    const [value, count = '1'] = run.split('x')
    return new Array<number>(Number(count)).fill(Number(value))
  })
}
