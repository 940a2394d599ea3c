/** A part of the pages, in the folder of its name. Its files are served under `/<name>/`. */
export type App = {
  readonly name: string
  /** Its pages: HTML files of the folder. Each is built apart, so none waits for a script of another. */
  readonly pages: readonly string[]
  /** Scripts that shops load from an address that never changes: `fields.ts` is served as `/fields.js`. */
  readonly loaders: readonly string[]
  /** The most that a browser may load before the pages work: bytes of scripts and styles, with gzip. */
  readonly budget: number
  /**
   * Why each script is there, by the name of the file it is made from, or that it imports on demand. PCI DSS 6.4.3 asks
   * for it, and `GET /pay/scripts.json` shows it. A script without a reason does not build.
   */
  readonly reasons: Readonly<Record<string, string>>
}

export const APPS: readonly App[] = [
  {
    name: 'fields',
    pages: ['controller.html', 'input.html'],
    loaders: ['fields.ts'],
    budget: 6_000,
    reasons: {
      controller:
        'Sends what the buyer typed into the fields of a card form to this server, and to no other.',
      input: 'One field of a card form: formats and checks what the buyer types.',
      fields:
        'Runs in the page of a shop: puts the frames of a card form there, and tells the page of changes.',
    },
  },
]
