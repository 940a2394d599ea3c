import { UnreadableReport } from './reports.ts'

/** Fifty times the length of any line that a provider writes. Without a limit, one line could fill our memory. */
const LINE_BYTES_MAX = 64 * 1024
const NEWLINE = 0x0a

export type TextLine = { readonly number: number; readonly text: string }

/**
 * The lines of a file, for connectors that read text. A line ends with a line feed, or a carriage return and a line
 * feed. Text after the last line feed is a line that was cut off. Keeps no more than a chunk and a line in memory.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let number = 0
  let rest = new Uint8Array()
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    const whole = end === 0 ? new Uint8Array() : Buffer.concat([rest, chunk.subarray(0, end)])
    if (end > 0) {
      for (const text of decode(whole, number + 1)) yield { number: ++number, text }
    }
    rest = end === 0 ? Buffer.concat([rest, chunk]) : Buffer.from(chunk.subarray(end))
    if (rest.byteLength > LINE_BYTES_MAX) throw tooLong(number + 1)
  }
  if (rest.byteLength > 0) throw new UnreadableReport(number + 1, 'the file was cut off in this line')
  if (number === 0) throw new UnreadableReport(1, 'the file is empty')
}

/** Reads all complete lines of a chunk at once. Only if that fails, it looks for the line that is wrong. */
function* decode(bytes: Uint8Array, first: number): Generator<string> {
  const text = decodeOrNull(bytes)
  if (text === null) throw new UnreadableReport(lineOfBadText(bytes, first), 'the text is not UTF-8')
  let number = first
  for (let start = 0; start < text.length; number++) {
    const end = text.indexOf('\n', start)
    if (end - start > LINE_BYTES_MAX) throw tooLong(number)
    yield text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end)
    start = end + 1
  }
}

function decodeOrNull(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function lineOfBadText(bytes: Uint8Array, first: number): number {
  let number = first
  for (let start = 0; start < bytes.byteLength; number++) {
    const end = bytes.indexOf(NEWLINE, start) + 1
    if (decodeOrNull(bytes.subarray(start, end)) === null) return number
    start = end
  }
  return number
}

function tooLong(number: number): UnreadableReport {
  return new UnreadableReport(number, `the line has more than ${LINE_BYTES_MAX} bytes`)
}
