import { UnusableFile } from './decrypt.ts'

const OBJECT_LENGTH_MAX = 1_000_000

/**
 * The objects of the first list in a JSON file (`{"customers": [{…}, {…}]}`, or the list alone), some at a time. The file is never in
 * memory as a whole.
 */
export async function* readObjects(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<object[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const cutter = new Cutter()
  try {
    for await (const chunk of chunks) yield cutter.take(decoder.decode(chunk, { stream: true }))
    yield cutter.take(decoder.decode())
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof SyntaxError)
      throw new UnusableFile('The file is no JSON in UTF-8.')
    throw cause
  }
  if (!cutter.isWhole) throw new UnusableFile('The file is no whole JSON: something in it is not closed.')
}

/** Knows strings and brackets alone. What is cut out is parsed by the usual parser. */
class Cutter {
  #depth = 0
  /** Where the objects are. */
  #listDepth: number | undefined
  #isInString = false
  #isEscaped = false
  /** The beginning of an object whose end has not come. */
  #begun: string | undefined

  get isWhole(): boolean {
    return this.#depth === 0 && this.#listDepth !== undefined
  }

  take(text: string): object[] {
    const found: object[] = []
    let start = 0
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at]
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (sign === '\\') this.#isEscaped = true
        else if (sign === '"') this.#isInString = false
      } else if (sign === '"') this.#isInString = true
      else if (sign === '{' || sign === '[') {
        if (sign === '[') this.#listDepth ??= this.#depth + 1
        if (sign === '{' && this.#depth === this.#listDepth) {
          this.#begun = ''
          start = at
        }
        this.#depth += 1
      } else if (sign === '}' || sign === ']') {
        this.#depth -= 1
        if (this.#begun === undefined || this.#depth !== this.#listDepth) continue
        found.push(JSON.parse(this.#begun + text.slice(start, at + 1)))
        this.#begun = undefined
      }
    }
    if (this.#begun !== undefined) {
      this.#begun += text.slice(start)
      if (this.#begun.length > OBJECT_LENGTH_MAX)
        throw new UnusableFile(`An object of the file has more than ${OBJECT_LENGTH_MAX} characters.`)
    }
    return found
  }
}
