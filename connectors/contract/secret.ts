import { inspect } from 'node:util'
import type { Secret } from './orders.ts'

/** For a secret that a provider's answer holds. Text, JSON and logs show `***`. */
export function secret(text: string): Secret {
  const bytes = Buffer.from(text)
  const masked = () => '***'
  return Object.assign(
    { use: <Result>(work: (bytes: Buffer) => Result) => work(bytes) },
    {
      toString: masked,
      toJSON: masked,
      [inspect.custom]: masked,
    },
  )
}
