import type { FastifyInstance } from 'fastify'
import { createCommandLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import type { LateJob } from '#sandbox/resources/clock/store.ts'
import type { Send } from '#sandbox/resources/fill/shop.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { UsageError } from './command.ts'
import { addressOf } from './own-address.ts'
import type { Terminal } from './terminal.ts'
import { sign } from './token.ts'

const TOKEN_SECONDS = 12 * 3_600

/** For commands that only a sandbox has. */
export function refuseProduction(config: Config): Config {
  if (config.environment === 'sandbox') return config
  throw new UsageError('This command is for sandboxes, and ENVIRONMENT is production.')
}

/** What operations and jobs need, in the process of a command. */
export async function workshop({ say }: Terminal, config: Config, foundation: Foundation) {
  const { assemble } = await import('../start.ts')
  return assemble(config, foundation, {
    logger: createCommandLogger(say),
    metrics: createMetrics(),
    publicUrl: await addressOf(config),
  })
}

type Sender = (route: string, body?: object) => ReturnType<Send>

/** Calls operations of an app in this process, with a key of the sandbox. */
export async function sender(app: FastifyInstance, keyFile: string, account: string): Promise<Sender> {
  const token = await sign(keyFile, { scopes: ['*.read', '*.write'] }, TOKEN_SECONDS)
  return async (route, body) => {
    const [method = '', url = ''] = route.split(' ')
    const answer = await app.inject({
      method: method as 'POST',
      url,
      ...(body && { payload: body }),
      headers: { authorization: `Bearer ${token}`, 'x-service-merchant-account-id': account },
    })
    return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() }
  }
}

/** Says which jobs a move of the clock did not wait for. */
export function sayLate({ say }: Terminal, lateJobs: readonly LateJob[]): void {
  for (const { job, reason, due_at } of lateJobs) {
    say(`The job ${job} was late: ${WHY[reason]}. It goes on with what is due since ${due_at}.`)
  }
}

const WHY: Readonly<Record<LateJob['reason'], string>> = {
  waiting: 'others did not answer in time',
  slow: 'a turn of it took too long',
  failed: 'it failed, and the log says why',
}
