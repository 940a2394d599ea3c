/** An id that belongs to nothing. */
export const MISSING = '01900000-0000-7000-8000-0000000000ff'

type Refusal = { readonly json: () => { details: { pointer: string; type: string }[] } }

/** What a refusal complains about: for each detail, the field and the kind of problem. */
export function pointers(response: Refusal): string[][] {
  return response.json().details.map(({ pointer, type }) => [pointer, type])
}
