/** A part of the pages, in the folder of its name. Its files are served under `/<name>/`. */
export type App = {
  readonly name: string
  readonly jsx: 'preact' | 'react'
  /** Its pages: HTML files of the folder. Each is built apart, so none waits for a script of another. */
  readonly pages: readonly string[]
  /**
   * Scripts that shops load from an address that never changes, with the most that each may have: bytes with gzip.
   * `fields.ts` is served as `/fields.js`, its types as `/fields.d.ts`.
   */
  readonly loaders: Readonly<Record<string, number>>
  /**
   * Scripts that the server adds to a page that needs them. The page imports them, and finds them there: browsers before 2025 give no digest to
   * what a script imports, and the policy would stop it.
   */
  readonly parts?: readonly string[]
  /** The most that a browser may load before the pages work: bytes of scripts and styles, with gzip. */
  readonly budget: number
  /**
   * Why each script is there, by the name of the file it is made from, or that it imports on demand. PCI DSS 6.4.3 asks
   * for it, and `GET /pay/scripts.json` shows it. A script without a reason does not build. `*` is the reason of all
   * that are not named: only for pages without card data.
   */
  readonly reasons: Readonly<Record<string, string>>
}

export const APPS: readonly App[] = [
  {
    name: 'fields',
    jsx: 'preact',
    pages: ['controller.html', 'input.html'],
    loaders: { 'fields.ts': 1_500 },
    budget: 6_250,
    reasons: {
      controller:
        'Sends what the buyer typed into the fields of a card form to this server, and to no other.',
      input: 'One field of a card form: formats and checks what the buyer types.',
      fields:
        'Runs in the page of a shop: puts the frames of a card form there, and tells the page of changes.',
    },
  },
  {
    name: 'pay',
    jsx: 'preact',
    pages: ['index.html'],
    loaders: { 'embed.ts': 1_250 },
    parts: ['contact', 'package', 'wallet-buttons'],
    budget: 22_300,
    reasons: {
      index:
        'The page on which a buyer pays an order: shows it, checks what is typed, sends it to this server.',
      contact:
        'Asks the buyer for an e-mail address, a name, a phone number and addresses, where the shop wants them.',
      package:
        'Talks with the public drop-in package in the page of a shop, where that shows the page for paying.',
      'wallet-buttons': 'The buttons of Apple Pay and Google Pay, where the shop takes them.',
      embed:
        'Runs in the page of a shop: puts the page for paying into a frame there, and tells the shop what became of it.',
    },
  },
  {
    name: 'drop-in',
    jsx: 'preact',
    pages: ['index.html'],
    loaders: {},
    budget: 3_000,
    reasons: {
      index:
        'What the public drop-in package opens in a frame: asks for the page of the order, and leads there.',
    },
  },
  {
    name: 'google-pay',
    jsx: 'preact',
    pages: ['button.html'],
    loaders: {},
    budget: 1_500,
    reasons: {
      button:
        'Shows Google’s own button in a frame on a host of its own, and tells the page for paying of it.',
    },
  },
  {
    name: 'dashboard',
    jsx: 'react',
    pages: ['index.html'],
    loaders: {},
    budget: 180_000,
    reasons: {
      index: 'The dashboard: the frame around its areas, and the navigation between them.',
      parts:
        'What the areas of the dashboard are made of: lists, forms, dialogs, and the calls to this server.',
      plot: 'Draws the charts of the dashboard.',
      '*': 'An area of the dashboard. The browser loads it when a person opens it.',
    },
  },
]
