const WIDTH = 24

/** On a terminal one line that is overwritten, with a bar for `x of y`; elsewhere a line each. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${barOf(text)}${text}`)
  else if (text !== '') say(text)
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

function barOf(text: string): string {
  const [, done, all] = /([\d,]+) of ([\d,]+)/.exec(text) ?? []
  if (done === undefined || all === undefined) return ''
  const share = Math.min(1, numberOf(done) / numberOf(all)) || 0
  const filled = Math.round(share * WIDTH)
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] `
}

function numberOf(digits: string): number {
  return Number(digits.replaceAll(',', ''))
}
