/** Writes a path with ids in it: path`/buyers/${id}`. */
export function path(words: TemplateStringsArray, ...ids: readonly string[]): string {
  return words.reduce((text, word, index) => `${text}${encode(ids[index - 1])}${word}`)
}

/** An empty id would call another operation, and so would `..`. */
function encode(id: string | undefined): string {
  if (typeof id !== 'string' || id === '' || id === '.' || id === '..') {
    throw new TypeError(`An id must be text, and ${JSON.stringify(id) ?? 'undefined'} is none`)
  }
  return encodeURIComponent(id)
}
