import type { Place } from '../keyed-request.ts'

export type Clock = { readonly now: string; readonly status: string }

/** Moves the clock of the sandbox on, until all that fell due is done. */
export async function advance({ url, token }: Place, by: string): Promise<Clock> {
  const ask = async (method: string, path: string, body?: object): Promise<Clock> => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  let clock = await ask('POST', '/sandbox/clock/advance', { by })
  while (clock.status !== 'ready') {
    await new Promise((resolve) => setTimeout(resolve, 200))
    clock = await ask('GET', '/sandbox/clock')
  }
  return clock
}
