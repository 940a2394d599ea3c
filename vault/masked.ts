import { inspect } from 'node:util'

/**
 * A secret that cannot be printed by accident: text, JSON and logs show `***`. Only `use` gives access to the
 * bytes, and `clear` overwrites them when the work is done.
 */
export class Masked {
  readonly #bytes: Buffer

  constructor(text: string | Buffer) {
    this.#bytes = Buffer.from(text)
  }

  use<Result>(work: (bytes: Buffer) => Result): Result {
    return work(this.#bytes)
  }

  clear(): void {
    this.#bytes.fill(0)
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [inspect.custom](): string {
    return '***'
  }
}
