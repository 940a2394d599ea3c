import type { Connector, Link } from '#connectors/contract/connector.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { Stage } from '#connectors/contract/suite-stage.ts'
import type { Trial } from '#connectors/contract/trial.ts'
import { fetchDirectly as fetch } from '#platform/outgoing/fetch.ts'
import { readWhole } from '../provider.ts'

type Fields = Readonly<Record<string, string>>
/** Hears of each exchange. The body of the answer is not read yet. */
export type OnExchange = (
  url: string,
  init: RequestInit | undefined,
  answer: Response | null,
) => Promise<void>

type Options = { readonly fields: Fields; readonly onExchange: OnExchange }

/** As long as the most patient connector waits. */
const TIMEOUT_MS = 80_000

/** A connector with a link to the sandbox of its provider, and to nowhere else. */
export function openStage(connector: Connector, trial: Trial, { fields, onExchange }: Options): Stage {
  const stage = new Stage(connector)
  const { approved, declined, movesMoney } = trial
  stage.bench = {
    link: testLink({ fields, fetch: fetchFrom(hostsOf(trial, fields), onExchange) }),
    effectsOf: async () => {
      throw new Error('the books of a sandbox are not open to us')
    },
    get approved() {
      return approved?.() ?? {}
    },
    ...(declined && {
      get declined() {
        return declined()
      },
    }),
    get tokenized() {
      const { instrument } = approved?.() ?? {}
      return instrument ? { instrument } : {}
    },
    ...(movesMoney && { movesMoney }),
  }
  return stage
}

function hostsOf({ hosts }: Trial, { stand_in_url: standIn }: Fields): readonly string[] {
  const url = standIn ? URL.parse(standIn) : null
  return url ? [url.host] : hosts
}

function fetchFrom(hosts: readonly string[], onExchange: OnExchange): Link['fetch'] {
  return async (url, init) => {
    const { host } = new URL(url)
    if (!hosts.includes(host)) throw new Error(`${host} is no part of the sandbox`)
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const answer = await readWhole(await fetch(url, { ...init, signal }))
      await onExchange(url, init, answer.clone())
      return answer
    } catch (error) {
      await onExchange(url, init, null)
      throw error
    }
  }
}
