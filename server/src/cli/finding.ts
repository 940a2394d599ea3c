import { reasonOf } from './terminal.ts'

/** The result of one check of the doctor. A note is neither good nor bad: it tells what is yet to come. */
export type Finding = {
  readonly status: 'ok' | 'note' | 'problem'
  readonly name: string
  readonly text: string
  readonly remedy?: string
}

export function ok(name: string, text: string): Finding {
  return { status: 'ok', name, text }
}

export function note(name: string, text: string): Finding {
  return { status: 'note', name, text }
}

export function problem(name: string, text: string, remedy?: string): Finding {
  return { status: 'problem', name, text, ...(remedy !== undefined && { remedy }) }
}

/** A check that fails is itself a finding, and the others still run. */
export async function attempt(name: string, check: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return problem(name, reasonOf(error))
  }
}
