import { expect } from 'vitest'
import { createStandIn, type StandIn } from '#sandbox/stand-ins/adyen/stand-in.ts'
import { adyenContract, problemsOfMessage } from './published-contract.ts'

type Options = Parameters<typeof createStandIn>[0]

export const CHECKOUT = 'https://checkout-test.adyen.com/v71'

/** A stand-in whose requests, answers and webhooks are compared with Adyen's published contract. */
export function openStandIn(options: Partial<Options> = {}): StandIn & Controls {
  const standIn = createStandIn({ now: () => new Date(), ...options })
  const fetch = adyenContract.watch(standIn.fetch, { byStandInTest: true })
  return { ...standIn, fetch, ...controlsOf(standIn) }
}

export type Controls = ReturnType<typeof controlsOf>

function controlsOf(standIn: StandIn) {
  const ask = async (method: string, path: string, body?: object) => {
    const response = await standIn.fetch(`https://stand-in.invalid/_stand-in/${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`the stand-in refuses ${path}`)
    return response.json() as Promise<Record<string, unknown>>
  }
  return {
    control: (path: string, body: object = {}) => ask('POST', path, body),
    /** The webhooks that wait, as one message. */
    takeMessage: async () => {
      const { message } = await ask('POST', 'notifications/take', {})
      expect.soft(problemsOfMessage(String(message))).toEqual([])
      return String(message)
    },
    movementsOf: async (reference: string) => {
      const { movements } = await ask('GET', `books?reference=${encodeURIComponent(reference)}`)
      return movements as { kind: string; amount: { value: number }; isCaptured: boolean }[]
    },
  }
}
