import type { Link } from '#connectors/contract/connector.ts'
import { errors } from '#platform/http/errors.ts'
import { askProvider, type Providers } from '#processing/provider.ts'

type Reply<Result> =
  | { readonly outcome: 'answered'; readonly result: Result }
  | { readonly outcome: 'unusable' }

/** Asks a provider for something that moves no money. No answer in time is a 504, an unusable one a 502. */
export async function inquire<Result>(
  providers: Providers,
  fields: Link['fields'],
  ask: (link: Link) => Promise<Result>,
): Promise<Result> {
  const askOnce = async (_order: null, link: Link): Promise<Reply<Result>> => {
    try {
      return { outcome: 'answered', result: await ask(link) }
    } catch {
      return { outcome: 'unusable' }
    }
  }
  const reply = await askProvider(providers, askOnce, null, { fields, options: {} })
  if (reply.outcome === 'answered') return reply.result
  throw errors.unanswered(reply.outcome === 'unusable' ? 'bad_gateway' : 'gateway_timeout')
}
