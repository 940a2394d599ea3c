import type { en } from '../../server/src/words/en.ts'

/** What the page says, in the language of the buyer. The server puts it into the page. */
export type Words = typeof en.pay & Pick<typeof en.provider, 'print'>

export type ContactWords = typeof en.contact

export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}
