import type { FastifyInstance } from 'fastify'
import type { DeviceScript } from '#connectors/contract/anti-fraud.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { Strict } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { complaintsAbout } from '#platform/http/validation.ts'
import type { Engine } from '#processing/engine.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { listWatching } from '../store.ts'
import { framePage, programFor } from './watch-device.ts'

const MerchantAccount = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))
const ScriptQuery = Strict({ merchant_account_id: MerchantAccount }, { title: 'DeviceScriptQuery' })
const FrameQuery = Strict(
  {
    merchant_account_id: MerchantAccount,
    fingerprint: Type.String({ pattern: '^[A-Za-z0-9_.:=+/-]{8,300}$' }),
  },
  { title: 'DeviceFrameQuery' },
)

type Needs = { readonly engine: Engine; readonly context: Context }

/** An upgrade, or another provider, reaches shops within this time. */
const SCRIPT_FOR = 'public, max-age=60'
const DEFAULT_ACCOUNT = 'default'

/** What anti-fraud services run in the browsers of buyers. Public: shops name it in their pages. */
export function serveDeviceScript(app: FastifyInstance, { engine, context }: Needs): void {
  const scriptsOf = async (merchantAccountId: string) => {
    const scope: Scope = { ...context, merchantAccountId }
    const scripts = await findDeviceScripts(scope, engine)
    if (scripts.length > 0) return scripts
    const account = await merchantAccounts.find(context, engine.secrets, merchantAccountId)
    if (!account) throw errors.notFound()
    return []
  }

  app.get('/f.js', async ({ query }, reply) => {
    const { merchant_account_id: id = DEFAULT_ACCOUNT } = read(ScriptQuery, query)
    const headers = {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': SCRIPT_FOR,
      'cross-origin-resource-policy': 'cross-origin',
    }
    const program = programFor(await scriptsOf(id), null)
    return reply.headers(headers).send(program)
  })

  app.get('/f.html', async ({ query }, reply) => {
    const { merchant_account_id: id = DEFAULT_ACCOUNT, fingerprint } = read(FrameQuery, query)
    const { html, policy } = framePage(await scriptsOf(id), fingerprint)
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
    }
    return reply.headers(headers).send(html)
  })
}

function read<Schema extends Parameters<typeof complaintsAbout>[1]>(schema: Schema, query: unknown) {
  const complaints = complaintsAbout('query', schema, query ?? {})
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return query as Static<Schema>
}

const ORIGIN = /^https?:\/\/(\*\.)?[A-Za-z0-9.-]+(:\d+)?$/

/** The scripts of the services that are asked about payments, the deciding one first. Those of packages are looked at, too. */
export async function findDeviceScripts(
  scope: Scope,
  { providers }: Pick<Engine, 'providers'>,
): Promise<readonly DeviceScript[]> {
  const services = await listWatching(scope)
  return services.flatMap(({ anti_fraud_service_definition_id: id, fields }) => {
    const script = providers.antiFraud.find(id)?.deviceScript?.({
      fields,
      environment: providers.environment,
    })
    const isSafe = script && URL.canParse(script.url) && script.origins.every((origin) => ORIGIN.test(origin))
    return isSafe && /^https?:$/.test(new URL(script.url).protocol) ? [script] : []
  })
}
